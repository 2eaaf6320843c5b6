/**
 * Limits on everything that a client or an operator can make grow, so that memory is bounded and no
 * account can crowd out the others. They are part of the state machine: changing one changes the
 * result of a replay, which needs a new engine version.
 */

/** Largest price or amount in units: the largest integer that a double represents exactly. */
export const MAX_UNITS = Number.MAX_SAFE_INTEGER;
export const MAX_ACCOUNTS = 1_000_000;
export const MAX_ASSETS = 1_000;
export const MAX_MARKETS = 1_000;
/** The largest power of ten that a double holds exactly. */
export const MAX_ASSET_DECIMALS = 22;
/** Maximum active keys per account. */
export const MAX_KEYS_PER_ACCOUNT = 100;
/**
 * Maximum revoked and expired keys kept per account (engine version 2); those that ended first are
 * dropped.
 */
export const MAX_ENDED_KEYS_PER_ACCOUNT = 100;
/**
 * Maximum time from now to the end of a signed request's window, and how long a used one is
 * remembered (engine version 2).
 */
export const MAX_SIGNATURE_LIFETIME_MS = 120_000;
/** Bytes of the sealed secret of an HMAC key (engine version 2). */
export const SEALED_SECRET_BYTES = { min: 29, max: 256 } as const;
export const MAX_FEE_TIERS = 50;
/**
 * Ten times Binance's limit per symbol: enough for a market maker's ladder on every market. Bracket
 * legs are activated beyond this limit: with two legs per order, an account can have twice as many
 * orders.
 */
export const MAX_OPEN_ORDERS_PER_ACCOUNT = 2_000;
/** One for every possible market, of one key or of several. */
export const MAX_DEADLINES_PER_ACCOUNT = 1_000;
/**
 * Engine version 1: maximum triggered orders that run after a command, and again before the next
 * one, so that one trade cannot delay everyone by all the stops that it triggers.
 */
export const MAX_TRIGGERED_AT_ONCE = 100;

/**
 * The work of one portion (engine version 2). A portion begins when time advances and with every
 * tick; later portions continue with the rest. The commands of a batch share one time, so this
 * bounds the work of a batch.
 */
export interface Portion {
  /** Maximum orders that end by an expiry, a deadline, a delisting or a bulk cancel. */
  ends: number;
  /** Maximum orders of one sweep that end before the next sweep gets its turn. */
  turn: number;
  /** Maximum triggered orders that run; their work counts too, see `trades` and `scanned`. */
  triggers: number;
  /** This many trades of a triggered order count as one more triggered order. */
  trades: number;
  /** Scanning this many orders or price levels counts as ending one order, or as one triggered order. */
  scanned: number;
}

/** Mutable because tests use smaller portions, so that a few orders need several. */
export const PORTION: Portion = { ends: 200, turn: 50, triggers: 100, trades: 10, scanned: 100 };
/** Maximum connections per account whose orders are canceled when they end (engine version 2). */
export const MAX_CONNECTIONS_PER_ACCOUNT = 100;
/** Time for which the connections of a node last without a renewal. */
export const CONNECTION_LEASE_MS = 10_000;
/** Maximum bulk cancels in progress per account. */
export const MAX_SWEEPS_PER_ACCOUNT = 100;
/** Engine version 1: maximum client order ids remembered over all accounts. */
export const MAX_CLIENT_ORDER_IDS = 8_000_000;
/**
 * The time for which a client order id prevents a duplicate order. At least 24 hours are promised to clients.
 */
export const CLIENT_ORDER_ID_LIFETIME_MS = 25 * 3_600_000;
/** Engine version 1: maximum transfer references, all of which are remembered permanently. */
export const MAX_TRANSFERS = 8_000_000;
/**
 * Maximum further orders of the book that are counted once an account cannot pay for its market
 * order: enough to report the exact cost of an ordinary order. Only affects what a rejection
 * reports.
 */
export const MAX_ORDERS_BEYOND_BUDGET = 256;
/**
 * Maximum entries that the engine remembers (engine version 2); history knows older ones. Mutable
 * because tests lower these numbers instead of placing 10,000 orders per account.
 */
export const MAX_REMEMBERED = {
  /**
   * Client order ids per account in addition to those of its open orders, the newest kept; 30 bytes each.
   * At most 60,000.
   */
  clientOrderIds: 10_000,
  /** Transfers of all accounts, the newest kept; about 300 bytes each. */
  transfers: 100_000,
  /** Ended deposits of all accounts, the newest kept; about 500 bytes each. */
  deposits: 100_000,
  /** Withdrawals per account that ended unpaid, the newest kept; about 500 bytes each. */
  unpaidWithdrawals: 1_000,
  /** Signed requests per key, each for `MAX_SIGNATURE_LIFETIME_MS`; about 200 bytes each. */
  signatures: 65_536,
};
/**
 * Maximum client order ids that one new order drops from its account to free capacity for its own.
 */
export const MAX_DROPPED_AT_ONCE = 4;
/** Every this many orders, up to MAX_SWEPT_AT_ONCE expired ids of one account are forgotten. */
export const SWEEP_EVERY_ORDERS = 8;
export const MAX_SWEPT_AT_ONCE = 32;
/** Networks of all assets (engine version 2). */
export const MAX_NETWORKS = 1_000;
/** Deposit addresses of all accounts, with those that were requested. */
export const MAX_DEPOSIT_ADDRESSES = 2_000_000;
/** Requests for deposit addresses that the custodian has not answered. */
export const MAX_ADDRESS_REQUESTS = 10_000;
/** Deposits that wait for confirmations, their network or an operator. */
export const MAX_OPEN_DEPOSITS = 100_000;
/** Open deposits to addresses of no account, which anyone can pay to: capacity is left for deposits of users. */
export const MAX_UNCLAIMED_DEPOSITS = 50_000;
export const MAX_WITHDRAWAL_ADDRESSES_PER_ACCOUNT = 100;
/** Withdrawals of all accounts that have not ended. */
export const MAX_WITHDRAWALS = 200_000;
/** Withdrawals of an account that have not ended, or were paid within `WITHDRAWAL_MEMORY_MS`. */
export const MAX_WITHDRAWALS_PER_ACCOUNT = 1_000;
/**
 * The time for which an ended withdrawal is remembered, so that its client id is not used twice. At least 24 hours are
 * promised to clients, and its daily limit counts for as long.
 */
export const WITHDRAWAL_MEMORY_MS = 25 * 3_600_000;
/** The time over which withdrawals count for the daily limit. */
export const WITHDRAWAL_WINDOW_MS = 24 * 3_600_000;
/**
 * The total of all accounts and fees per asset stays below this many minor units. Only transfers
 * change that total, so no balance, hold or fee ever reaches it either.
 */
export const MAX_ASSET_TOTAL = 10n ** 30n;
/**
 * In a market without a collar, a triggered market buy holds and spends at most its trigger price
 * plus this many parts per million, so that the hold does not depend on how far the market moves.
 */
export const WIDTH_WITHOUT_COLLAR = 100_000;
/** Maximum length of the call phase of an auction. */
export const MAX_AUCTION_MS = 86_400_000;
/** Maximum distance of a trailing stop's trigger, in hundredths of a percent of its best price. */
export const MAX_TRAILING_BASIS_POINTS = 5_000;
/** Maximum parts in which an iceberg is shown: each may be a trade of the same taker. */
export const MAX_ICEBERG_PARTS = 100;
/** Maximum sub-accounts of an account that are not closed (engine version 2). */
export const MAX_SUB_ACCOUNTS = 20;
/** Maximum closed sub-accounts of an account. Bounds the accounts of a user. */
export const MAX_CLOSED_SUB_ACCOUNTS = 100;
export const MAX_SUB_ACCOUNT_NAME_LENGTH = 50;
/**
 * The time for which an internal transfer is remembered, so that its client id is not used twice. At least 24 hours are
 * promised to clients.
 */
export const INTERNAL_TRANSFER_MEMORY_MS = 25 * 3_600_000;
/** Internal transfers that are remembered: of all accounts, and of a main account with its sub-accounts. Mutable because tests lower these numbers. */
export const MAX_INTERNAL_TRANSFERS = { total: 200_000, perGroup: 1_000 };
/** Maximum periods of maintenance that are announced at once (engine version 2). */
export const MAX_MAINTENANCE = 100;
/** Maximum trades that operators may bust (engine version 2): the engine remembers all of them. */
export const MAX_BUSTED_TRADES = 100_000;
/** Maximum of each limit on the orders of an account (engine version 2). */
export const MAX_TRADING_LIMIT = 1_000_000;
/** The window in which the order rate of an account counts. Windows start at multiples of it since 1970. */
export const ORDER_RATE_WINDOW_MS = 10_000;
/** The same for orders per trade. */
export const ORDERS_PER_TRADE_WINDOW_MS = 3_600_000;
/** Maximum characters of the reason of a halt, or of the message of a maintenance (engine version 2). */
export const MAX_NOTICE_LENGTH = 200;
/** Maximum announcements that stand at once (engine version 2), and characters (UTF-16 units) of their titles and texts. */
export const MAX_ANNOUNCEMENTS = 20;
export const MAX_TITLE_LENGTH = 100;
export const MAX_ANNOUNCEMENT_LENGTH = 500;
/** Number of UTC days over which the volume for fee tiers is counted, including today. */
export const VOLUME_DAYS = 30;
/** Maximum requests for approval that wait (engine version 2), in total and per account. */
export const MAX_PENDING_APPROVALS = 500;
export const MAX_PENDING_APPROVALS_PER_ACCOUNT = 100;
/** The time after which a request for approval expires. */
export const APPROVAL_LIFETIME_MS = 72 * 3_600_000;
/** Closed requests for approval that the engine keeps; the audit has all. */
export const MAX_CLOSED_APPROVALS = 200;
/** Maximum characters (UTF-16 units) of the reason of a request. */
export const MAX_REASON_LENGTH = 200;
/** Maximum notes per account, and characters (UTF-16 units) of one. */
export const MAX_NOTES_PER_ACCOUNT = 200;
export const MAX_NOTE_LENGTH = 500;
/** Maximum characters (UTF-16 units) of the id of an alert. */
export const MAX_ALERT_ID_LENGTH = 100;
