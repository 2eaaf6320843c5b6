import { mix, mixNumber } from '../digest.ts';
import type { OrderRecord } from '../event.ts';
import type { State } from '../state.ts';
import { NONE } from '../terms.ts';

/** The key of a sweep that ends orders whichever key placed them. */
export const ANY_KEY = -2;

/** The order of the queue is hashed as a polynomial of this odd number, modulo 2^32. */
const FACTOR = 0x9e3779b1;
/** FACTOR times INVERSE is 1 modulo 2^32. */
const INVERSE = 0x0e8b2f51;

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
  private readonly waiting: Sweep[] = [];
  /** How many of an account are under way. */
  private readonly counts = new Map<number, number>();
  /** Hash of the ids in their order, and FACTOR to the power of their number. */
  private order = 0;
  private power = 1;
  nextId = 1;
  /** Orders that may still end in the present portion; below zero where a last step took more than was left. */
  endsLeft = 0;
  /** What the command being applied ended of sweeps that earlier commands began. */
  readonly swept: Swept[] = [];

  /** The next one to proceed first. */
  get queue(): readonly Sweep[] {
    return this.waiting;
  }

  countOf(account: number): number {
    return this.counts.get(account) ?? 0;
  }

  /** Adds a sweep after all others. */
  push(sweep: Sweep): void {
    this.waiting.push(sweep);
    this.counts.set(sweep.account, this.countOf(sweep.account) + 1);
    this.order = (Math.imul(this.order, FACTOR) + hashPlace(sweep)) | 0;
    this.power = Math.imul(this.power, FACTOR);
  }

  /** Removes the sweep that is to proceed next; only if there is one. */
  shift(): Sweep {
    const sweep = this.waiting.shift()!;
    const count = this.countOf(sweep.account) - 1;
    if (count === 0) this.counts.delete(sweep.account);
    else this.counts.set(sweep.account, count);
    this.power = Math.imul(this.power, INVERSE);
    this.order = (this.order - Math.imul(hashPlace(sweep), this.power)) | 0;
    return sweep;
  }

  mixInto(digest: number): number {
    return mix(mixNumber(mix(digest, this.endsLeft), this.nextId), this.order);
  }
}

/** Lets the next portions go on with a sweep. */
export function addSweep(state: State, sweep: Sweep): void {
  state.sweeps.push(sweep);
  state.include(hashSweep(sweep));
}

/** Takes the sweep that is to proceed next; only where there is one. */
export function takeSweep(state: State): Sweep {
  const sweep = state.sweeps.shift();
  state.exclude(hashSweep(sweep));
  return sweep;
}

/** Ids of the open orders that a sweep of an account has left, the first placed first. */
export function ordersLeftOf(sweep: Sweep, state: State): number[] {
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
export function nextOfMarket({ market }: Sweep, state: State): number {
  const { book, triggers } = state.markets[market]!;
  const bid = book.best(0);
  if (bid !== NONE) return bid;
  const ask = book.best(1);
  return ask === NONE ? triggers.first : ask;
}

function hashPlace({ id }: Sweep): number {
  return mixNumber(27, id);
}

export function hashSweep(sweep: Sweep): number {
  const { id, reason, account, key, market, orderIds, below } = sweep;
  let hash = mixNumber(mixNumber(mix(24, reason), id), below);
  hash = mix(mix(mix(hash, account), key), market);
  for (const orderId of orderIds ?? []) hash = mixNumber(hash, orderId);
  return mix(hash, orderIds === null ? 0 : 1);
}
