// Generated from the OpenAPI document by `npm run generate`. Do not edit.

export interface ListAccountsParameters {
  /** Return only accounts whose id contains this text, case-insensitive. */
  readonly search?: string | undefined;
}

export interface CreateAccountParameters {
  readonly accountId: string;
  readonly limitClass?: number | null | undefined;
}

export interface GetAccountParameters {
  /** The account id. */
  readonly id: string;
}

export interface ChangeAccountParameters {
  /** The account id. */
  readonly id: string;
  readonly frozen?: boolean | null | undefined;
  readonly feeTier?: 'volume' | number | null | undefined;
  readonly limitClass?: number | null | undefined;
  readonly reason?: string | null | undefined;
}

export interface GetAccountBalancesParameters {
  /** The account id. */
  readonly id: string;
}

export interface ListOpenOrdersOfParameters {
  /** The account id. */
  readonly id: string;
}

export interface CancelOrdersOfParameters {
  /** The account id. */
  readonly id: string;
  /** Cancel the open orders of this market. */
  readonly symbol?: string | undefined;
  /** Cancel the open orders with these ids, separated by commas. */
  readonly ids?: string | undefined;
  /** Cancel the open order with this client order id. */
  readonly clientOrderId?: string | undefined;
  /** Cancel all open orders. */
  readonly all?: 'true' | undefined;
}

export interface ListKeysParameters {
  /** The account id. */
  readonly id: string;
  /** Maximum number of records per page. */
  readonly limit?: number | undefined;
  /** The `nextCursor` of the previous page, unchanged, with the same parameters except `limit`. */
  readonly cursor?: string | undefined;
  /** `desc` for newest first, `asc` for oldest first. */
  readonly sort?: 'desc' | 'asc' | undefined;
}

export interface CreateKeyParameters {
  /** The account id. */
  readonly id: string;
  /** A name by which you recognize the key. Default: empty. */
  readonly label?: string | null | undefined;
  /** The credential of the key: a secret that it sends, an Ed25519 key pair with which it signs requests, or a secret with which it signs payloads by HMAC-SHA256. Default `ed25519` with a `publicKey`, else `secret`. */
  readonly type?: 'secret' | 'ed25519' | 'hmac' | null | undefined;
  /** Permissions of the key. An `hmac` key cannot have `operate`. */
  readonly permissions: readonly ('read' | 'trade' | 'operate')[];
  /** The only IP addresses and networks (CIDR) that may use the key. Default: any address. */
  readonly addresses?: readonly string[] | null | undefined;
  /** Expiry, in the future: ISO 8601 with a zone, or milliseconds since 1970. Default: never. */
  readonly expiresAt?: string | number | null | undefined;
  /** Ed25519 public key that checks the signatures of requests: PEM, or base64 of its 32 bytes. Only for the type `ed25519`, which needs it. */
  readonly publicKey?: string | null | undefined;
  /** Your password, required with a session unless you have turned on 2FA. */
  readonly password?: string | null | undefined;
  /** A 2FA code, required with a session if you have turned on 2FA. */
  readonly code?: string | null | undefined;
}

export interface RevokeKeyParameters {
  /** The account id. */
  readonly id: string;
  /** The API key, without its secret. */
  readonly apiKey: string;
}

export interface InviteUserParameters {
  /** The account id. */
  readonly id: string;
  readonly email: string;
  readonly permissions: readonly ('read' | 'trade' | 'operate')[];
  /** Your password, required with a session unless you have turned on 2FA. */
  readonly password?: string | null | undefined;
  /** A 2FA code, required with a session if you have turned on 2FA. */
  readonly code?: string | null | undefined;
}

export interface ListUsersParameters {
  /** The account id. */
  readonly id: string;
}

export interface RemoveUserParameters {
  /** The account id. */
  readonly id: string;
  /** Email address of a user of the account. */
  readonly email: string;
  /** Your password, required with a session unless you have turned on 2FA. */
  readonly password?: string | null | undefined;
  /** A 2FA code, required with a session if you have turned on 2FA. */
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
  /** With `true` nothing is changed: the response shows what the request would do. */
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
  readonly wallClock: string | number;
}

export type UpgradeParameters = Readonly<Record<string, never>>;

export interface GetAuditParameters {
  /** Return only entries of this account. */
  readonly account?: string | undefined;
  /** Return only entries with this `action`. */
  readonly action?: string | undefined;
  /** Return only records from this time on. ISO 8601 with a zone, or milliseconds since 1970. */
  readonly since?: string | number | undefined;
  /** Return only records up to this time. ISO 8601 with a zone, or milliseconds since 1970. */
  readonly until?: string | number | undefined;
  /** Maximum number of records per page. */
  readonly limit?: number | undefined;
  /** The `nextCursor` of the previous page, unchanged, with the same parameters except `limit`. */
  readonly cursor?: string | undefined;
}

export interface GetUserAuditParameters {
  /** Return only entries of this account. */
  readonly account?: string | undefined;
  /** Maximum number of records per page. */
  readonly limit?: number | undefined;
  /** The `nextCursor` of the previous page, unchanged, with the same parameters except `limit`. */
  readonly cursor?: string | undefined;
}
