import fc from 'fast-check';
import {
  type AmendOrder,
  type ChangeMarketRules,
  type Command,
  CommandKind,
  type OrderSelection,
} from '../../src/engine/command.ts';
import { exact } from '../../src/engine/numbers/exact.ts';
import { MarketStatus, NONE, OrderType } from '../../src/engine/terms.ts';
import type { NaiveOrder, NaiveState } from './naive-state.ts';
import { triggersOnRise } from './naive-stops.ts';
import { hasLimit, readPrice } from './naive-values.ts';
import { actor, toActor, USUAL_STEPS, weighted } from './scenario-parts.ts';
import { special, toDisplayAmount, toTrailing } from './scenario-special.ts';

/** Moves that change open orders, and what operators have configured. */

const amend = fc.record({
  kind: fc.constant('amend' as const),
  actor,
  account: fc.nat(5),
  which: fc.nat(),
  isOwn: weighted([9, true], [1, false]),
  /** Ticks from the reference price; null keeps the price. */
  ticks: fc.option(fc.integer({ min: -3, max: 3 }), { nil: null }),
  /** Ticks from the last price; null keeps the trigger. */
  triggerTicks: fc.option(fc.integer({ min: -1, max: 3 }), { nil: null }),
  /** New amount in steps; null keeps the amount. */
  steps: fc.option(fc.integer({ min: 0, max: USUAL_STEPS + 2 }), { nil: null }),
  special,
  oddity: weighted<'none' | 'filled' | 'same' | 'offGrid' | 'huge'>(
    [24, 'none'],
    [2, 'filled'],
    [1, 'same'],
    [1, 'offGrid'],
    [2, 'huge'],
  ),
  reducesOnly: weighted([5, false], [1, true]),
});
/** Selects orders of an account: all, by market, by ids or by client order id. */
const selection = {
  by: weighted<'all' | 'market' | 'ids' | 'client'>(
    [2, 'all'],
    [2, 'market'],
    [3, 'ids'],
    [1, 'client'],
  ),
  market: fc.nat(3),
  which: fc.array(fc.nat(), { maxLength: 4 }),
  clientOrderId: fc.constantFrom('a', 'b', 'c'),
};
const cancelMany = fc.record({
  kind: fc.constant('cancelMany' as const),
  actor,
  account: fc.nat(5),
  ...selection,
});
const silence = fc.record({
  kind: fc.constant('silence' as const),
  actor,
  account: fc.nat(5),
  market: fc.integer({ min: -1, max: 3 }),
  timeoutMs: fc.constantFrom(0, 1, 5, 20, 60),
});
/** Moves of traders that change their open orders. */
export const change = fc.oneof(
  { weight: 5, arbitrary: amend },
  { weight: 1, arbitrary: cancelMany },
  { weight: 1, arbitrary: silence },
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** Moves of operators that change markets, fees and accounts. */
export const supervision = fc.record({
  kind: fc.constant('supervise' as const),
  what: fc.oneof(
    fc.record({
      kind: fc.constant('rules' as const),
      market: fc.nat(3),
      grid: fc.constantFrom(1, 1, 2, 3),
      rule: fc.constantFrom(
        'tick' as const,
        'step' as const,
        'minPrice' as const,
        'maxPrice' as const,
        'minAmount' as const,
        'maxAmount' as const,
        'makerFee' as const,
        'takerFee' as const,
        'referencePrice' as const,
        'minNotional' as const,
        'collar' as const,
        'staticBand' as const,
        'dynamicBand' as const,
        'auctionMs' as const,
      ),
      value: fc.oneof(fc.nat(3), fc.nat(50), fc.constantFrom(100_001, -1, -20)),
    }),
    fc.record({
      kind: fc.constant('tiers' as const),
      asset: fc.constantFrom(1, 1, 1, 2, 3),
      /** In orders of usual size; volumes that do not increase are rejected. */
      volumes: fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 3 }),
      fee: fc.constantFrom(0, 1, 250, 1000, 100_001),
      /** Below zero for a rebate, which is rejected if takers pay less. */
      makerFee: fc.constantFrom(0, 0, 0, -1, -250, -100_001),
    }),
    fc.record({
      kind: fc.constant('discount' as const),
      asset: fc.constantFrom(0, 1, 2, 9),
      /** In halves of an order of usual size. */
      halves: fc.nat(3),
      rate: fc.constantFrom(0, 1, 250_000, 1_000_000, 1_000_001),
    }),
    fc.record({
      kind: fc.constant('share' as const),
      share: fc.constantFrom(0, 1, 200_000, 1_000_000, 1_000_001),
    }),
    fc.record({ kind: fc.constant('referral' as const), owner: fc.nat(7), referrer: fc.nat(4) }),
    fc.record({ kind: fc.constant('referral' as const), owner: fc.nat(7), referrer: fc.nat(4) }),
    fc.record({
      kind: fc.constant('tierOf' as const),
      owner: fc.nat(7),
      tier: fc.integer({ min: -1, max: 4 }),
    }),
    fc.record({
      kind: fc.constant('limitClass' as const),
      owner: fc.nat(7),
      limitClass: fc.constantFrom(0, 1, 5, 1000, 1001),
    }),
    fc.record({
      kind: fc.constant('trading' as const),
      // Often none, so that something can trade.
      status: fc.constantFrom(0, 0, 0, 1, 3, 4),
      cancelOrders: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant('maintenance' as const),
      startsIn: fc.integer({ min: -5, max: 40 }),
      lasts: fc.integer({ min: -1, max: 20 }),
      mode: fc.constantFrom(0, 3, 4),
    }),
    fc.record({ kind: fc.constant('endMaintenance' as const), which: fc.nat(2) }),
    fc.record({
      kind: fc.constant('announce' as const),
      severity: fc.integer({ min: 0, max: 2 }),
      title: fc.constantFrom('a test', ' '),
      lasts: fc.option(fc.integer({ min: -1, max: 20 }), { nil: undefined }),
    }),
    fc.record({ kind: fc.constant('withdrawAnnouncement' as const), which: fc.nat(2) }),
    fc.record({
      kind: fc.constant('limits' as const),
      owner: fc.integer({ min: -1, max: 7 }),
      // Often none, so that something can trade.
      limits: fc.option(
        fc.record({
          orderRate: fc.constantFrom(0, 2, 6, 30, 1_000_001),
          perTrade: fc.constantFrom([0, 0], [1, 3], [2, 8], [0, 1]),
          /** In thirds of an order of usual size, by asset. */
          thirds: fc.array(fc.tuple(fc.constantFrom(0, 1, 1, 2, 9), fc.nat(30)), { maxLength: 2 }),
        }),
        { nil: null },
      ),
    }),
    fc.record({ kind: fc.constant('delist' as const), market: fc.nat(3), dice: fc.nat(3) }),
    fc.record({ kind: fc.constant('cancelOf' as const), owner: fc.nat(7), ...selection }),
  ),
});
type Supervision =
  typeof supervision extends fc.Arbitrary<infer T extends { what: unknown }> ? T['what'] : never;

export function toChange(what: Change, state: NaiveState): Command {
  const traders = state.accounts.length - 1;
  if (what.kind === 'amend') return toAmendment(what, traders, state);
  const actor = toActor(what.actor, 1 + (what.account % traders));
  if (what.kind === 'cancelMany') {
    return { kind: CommandKind.cancelOrders, ...actor, ...toSelection(what, state) };
  }
  const { market, timeoutMs } = what;
  return { kind: CommandKind.cancelAfter, ...actor, market, timeoutMs };
}

/**
 * Returns the command without its actor. @param readNeed Returns the amount of an asset that an order
 * of usual size needs.
 */
export function toSupervision(
  what: Supervision,
  state: NaiveState,
  readNeed: (asset: number) => bigint,
) {
  switch (what.kind) {
    case 'rules':
      return toRules(what, state);
    case 'delist': {
      // Rarely a real market, so that something is left to trade.
      const market = what.dice === 0 ? what.market : 99;
      return { kind: CommandKind.delistMarket, market };
    }
    case 'cancelOf': {
      const { owner } = what;
      return { kind: CommandKind.cancelOrdersOf, owner, ...toSelection(what, state) };
    }
    case 'tiers': {
      const need = readNeed(what.asset);
      const tiers = what.volumes.map((orders, place) => ({
        minVolume: exact((BigInt(orders + place) * need) / 2n),
        makerFee: what.makerFee || Math.max(0, what.fee - place),
        takerFee: what.fee,
      }));
      return { kind: CommandKind.setFeeTiers, asset: what.asset, tiers };
    }
    case 'discount': {
      const minBalance = exact((BigInt(what.halves) * readNeed(what.asset % 3)) / 2n);
      return { kind: CommandKind.setFeeDiscount, asset: what.asset, minBalance, rate: what.rate };
    }
    case 'share':
      return { kind: CommandKind.setReferralShare, share: what.share };
    case 'referral': {
      const { owner, referrer } = what;
      return { kind: CommandKind.setReferrer, owner, referrer };
    }
    case 'trading': {
      const { status, cancelOrders } = what;
      const reason = 'a test';
      const isCanceling = cancelOrders && status !== MarketStatus.online;
      return { kind: CommandKind.setTradingStatus, status, reason, cancelOrders: isCanceling };
    }
    case 'maintenance': {
      const from = state.time + what.startsIn;
      const terms = { from, to: from + what.lasts, mode: what.mode, message: 'a test' };
      return { kind: CommandKind.scheduleMaintenance, ...terms };
    }
    case 'limits': {
      const { owner, limits } = what;
      const kind = CommandKind.setTradingLimits;
      if (limits === null) return { kind, owner, limits };
      const { orderRate, perTrade, thirds } = limits;
      const [ordersPerTrade, freeOrders] = perTrade as [number, number];
      const openNotional = thirds.map(([asset, count]) => ({
        asset,
        limit: exact((BigInt(count) * readNeed(asset % 3)) / 3n),
      }));
      return { kind, owner, limits: { orderRate, ordersPerTrade, freeOrders, openNotional } };
    }
    case 'announce': {
      const { severity, title, lasts } = what;
      const until = lasts === undefined ? 0 : state.time + lasts;
      return { kind: CommandKind.announce, severity, title, text: '', until };
    }
    case 'withdrawAnnouncement':
      return {
        kind: CommandKind.withdrawAnnouncement,
        id: state.announcements[what.which]?.id ?? 9,
      };
    case 'endMaintenance': {
      const from = state.maintenance[what.which]?.from ?? 1;
      return { kind: CommandKind.cancelMaintenance, from };
    }
    case 'limitClass': {
      const { owner, limitClass } = what;
      return { kind: CommandKind.setAccountLimitClass, owner, limitClass };
    }
    case 'tierOf': {
      const { owner, tier } = what;
      return { kind: CommandKind.setAccountFeeTier, owner, tier };
    }
  }
}

function toSelection(
  what: Pick<Extract<Change, { kind: 'cancelMany' }>, keyof typeof selection>,
  state: NaiveState,
): OrderSelection {
  const orderId = (n: number) => state.open[n % (state.open.length + 1)]?.id ?? n;
  return {
    market: what.by === 'market' ? what.market : NONE,
    orderIds: what.by === 'ids' ? what.which.map(orderId) : null,
    clientOrderId: what.by === 'client' ? what.clientOrderId : null,
  };
}

/** Changes tick and step together with the bounds, or a single rule, valid or not. */
function toRules(
  what: Extract<Supervision, { kind: 'rules' }>,
  state: NaiveState,
): Omit<ChangeMarketRules, 'account' | 'key'> {
  const { market, grid, rule } = what;
  // Only a maker fee may be negative.
  const value = rule === 'makerFee' ? what.value : Math.abs(what.value);
  const kind = CommandKind.changeMarketRules;
  const known = state.markets[market]?.rules;
  if (known === undefined || grid === 1) return { kind, market, rules: { [rule]: value } };
  const onGrid = (units: number, unit: number) => Math.max(1, Math.floor(units / unit)) * unit;
  const tick = Math.max(1, Math.floor((known.tick * grid) / 2));
  const step = Math.max(1, Math.floor((known.step * grid) / 2));
  const rules = {
    tick,
    step,
    minAmount: step,
    maxAmount: onGrid(known.maxAmount, step),
    minPrice: onGrid(known.minPrice, tick),
    maxPrice: onGrid(known.maxPrice + tick, tick),
    referencePrice: onGrid(known.referencePrice, tick),
  };
  return { kind, market, rules };
}

function toAmendment(
  what: Extract<Change, { kind: 'amend' }>,
  traders: number,
  state: NaiveState,
): Command {
  const open = state.open[what.which % (state.open.length + 1)];
  const account = what.isOwn ? (open?.account ?? 1) : 1 + (what.account % traders);
  const actor = toActor(what.actor, account);
  const kind = CommandKind.amendOrder;
  if (open === undefined)
    return { kind, ...actor, orderId: what.which, price: 1, amount: 0, triggerPrice: 0 };
  const market = state.markets[open.market]!;
  const { tick, step, referencePrice, maxAmount } = market.rules;
  const odd = what.oddity === 'offGrid' ? 1 : 0;
  let price = what.ticks === null ? 0 : referencePrice + what.ticks * tick + odd;
  let amount = what.steps === null ? 0 : step * what.steps + odd;
  const isOcoLeg = state.ocoOrders.some((legs) => legs.includes(open));
  // Usually drops fields that such an order would reject, so that the move has an effect.
  if (what.oddity === 'none' && !hasLimit(open.type)) price = 0;
  if (what.oddity === 'none' && isOcoLeg) amount = 0;
  const up = (triggersOnRise(open) ? 1 : -1) * tick;
  const hasFixedTrigger = open.triggerPrice !== 0 && open.trailing === undefined;
  const takesTrigger = hasFixedTrigger || what.oddity !== 'none';
  let triggerPrice =
    what.triggerTicks === null || !takesTrigger
      ? 0
      : readPrice(market) + up * what.triggerTicks + odd;
  if (what.oddity === 'filled') amount = open.amount - open.remaining;
  if (what.oddity === 'huge') amount = maxAmount;
  if (what.oddity === 'same') ({ price, amount, triggerPrice } = open);
  const changes = toSpecialChanges(what, open, amount, state);
  const condition = what.reducesOnly && state.version >= 2 ? { reduceOnly: true as const } : {};
  const terms = { price, amount, triggerPrice, ...changes, ...condition };
  return { kind, ...actor, orderId: open.id, ...terms };
}

/** Changes the terms of a trailing stop or what the book shows, rarely of an order that takes no such change. */
function toSpecialChanges(
  { special, oddity }: Extract<Change, { kind: 'amend' }>,
  open: NaiveOrder,
  amount: number,
  state: NaiveState,
): Pick<AmendOrder, 'trailing' | 'displayAmount'> {
  if (state.version < 2 || special === null) return {};
  const market = state.markets[open.market]!;
  const isUsual = oddity === 'none';
  const displayAmount = toDisplayAmount(special, amount || open.amount, market);
  if (isUsual && hasLimit(open.type)) return open.type === OrderType.limit ? { displayAmount } : {};
  if (isUsual && open.trailing === undefined) return {};
  const trailing = toTrailing(special, open.side, market);
  const keepsDistance = special.parts === 1 ? { amount: 0, basisPoints: 0 } : {};
  const keepsActivation = state.best.get(open.id) === 0 || !isUsual ? {} : { activationPrice: 0 };
  const changed = { ...trailing, ...keepsDistance, ...keepsActivation };
  return special.parts === 2 && !isUsual
    ? { trailing: changed, displayAmount }
    : { trailing: changed };
}
