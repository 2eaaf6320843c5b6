import type { RecentIds } from '../client-order-ids/recent-ids.ts';
import { mix, mixExact, mixNumber, mixText } from '../digest.ts';
import type { Exact } from '../numbers/exact.ts';
import { NONE } from '../terms.ts';

/** What an account has of one asset, in minor units. Neither part is ever below zero. */
export class Balance {
  available: Exact = 0;
  held: Exact = 0;
  /** Hash of this balance as it stands in the ledger's digest. */
  hash = 0;
  /** It has changed since. */
  isStale = false;

  constructor(
    readonly account: number,
    readonly asset: number,
  ) {}
}

/** Version 1: an order placed under a client order id, remembered so that it cannot be placed twice. */
export interface ClientOrder {
  readonly account: Account;
  readonly clientOrderId: string;
  readonly orderId: number;
  /** Hash of the request's terms: the same id with other terms is refused. */
  readonly fingerprint: number;
  /** When the id may be forgotten, unless the order is open still. */
  forgetAt: number;
}

/** A trading account. Who the person behind it is, the engine does not know. */
export class Account {
  frozen = false;
  /** The fee tier that the operator gave it, NONE where its volume decides. */
  feeTier: number = NONE;
  /** Its open orders in the order store, in no order: see State.openOrdersOf. */
  readonly openSlots: number[] = [];
  /** By asset index; absent where the account never held the asset. */
  readonly balances: (Balance | undefined)[] = [];
  /** Version 1: the orders that it placed under client order ids. */
  private clientOrderMap: Map<string, ClientOrder> | undefined;
  /** From version 2 on: its client order ids; undefined before its first. */
  recentIds: RecentIds | undefined;
  readonly keys: ApiKey[] = [];

  constructor(
    readonly index: number,
    readonly id: string,
    /** Its rate limits are so many times the usual. */
    public limitClass: number,
    readonly createdAt: number,
  ) {}

  get clientOrders(): Map<string, ClientOrder> {
    this.clientOrderMap ??= new Map();
    return this.clientOrderMap;
  }

  get openOrders(): number {
    return this.openSlots.length;
  }

  available(asset: number): Exact {
    return this.balances[asset]?.available ?? 0;
  }
}

export interface ApiKey {
  readonly index: number;
  /** The public half; what stands in the Authorization header. */
  readonly apiKey: string;
  readonly account: Account;
  /** SHA-256 of the secret. */
  readonly secretHash: Uint8Array;
  /** Sum of Permission values. */
  readonly permissions: number;
  readonly label: string;
  readonly addresses: readonly string[];
  readonly createdAt: number;
  /** 0 for never. */
  readonly expiresAt: number;
  /** 0 while in force. */
  revokedAt: number;
}

/** Whether the key may be used at `time`. */
export function isInForce(key: ApiKey, time: number): boolean {
  return key.revokedAt === 0 && (key.expiresAt === 0 || time < key.expiresAt);
}

export function hashAccount(account: Account): number {
  const hash = mixNumber(mixText(mix(1, account.index), account.id), account.createdAt);
  return mix(mix(hash, account.limitClass * 2 + (account.frozen ? 1 : 0)), account.feeTier);
}

export function hashKey(key: ApiKey): number {
  let hash = mixText(mix(mix(2, key.index), key.account.index), key.apiKey);
  for (const byte of key.secretHash) hash = mix(hash, byte);
  hash = mixText(mix(hash, key.permissions), key.label);
  for (const address of key.addresses) hash = mixText(hash, address);
  return mixNumber(mixNumber(mixNumber(hash, key.createdAt), key.expiresAt), key.revokedAt);
}

export function hashBalance(balance: Balance): number {
  const { account, asset, available, held } = balance;
  return mixExact(mixExact(mix(mix(3, account), asset), available), held);
}

export function hashClientOrder(order: ClientOrder): number {
  const hash = mixText(mix(4, order.account.index), order.clientOrderId);
  return mixNumber(mix(mixNumber(hash, order.orderId), order.fingerprint), order.forgetAt);
}
