import type {
  CreateAccount,
  SetAccountFeeTier,
  SetAccountLimitClass,
  SetAccountStatus,
  SetFeeDiscount,
  SetFeeTiers,
  SetReferralShare,
  SetReferrer,
  Transfer,
} from './account-commands.ts';
import { type Actor, CommandKind, EXPLAINED_KINDS } from './command-kind.ts';
import type {
  CloseConnection,
  CloseNodeConnections,
  OpenConnection,
  RenewNodeConnections,
} from './connection-commands.ts';
import type { CustodyCommand } from './custody/custody-commands.ts';
import type {
  ChangeKey,
  CreateHmacKey,
  CreateKey,
  CreateSignedKey,
  ResealKey,
  RevokeKey,
  UseSignature,
} from './key-commands.ts';
import type {
  ChangeMarketRules,
  CreateAsset,
  DelistMarket,
  ListMarket,
  SetMarketStatus,
} from './market-commands.ts';
import type { ChangeableRules, FeeTier, ListedRules, MarketRules } from './markets/market-rules.ts';
import type { Exact } from './numbers/exact.ts';
import type {
  AddNote,
  Approve,
  GrantAccess,
  RejectApproval,
  RemoveNote,
  ReviewAlert,
  SetApprovalPolicy,
} from './operators/operator-commands.ts';
import type { ProtectionCommand } from './protection/protection-commands.ts';
import type { SubAccountCommand } from './sub-accounts/sub-account-commands.ts';
import type { OrderType, Side } from './terms.ts';

export type * from './account-commands.ts';
export {
  type Actor,
  CommandKind,
  type Explained,
  SYSTEM_ACTOR,
} from './command-kind.ts';
export type * from './connection-commands.ts';
export type * from './custody/custody-commands.ts';
export type * from './key-commands.ts';
export type * from './market-commands.ts';
export type * from './operators/operator-commands.ts';
export type * from './protection/protection-commands.ts';
export type * from './sub-accounts/sub-account-commands.ts';
export type { ChangeableRules, FeeTier, ListedRules, MarketRules };

export interface Open {
  readonly kind: typeof CommandKind.open;
  /** Engine version that the log starts with. An engine that does not know it rejects the log. */
  readonly version: number;
  readonly sandbox: boolean;
}

/** Switches the engine to another version, from the next command on. */
export interface Upgrade extends Actor {
  readonly kind: typeof CommandKind.upgrade;
  /** At most the `ENGINE_VERSION` of every node; a node that does not know the version stops. */
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
  /** In price units; 0 for a market order. */
  readonly price: number;
  /** In amount units; 0 if `cost` is given. */
  readonly amount: number;
  /**
   * Maximum that a market buy spends, or a market sell receives (engine version 2), in the quote asset's minor units; 0 if
   * `amount` is given.
   */
  readonly cost: Exact;
  /** Milliseconds since 1970; 0 unless good till date. */
  readonly expiresAt: number;
  readonly clientOrderId: string | null;
  /**
   * Order id up to which history was searched (engine version 2): no ended order of the account
   * with a lower id was placed under `clientOrderId` in the last 25 hours. Absent if history was
   * not searched.
   */
  readonly searchedBelow?: number;
  /**
   * Maximum quantity of a limit order that the book shows (engine version 2), in amount units. Absent for an order
   * that is shown completely.
   */
  readonly displayAmount?: number;
}

/** The distance at which a trailing stop follows the best last price since its placement (engine version 2). */
export interface Trailing {
  /** Distance of the trigger from the best price, in price units; 0 if `basisPoints` is given. */
  readonly amount: number;
  /** Distance in hundredths of a percent of the best price; 0 if `amount` is given. */
  readonly basisPoints: number;
  /**
   * In price units: trailing starts once the last price is at least this for a sell, at most this for a buy; 0 to
   * start at once.
   */
  readonly activationPrice: number;
}

/**
 * A limit or market order that stays pending until the market's last price reaches its trigger, and
 * keeps its id when triggered. For a stop-limit order `timeInForce` is that of the limit order; for
 * others it is how long the order stays pending: GTC or GTD.
 */
export interface PlaceStopOrder extends Omit<PlaceOrder, 'kind'> {
  readonly kind: typeof CommandKind.placeStopOrder;
  /** In price units; 0 for a trailing stop. */
  readonly triggerPrice: number;
  /** Only for a trailing stop. */
  readonly trailing?: Trailing;
}

/**
 * The prices of one leg of an OCO or bracket order, in price units; 0 if the leg has no such price.
 */
export interface OcoLeg {
  readonly price: number;
  readonly triggerPrice: number;
  /** Makes a stop-loss leg a trailing stop, which has neither price nor trigger price. */
  readonly trailing?: Trailing;
  /** Makes a take-profit leg that rests an iceberg. */
  readonly displayAmount?: number;
}

/**
 * Two orders of the same side and amount of which one cancels the other. The take-profit leg
 * without a trigger is a resting limit order; the stop-loss leg always has a trigger.
 */
export interface PlaceOco
  extends Pick<PlaceOrder, 'account' | 'key' | 'market' | 'side' | 'amount' | 'expiresAt'>,
    Pick<PlaceOrder, 'selfTradePrevention' | 'clientOrderId' | 'searchedBelow'> {
  readonly kind: typeof CommandKind.placeOco;
  readonly takeProfit: OcoLeg;
  readonly stopLoss: OcoLeg;
}

/** A leg that may match when it is activated: a limit order, or a market order with the price 0. */
export interface PlainLeg {
  readonly type: typeof OrderType.limit | typeof OrderType.market;
  readonly timeInForce: number;
  readonly price: number;
}

/** The terms of legs that are activated only if their order is filled completely (engine version 2). */
export interface OtoTerms {
  readonly side: Side;
  /** In amount units. */
  readonly amount: number;
  /** The only leg, if it is neither a take profit nor a stop loss. */
  readonly order: PlainLeg | null;
}

/**
 * The legs of a bracket order: a take profit, a stop loss or both, which then form an OCO order. They are on the
 * opposite side and are activated when the bracket order ends with a fill, unless `oto` has other terms.
 */
export interface Attached {
  readonly takeProfit: OcoLeg | null;
  readonly stopLoss: OcoLeg | null;
  /**
   * Order id of the first leg, which is reserved with that of the bracket order; the second leg has the next one. Absent
   * in commands and for orders placed with engine version 1, whose legs get their ids when they are activated.
   */
  readonly firstOrderId?: number;
  /** Makes it a one-triggers-the-other order. */
  readonly oto?: OtoTerms;
}

/** A bracket order: a limit or market order with take-profit and stop-loss legs. */
export interface PlaceBracket {
  readonly kind: typeof CommandKind.placeBracket;
  readonly order: PlaceOrder;
  readonly attached: Attached;
}

/** A command of an operator who may say why. */
export type ExplainedCommand = Extract<
  ApprovableCommand,
  { readonly kind: (typeof EXPLAINED_KINDS)[number] }
>;

export function isExplained(command: Command): command is ExplainedCommand {
  return (EXPLAINED_KINDS as readonly number[]).includes(command.kind);
}

/** A command that places orders. */
export type PlacingCommand = PlaceOrder | PlaceStopOrder | PlaceOco | PlaceBracket;

export function isPlacing(command: Command): command is PlacingCommand {
  const { kind } = command;
  return (
    kind === CommandKind.placeOrder ||
    kind === CommandKind.placeStopOrder ||
    kind === CommandKind.placeOco ||
    kind === CommandKind.placeBracket
  );
}

/** Places orders that are canceled when the connection ends. */
export interface PlaceOnConnection {
  readonly kind: typeof CommandKind.placeOnConnection;
  /** Id of an open connection of the same account. */
  readonly connection: number;
  readonly command: PlacingCommand;
}

/** Places, amends or cancels orders unless the deadline has passed by the time of the log (engine version 2). */
export interface ExecuteBy {
  readonly kind: typeof CommandKind.executeBy;
  /** End of the receive window of the request, milliseconds since 1970. */
  readonly deadline: number;
  readonly command: PlacingCommand | PlaceOnConnection | AmendOrder | CancelOrder | CancelOrders;
}

/** The fills that an order must have to be canceled. The numbers are stored in logs: they never change. */
export const CancelCondition = { unfilled: 1, partiallyFilled: 2 } as const;
export type CancelCondition = (typeof CancelCondition)[keyof typeof CancelCondition];

export interface CancelOrder extends Actor {
  readonly kind: typeof CommandKind.cancelOrder;
  readonly orderId: number;
  /** Absent to cancel the order whatever it has filled (engine version 2). */
  readonly onlyIf?: CancelCondition;
}

/** Changes an open order, which keeps its id. */
export interface AmendOrder extends Actor {
  readonly kind: typeof CommandKind.amendOrder;
  readonly orderId: number;
  /** In price units; 0 keeps the current price. */
  readonly price: number;
  /** In price units; 0 keeps the current trigger price. */
  readonly triggerPrice: number;
  /** The new total including the filled quantity, in amount units; 0 keeps the current amount. */
  readonly amount: number;
  /** The new terms of a trailing stop; zeros keep the current distance or activation price. */
  readonly trailing?: Trailing;
  /** In amount units; absent keeps what the book shows of the order. */
  readonly displayAmount?: number;
  /** Rejects an amount that is not less than the current one (engine version 2). */
  readonly reduceOnly?: true;
}

/** Selects the open orders of an account that match every field. */
export interface OrderSelection {
  /** A market index; NONE selects every market. */
  readonly market: number;
  /** Null selects every order; ids that are not open orders of the account are ignored. */
  readonly orderIds: readonly number[] | null;
  readonly clientOrderId: string | null;
}

export interface CancelOrders extends Actor, OrderSelection {
  readonly kind: typeof CommandKind.cancelOrders;
}

/**
 * Cancels the open orders of the actor's key after `timeoutMs`, unless the command is repeated
 * before (dead man's switch).
 */
export interface CancelAfter extends Actor {
  readonly kind: typeof CommandKind.cancelAfter;
  /** A market index; NONE selects every market. */
  readonly market: number;
  /** 0 disarms the timer of the market, or of every market of the key if `market` is NONE. */
  readonly timeoutMs: number;
}

/** Cancels orders of an account on behalf of an operator. */
export interface CancelOrdersOf extends Actor, OrderSelection {
  readonly kind: typeof CommandKind.cancelOrdersOf;
  readonly owner: number;
}

export interface Skip {
  readonly kind: typeof CommandKind.skip;
  readonly sequence: number;
  readonly index: number;
  readonly reason: string;
}

/** Asks for the approval of a command by an operator of another account (engine version 2). */
export interface RequestApproval extends Actor {
  readonly kind: typeof CommandKind.requestApproval;
  /** Id of the signed-in user who asks; empty for a key. */
  readonly user: string;
  readonly reason: string;
  /** It has the same actor. */
  readonly command: ApprovableCommand;
}

/** A command that is administrative and about no approval: a second operator may approve it. */
export type ApprovableCommand = Exclude<
  Extract<Command, Actor>,
  | PlacingCommand
  | CancelOrder
  | CancelOrders
  | CancelAfter
  | AmendOrder
  | OpenConnection
  | UseSignature
  | RequestApproval
  | Approve
  | RejectApproval
>;

/** A command of the table of operations. */
export type TableCommand = ApprovableCommand | RequestApproval | Approve | RejectApproval;

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
  | CreateSignedKey
  | CreateHmacKey
  | ResealKey
  | ChangeKey
  | UseSignature
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
  | SetFeeDiscount
  | SetReferralShare
  | SetReferrer
  | SetAccountLimitClass
  | PlaceOnConnection
  | ExecuteBy
  | OpenConnection
  | CloseConnection
  | RenewNodeConnections
  | CloseNodeConnections
  | SetApprovalPolicy
  | RequestApproval
  | Approve
  | RejectApproval
  | GrantAccess
  | AddNote
  | RemoveNote
  | ReviewAlert
  | CustodyCommand
  | ProtectionCommand
  | SubAccountCommand;
