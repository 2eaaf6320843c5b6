import fc from 'fast-check';
import {
  type Command,
  CommandKind,
  type ListMarket,
  type MarketRules,
  type PlaceBracket,
  type PlaceOco,
  type PlaceOrder,
  type PlaceStopOrder,
  SYSTEM_ACTOR,
} from '../../src/engine/command.ts';
import { ENGINE_VERSION } from '../../src/engine/exchange.ts';
import {
  CLIENT_ORDER_ID_LIFETIME_MS,
  MAX_ASSET_TOTAL,
  MAX_UNITS,
} from '../../src/engine/limits.ts';
import { exact } from '../../src/engine/numbers/exact.ts';
import {
  MarketStatus,
  NONE,
  OrderType,
  Permission,
  type Side,
  TimeInForce,
} from '../../src/engine/terms.ts';
import { searched } from './little-memory.ts';
import { NaiveExchange, type NaiveOutcome } from './naive-exchange.ts';
import { BUY, hasLimit, priceOf, worth } from './naive-matching.ts';
import type { NaiveMarket, NaiveState } from './naive-state.ts';
import { triggersOnRise } from './naive-stops.ts';
import { change, supervision, toChange, toSupervision } from './scenario-changes.ts';
import { toBracket, toOco } from './scenario-legs.ts';
import { actor, USUAL_STEPS, weighted, who } from './scenario-parts.ts';

/**
 * Random scenarios for an exchange. A scenario consists of a world (assets, markets, accounts,
 * funds) and a list of moves: small numbers that become commands depending on the current state, so
 * that prices cross, cancels hit, ids repeat, and a failing list can be shortened move by move.
 */

export interface Timed {
  readonly command: Command;
  readonly time: number;
}

export interface World {
  /** Decimals of the assets A, B and C. */
  readonly decimals: readonly number[];
  /** In the order A/B, C/B, A/C, B/A, C/A. */
  readonly markets: readonly MarketShape[];
  readonly accounts: number;
  /** Balances by account and asset, in orders of usual size that they pay for. */
  readonly funds: readonly number[];
  /** Engine version at the start; an older one is upgraded later. */
  readonly version: number;
}

interface MarketShape {
  readonly priceDecimals: number;
  readonly amountDecimals: number;
  readonly tick: number;
  readonly step: number;
  /** The reference price, in ticks. */
  readonly middle: number;
  readonly hasLargeAmounts: boolean;
  /** In steps at the reference price. */
  readonly minNotional: number;
  readonly makerFee: number;
  readonly takerFee: number;
  readonly collar: number;
}

export const START = 1_700_000_000_000;
const PAIRS = [
  [0, 1],
  [2, 1],
  [0, 2],
  [1, 0],
  [2, 0],
] as const;
/** The command that a node of a newer release appends. */
export const UPGRADE: Command = {
  kind: CommandKind.upgrade,
  ...SYSTEM_ACTOR,
  version: ENGINE_VERSION,
};
const TICKERS = ['A', 'B', 'C'] as const;

const fee = fc.constantFrom(0, 1, 250, 1000, 99_999, 100_000);
const marketShape: fc.Arbitrary<MarketShape> = fc.record({
  priceDecimals: fc.nat(4),
  amountDecimals: fc.nat(8),
  tick: fc.constantFrom(1, 1, 5, 7),
  step: fc.constantFrom(1, 1, 3, 10),
  middle: fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 7, max: 40 }) },
    { weight: 1, arbitrary: fc.constantFrom(11_800_000, 1e11, 1e14) },
  ),
  hasLargeAmounts: fc.boolean(),
  minNotional: fc.constantFrom(0, 0, 1, 3),
  makerFee: fee,
  takerFee: fee,
  collar: fc.constantFrom(0, 0, 1, 99_999, 150_000, 1_000_000),
});

/** Generates worlds with `accounts` accounts (at least 2) and up to `maxMarkets` markets. */
export function worldOf(accounts: fc.Arbitrary<number>, maxMarkets: number): fc.Arbitrary<World> {
  return fc.record({
    decimals: fc.tuple(...TICKERS.map(() => fc.constantFrom(0, 2, 8, 10, 18, 22))),
    markets: fc.array(marketShape, { minLength: 1, maxLength: maxMarkets, size: 'max' }),
    accounts,
    funds: fc.array(fc.constantFrom(0, 3, 40, 1e9, 1e30, 1e30), { minLength: 18, maxLength: 18 }),
    version: fc.constantFrom(ENGINE_VERSION, ENGINE_VERSION, ENGINE_VERSION, 1),
  });
}

const world = worldOf(fc.constantFrom(2, 2, 3, 3, 4, 6), 3);

const place = fc.record({
  kind: fc.constant('place' as const),
  actor,
  account: fc.nat(49),
  market: fc.constantFrom(0, 0, 0, 0, 0, 1, 1, 2, 3, 4),
  side: fc.nat(1),
  form: weighted<'limit' | 'amount' | 'cost' | 'stop' | 'oco'>(
    [12, 'limit'],
    [2, 'amount'],
    [2, 'cost'],
    [6, 'stop'],
    [4, 'oco'],
  ),
  attached: weighted<'none' | 'takeProfit' | 'stopLoss' | 'both'>(
    [6, 'none'],
    [1, 'takeProfit'],
    [1, 'stopLoss'],
    [3, 'both'],
  ),
  stopType: fc.integer({ min: OrderType.stop, max: OrderType.takeProfitLimit }),
  /** Distance of the trigger from the last price in ticks, rarely on the wrong side. */
  triggerTicks: fc.integer({ min: -1, max: 3 }),
  timeInForce: fc.constantFrom(0, 0, 0, 0, 0, 1, 2, 3),
  postOnly: weighted([12, false], [1, true]),
  selfTradePrevention: fc.nat(3),
  ticks: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: -2, max: 2 }) },
    { weight: 1, arbitrary: fc.integer({ min: -6, max: 6 }) },
  ),
  steps: fc.integer({ min: 1, max: USUAL_STEPS }),
  oddity: weighted<'none' | 'offTick' | 'offStep' | 'huge' | 'noMarket'>(
    [40, 'none'],
    [1, 'offTick'],
    [1, 'offStep'],
    [6, 'huge'],
    [1, 'noMarket'],
  ),
  expiresIn: fc.integer({ min: -1, max: 40 }),
  clientOrderId: weighted<string | null>([12, null], [1, 'a'], [1, 'b'], [1, 'x'.repeat(64)]),
});
const cancel = fc.record({
  kind: fc.constant('cancel' as const),
  actor,
  account: fc.nat(5),
  which: fc.nat(),
  isOwn: weighted([9, true], [1, false]),
});
const administrative = fc.oneof(
  fc.record({
    kind: fc.constant('transfer' as const),
    owner: fc.nat(7),
    asset: fc.nat(3),
    orders: fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: -3, max: 3 }) },
      { weight: 1, arbitrary: fc.constantFrom(1e15, 1e29) },
    ),
    reference: fc.option(fc.nat(4), { nil: null }),
  }),
  fc.record({ kind: fc.constant('freeze' as const), owner: fc.nat(7), frozen: fc.boolean() }),
  fc.record({ kind: fc.constant('status' as const), market: fc.nat(3), status: fc.nat(5) }),
  fc.record({
    kind: fc.constant('createKey' as const),
    owner: fc.nat(7),
    name: fc.nat(12),
    permissions: fc.nat(8),
    expiresIn: fc.nat(30),
  }),
  fc.record({ kind: fc.constant('revokeKey' as const), name: fc.nat(12) }),
  fc.record({ kind: fc.constant('createAccount' as const), name: fc.nat(9) }),
  fc.record({ kind: fc.constant('createAsset' as const), name: fc.nat(6), decimals: fc.nat(26) }),
  fc.record({ kind: fc.constant('list' as const), pair: fc.nat(4), isOdd: fc.boolean() }),
);
/** Repeats a request, like a client that saw no response. */
const repeat = fc.record({ kind: fc.constant('repeat' as const), back: fc.nat(6) });

export const move = fc.record({
  /** Milliseconds since the previous command. */
  wait: fc.oneof(
    { weight: 12, arbitrary: fc.constant(0) },
    { weight: 5, arbitrary: fc.integer({ min: 1, max: 10 }) },
    { weight: 1, arbitrary: fc.integer({ min: -20, max: -1 }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(50, 3_600_000, CLIENT_ORDER_ID_LIFETIME_MS, 15 * 86_400_000),
    },
  ),
  operator: weighted([9, true], [1, false]),
  what: fc.oneof(
    { weight: 24, arbitrary: place },
    { weight: 3, arbitrary: cancel },
    { weight: 7, arbitrary: change },
    { weight: 1, arbitrary: repeat },
    { weight: 2, arbitrary: administrative },
    { weight: 2, arbitrary: supervision },
  ),
});
export type Move = typeof move extends fc.Arbitrary<infer T> ? T : never;

export interface Scenario {
  readonly world: World;
  readonly moves: readonly Move[];
}

export function scenario(maxMoves: number): fc.Arbitrary<Scenario> {
  return fc.record({
    world,
    moves: fc.array(move, { minLength: 1, maxLength: maxMoves, size: 'max' }),
  });
}

export const PLACING: readonly number[] = [
  CommandKind.placeOrder,
  CommandKind.placeStopOrder,
  CommandKind.placeOco,
  CommandKind.placeBracket,
];

/** Yields each command of a scenario, with the outcome of the reference model. */
export function* play(
  { world, moves }: Scenario,
  naive = new NaiveExchange(),
): Generator<Timed & { readonly expected: NaiveOutcome }> {
  const past: Command[] = [];
  let time = START;
  for (const command of prologue(world))
    yield { command, time, expected: naive.apply(command, time) };
  for (const [index, { what, wait, operator }] of moves.entries()) {
    time += wait;
    if (index === moves.length >> 1 && naive.state.version < ENGINE_VERSION) {
      yield { command: UPGRADE, time, expected: naive.apply(UPGRADE, time) };
    }
    const wanted =
      what.kind === 'repeat'
        ? past.at(-1 - what.back)
        : toCommand(what, operator, time, naive.state);
    if (wanted === undefined) continue;
    const command = searched(wanted, naive.state);
    if (PLACING.includes(command.kind)) past.push(command);
    yield { command, time, expected: naive.apply(command, time) };
  }
}

/** Returns the commands of a scenario, starting from an empty exchange. */
export function commandsOf(life: Scenario): Timed[] {
  return [...play(life)].map(({ command, time }) => ({ command, time }));
}

function listingOf(shape: MarketShape, pair: number, decimals: readonly number[]): ListMarket {
  const [base, quote] = PAIRS[pair]!;
  const amountDecimals = Math.min(shape.amountDecimals, decimals[base]!, decimals[quote]!);
  const priceDecimals = Math.min(shape.priceDecimals, decimals[quote]! - amountDecimals);
  const { tick, step } = shape;
  const middle = shape.middle * tick;
  const scale = 10n ** BigInt(decimals[quote]! - priceDecimals - amountDecimals);
  const rules: MarketRules = {
    priceDecimals,
    amountDecimals,
    tick,
    step,
    minPrice: middle - 5 * tick,
    maxPrice: middle + 5 * tick,
    minAmount: step,
    maxAmount: shape.hasLargeAmounts ? MAX_UNITS - (MAX_UNITS % step) : step * USUAL_STEPS,
    minNotional: exact(BigInt(middle) * BigInt(step * shape.minNotional) * scale),
    makerFee: shape.makerFee,
    takerFee: shape.takerFee,
    referencePrice: middle,
    collar: shape.collar,
  };
  const names = {
    symbol: `${TICKERS[base]}/${TICKERS[quote]}`,
    base: TICKERS[base],
    quote: TICKERS[quote],
  };
  return { kind: CommandKind.listMarket, ...SYSTEM_ACTOR, ...names, ...rules };
}

/**
 * Returns the commands that create the world. Account 0 belongs to the operator; key n belongs to
 * account n, and the last two keys cannot trade for long or at all.
 */
export function prologue({ decimals, markets, accounts, funds, version }: World): Command[] {
  const commands: Command[] = [{ kind: CommandKind.open, version, sandbox: true }];
  TICKERS.forEach((asset, index) => {
    const terms = { asset, name: asset, decimals: decimals[index]! };
    commands.push({ kind: CommandKind.createAsset, ...SYSTEM_ACTOR, ...terms });
  });
  const listings = markets.map((shape, pair) => listingOf(shape, pair, decimals));
  commands.push(...listings);
  for (let owner = 0; owner <= accounts; owner++) {
    const accountId = `account-${owner}`;
    commands.push({ kind: CommandKind.createAccount, ...SYSTEM_ACTOR, accountId, limitClass: 1 });
    const permissions = owner === 0 ? Permission.operate : Permission.read + Permission.trade;
    commands.push(newKey(owner, `key-${owner}`, permissions, 0));
  }
  commands.push(newKey(1, 'read-only', Permission.read, 0));
  commands.push(newKey(2, 'short-lived', Permission.trade, START + 20));
  // Together the balances stay below the maximum total of an asset.
  const maximum = MAX_ASSET_TOTAL / BigInt(accounts + 4);
  for (let owner = 1; owner <= accounts; owner++) {
    for (let asset = 0; asset < TICKERS.length; asset++) {
      const orders = funds[((owner - 1) * 3 + asset) % funds.length]!;
      const wanted = BigInt(orders) * usualNeed(asset, listings, decimals);
      const amount = wanted < maximum ? wanted : maximum;
      const reference = `funds-${owner}-${asset}`;
      if (amount > 0n) commands.push(transferOf(owner, asset, amount, reference));
    }
  }
  return commands;
}

/** Returns the amount of an asset that an order of usual size needs, in minor units. */
function usualNeed(
  asset: number,
  listings: readonly ListMarket[],
  decimals: readonly number[],
): bigint {
  const ticker = TICKERS[asset];
  const market = listings.find(({ base, quote }) => base === ticker || quote === ticker);
  if (market === undefined) return 1000n;
  const amount = BigInt(market.step * USUAL_STEPS);
  if (market.base === ticker)
    return amount * 10n ** BigInt(decimals[asset]! - market.amountDecimals);
  const scale = 10n ** BigInt(decimals[asset]! - market.priceDecimals - market.amountDecimals);
  return amount * BigInt(market.referencePrice) * scale;
}

/** Returns `usualNeed` for the current assets and markets. */
function needOf(state: NaiveState): (asset: number) => bigint {
  const listings = state.markets.map(
    (each) => ({ ...each.rules, base: each.base.asset, quote: each.quote.asset }) as ListMarket,
  );
  return (asset) => usualNeed(asset, listings, decimalsOf(state));
}

function decimalsOf(state: NaiveState): number[] {
  return state.assets.map((each) => each.decimals);
}

function newKey(owner: number, apiKey: string, permissions: number, expiresAt: number): Command {
  const secretHash = new Uint8Array(32).fill(owner + 1);
  const addresses = owner % 2 === 0 ? [] : ['10.0.0.0/8', '::1'];
  const terms = {
    owner,
    apiKey,
    secretHash,
    permissions,
    label: `of ${owner}`,
    addresses,
    expiresAt,
  };
  return { kind: CommandKind.createKey, ...SYSTEM_ACTOR, ...terms };
}

function transferOf(owner: number, asset: number, amount: bigint, reference: string): Command {
  const terms = { owner, asset, amount: exact(amount), reference, reason: 'test' };
  return { kind: CommandKind.transfer, ...SYSTEM_ACTOR, ...terms };
}

type What = Exclude<Move['what'], { kind: 'repeat' }>;

/** Returns the command of a move in the current state, or undefined if it has nothing to do. */
export function toCommand(
  what: What,
  isOperator: boolean,
  time: number,
  state: NaiveState,
): Command | undefined {
  // The key of the operator, the process itself, or a trader without permission.
  const operator = isOperator
    ? { account: 0, key: time % 2 === 0 ? 0 : NONE }
    : { account: 1, key: 1 };
  const traders = state.accounts.length - 1;
  switch (what.kind) {
    case 'place':
      return toOrder(what, time, state);
    case 'cancel': {
      const open = state.open[what.which % (state.open.length + 1)];
      const account = what.isOwn ? (open?.account ?? 1) : 1 + (what.account % traders);
      const orderId = open?.id ?? what.which % (state.nextOrderId + 1);
      return { kind: CommandKind.cancelOrder, ...who(what.actor, account), orderId };
    }
    case 'transfer': {
      const reference =
        what.reference === null ? `${time} ${state.nextEntryId}` : `r${what.reference}`;
      const asset = Math.min(what.asset, state.assets.length);
      const amount = asset < 3 ? BigInt(what.orders) * needOf(state)(asset) : 5n;
      return { ...transferOf(what.owner, asset, amount, reference), ...operator } as Command;
    }
    case 'freeze':
      return {
        kind: CommandKind.setAccountStatus,
        ...operator,
        owner: what.owner,
        frozen: what.frozen,
      };
    case 'status': {
      // Usually back online, so that something can trade.
      const status =
        what.status === MarketStatus.delisted || time % 3 > 0 ? MarketStatus.online : what.status;
      return { kind: CommandKind.setMarketStatus, ...operator, market: what.market, status };
    }
    case 'createKey': {
      const expiresAt = what.expiresIn === 0 ? 0 : time + what.expiresIn;
      return {
        ...newKey(what.owner, `key-${what.name}`, what.permissions, expiresAt),
        ...operator,
      } as Command;
    }
    case 'revokeKey':
      return { kind: CommandKind.revokeKey, ...operator, apiKey: `key-${what.name}` };
    case 'createAccount': {
      const accountId = what.name === 0 ? 'not an id' : `account-${what.name}`;
      return { kind: CommandKind.createAccount, ...operator, accountId, limitClass: what.name };
    }
    case 'createAsset': {
      const asset = what.name === 0 ? 'lower' : 'ABCDEF'[what.name - 1]!;
      return {
        kind: CommandKind.createAsset,
        ...operator,
        asset,
        name: asset,
        decimals: what.decimals,
      };
    }
    case 'list': {
      const shape = { ...NEW_MARKET, step: what.isOdd ? 0 : 1 };
      return { ...listingOf(shape, what.pair, decimalsOf(state)), ...operator };
    }
    case 'supervise':
      return { ...toSupervision(what.what, state, needOf(state)), ...operator } as Command;
    default:
      return toChange(what, state);
  }
}

const NEW_MARKET: MarketShape = {
  priceDecimals: 1,
  amountDecimals: 1,
  tick: 1,
  step: 1,
  middle: 10,
  hasLargeAmounts: false,
  minNotional: 0,
  makerFee: 10,
  takerFee: 20,
  collar: 100_000,
};

function toOrder(
  what: Extract<What, { kind: 'place' }>,
  time: number,
  state: NaiveState,
): PlaceOrder | PlaceStopOrder | PlaceOco | PlaceBracket {
  const account = 1 + (what.account % (state.accounts.length - 1));
  const market: NaiveMarket = state.markets[what.market % state.markets.length]!;
  const { tick, step, referencePrice, maxAmount } = market.rules;
  const isStop = what.form === 'stop';
  const type = isStop ? what.stopType : what.form === 'limit' ? OrderType.limit : OrderType.market;
  const isLimit = hasLimit(type);
  const isCost = what.form === 'cost';
  const huge = Math.max(step, maxAmount - step * what.steps);
  const amount =
    what.oddity === 'huge' ? huge : step * what.steps + (what.oddity === 'offStep' ? 1 : 0);
  const price = referencePrice + what.ticks * tick + (what.oddity === 'offTick' ? 1 : 0);
  // A market order cannot rest, and an order by cost cannot be fill or kill.
  const timeInForce = isLimit
    ? what.timeInForce
    : isStop
      ? what.timeInForce % 2 === 1
        ? TimeInForce.gtd
        : TimeInForce.gtc
      : isCost || what.timeInForce % 2 === 1
        ? TimeInForce.ioc
        : TimeInForce.fok;
  const rests = isLimit && (timeInForce === TimeInForce.gtc || timeInForce === TimeInForce.gtd);
  const order: PlaceOrder = {
    kind: CommandKind.placeOrder,
    ...who(what.actor, account),
    market: what.oddity === 'noMarket' ? state.markets.length : market.index,
    side: (isCost ? BUY : what.side) as Side,
    type,
    timeInForce,
    postOnly: what.postOnly && rests,
    selfTradePrevention: what.selfTradePrevention,
    price: isLimit ? price : 0,
    amount: isCost ? 0 : amount,
    // Positive, as the gateway ensures, even with a low reference price.
    cost: isCost
      ? exact(worth(market, Math.max(1, price), amount) + BigInt(what.expiresIn + 1))
      : 0,
    expiresAt: timeInForce === TimeInForce.gtd ? time + what.expiresIn : 0,
    clientOrderId: what.clientOrderId,
  };
  if (what.form === 'oco') return toOco(what, order, market);
  if (!isStop) return what.attached === 'none' ? order : toBracket(what, order, market);
  const up = triggersOnRise(order) ? 1 : -1;
  const odd = what.oddity === 'offTick' ? 1 : 0;
  const triggerPrice = priceOf(market) + up * what.triggerTicks * tick + odd;
  return { ...order, kind: CommandKind.placeStopOrder, triggerPrice };
}
