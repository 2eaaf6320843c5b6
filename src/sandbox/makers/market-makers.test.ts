import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { auditState } from '../../engine/audit/audit.ts';
import { type Command, CommandKind, SYSTEM_ACTOR } from '../../engine/command.ts';
import type { TradeEvent } from '../../engine/event.ts';
import { Exchange } from '../../engine/exchange.ts';
import { MarketStatus, NONE, Side } from '../../engine/terms.ts';
import { sandboxGenesis } from '../sandbox.ts';
import { makerGenesis } from './maker-genesis.ts';
import { MAKER_MARKETS, MarketMakers, type SavedMakers } from './market-makers.ts';

const START = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;
/** Indexes of the accounts after the operator, alice and bob. */
const [MAKER, TAKER] = [3, 4];

/** An exchange with market makers, played without a log. */
class World {
  readonly exchange = new Exchange();
  readonly trades: TradeEvent[] = [];
  readonly commands: Command[] = [];
  readonly rejections: number[] = [];
  isCoarse = false;
  time = START;
  makers: MarketMakers;
  private readonly waiting: Command[] = [];

  constructor(readonly seed: number) {
    for (const command of [...sandboxGenesis(), ...makerGenesis([MAKER, TAKER])]) {
      this.exchange.apply(command, START);
    }
    this.makers = this.create();
  }

  /** Continues with other market makers in the same exchange. */
  replaceMakers(saved: SavedMakers): void {
    this.makers = this.create(JSON.parse(JSON.stringify(saved)));
  }

  playTo(time: number): void {
    while (this.makers.nextAt <= time) {
      this.time = this.makers.nextAt;
      this.makers.run(this.time);
      this.applyWaiting();
    }
    this.time = time;
  }

  apply(command: Command): void {
    const { exchange } = this;
    const outcome = exchange.apply(command, this.time);
    if (outcome.kind === 'rejected') this.rejections.push(outcome.code);
    for (const event of exchange.events) if (event.kind === 'trade') this.trades.push(event);
  }

  applyWaiting(): void {
    for (const command of this.waiting.splice(0)) {
      this.commands.push(command);
      this.apply(command);
    }
  }

  best(market: number) {
    const { book } = this.exchange.state.markets[market]!;
    return [book.bestPrice(Side.buy)!, book.bestPrice(Side.sell)!] as const;
  }

  private create(saved?: SavedMakers): MarketMakers {
    const options = {
      state: this.exchange.state,
      submit: (command: Command) => void this.waiting.push(command),
      seed: this.seed,
      startsAt: this.time,
      isCoarse: () => this.isCoarse,
    };
    return new MarketMakers(options, saved);
  }
}

const seeds = fc.nat(2 ** 32 - 1);

test('the makers quote both sides of all markets and trade, without rejections, and the books balance', () => {
  fc.assert(
    fc.property(seeds, fc.boolean(), (seed, isCoarse) => {
      const world = new World(seed);
      world.isCoarse = isCoarse;
      world.playTo(START + (isCoarse ? 600 : 5) * MINUTE_MS);
      expect(world.rejections).toEqual([]);
      for (const market of MAKER_MARKETS.keys()) {
        const [bid, ask] = world.best(market);
        expect(bid).toBeLessThan(ask);
        expect(world.trades.some((trade) => trade.market === market)).toBe(true);
      }
      auditState(world.exchange.state);
    }),
    { numRuns: 10 },
  );
});

test('the same seed gives the same commands, also if other makers continue from a saved state', () => {
  fc.assert(
    fc.property(seeds, fc.integer({ min: 0, max: 120_000 }), (seed, stopMs) => {
      const [one, two] = [new World(seed), new World(seed)];
      one.playTo(START + 3 * MINUTE_MS);
      two.playTo(START + stopMs);
      two.replaceMakers(two.makers.saved);
      two.playTo(START + 3 * MINUTE_MS);
      expect(two.exchange.state.digest).toBe(one.exchange.state.digest);
      expect(two.commands).toEqual(one.commands);
    }),
    { numRuns: 10 },
  );
});

test('a move shifts the fair price steadily, and the book follows it', () => {
  const world = new World(7);
  world.playTo(START + MINUTE_MS);
  const [before] = world.best(0);
  world.makers.change(0, { move: { change: -0.2, durationMs: 2 * MINUTE_MS } }, world.time);
  world.applyWaiting();
  world.playTo(START + 2 * MINUTE_MS);
  expect(world.best(0)[0] / before).toBeWithin(0.87, 0.92);
  world.playTo(START + 5 * MINUTE_MS);
  expect(world.best(0)[0] / before).toBeWithin(0.78, 0.82);
});

test('depth, spread, flow, bias and running change the market at once', () => {
  const world = new World(8);
  world.playTo(START + MINUTE_MS);
  const depth = () => Number(world.exchange.state.markets[0]!.book.bestAmount(Side.buy));
  const spread = () => world.best(0)[1] - world.best(0)[0];
  const [normalDepth, normalSpread] = [depth(), spread()];
  const change = (behavior: Parameters<MarketMakers['change']>[1]) => {
    world.makers.change(0, behavior, world.time);
    world.applyWaiting();
  };
  change({ running: false });
  expect(world.best(0)).toEqual([undefined, undefined] as never);
  change({ running: true, depth: 0.01, spread: 50 });
  expect(depth()).toBeLessThan(normalDepth / 10);
  expect(spread()).toBeGreaterThan(normalSpread * 5);
  change({ depth: 1, spread: 1, bias: -1, flow: 1 });
  world.trades.length = 0;
  world.playTo(world.time + 5 * MINUTE_MS);
  const sides = new Set(world.trades.filter(({ market }) => market === 0).map((t) => t.takerSide));
  expect([...sides]).toEqual([Side.sell]);
  change({ flow: 0 });
  world.trades.length = 0;
  world.playTo(world.time + MINUTE_MS);
  expect(world.trades.filter(({ market }) => market === 0)).toEqual([]);
});

test('the taker takes a better quote of another account', () => {
  const world = new World(9);
  world.playTo(START + MINUTE_MS);
  const [bid, ask] = world.best(0);
  const price = Math.floor((bid + ask) / 2);
  const alice = 1;
  world.apply({
    ...(world.commands.find(({ kind }) => kind === CommandKind.placeOrder) as object),
    account: alice,
    key: NONE,
    market: 0,
    side: Side.buy,
    price,
    amount: 1_000_000,
  } as Command);
  world.trades.length = 0;
  world.playTo(world.time + 3000);
  expect(world.trades.filter(({ makerAccount }) => makerAccount === alice)[0]).toMatchObject({
    price,
  });
});

test('a halted market gets no orders, and a larger tick is followed without rejections', () => {
  const world = new World(10);
  world.playTo(START + MINUTE_MS);
  const setStatus = (status: number) =>
    world.apply({ kind: CommandKind.setMarketStatus, ...SYSTEM_ACTOR, market: 1, status } as never);
  setStatus(MarketStatus.halted);
  world.playTo(START + 2 * MINUTE_MS);
  setStatus(MarketStatus.online);
  const { priceDecimals, amountDecimals, ...rules } = world.exchange.state.markets[1]!.rules;
  world.makers.cancelAll();
  world.applyWaiting();
  world.apply({
    kind: CommandKind.changeMarketRules,
    ...SYSTEM_ACTOR,
    market: 1,
    rules: { ...rules, tick: 10, minPrice: 10 },
  } as never);
  world.playTo(START + 4 * MINUTE_MS);
  expect(world.rejections).toEqual([]);
  expect(world.best(1)[0] % 10).toBe(0);
});
