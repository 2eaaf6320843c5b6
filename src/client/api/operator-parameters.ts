// Made from the OpenAPI document by `npm run generate`: change that, not this.

export interface ListAccountsParameters {
  /** Accounts whose id holds this, whatever the case. */
  readonly search?: string | undefined;
}

export interface CreateAccountParameters {
  readonly accountId: string;
  readonly limitClass?: number | null | undefined;
}

export interface GetAccountParameters {
  /** The account. */
  readonly id: string;
}

export interface ChangeAccountParameters {
  /** The account. */
  readonly id: string;
  readonly frozen?: boolean | null | undefined;
  readonly feeTier?: 'volume' | number | null | undefined;
  readonly limitClass?: number | null | undefined;
  readonly reason?: string | null | undefined;
}

export interface GetAccountBalancesParameters {
  /** The account. */
  readonly id: string;
}

export interface ListOpenOrdersOfParameters {
  /** The account. */
  readonly id: string;
}

export interface CancelOrdersOfParameters {
  /** The account. */
  readonly id: string;
  /** A market, as GET /api/markets lists it. */
  readonly symbol?: string | undefined;
  /** Identifiers of orders, with commas between them. */
  readonly ids?: string | undefined;
  /** The order that was placed under this id. */
  readonly clientOrderId?: string | undefined;
  /** Every open order. */
  readonly all?: 'true' | undefined;
}

export interface ListKeysParameters {
  /** The account. */
  readonly id: string;
  /** At most so many on a page. */
  readonly limit?: number | undefined;
  /** The `nextCursor` of the page before, unchanged, with the same parameters but `limit`. */
  readonly cursor?: string | undefined;
  /** Newest or oldest first. */
  readonly sort?: 'desc' | 'asc' | undefined;
}

export interface CreateKeyParameters {
  /** The account. */
  readonly id: string;
  readonly label?: string | null | undefined;
  readonly permissions: readonly ('read' | 'trade' | 'operate')[];
  readonly addresses?: readonly string[] | null | undefined;
  readonly expiresAt?: string | number | string | null | undefined;
  readonly password?: string | null | undefined;
  readonly code?: string | null | undefined;
}

export interface RevokeKeyParameters {
  /** The account. */
  readonly id: string;
  /** The key, without its secret. */
  readonly apiKey: string;
}

export interface InviteUserParameters {
  /** The account. */
  readonly id: string;
  readonly email: string;
  readonly permissions: readonly ('read' | 'trade' | 'operate')[];
  readonly password?: string | null | undefined;
  readonly code?: string | null | undefined;
}

export interface ListUsersParameters {
  /** The account. */
  readonly id: string;
}

export interface RemoveUserParameters {
  /** The account. */
  readonly id: string;
  /** E-mail address of a person of the account. */
  readonly email: string;
  readonly password?: string | null | undefined;
  readonly code?: string | null | undefined;
}

export interface SetFeeTiersParameters {
  readonly asset: string;
  readonly tiers: readonly {
    readonly minVolume: number | string;
    readonly makerFee: number | string;
    readonly takerFee: number | string;
  }[];
}

export interface CreateTransferParameters {
  readonly account: string;
  readonly asset: string;
  readonly amount: number | string;
  readonly reference: string;
  readonly reason: string;
}

export interface CreateAssetParameters {
  readonly asset: string;
  readonly name: string;
  readonly decimals: number;
}

export interface ListMarketParameters {
  readonly symbol: string;
  readonly tickSize: number | string;
  readonly stepSize: number | string;
  readonly minAmount?: number | string | null | undefined;
  readonly maxAmount: number | string;
  readonly minPrice?: number | string | null | undefined;
  readonly maxPrice: number | string;
  readonly minNotional: number | string;
  readonly makerFee: number | string;
  readonly takerFee: number | string;
  readonly referencePrice: number | string;
  readonly collar?: number | string | null | undefined;
}

export interface ChangeMarketParameters {
  /** With `true` nothing happens: the answer shows what would. */
  readonly preview?: 'true' | 'false' | undefined;
  readonly symbol: string;
  readonly status?:
    | 'online'
    | 'post_only'
    | 'limit_only'
    | 'cancel_only'
    | 'halted'
    | 'delisted'
    | null
    | undefined;
  readonly tickSize?: number | string | null | undefined;
  readonly stepSize?: number | string | null | undefined;
  readonly minPrice?: number | string | null | undefined;
  readonly maxPrice?: number | string | null | undefined;
  readonly minAmount?: number | string | null | undefined;
  readonly maxAmount?: number | string | null | undefined;
  readonly minNotional?: number | string | null | undefined;
  readonly makerFee?: number | string | null | undefined;
  readonly takerFee?: number | string | null | undefined;
  readonly referencePrice?: number | string | null | undefined;
  readonly collar?: number | string | null | undefined;
}

export interface ConfirmClockParameters {
  readonly wallClock: string | number | string;
}

export type UpgradeParameters = Readonly<Record<string, never>>;

export interface GetAuditParameters {
  /** What this account asked for. */
  readonly account?: string | undefined;
  /** Commands of this name, as entries say it. */
  readonly action?: string | undefined;
  /** Nothing before this time. */
  readonly since?: string | undefined;
  /** Nothing after this time. */
  readonly until?: string | undefined;
  /** At most so many on a page. */
  readonly limit?: number | undefined;
  /** The `nextCursor` of the page before, unchanged, with the same parameters but `limit`. */
  readonly cursor?: string | undefined;
}

export interface GetUserAuditParameters {
  /** What this account asked for. */
  readonly account?: string | undefined;
  /** At most so many on a page. */
  readonly limit?: number | undefined;
  /** The `nextCursor` of the page before, unchanged, with the same parameters but `limit`. */
  readonly cursor?: string | undefined;
}
