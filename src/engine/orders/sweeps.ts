import type { OrderDetails } from '../book/order-details.ts';
import type { OrderIndex } from '../book/order-index.ts';
import type { OrderStore } from '../book/order-store.ts';
import { type ElementHashes, mix, mixNumber } from '../digest.ts';
import type { OrderRecord } from '../event.ts';
import type { Account } from '../ledger/accounts.ts';
import type { Market } from '../markets/markets.ts';
import { NONE } from '../terms.ts';

/** The key of a sweep that ends orders whichever key placed them. */
export const ANY_KEY = -2;

/** Orders that are being ended in portions. Orders placed after it began are not part of it. */
export interface Sweep {
  readonly id: number;
  /** Why the orders end, an `OrderReason`. */
  readonly reason: number;
  /** NONE for every account: the delisting of a market. */
  readonly account: number;
  /** NONE for orders that were placed without a key, ANY_KEY for any. */
  readonly key: number;
  /** NONE for every market. */
  readonly market: number;
  /** Null for every order of the account that fits the rest. */
  readonly orderIds: readonly number[] | null;
  /** Only orders with an id below this one. */
  readonly below: number;
}

/** What a command ended of a sweep that an earlier command began. */
export interface Swept {
  readonly sweep: number;
  readonly orders: readonly OrderRecord[];
  readonly isDone: boolean;
}

/** The sweeps under way, and what is left of the present portion for them and for orders whose date has come. */
export class Sweeps {
  /** The next one to proceed first. */
  readonly queue: Sweep[] = [];
  nextId = 1;
  /** Orders that may still end in the present portion; below zero where a last step took more than was left. */
  endsLeft = 0;
  /** What the command being applied ended of sweeps that earlier commands began. */
  readonly swept: Swept[] = [];

  countOf(account: number): number {
    return this.queue.filter((sweep) => sweep.account === account).length;
  }

  mixInto(digest: number): number {
    let hash = mixNumber(mix(digest, this.endsLeft), this.nextId);
    for (const { id } of this.queue) hash = mixNumber(hash, id);
    return hash;
  }
}

/** The parts of the state that sweeps need. */
export interface SweepState extends ElementHashes {
  readonly sweeps: Sweeps;
  readonly orders: OrderStore;
  readonly details: OrderDetails;
  readonly index: OrderIndex;
  readonly accounts: readonly Account[];
  readonly markets: readonly Market[];
}

/** Lets the next portions go on with a sweep. */
export function addSweep(state: SweepState, sweep: Sweep): void {
  state.sweeps.queue.push(sweep);
  state.include(hashSweep(sweep));
}

/** Takes the sweep that is to proceed next; only where there is one. */
export function takeSweep(state: SweepState): Sweep {
  const sweep = state.sweeps.queue.shift()!;
  state.exclude(hashSweep(sweep));
  return sweep;
}

/** Ids of the open orders that a sweep of an account has left, the first placed first. */
export function ordersLeftOf(sweep: Sweep, state: SweepState): number[] {
  const { details, index, orders, accounts } = state;
  const { account, key, market, orderIds, below } = sweep;
  const slots = orderIds?.map((id) => index.find(id)) ?? accounts[account]!.openSlots;
  const ids: number[] = [];
  for (const slot of slots) {
    if (slot === NONE || orders.account(slot) !== account) continue;
    if (key !== ANY_KEY && details.key(slot) !== key) continue;
    if (market !== NONE && details.market(slot) !== market) continue;
    if (details.id(slot) < below) ids.push(details.id(slot));
  }
  ids.sort((a, b) => a - b);
  return orderIds === null ? ids : [...new Set(ids)];
}

/** The next order that a delisting ends: buys, sells, then orders with a trigger; NONE if none is left. */
export function nextOfMarket({ market }: Sweep, state: SweepState): number {
  const { book, triggers } = state.markets[market]!;
  const bid = book.best(0);
  if (bid !== NONE) return bid;
  const ask = book.best(1);
  return ask === NONE ? triggers.first : ask;
}

export function hashSweep(sweep: Sweep): number {
  const { id, reason, account, key, market, orderIds, below } = sweep;
  let hash = mixNumber(mixNumber(mix(24, reason), id), below);
  hash = mix(mix(mix(hash, account), key), market);
  for (const orderId of orderIds ?? []) hash = mixNumber(hash, orderId);
  return mix(hash, orderIds === null ? 0 : 1);
}
