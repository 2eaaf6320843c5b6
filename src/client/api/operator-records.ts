// Made from the OpenAPI document by `npm run generate`: change that, not this.

export interface OperatorOrder<N = number> {
  /** Whose order it is. */
  readonly accountId: string;
  /** Identifier of the order. */
  readonly orderId: string;
  /** The market, as BASE/QUOTE. */
  readonly symbol: string;
  /** Whether the base asset is bought or sold. */
  readonly side: 'buy' | 'sell';
  /** Of the base asset. */
  readonly amount: N;
  /** The limit; of a market order its average, null before a fill. */
  readonly price: N | null;
  /** Only an open order can be canceled. */
  readonly status: 'open' | 'filled' | 'canceled' | 'expired' | 'rejected';
  /** When it was placed. */
  readonly timestamp: string;
  /** The type it was placed with. */
  readonly type: 'limit' | 'market' | 'stop' | 'stop_limit' | 'take_profit' | 'take_profit_limit';
  /** How long it lasts. */
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK' | 'GTD';
  /** When a GTD order ends. */
  readonly expiresAt: string | null;
  /** Whether it was to be refused rather than trade at once. */
  readonly postOnly: boolean;
  /** The id that its sender gave it. */
  readonly clientOrderId: string | null;
  /** The price that lets a stop go. */
  readonly triggerPrice: N | null;
  /** Quote asset that its fills came to. */
  readonly cost: N;
  /** filled + remaining = amount, always. */
  readonly filled: N;
  /** What is not filled. */
  readonly remaining: N;
  /** cost ÷ filled; null before a fill. */
  readonly average: N | null;
  /** What its fills cost, an entry an asset; empty before a fill. */
  readonly fees: readonly {
    /** What was received. */
    readonly asset: string;
    /** The fee in it. */
    readonly cost: N;
  }[];
  /** What happens where it meets an own order. */
  readonly selfTradePrevention: 'expire_maker' | 'expire_taker' | 'expire_both' | 'decrement';
  /** Why it ended or changed, other than by a fill. */
  readonly reason:
    | 'requested'
    | 'time_in_force'
    | 'expired'
    | 'self_trade'
    | 'amended'
    | 'cancel_after'
    | 'operator'
    | 'delisted'
    | 'collar'
    | 'no_liquidity'
    | 'market_unavailable'
    | 'post_only_would_take'
    | 'linked'
    | 'insufficient_balance'
    | 'too_small'
    | null;
  /** When it last traded. */
  readonly lastFillAt: string | null;
  /** When it last changed. */
  readonly updatedAt: string;
  /** What was sent; placed once it ends, if it was. */
  readonly attached: {
    readonly takeProfit: {
      /** Its limit. */
      readonly price: N | null;
      /** The last price that it waits for. */
      readonly triggerPrice: N | null;
    } | null;
    readonly stopLoss: {
      /** Its limit. */
      readonly price: N | null;
      /** The last price that it waits for. */
      readonly triggerPrice: N | null;
    } | null;
  } | null;
  /** The order that it was attached to. */
  readonly parentOrderId: string | null;
}

export interface Account {
  /** Identifier of the account. */
  readonly accountId: string;
  /** Whether it may not trade. */
  readonly frozen: boolean;
  /** Its rate limits are so many times the usual. */
  readonly limitClass: number;
  /** Given by the operator, or `volume` where its 30-day volume decides. */
  readonly feeTier: number | string;
  /** How many orders it has open. */
  readonly openOrders: number;
  /** When it was opened. */
  readonly createdAt: string;
}

export interface ApiKey {
  /** The key, without its secret. */
  readonly apiKey: string;
  /** Whose it is. */
  readonly accountId: string;
  /** What its holder calls it. */
  readonly label: string;
  readonly permissions: readonly ('read' | 'trade' | 'operate')[];
  /** Empty: from anywhere. */
  readonly addresses: readonly string[];
  /** When it was made. */
  readonly createdAt: string;
  /** When it ends by itself. */
  readonly expiresAt: string | null;
  /** When it was revoked. */
  readonly revokedAt: string | null;
}

export interface Transfer<N = number> {
  /** Identifier of the transfer. */
  readonly id: string;
  /** Whose balance it moved. */
  readonly account: string;
  /** The asset. */
  readonly asset: string;
  /** Above zero a credit, below zero a debit. */
  readonly amount: N;
  /** What makes it happen only once. */
  readonly reference: string;
  /** When it happened. */
  readonly timestamp: string;
}

export interface AssetTotals<N = number> {
  /** The asset. */
  readonly asset: string;
  /** Over all accounts. */
  readonly available: N;
  /** Over all accounts. */
  readonly held: N;
  /** What the exchange took. */
  readonly fees: N;
  /** What came from outside, as a debt: below zero. */
  readonly external: N;
  /** Whether the four come to zero, as they must. */
  readonly balances: boolean;
}

export interface AuditEntry {
  /** Identifier of the entry. */
  readonly id: string;
  /** Batch of the log. */
  readonly logPosition: number;
  /** Place in that batch, from 0. */
  readonly index: number;
  /** When it happened. */
  readonly timestamp: string;
  /** Who asked; null for the exchange itself. */
  readonly account: string | null;
  /** With which key. */
  readonly apiKey: string | null;
  /** Name of the command. */
  readonly action: string;
  /** The account, market or asset that it was done to. */
  readonly subject: string | null;
  /** What became of it. */
  readonly outcome: 'done' | 'repeated' | 'rejected';
  /** Number of the reason, 0 unless rejected. */
  readonly rejection: number;
  /** The rest of the command: names of accounts, markets and assets, exact numbers. */
  readonly details: Readonly<Record<string, unknown>>;
}

export interface User {
  /** Where mail goes; they sign in with it. */
  readonly email: string;
  /** What the person is called. */
  readonly name: string;
  readonly permissions: readonly ('read' | 'trade' | 'operate')[];
  /** Whether signing in by password takes a code besides. */
  readonly secondFactor: boolean;
  /** When the person was added. */
  readonly createdAt: string;
}

export interface UserEntry {
  /** Identifier of the entry. */
  readonly id: string;
  /** When it happened. */
  readonly timestamp: string;
  /** To whom; nobody has the same later. */
  readonly personId: string;
  /** Their address then. */
  readonly email: string;
  /** Their trading account. */
  readonly account: string;
  /** What happened. */
  readonly action:
    | 'signed_up'
    | 'invited'
    | 'permissions_changed'
    | 'removed'
    | 'signed_in'
    | 'signed_out'
    | 'sessions_ended'
    | 'password_changed'
    | 'password_reset'
    | 'second_factor_on'
    | 'second_factor_off'
    | 'recovery_codes_renewed'
    | 'passkey_added'
    | 'passkey_removed'
    | 'key_made'
    | 'key_revoked';
  /** E-mail address of who did it, or their API key; null for the exchange itself. */
  readonly by: string | null;
  /** Where it came from. */
  readonly address: string | null;
  /** Permissions, the API key, or the label of the passkey. */
  readonly details: string | null;
}
