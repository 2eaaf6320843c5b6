import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { type Command, CommandKind, SYSTEM_ACTOR } from '../../engine/command.ts';
import { Exchange } from '../../engine/exchange.ts';
import { Side, TimeInForce } from '../../engine/terms.ts';
import { RecordedFiles } from '../../testing/recorded-files.ts';
import { placeLimit } from '../limit-orders.ts';
import { openOrders } from './open-orders.ts';
import { RecordingPlayer } from './player.ts';
import { recordedGenesis } from './recorded-genesis.ts';
import { eventsIn, openRecording, type Recording } from './recording.ts';

const START = 1_767_225_600_000;
const ALICE = 1;

interface Trade {
  readonly time: number;
  readonly market: string;
  readonly price: number;
  readonly amount: number;
  readonly maker: number;
}

/** An exchange in which a recording is played, without a node. */
class Played {
  readonly exchange = new Exchange();
  readonly trades: Trade[] = [];
  readonly rejected: string[] = [];
  readonly ended: string[] = [];
  player!: RecordingPlayer;
  private readonly submitted: Command[] = [];

  constructor(readonly recording: Recording) {
    for (const command of recordedGenesis(recording)) this.apply(command, recording.startsAt);
    this.restart(recording.startsAt);
  }

  /** Continues with a new player, as after a restart. */
  restart(now: number): void {
    this.player = new RecordingPlayer({
      state: this.exchange.state,
      submit: (command) => void this.submitted.push(command),
      onFirstRejection: () => {},
      recording: this.recording,
      hasQuotes: true,
      seed: 1,
      now,
      onEnd: ({ symbol }) => void this.ended.push(symbol),
    });
  }

  apply(command: Command, time: number): void {
    const outcome = this.exchange.apply(command, time);
    if (outcome.kind === 'rejected') this.rejected.push(outcome.rule ?? `${outcome.code}`);
    for (const event of this.exchange.events) {
      if (event.kind !== 'trade') continue;
      const { price, amount } = event;
      const market = this.exchange.state.markets[event.market]!.symbol;
      this.trades.push({ time, market, price, amount, maker: event.makerAccount });
    }
  }

  /** Plays up to a time. */
  play(until = Number.POSITIVE_INFINITY): this {
    for (let time = 0; this.player.nextAt <= until && this.player.nextAt < Infinity; ) {
      expect(this.player.nextAt).toBeGreaterThan(time);
      time = this.player.nextAt;
      this.player.run(time);
      for (const command of this.submitted.splice(0)) this.apply(command, time);
    }
    return this;
  }

  market(symbol: string) {
    return this.exchange.state.marketsBySymbol.get(symbol)!;
  }
}

async function played(text: string, name = 'BTCUSDT'): Promise<Played> {
  using files = new RecordedFiles();
  const recording = await openRecording([files.write(name, text)], files.spool);
  return new Played(recording).play();
}

const tradeRows = fc.array(
  fc.record({
    wait: fc.nat(3_000),
    price: fc.integer({ min: 9_000, max: 11_000 }),
    amount: fc.integer({ min: 1_000_000, max: 900_000_000 }),
    side: fc.constantFrom('buy', 'sell'),
  }),
  { minLength: 1, maxLength: 60 },
);

test('every recorded trade is printed at its time, price and amount, and then the makers stop', async () => {
  await fc.assert(
    fc.asyncProperty(tradeRows, async (rows) => {
      let time = START;
      const recorded = rows.map(({ wait, price, amount, side }) => {
        time += wait;
        return { time, price, amount, side };
      });
      const lines = recorded.map(
        ({ time: at, price, amount, side }) =>
          `${at},${price / 100},${(amount / 1e8).toFixed(8)},${side}\n`,
      );
      const { trades, rejected, exchange, ended } = await played(
        `time,price,amount,side\n${lines.join('')}`,
      );
      expect(trades.map(({ time: at, price, amount }) => ({ time: at, price, amount }))).toEqual(
        recorded.map(({ time: at, price, amount }) => ({ time: at, price, amount })),
      );
      expect({ rejected, ended }).toEqual({ rejected: [], ended: ['BTC/USDT'] });
      expect(exchange.state.orders.size).toBe(0);
    }),
    { numRuns: 40 },
  );
});

const TRADES = `time,price,amount,side
${START},100,1,buy
${START + 2000},101,1,buy
${START + 4000},99,2,sell
`;

test("a client's order at the price of a trade or a better one is filled first", async () => {
  using files = new RecordedFiles();
  const run = new Played(await openRecording([files.write('BTCUSDT', TRADES)], files.spool));
  run.play(START + 1500);
  const ask = { side: Side.sell, price: 10_050, amount: 30_000_000 };
  const bid = { side: Side.buy, price: 9_900, amount: 500_000_000 };
  for (const terms of [ask, bid]) {
    const command = placeLimit(ALICE, run.market('BTC/USDT').index, terms, TimeInForce.gtc);
    run.apply(command, START + 1500);
  }
  run.play();
  expect(run.trades.slice(1).map(({ price, amount, maker }) => [price, amount, maker])).toEqual([
    [10_050, 30_000_000, ALICE],
    [10_100, 70_000_000, 3],
    [9_900, 200_000_000, ALICE],
  ]);
});

test('recorded trades continue after a restart at any time, each once', async () => {
  using files = new RecordedFiles();
  const recording = await openRecording([files.write('BTCUSDT', TRADES)], files.spool);
  const whole = new Played(recording).play().exchange.state.digest;
  for (const after of [0, 1, 499, 500, 501, 1_999, 2_000, 2_001, 2_500, 4_000, 4_001, 9_999]) {
    const run = new Played(recording).play(START + after);
    run.restart(START + after);
    run.play();
    // The quotes are the same too.
    expect(run.exchange.state.digest).toEqual(whole);
    expect(run.trades.map(({ price, amount }) => [price, amount])).toEqual([
      [10_000, 100_000_000],
      [10_100, 100_000_000],
      [9_900, 200_000_000],
    ]);
  }
});

test('the makers quote around the last price of the recording, on both sides', async () => {
  using files = new RecordedFiles();
  const run = new Played(await openRecording([files.write('BTCUSDT', TRADES)], files.spool));
  for (const [until, price] of [
    [START + 1_999, 10_000],
    [START + 3_999, 10_100],
  ] as const) {
    run.play(until);
    const orders = openOrders(run.exchange.state, 3, run.market('BTC/USDT'));
    const bids = orders.filter(({ side }) => side === Side.buy).map((order) => order.price);
    const asks = orders.filter(({ side }) => side === Side.sell).map((order) => order.price);
    expect(run.rejected).toEqual([]);
    expect(bids.length).toBeGreaterThan(10);
    expect(asks.length).toBeGreaterThan(10);
    expect(Math.max(...bids)).toBeWithin(price - 10, price);
    expect(Math.min(...asks)).toBeWithin(price + 1, price + 10);
  }
});

test('klines are played as their candles', async () => {
  const price = fc.integer({ min: 9_900, max: 10_100 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({ prices: fc.tuple(price, price, price, price), volume: fc.nat(50_000) }),
        {
          minLength: 1,
          maxLength: 15,
        },
      ),
      async (klines) => {
        const candles = klines.map(({ prices: [a, b, c, d], volume }, index) => ({
          time: START + index * 60_000,
          open: a,
          high: Math.max(a, b, c, d),
          low: Math.min(a, b, c, d),
          close: d,
          volume: (volume + 40) * 10_000,
        }));
        const { trades } = await played(
          candles
            .map(({ time, open, high, low, close, volume }) => {
              const prices = [open, high, low, close].map((each) => each / 100);
              return `${time},${prices.join()},${(volume / 1e8).toFixed(8)},${time + 59_999},0,4,0,0,0\n`;
            })
            .join(''),
        );
        const printed = candles.map(({ time }) => {
          const inside = trades.filter((trade) => trade.time >= time && trade.time < time + 60_000);
          const prices = inside.map((trade) => trade.price);
          return {
            time,
            open: prices[0],
            high: Math.max(...prices),
            low: Math.min(...prices),
            close: prices.at(-1),
            volume: inside.reduce((sum, { amount }) => sum + amount, 0),
          };
        });
        expect(printed).toEqual(candles as typeof printed);
      },
    ),
    { numRuns: 30 },
  );
});

test('book levels are kept by orders of the maker', async () => {
  const side = fc.constantFrom('buy', 'sell');
  // Bids are below asks, as in a recorded book.
  const update = fc.record({ side, level: fc.nat(8), amount: fc.nat(5), wait: fc.nat(2) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(update, { minLength: 1, maxLength: 80 }),
      fc.nat(79),
      async (updates, snapshotAt) => {
        let time = START;
        const expected = new Map<string, number>();
        const rows = updates.map(({ side: of, level, amount, wait }, index) => {
          time += wait;
          const price = of === 'buy' ? 100 - level : 101 + level;
          const isSnapshot = index === snapshotAt && amount > 0;
          if (isSnapshot) expected.clear();
          if (amount === 0) expected.delete(`${of} ${price}`);
          else expected.set(`${of} ${price}`, amount);
          return `${time},${isSnapshot ? 'snapshot' : 'update'},${of},${price},${amount}\n`;
        });
        using files = new RecordedFiles();
        const text = `time,type,side,price,amount\n${rows.join('')}`;
        const recording = await openRecording([`A/B=${files.write('l2', text)}`], files.spool);
        const run = new Played(recording).play(recording.endsAt);
        // Waiting events may take some milliseconds more.
        const events = [...eventsIn(recording)].length;
        while (run.player.progress[0]!.played < events) {
          expect(run.player.nextAt).toBeLessThan(Infinity);
          run.play(run.player.nextAt);
        }
        const market = run.market('A/B');
        const orders: (readonly [string, number])[] = openOrders(run.exchange.state, 3, market).map(
          (order) =>
            [
              `${order.side === Side.buy ? 'buy' : 'sell'} ${order.price}`,
              order.remaining,
            ] as const,
        );
        expect(new Map(orders)).toEqual(expected);
        expect(orders).toHaveLength(expected.size);
        expect(run.rejected).toEqual([]);
        expect(openOrders(run.play().exchange.state, 3, market)).toEqual([]);
      },
    ),
    { numRuns: 60 },
  );
});

test('a recorded trade takes from its level, and the next update of the level wins', async () => {
  const run = await played(
    `time,type,side,price,amount
${START},snapshot,buy,100,2
${START},snapshot,sell,101,3
${START},trade,buy,101,1
${START},update,sell,101,2
${START + 5},update,sell,101,4
${START + 6},trade,buy,101,4
`,
    'BTCUSDT-l2.csv',
  );
  expect(run.trades.map(({ time, price, amount }) => [time - START, price, amount])).toEqual([
    [0, 10_100, 100_000_000],
    [6, 10_100, 400_000_000],
  ]);
});

const L3 = `time,type,id,side,price,amount
${START},order,a,buy,100,2
${START},order,b,sell,101,1
${START},order,gone,sell,100.5,1
${START},cancel,gone,,,
${START + 10},order,c,buy,101,0.4
${START + 20},cancel,b,sell,101,0.6
${START + 30},order,d,sell,100,5
`;

test('recorded orders are matched by the engine, also after a restart', async () => {
  using files = new RecordedFiles();
  const recording = await openRecording([files.write('ABCUSD', L3)], files.spool);
  const whole = new Played(recording).play();
  const printed = whole.trades.map(({ time, price, amount }) => [time - START, price, amount]);
  expect(printed).toEqual([
    [10, 1010, 4],
    [30, 1000, 20],
  ]);
  for (let after = 0; after <= 31; after++) {
    const run = new Played(recording).play(START + after);
    run.restart(START + after);
    expect(run.play().trades).toEqual(whole.trades);
    expect(run.player.progress[0]).toMatchObject({ isEnded: true });
  }
});

test('the same recording and seed give the same state', async () => {
  const hashes = await Promise.all(
    [1, 2].map(async () => (await played(TRADES)).exchange.state.digest),
  );
  expect(hashes[0]).toEqual(hashes[1]!);
});

test('a market that is delisted while it is played ends without an error', async () => {
  using files = new RecordedFiles();
  const recording = await openRecording([files.write('BTCUSDT', TRADES)], files.spool);
  const run = new Played(recording).play(START + 1);
  const market = run.market('BTC/USDT').index;
  run.apply({ kind: CommandKind.delistMarket, ...SYSTEM_ACTOR, market }, START + 1);
  run.play();
  expect(run.ended).toEqual(['BTC/USDT']);
  expect(run.trades).toHaveLength(1);
  expect(run.exchange.state.orders.size).toBe(0);
});

const BITSTAMP = process.env.BITSTAMP_FILE ?? '';

describe('five hours of Bitstamp', () => {
  if (!existsSync(BITSTAMP)) {
    console.log(
      'skipped: set BITSTAMP_FILE to the unpacked file 2015-05-01 of ob-analytics, which this project does not include',
    );
  }
  test.skipIf(!existsSync(BITSTAMP))('reproduce 508 of 575 trades exactly', async () => {
    using files = new RecordedFiles();
    const recording = await openRecording([`BTC/USD=${BITSTAMP}`], files.spool);
    const run = new Played(recording).play();
    const left = new Map<string, number>();
    for (const { price, amount } of run.trades) {
      const key = `${price} ${amount}`;
      left.set(key, (left.get(key) ?? 0) + 1);
    }
    let matched = 0;
    let recorded = 0;
    for (const line of (await Bun.file(BITSTAMP).text()).split('\n')) {
      const json = /^\d+ trade (.*)$/.exec(line)?.[1];
      if (json === undefined) continue;
      recorded++;
      const { price, amount } = JSON.parse(json) as { price: number; amount: number };
      const key = `${Math.round(price * 100)} ${Math.round(amount * 1e8)}`;
      const count = left.get(key) ?? 0;
      left.set(key, count - 1);
      if (count > 0) matched++;
    }
    expect({ matched, recorded }).toEqual({ matched: 508, recorded: 575 });
    expect(run.rejected).toEqual([]);
    expect([...eventsIn(recording)]).toHaveLength(24_894 + 24_918);
  });
});
