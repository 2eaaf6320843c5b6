import assert from 'node:assert/strict';
import { auctionCauses } from '../../src/engine/auction/auctions.ts';
import { HIGH_BITS, hashClientOrderId } from '../../src/engine/client-order-ids/hash.ts';
import type { RecentIds } from '../../src/engine/client-order-ids/recent-ids.ts';
import type { Custody } from '../../src/engine/custody/custody.ts';
import type { Network } from '../../src/engine/custody/networks.ts';
import type {
  DepositRecord,
  EntryEvent,
  OrderRecord,
  Outcome,
  TransferRecord,
  WithdrawalRecord,
} from '../../src/engine/event.ts';
import type { Exchange } from '../../src/engine/exchange.ts';
import type { ApiKey } from '../../src/engine/ledger/accounts.ts';
import type { Market } from '../../src/engine/markets/markets.ts';
import { type Exact, exact } from '../../src/engine/numbers/exact.ts';
import type { Trail } from '../../src/engine/orders/triggers/trail.ts';
import type { TrailMove } from '../../src/engine/orders/triggers/trailing-side.ts';
import type { State } from '../../src/engine/state.ts';
import { NONE, Side } from '../../src/engine/terms.ts';
import { expandFill, toFills } from '../../src/history/tables/fills.ts';
import { nextExpiry } from './naive-approvals.ts';
import { staticReference } from './naive-auctions.ts';
import type { NaiveRecent } from './naive-client-orders.ts';
import { readConnections } from './naive-connections.ts';
import type { NaiveCustody, NaiveNetwork } from './naive-custody.ts';
import { listDueCustody } from './naive-custody-dates.ts';
import { inOrder } from './naive-deadlines.ts';
import type { NaiveExchange } from './naive-exchange.ts';
import { tradedVolume } from './naive-fees.ts';

import {
  isRestricted,
  type NaiveEvent,
  type NaiveOrder,
  type NaiveState,
  NO_DISCOUNT,
} from './naive-state.ts';
import { nextForgotten } from './naive-sub-accounts.ts';
import { findLimits, usedLimits } from './naive-trading-limits.ts';

/** Fails with a readable difference. Usable inside and outside of tests. */
export function expectSame(actual: unknown, expected: unknown): void {
  if (Bun.deepEquals(actual, expected, true)) return;
  assert.deepStrictEqual(actual, expected);
  assert.fail('the values differ in undefined fields or in their class');
}

/**
 * Converts an outcome of the engine to the format of the reference model. Broken rules are left
 * out, because other tests check them.
 */
export function plainOutcome(outcome: Outcome): unknown {
  switch (outcome.kind) {
    case 'rejected': {
      const { rule, attached, required, available, limit, ...rest } = outcome;
      return {
        ...rest,
        ...(required === undefined ? {} : { required: big(required) }),
        ...(available === undefined ? {} : { available: big(available) }),
        ...(limit === undefined ? {} : { limit: big(limit) }),
      };
    }
    case 'order':
      return { kind: 'order', order: plainOrder(outcome.order) };
    case 'oco':
    case 'orders':
      return { ...outcome, orders: outcome.orders.map(plainOrder) };
    case 'internalTransfer':
      return {
        ...outcome,
        transfer: { ...outcome.transfer, amount: big(outcome.transfer.amount) },
      };
    case 'transfer':
      return { ...outcome, transfer: plainTransfer(outcome.transfer) };
    case 'market':
      return { ...outcome, market: plainMarket(outcome.market) };
    case 'account': {
      const { index, id, limitClass, createdAt, frozen, feeTier } = outcome.account;
      const account = { index, id, limitClass, createdAt, frozen, feeTier };
      return { ...outcome, account };
    }
    case 'deposit':
      return { ...outcome, deposit: plainCustody(outcome.deposit) };
    case 'withdrawal':
      return { ...outcome, withdrawal: plainCustody(outcome.withdrawal) };
    case 'holding':
      return { ...outcome, holding: { ...outcome.holding, amount: big(outcome.holding.amount) } };
    case 'network':
      return { ...outcome, network: plainNetwork(outcome.network) };
    case 'key':
      return { ...outcome, key: plainKey(outcome.key) };
    case 'approval':
      return outcome.outcome === undefined
        ? outcome
        : { ...outcome, outcome: plainOutcome(outcome.outcome) };
    default:
      return outcome;
  }
}

/** Returns the events of the last command, including every ledger entry. */
export function plainEvents({ events, state }: Exchange): NaiveEvent[] {
  return events.flatMap((event): NaiveEvent | NaiveEvent[] => {
    if (event.kind === 'order') return { kind: 'order', ...plainOrder(event) };
    if (event.kind === 'entry') return plainEntry(event);
    if (event.kind === 'approvalExpired') return { ...event };
    if (event.kind !== 'trade') return plainCustody(event) as NaiveEvent;
    const { makerEntryId, makerGivenAfter, makerReceivedAfter, ...half } = event;
    const { takerEntryId, takerGivenAfter, takerReceivedAfter, ...trade } = half;
    const { cost, makerFee, takerFee } = trade;
    const entries = toFills(event).flatMap((fill) =>
      expandFill(fill, state.markets[trade.market]!).map(plainEntry),
    );
    const money = { cost: big(cost), makerFee: big(makerFee), takerFee: big(takerFee) };
    return [{ ...trade, ...money }, ...entries];
  });
}

function plainCustody(record: DepositRecord | WithdrawalRecord) {
  return record.kind === 'deposit'
    ? { ...record, amount: big(record.amount), held: big(record.held) }
    : { ...record, amount: big(record.amount), fee: big(record.fee) };
}

function plainNetwork(network: Network): NaiveNetwork {
  const { minDeposit, minWithdrawal, withdrawalFee, dailyLimit, approvalAbove, unit } = network;
  return {
    ...network,
    unit: big(unit),
    minDeposit: big(minDeposit),
    minWithdrawal: big(minWithdrawal),
    withdrawalFee: big(withdrawalFee),
    dailyLimit: big(dailyLimit),
    approvalAbove: big(approvalAbove),
  };
}

/** Returns deposits and withdrawals with what is derived from them. */
function plainStore({ store, holdings }: Custody) {
  const { publicKey, keyNumber, nextId, forgottenBelow } = store.head;
  return {
    ...{ publicKey: publicKey.toHex(), keyNumber, nextId, forgottenBelow },
    networks: Array.from(store.networks.values(), plainNetwork),
    addresses: [...store.addresses.values()],
    requests: [...store.requests.values()],
    book: [...store.book.values()],
    openDeposits: Array.from(store.openDeposits.values(), plainCustody),
    endedDeposits: Array.from(store.endedDeposits.values(), plainCustody),
    withdrawals: Array.from(store.withdrawals.values(), plainCustody),
    holdings: holdings.all.map((each) => ({ ...each, amount: big(each.amount) })),
    outbox: [...store.outbox.keys()],
  };
}

function naiveStore(custody: NaiveCustody): ReturnType<typeof plainStore> {
  const approved = custody.withdrawals.filter(({ status }) => status === 2);
  const outbox = [
    ...custody.requests.map(({ id }) => id),
    ...approved.map((each) => each.instruction),
  ];
  const { payments, ...records } = custody;
  return { ...records, outbox: outbox.sort((a, b) => a - b) };
}

function plainEntry(entry: EntryEvent): NaiveEvent {
  return { ...entry, amount: big(entry.amount), after: big(entry.after) };
}

function plainOrder({ kind, cost, filledCost, fees, ...rest }: OrderRecord): NaiveOrder {
  return { ...rest, cost: big(cost), filledCost: big(filledCost), fees: big(fees) };
}

function plainTransfer(transfer: TransferRecord) {
  return { ...transfer, amount: big(transfer.amount) };
}

/** Converts to a bigint, and checks that the value is normalized. */
function big(value: Exact): bigint {
  assert.equal(exact(value), value);
  return BigInt(value);
}

function plainMarket(market: Market) {
  const { index, symbol, base, quote, rules, listedAt, status, lastPrice } = market;
  const { bookSequence, bookChangedAt } = market;
  const book = { bookSequence, bookChangedAt };
  return { index, symbol, base, quote, rules, listedAt, status, lastPrice, ...book };
}

function plainKey({ account, secretHash, publicKey, sealedSecret, ...rest }: ApiKey) {
  const credential = {
    secretHash: secretHash.toHex(),
    publicKey: publicKey?.toHex(),
    sealedSecret: sealedSecret?.toHex(),
  };
  return { ...rest, owner: account.index, ...credential };
}

/**
 * Returns the whole state of the engine in the format of the reference model, sorted independently
 * of the engine.
 */
export function readState(exchange: Exchange) {
  const { state } = exchange;
  const { ledger } = state;
  return {
    ...toNumbers(state),
    nextEntryId: ledger.nextEntryId,
    assets: state.assets,
    markets: state.markets.map(plainMarket),
    accounts: state.accounts.map((account) => {
      const { index, id, limitClass, createdAt, frozen, feeTier, openOrders } = account;
      const volume = big(state.feeTiers.tradedVolume(index, state.time));
      return { index, id, limitClass, createdAt, frozen, feeTier, openOrders, volume };
    }),
    feeTable: { asset: state.feeTiers.asset, tiers: state.feeTiers.tiers },
    feePrograms: plainFeePrograms(state),
    keys: state.keys.map((key) => key && plainKey(key)),
    transfers: [...state.transfers.values()].map(plainTransfer),
    signatures: [...state.signatures.all()],
    balances: plainBalances(state),
    fees: ledger.fees.map(big),
    external: ledger.external.map(big),
    books: state.markets.map((market) => plainBook(state, market)),
    remembered: state.clientOrderQueue
      .all()
      .map(({ account, clientOrderId, orderId, forgetAt }) => {
        return { account: account.index, clientOrderId, orderId, forgetAt };
      }),
    sweptAccount: state.clientOrderIds.sweptAccount,
    recent: state.accounts.flatMap(({ index, recentIds }) =>
      recentIds === undefined ? [] : plainRecent(index, recentIds),
    ),
    stops: listPending(exchange),
    ocoOrders: listOcoOrders(exchange),
    triggered: triggeredIn(state),
    auctions: state.markets.map((market) => {
      const { cause, ...call } = state.parts.auctions.find(market) ?? { cause: NONE };
      const causeName = auctionCauses[cause];
      return { ...call, cause: causeName, reference: state.parts.auctions.staticReference(market) };
    }),
    deadlines: [...state.deadlines.all()],
    connections: plainConnections(state),
    approvals: plainApprovals(state),
    custody: plainStore(state.parts.custody),
    subAccounts: plainSubAccounts(state),
    sweeps: state.sweeps.queue.map(({ id, reason, account, below }) => {
      return { id, reason, account, below };
    }),
    killSwitch: state.parts.tradingStatus.killSwitch,
    maintenance: state.parts.tradingStatus.maintenance,
    announcements: state.parts.announcements.all,
    tradingLimits: plainLimits(state),
    busts: Array.from(state.parts.tradeBusts.all, ({ id, bustedAt }) => [id, bustedAt]),
    portion: {
      nextSweepId: state.sweeps.nextId,
      endsLeft: state.sweeps.endsLeft,
      triggersLeft: state.version < 2 ? 0 : state.triggered.left,
    },
    nextDueTime: exchange.nextDueTime,
  };
}

function plainBalances(state: State) {
  return state.accounts.flatMap((account) =>
    account.balances.flatMap((balance, asset) =>
      balance === undefined
        ? []
        : {
            account: account.index,
            asset,
            available: big(balance.available),
            held: big(balance.held),
          },
    ),
  );
}

function plainBook(state: State, { book }: Market) {
  return [Side.buy, Side.sell].map((side) => {
    const queue: unknown[] = [];
    book.forEachOrder(side, (slot) => {
      queue.push({ ...plainOrder(state.openRecord(slot)), shown: state.orders.remaining(slot) });
    });
    return { queue, price: book.bestPrice(side), amount: big(book.bestAmount(side)) };
  });
}

/**
 * Returns the client order ids of an account, oldest first, as the hashes that the engine stores.
 */
function plainRecent(account: number, ids: RecentIds) {
  const { droppedOrderId, droppedSecond } = ids;
  const bytes = new Int32Array(ids.toBytes().buffer);
  const hashes: number[][] = [];
  const places: number[] = [];
  ids.forEach((position) => {
    places.push(position);
  });
  const entries = places.map((position, place) => {
    const [a, b, c] = bytes.subarray(place * 6, place * 6 + 3);
    hashes.push([a!, b!, c! & HIGH_BITS]);
    return { orderId: ids.orderId(position), second: ids.second(position) };
  });
  return { account, droppedOrderId, droppedSecond, hashes, entries };
}

function naiveRecent(account: number, { droppedOrderId, droppedSecond, ids }: NaiveRecent) {
  const hashes = ids.map(({ clientOrderId }) => {
    const hash = { a: 0, b: 0, c: 0 };
    hashClientOrderId(account, clientOrderId, hash);
    return [hash.a, hash.b, hash.c];
  });
  const entries = ids.map(({ orderId, second }) => ({ orderId, second }));
  return { account, droppedOrderId, droppedSecond, hashes, entries };
}

/** Returns the ids of the legs of each OCO order, first the one that holds. */
function listOcoOrders({ state }: Exchange): number[][] {
  const ocoOrders: number[][] = [];
  state.links.forEachOco((...slots) => ocoOrders.push(slots.map((slot) => state.details.id(slot))));
  return ocoOrders.sort((a, b) => a[0]! - b[0]!);
}

/** Returns the orders that the last command ended for earlier sweeps, sorted by id. */
export function sweptBy({ state }: Exchange): NaiveState['swept'] {
  return state.sweeps.swept.map(({ orders, ...rest }) => {
    return { ...rest, orders: orders.map(({ id }) => id) };
  });
}

/** Returns the ids of the triggered orders in the order in which they run. */
function triggeredIn({ triggered, details }: State): number[] {
  const ids = new Set<number>();
  triggered.forEach((entry) => {
    if (typeof entry === 'number') ids.add(details.id(entry));
    else if ('side' in entry) for (const id of triggeredBy(entry)) ids.add(id);
    else {
      const { generation, price } = entry;
      const { side, waiting } = generation;
      for (const slot of side.inOrder()) {
        const isWithin = side.triggerKey(slot) <= price * side.sign;
        if (isWithin && waiting.has(slot)) ids.add(details.id(slot));
      }
    }
  });
  return [...ids];
}

/** Returns the ids of the trailing stops that a price triggered, in the order in which they run. */
function triggeredBy(move: TrailMove): number[] {
  const { side } = move;
  const trails: Trail[] = [];
  side.forEach((trail) => {
    if (side.findTriggeringMove(trail) === move) trails.push(trail);
  });
  const byTrigger = (a: Trail, b: Trail) => (b.triggerPrice - a.triggerPrice) * side.sign;
  const byShare = (a: Trail, b: Trail) => a.terms.basisPoints - b.terms.basisPoints;
  return trails.sort((a, b) => byTrigger(a, b) || byShare(a, b) || a.id - b.id).map(({ id }) => id);
}

/** Returns the pending orders that are not triggered, by id. */
function listPending({ state }: Exchange): (NaiveOrder & { best?: number })[] {
  const pending: (NaiveOrder & { best?: number })[] = [];
  for (const { triggers, trailing } of state.markets) {
    trailing.forEachOrder((slot) => {
      const trail = state.details.trail(slot);
      if (trailing.isTriggered(trail)) return;
      const best = trail.bestPrice;
      pending.push({ ...plainOrder(state.openRecord(slot)), best });
    });
    triggers.forEachOrder((slot) => {
      if (triggers.isReached(slot)) return;
      pending.push(plainOrder(state.openRecord(slot)));
    });
  }
  return pending.sort((a, b) => a.id - b.id);
}

function plainFeePrograms({ parts: { feePrograms }, accounts }: State) {
  const { discount } = feePrograms;
  return {
    discount:
      discount === undefined ? NO_DISCOUNT : { ...discount, minBalance: big(discount.minBalance) },
    share: feePrograms.referralShare,
    referrers: accounts.map(({ index }) => feePrograms.findReferrer(index)),
  };
}

/** Returns the expected result of `readState`. */
export function readNaiveState({ state }: NaiveExchange): ReturnType<typeof readState> {
  const place = (each: { account: number; asset: number }) => each.account * 1000 + each.asset;
  const inCall = (market: number) => state.calls.some((call) => call.market === market);
  const expiries = state.open.flatMap(({ expiresAt }) => (expiresAt === 0 ? [] : expiresAt));
  return {
    ...toNumbers(state),
    nextEntryId: state.nextEntryId,
    assets: state.assets,
    markets: state.markets,
    accounts: state.accounts.map((account) => ({
      ...account,
      openOrders: state.open.filter((order) => order.account === account.index).length,
      volume: tradedVolume(state, account.index),
    })),
    feeTable: { asset: state.feeAsset, tiers: state.feeTiers },
    feePrograms: {
      discount: state.discount,
      share: state.referralShare,
      referrers: state.accounts.map(({ index }) => state.referrers.get(index) ?? NONE),
    },
    keys: state.keys,
    transfers: state.transfers.slice(state.forgottenTransfers),
    signatures: state.signatures,
    balances: state.balances.toSorted((a, b) => place(a) - place(b)),
    fees: state.fees,
    external: state.external,
    books: state.markets.map(({ index }) =>
      [Side.buy, Side.sell].map((side) => naiveSide(state, index, side)),
    ),
    remembered: state.clientOrders.map(({ terms, ...rest }) => rest),
    sweptAccount: state.sweptAccount,
    recent: state.accounts.flatMap(({ index }) => {
      const memory = state.recent.get(index);
      const isEmpty = memory === undefined || (memory.ids.length === 0 && !memory.droppedOrderId);
      return isEmpty ? [] : naiveRecent(index, memory);
    }),
    ocoOrders: state.ocoOrders
      .map((legs) => legs.map(({ id }) => id))
      .sort((a, b) => a[0]! - b[0]!),
    stops: state.stops
      .toSorted((a, b) => a.id - b.id)
      .map((order) =>
        order.trailing === undefined ? order : { ...order, best: state.best.get(order.id)! },
      ),
    triggered: state.triggered.map(({ id }) => id),
    auctions: state.markets.map((market) => {
      const call = state.calls.find((each) => each.market === market.index);
      return { ...call, cause: call?.cause, reference: staticReference(state, market) };
    }),
    deadlines: inOrder(state.deadlines),
    connections: readConnections(state),
    approvals: readApprovals(state),
    custody: naiveStore(state.custody),
    subAccounts: {
      groups: state.subAccounts.toSorted((a, b) => a.account - b.account),
      transfers: state.internalTransfers,
    },
    sweeps: state.sweeps.map(({ id, reason, account, below }) => ({ id, reason, account, below })),
    killSwitch: state.killSwitch,
    maintenance: state.maintenance,
    announcements: state.announcements,
    tradingLimits: naiveLimits(state),
    busts: [...state.busts],
    portion: {
      nextSweepId: state.nextSweepId,
      endsLeft: state.endsLeft,
      triggersLeft: state.version < 2 ? 0 : state.triggersLeft,
    },
    nextDueTime:
      state.triggered.some(({ market }) => !inCall(market)) || state.sweeps.length > 0
        ? state.time
        : Math.max(state.time, Math.min(...expiries, ...listDueTimes(state))),
  };
}

function listDueTimes(state: NaiveState): number[] {
  const { deadlines, connections, calls } = state;
  const ends = calls.map(({ endsAt }) => endsAt).filter((endsAt) => endsAt !== 0);
  const times = [...deadlines, ...connections.map(({ lease }) => lease)].map(({ dueAt }) => dueAt);
  const custody = listDueCustody(state).map(({ dueAt }) => dueAt);
  const periods = state.maintenance.map(({ isActive, from, to }) => (isActive ? to : from));
  const announced = state.announcements.map(({ until }) => until).filter((until) => until !== 0);
  const due = isRestricted(state) ? [] : ends;
  return [
    ...times,
    nextExpiry(state),
    nextForgotten(state),
    ...periods,
    ...announced,
    ...due,
    ...custody,
  ];
}

function plainSubAccounts({ accounts, parts: { subAccounts } }: State) {
  const transfers = accounts
    .flatMap(({ index }) => subAccounts.listTransfers([index]).filter(({ from }) => from === index))
    .map((each) => ({ ...each, amount: big(each.amount) }));
  const groups = accounts.flatMap(({ index, main, isClosed }) =>
    main === undefined
      ? []
      : [{ account: index, main: main.index, name: subAccounts.findName(index)!, isClosed }],
  );
  return { groups, transfers: transfers.sort((a, b) => a.id - b.id) };
}

function plainLimits({ accounts, parts: { tradingLimits } }: State) {
  return accounts.map(({ index }) => ({
    limits: tradingLimits.find(index),
    hasOwn: tradingLimits.hasOwn(index),
    ...tradingLimits.usage(index),
  }));
}

function naiveLimits(state: NaiveState): ReturnType<typeof plainLimits> {
  return state.accounts.map(({ index }) => ({
    limits: findLimits(state, index),
    hasOwn: state.tradingLimits.has(index),
    ...usedLimits(state, index),
  }));
}

function plainApprovals({ accounts, parts: { approvals, notes } }: State) {
  return {
    policy: approvals.policy,
    pending: [...approvals.pending],
    closed: approvals.closed,
    notes: accounts.flatMap(({ index }) => notes.listByOwner(index)),
  };
}

function readApprovals({ policy, approvals, closedApprovals, notes }: NaiveState) {
  const byOwner = notes.toSorted((a, b) => a.owner - b.owner || a.id - b.id);
  return { policy, pending: approvals, closed: closedApprovals, notes: byOwner };
}

function plainConnections({ connections, details }: State): ReturnType<typeof readConnections> {
  const orders: [number, number][] = [];
  connections.forEachOrder((slot, connection) => orders.push([details.id(slot), connection]));
  return {
    nextId: connections.nextId,
    leases: connections.allLeases().map(({ id, node, dueAt }) => ({ id, node, dueAt })),
    connections: [...connections.all()].map(({ id, account, lease }) => [id, account, lease.id]),
    orders: orders.sort(([a], [b]) => a - b),
  };
}

function naiveSide(state: NaiveState, market: number, side: number) {
  const queue = state.side(market, side);
  const price = queue[0]?.price;
  const amount = queue
    .filter((order) => order.price === price)
    .reduce((sum, order) => sum + BigInt(state.shownAmount(order)), 0n);
  return {
    queue: queue.map((order) => ({ ...order, shown: state.shownAmount(order) })),
    price,
    amount,
  };
}

function toNumbers({
  version,
  sandbox,
  time,
  nextOrderId,
  nextTradeId,
  nextTransferId,
}: Record<'version' | 'time' | 'nextOrderId' | 'nextTradeId' | 'nextTransferId', number> & {
  sandbox: boolean;
}) {
  return { version, sandbox, time, nextOrderId, nextTradeId, nextTransferId };
}
