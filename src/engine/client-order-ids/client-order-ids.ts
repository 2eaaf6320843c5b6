import { mixNumber } from '../digest.ts';
import type { Account } from '../ledger/accounts.ts';
import {
  CLIENT_ORDER_ID_LIFETIME_MS,
  MAX_DROPPED_AT_ONCE,
  MAX_REMEMBERED,
  MAX_SWEPT_AT_ONCE,
  SWEEP_EVERY_ORDERS,
} from '../limits.ts';
import { NONE } from '../terms.ts';
import { hashClientOrderId, type IdHash } from './hash.ts';
import type { ClientOrderQueue, QueueState } from './queue.ts';
import { NOT_FOUND, RecentIds } from './recent-ids.ts';

const LIFETIME_SECONDS = CLIENT_ORDER_ID_LIFETIME_MS / 1000;

/** The parts of the state that client order ids need. */
export interface ClientOrderIdState extends QueueState {
  /** Number of commands applied. */
  readonly applied: number;
  readonly accounts: readonly Account[];
  readonly clientOrderQueue: ClientOrderQueue;
}

/** An order that was placed under a client order id. */
export interface KnownOrder {
  readonly orderId: number;
  /** Hash of the request's terms. */
  readonly fingerprint: number;
}

/**
 * The client order ids that the engine remembers from version 2 on: per account those of its open
 * orders and the newest others. History knows dropped ids; `needsHistory` returns whether a
 * request needs them. Ids are forgotten a few at a time, so that no command has to forget many.
 */
export class ClientOrderIds {
  /** Index of the account whose expired ids are forgotten next. */
  sweptAccount = 0;
  /** Cache of the last hash: an id is searched before it is added. */
  private readonly hash: IdHash = { a: 0, b: 0, c: 0 };
  /** Hash of the id that is being dropped. */
  private readonly droppedHash: IdHash = { a: 0, b: 0, c: 0 };
  /**
   * Called with the hash of every id that is dropped to free capacity; the object is reused. It observes only: it
   * must not change the state.
   */
  onDropped: ((hash: Readonly<IdHash>) => void) | undefined;
  private hashedAccount = NONE;
  private hashedId = '';
  /** Ids of orders that the command `forgottenBy` has forgotten, each followed by its fingerprint; no part of the state. */
  private readonly forgotten: number[] = [];
  private forgottenBy = 0;

  constructor(private readonly state: ClientOrderIdState) {}

  /** Number of remembered ids, including expired ones that are not forgotten yet. */
  get size(): number {
    return this.state.accounts.reduce((sum, { recentIds }) => sum + (recentIds?.count ?? 0), 0);
  }

  /**
   * Returns the order that an account placed under an id at most 25 hours ago, or that is still
   * open.
   */
  find(account: Account, clientOrderId: string): KnownOrder | undefined {
    const { recentIds } = account;
    if (recentIds === undefined) return undefined;
    const position = recentIds.find(this.hashId(account, clientOrderId));
    if (position === NOT_FOUND) return undefined;
    const orderId = recentIds.orderId(position);
    if (this.hasExpired(recentIds.second(position)) && !this.isOpen(orderId)) return undefined;
    return { orderId, fingerprint: recentIds.fingerprint(position) };
  }

  /**
   * Returns the fingerprint of an order whose client order id was forgotten by the command that was just applied,
   * which may also have ended the order; undefined for any other.
   */
  forgottenFingerprint(orderId: number): number | undefined {
    if (this.forgottenBy !== this.state.applied) return undefined;
    for (let at = 0; at < this.forgotten.length; at += 2) {
      if (this.forgotten[at] === orderId) return this.forgotten[at + 1];
    }
    return undefined;
  }

  /**
   * Returns whether an unknown id may have been dropped, so that history must be searched for it.
   * @param searchedBelow History was searched for orders with lower ids.
   */
  needsHistory({ recentIds }: Account, searchedBelow = 0): boolean {
    return (
      recentIds !== undefined &&
      recentIds.droppedOrderId !== 0 &&
      recentIds.droppedOrderId >= searchedBelow &&
      !this.hasExpired(recentIds.droppedSecond)
    );
  }

  /**
   * Remembers the client order id of a new order, and forgets a few others that have expired or
   * exceed the capacity.
   */
  add(account: Account, clientOrderId: string, orderId: number, fingerprint: number): void {
    this.put(account, clientOrderId, orderId, fingerprint, this.toSecond(this.state.time));
    if (orderId % SWEEP_EVERY_ORDERS === 0) this.sweep();
  }

  /** Converts the ids that version 1 remembered. */
  convert(): void {
    for (const order of this.state.clientOrderQueue.takeAll()) {
      const { account, clientOrderId, orderId, fingerprint, forgetAt } = order;
      const second = this.toSecond(Math.max(0, forgetAt - CLIENT_ORDER_ID_LIFETIME_MS));
      this.put(account, clientOrderId, orderId, fingerprint, second);
    }
  }

  /** Restores the ids of an account from a snapshot. */
  restore(
    account: Account,
    droppedOrderId: number,
    droppedSecond: number,
    bytes: Uint8Array,
  ): void {
    const ids = new RecentIds();
    account.recentIds = ids;
    ids.droppedOrderId = droppedOrderId;
    ids.droppedSecond = droppedSecond;
    ids.restore(bytes);
    this.state.include(hashDropped(account, ids));
    ids.forEach((position) => {
      this.state.include(ids.hash(position, account.index));
    });
  }

  private put(
    account: Account,
    clientOrderId: string,
    orderId: number,
    fingerprint: number,
    second: number,
  ): void {
    // Must come first, because the new order is not open yet.
    if (account.recentIds !== undefined) this.freeCapacity(account, account.recentIds);
    account.recentIds ??= new RecentIds();
    const ids = account.recentIds;
    const hash = this.hashId(account, clientOrderId);
    const maxIds = MAX_REMEMBERED.clientOrderIds;
    const position = ids.add(hash, orderId, fingerprint, second, maxIds);
    this.state.include(ids.hash(position, account.index));
  }

  /** Frees capacity for one more id: drops the account's oldest ids except those of open orders. */
  private freeCapacity(account: Account, ids: RecentIds): void {
    const { clientOrderIds } = MAX_REMEMBERED;
    for (let left = MAX_DROPPED_AT_ONCE; left > 0 && ids.count >= clientOrderIds; left--) {
      const orderId = ids.orderId(ids.first);
      if (this.isOpen(orderId)) {
        ids.moveFirstToEnd();
        continue;
      }
      if (orderId > ids.droppedOrderId) this.noteDropped(account, ids, orderId);
      if (this.onDropped !== undefined) {
        ids.readHash(ids.first, this.droppedHash);
        this.onDropped(this.droppedHash);
      }
      this.forgetFirst(account, ids);
    }
  }

  private noteDropped(account: Account, ids: RecentIds, orderId: number): void {
    this.state.exclude(hashDropped(account, ids));
    ids.droppedOrderId = orderId;
    ids.droppedSecond = ids.second(ids.first);
    this.state.include(hashDropped(account, ids));
  }

  /** Forgets a few expired ids of one account; successive calls visit all accounts. */
  private sweep(): void {
    const { accounts } = this.state;
    const account = accounts[this.sweptAccount]!;
    if (!this.forgetExpired(account, account.recentIds)) {
      this.sweptAccount = (this.sweptAccount + 1) % accounts.length;
    }
  }

  /** @returns Whether the account may have more expired ids. */
  private forgetExpired(account: Account, ids: RecentIds | undefined): boolean {
    if (ids === undefined) return false;
    let hasForgotten = false;
    for (let left = MAX_SWEPT_AT_ONCE; left > 0; left--) {
      if (ids.count === 0 || !this.hasExpired(ids.second(ids.first))) return false;
      if (this.isOpen(ids.orderId(ids.first))) ids.moveFirstToEnd();
      else {
        this.forgetFirst(account, ids);
        hasForgotten = true;
      }
    }
    return hasForgotten;
  }

  private forgetFirst(account: Account, ids: RecentIds): void {
    this.noteForgotten(ids.orderId(ids.first), ids.fingerprint(ids.first));
    this.state.exclude(ids.hash(ids.first, account.index));
    ids.removeFirst();
    if (!ids.isWorthKeeping) account.recentIds = undefined;
  }

  private noteForgotten(orderId: number, fingerprint: number): void {
    const { applied } = this.state;
    if (this.forgottenBy !== applied) this.forgotten.length = 0;
    this.forgottenBy = applied;
    this.forgotten.push(orderId, fingerprint);
  }

  private hashId({ index }: Account, clientOrderId: string): IdHash {
    if (this.hashedAccount !== index || this.hashedId !== clientOrderId) {
      hashClientOrderId(index, clientOrderId, this.hash);
      this.hashedAccount = index;
      this.hashedId = clientOrderId;
    }
    return this.hash;
  }

  private isOpen(orderId: number): boolean {
    return this.state.index.find(orderId) !== NONE;
  }

  private toSecond(time: number): number {
    return Math.floor(time / 1000);
  }

  private hasExpired(second: number): boolean {
    return this.toSecond(this.state.time) - second >= LIFETIME_SECONDS;
  }

  /** Computes the sum of the hashes of all remembered ids, for an audit of the digest. */
  countDigest(): number {
    let sum = 0;
    for (const account of this.state.accounts) {
      const ids = account.recentIds;
      if (ids === undefined) continue;
      sum = (sum + hashDropped(account, ids)) | 0;
      ids.forEach((position) => {
        sum = (sum + ids.hash(position, account.index)) | 0;
      });
    }
    return sum;
  }
}

/** Returns the hash of the newest dropped id of an account; 0 if none was dropped. */
export function hashDropped({ index }: Account, ids: RecentIds): number {
  const { droppedOrderId, droppedSecond } = ids;
  if (droppedOrderId === 0) return 0;
  return mixNumber(mixNumber(21 * 0x10001 + index, droppedOrderId), droppedSecond);
}
