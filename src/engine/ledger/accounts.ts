import type { RecentIds } from '../client-order-ids/recent-ids.ts';
import { mix, mixExact, mixNumber, mixText } from '../digest.ts';
import type { Exact } from '../numbers/exact.ts';
import { NONE } from '../terms.ts';

/** An account's balance of one asset, in minor units. Neither part is ever negative. */
export class Balance {
  available: Exact = 0;
  held: Exact = 0;
  /** Hash of this balance that is included in the ledger's digest. */
  hash = 0;
  /** Whether the balance changed since `hash` was computed. */
  isStale = false;

  constructor(
    readonly account: number,
    readonly asset: number,
  ) {}
}

/**
 * Engine version 1: an order placed under a client order id, remembered so that it cannot be placed
 * twice.
 */
export interface ClientOrder {
  readonly account: Account;
  readonly clientOrderId: string;
  readonly orderId: number;
  /** Hash of the request's terms: the same id with other terms is rejected. */
  readonly fingerprint: number;
  /**
   * Time from which the id may be forgotten unless its order is still open, in milliseconds since
   * 1970.
   */
  forgetAt: number;
}

/** A trading account. The engine does not know its user. */
export class Account {
  /** Whether an operator has frozen this account itself; see `isFrozen`. */
  frozen = false;
  /** Whether it is a sub-account that its owner has closed; set by `ClosedAccounts`. */
  isClosed = false;
  /** The main account of a sub-account; undefined for a main account. */
  main: Account | undefined;
  /** Undefined if it has none. */
  subAccounts: Account[] | undefined;
  /** The fee tier set by an operator; NONE if the volume decides. */
  feeTier: number = NONE;
  /** Slots of its open orders, unsorted (see State.accountOpenOrders). */
  readonly openSlots: number[] = [];
  /** By asset index; undefined for assets that the account never held. */
  readonly balances: (Balance | undefined)[] = [];
  /** Engine version 1: orders by client order id. */
  private clientOrderMap: Map<string, ClientOrder> | undefined;
  /** Engine version 2: recent client order ids; undefined if there are none. */
  recentIds: RecentIds | undefined;
  readonly keys: ApiKey[] = [];

  constructor(
    readonly index: number,
    readonly id: string,
    /** Multiplier of its rate limits. */
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

  /** The main account of its group: all accounts of a group have one owner. */
  get owner(): Account {
    return this.main ?? this;
  }

  /** A frozen main account freezes its sub-accounts too. */
  get isFrozen(): boolean {
    return this.frozen || this.main?.frozen === true;
  }

  /** The accounts of the group: the main account, then its sub-accounts, the oldest first. */
  get group(): readonly Account[] {
    const { owner } = this;
    return owner.subAccounts === undefined ? [owner] : [owner, ...owner.subAccounts];
  }

  available(asset: number): Exact {
    return this.balances[asset]?.available ?? 0;
  }
}

/** Returns the index of the main account of an account; an account that does not exist is its own. */
export function findOwner(accounts: readonly Account[], account: number): number {
  return accounts[account]?.owner.index ?? account;
}

export interface ApiKey {
  readonly index: number;
  /** The public half, as sent in the Authorization header. */
  readonly apiKey: string;
  readonly account: Account;
  /** SHA-256 of the secret; empty for a key that signs. */
  readonly secretHash: Uint8Array;
  /** The Ed25519 public key of a key that signs its requests with it. */
  readonly publicKey?: Uint8Array | undefined;
  /** The encrypted secret of a key that signs its requests with HMAC-SHA256. */
  sealedSecret?: Uint8Array | undefined;
  /** Sum of Permission values. */
  readonly permissions: number;
  label: string;
  /** Addresses and networks from which the key may be used; empty for any. Replaced as a whole. */
  addresses: readonly string[];
  readonly createdAt: number;
  /** Milliseconds since 1970; 0 for never. */
  readonly expiresAt: number;
  /** Milliseconds since 1970; 0 unless revoked. */
  revokedAt: number;
}

/** Returns whether the key may be used at `time`. */
export function isInForce(key: ApiKey, time: number): boolean {
  return key.revokedAt === 0 && (key.expiresAt === 0 || time < key.expiresAt);
}

/** Returns whether an IP allowlist has the same entries as another one, in the same order. */
export function isSameAllowlist(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((entry, place) => entry === others[place]);
}

/** Returns whether a key signs its requests instead of sending a secret. */
export function signsRequests({ publicKey, sealedSecret }: ApiKey): boolean {
  return publicKey !== undefined || sealedSecret !== undefined;
}

export function hashAccount(account: Account): number {
  const hash = mixNumber(mixText(mix(1, account.index), account.id), account.createdAt);
  return mix(mix(hash, account.limitClass * 2 + (account.frozen ? 1 : 0)), account.feeTier);
}

export function hashKey(key: ApiKey): number {
  let hash = mixText(mix(mix(2, key.index), key.account.index), key.apiKey);
  for (const byte of key.secretHash) hash = mix(hash, byte);
  if (key.publicKey !== undefined) for (const byte of key.publicKey) hash = mix(hash, 256 + byte);
  for (const byte of key.sealedSecret ?? []) hash = mix(hash, 512 + byte);
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
