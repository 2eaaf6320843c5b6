import type { Exact } from './numbers/exact.ts';
import { NONE, type Side } from './terms.ts';

/**
 * Everything that can change the exchange, as it stands in the log. A command is complete: ids,
 * hashes and exact integers are already inside it, so that applying it needs nothing else.
 * The numbers never change; new commands go to the end. 6 and 20 are
 * layouts of listMarket and amendOrder that the codec still reads.
 */
export const CommandKind = {
  /** First command of every log. */
  open: 1,
  /** Nothing but the passing of time. */
  tick: 2,
  placeOrder: 3,
  cancelOrder: 4,
  createAsset: 5,
  setMarketStatus: 7,
  createAccount: 8,
  createKey: 9,
  revokeKey: 10,
  transfer: 11,
  /** A record that a command which stopped the exchange is passed over (see replica/recovery). */
  skip: 12,
  setAccountStatus: 13,
  placeStopOrder: 14,
  listMarket: 15,
  placeOco: 16,
  cancelOrders: 21,
  cancelAfter: 22,
  changeMarketRules: 23,
  delistMarket: 24,
  cancelOrdersOf: 25,
  setFeeTiers: 26,
  setAccountFeeTier: 27,
  setAccountLimitClass: 28,
  placeBracket: 29,
  amendOrder: 30,
  /** Raises the version of the engine's behavior. */
  upgrade: 31,
} as const;

/** Who asks: indexes of account and key. NONE for both only in commands the process itself makes. */
export interface Actor {
  readonly account: number;
  readonly key: number;
}

/** The actor of commands that the process itself makes. */
export const SYSTEM_ACTOR = { account: NONE, key: NONE } as const satisfies Actor;

export interface Open {
  readonly kind: typeof CommandKind.open;
  /** Version of the engine's behaviour; an engine that does not know it refuses the log. */
  readonly version: number;
  readonly sandbox: boolean;
}

/** From the next command on the engine behaves as this version does. */
export interface Upgrade extends Actor {
  readonly kind: typeof CommandKind.upgrade;
  /** At most the `ENGINE_VERSION` of every node; one that does not know it stops. */
  readonly version: number;
}

export interface Tick {
  readonly kind: typeof CommandKind.tick;
}

export interface PlaceOrder extends Actor {
  readonly kind: typeof CommandKind.placeOrder;
  readonly market: number;
  readonly side: Side;
  readonly type: number;
  readonly timeInForce: number;
  readonly postOnly: boolean;
  readonly selfTradePrevention: number;
  /** Price units; 0 for a market order. */
  readonly price: number;
  /** Amount units; 0 where `cost` is given. */
  readonly amount: number;
  /** What a market buy spends at most, in the quote's minor units; 0 where `amount` is given. */
  readonly cost: Exact;
  /** Milliseconds since 1970, 0 unless good till date. */
  readonly expiresAt: number;
  readonly clientOrderId: string | null;
  /**
   * From version 2 on, absent unless history was asked: among the account's orders with ids below this
   * none that ended was placed under `clientOrderId` in the last 25 hours.
   */
  readonly searchedBelow?: number;
}

/**
 * An order that waits until the market's last price reaches its trigger, and then goes on under its
 * id as a limit or market order. `timeInForce` is that of the limit order; of the others it says
 * how long they wait, GTC or GTD.
 */
export interface PlaceStopOrder extends Omit<PlaceOrder, 'kind'> {
  readonly kind: typeof CommandKind.placeStopOrder;
  /** Price units. */
  readonly triggerPrice: number;
}

/** The prices of one order of a pair, or of one attached, price units; 0 for one that it does not have. */
export interface OcoLeg {
  readonly price: number;
  readonly triggerPrice: number;
}

/**
 * Two orders of one side and amount of which one cancels the other: a take profit, or a limit order
 * that rests where it has no trigger, and a stop.
 */
export interface PlaceOco
  extends Pick<PlaceOrder, 'account' | 'key' | 'market' | 'side' | 'amount' | 'expiresAt'>,
    Pick<PlaceOrder, 'selfTradePrevention' | 'clientOrderId' | 'searchedBelow'> {
  readonly kind: typeof CommandKind.placeOco;
  readonly takeProfit: OcoLeg;
  readonly stopLoss: OcoLeg;
}

/**
 * Orders on the other side that come alive once the order that they are attached to has ended with
 * something filled; both together as a pair. At least one.
 */
export interface Attached {
  readonly takeProfit: OcoLeg | null;
  readonly stopLoss: OcoLeg | null;
}

/** A limit or market order with others attached to it. */
export interface PlaceBracket {
  readonly kind: typeof CommandKind.placeBracket;
  readonly order: PlaceOrder;
  readonly attached: Attached;
}

export interface CancelOrder extends Actor {
  readonly kind: typeof CommandKind.cancelOrder;
  readonly orderId: number;
}

/** Changes an open order, which keeps its id. */
export interface AmendOrder extends Actor {
  readonly kind: typeof CommandKind.amendOrder;
  readonly orderId: number;
  /** Price units; 0 leaves the price as it is. */
  readonly price: number;
  /** Price units; 0 leaves it as it is. */
  readonly triggerPrice: number;
  /** The new total, what is filled already included, amount units; 0 leaves it as it is. */
  readonly amount: number;
}

/** Some of an account's open orders: those that are all of what is given here. */
export interface OrderSelection {
  /** NONE for every market. */
  readonly market: number;
  /** Null for every id; what is not an open order of the account is passed over. */
  readonly orderIds: readonly number[] | null;
  readonly clientOrderId: string | null;
}

export interface CancelOrders extends Actor, OrderSelection {
  readonly kind: typeof CommandKind.cancelOrders;
}

/** Cancels what the actor's key has placed, `timeoutMs` from now unless it is said anew before. */
export interface CancelAfter extends Actor {
  readonly kind: typeof CommandKind.cancelAfter;
  /** NONE for every market. */
  readonly market: number;
  /** 0 takes it back: that of the market, or for NONE every one of the key. */
  readonly timeoutMs: number;
}

export interface CreateAsset extends Actor {
  readonly kind: typeof CommandKind.createAsset;
  readonly asset: string;
  readonly name: string;
  readonly decimals: number;
}

export interface MarketRules {
  /** Decimals that the integers of prices and amounts in this market count. */
  readonly priceDecimals: number;
  readonly amountDecimals: number;
  /** Prices are whole multiples of tick, amounts of step; both in units. */
  readonly tick: number;
  readonly step: number;
  readonly minPrice: number;
  readonly maxPrice: number;
  readonly minAmount: number;
  readonly maxAmount: number;
  /** Minor units of the quote asset. */
  readonly minNotional: Exact;
  /** Parts per million of what is received. */
  readonly makerFee: number;
  readonly takerFee: number;
  /** Price units; shown as the price before the first trade. */
  readonly referencePrice: number;
  /** How far from the last price a market order trades, parts per million of it; 0 for any price. */
  readonly collar: number;
}

export interface ListMarket extends Actor, MarketRules {
  readonly kind: typeof CommandKind.listMarket;
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
}

/** What of a market's rules may change: never what its integers count. */
export type ChangeableRules = Omit<MarketRules, 'priceDecimals' | 'amountDecimals'>;

export interface ChangeMarketRules extends Actor {
  readonly kind: typeof CommandKind.changeMarketRules;
  readonly market: number;
  /** The others stay as they are. */
  readonly rules: Partial<ChangeableRules>;
}

/** Ends every order of a market, which takes none any more. */
export interface DelistMarket extends Actor {
  readonly kind: typeof CommandKind.delistMarket;
  readonly market: number;
}

/** An operator cancels on behalf of an account. */
export interface CancelOrdersOf extends Actor, OrderSelection {
  readonly kind: typeof CommandKind.cancelOrdersOf;
  readonly owner: number;
}

/** The fee rates that an account pays once its trading volume reaches `minVolume`. */
export interface FeeTier {
  /** Minor units of the asset that volume is counted in, above zero. */
  readonly minVolume: Exact;
  /** Parts per million of the amount received. */
  readonly makerFee: number;
  readonly takerFee: number;
}

export interface SetFeeTiers extends Actor {
  readonly kind: typeof CommandKind.setFeeTiers;
  /** Index of the asset that volume is counted in: trades of markets quoted in it. */
  readonly asset: number;
  /** By rising volume; replaces the whole table. */
  readonly tiers: readonly FeeTier[];
}

export interface SetAccountFeeTier extends Actor {
  readonly kind: typeof CommandKind.setAccountFeeTier;
  readonly owner: number;
  /** NONE for the one that its volume reaches. */
  readonly tier: number;
}

export interface SetMarketStatus extends Actor {
  readonly kind: typeof CommandKind.setMarketStatus;
  readonly market: number;
  readonly status: number;
}

export interface CreateAccount extends Actor {
  readonly kind: typeof CommandKind.createAccount;
  readonly accountId: string;
  /** Multiplier on the account's rate limits, 1 to 1000. */
  readonly limitClass: number;
}

export interface SetAccountStatus extends Actor {
  readonly kind: typeof CommandKind.setAccountStatus;
  readonly owner: number;
  readonly frozen: boolean;
  /** Why, for the audit; decides nothing. */
  readonly reason?: string;
}

export interface SetAccountLimitClass extends Actor {
  readonly kind: typeof CommandKind.setAccountLimitClass;
  readonly owner: number;
  /** As of CreateAccount. */
  readonly limitClass: number;
}

export interface CreateKey extends Actor {
  readonly kind: typeof CommandKind.createKey;
  readonly owner: number;
  readonly apiKey: string;
  /** SHA-256 of the secret. */
  readonly secretHash: Uint8Array;
  readonly permissions: number;
  readonly label: string;
  /** Addresses and networks the key may be used from; empty for any. */
  readonly addresses: readonly string[];
  /** Milliseconds since 1970, 0 for never. */
  readonly expiresAt: number;
}

export interface RevokeKey extends Actor {
  readonly kind: typeof CommandKind.revokeKey;
  readonly apiKey: string;
}

export interface Transfer extends Actor {
  readonly kind: typeof CommandKind.transfer;
  readonly owner: number;
  readonly asset: number;
  /** Minor units: above zero credits the account, below zero debits it. */
  readonly amount: Exact;
  readonly reference: string;
  readonly reason: string;
  /** Absent unless history was asked: no transfer with an id below this has `reference`. */
  readonly searchedBelow?: number;
}

export interface Skip {
  readonly kind: typeof CommandKind.skip;
  readonly sequence: number;
  readonly index: number;
  readonly reason: string;
}

export type Command =
  | Open
  | Upgrade
  | Tick
  | PlaceOrder
  | PlaceStopOrder
  | PlaceOco
  | PlaceBracket
  | CancelOrder
  | CreateAsset
  | ListMarket
  | SetMarketStatus
  | CreateAccount
  | CreateKey
  | RevokeKey
  | Transfer
  | Skip
  | SetAccountStatus
  | AmendOrder
  | CancelOrders
  | CancelAfter
  | ChangeMarketRules
  | DelistMarket
  | CancelOrdersOf
  | SetFeeTiers
  | SetAccountFeeTier
  | SetAccountLimitClass;
