/**
 * A limit on everything that a client or an operator can make grow, so that memory is bounded and
 * no single account can crowd out the rest. They are part of the state machine: changing one
 * changes what a replay does, so a change needs a new engine version.
 */

/** Book amounts and prices are exact as doubles up to here. */
export const MAX_UNITS = Number.MAX_SAFE_INTEGER;
export const MAX_ACCOUNTS = 1_000_000;
export const MAX_ASSETS = 1_000;
export const MAX_MARKETS = 1_000;
/** The largest power of ten that a double holds exactly. */
export const MAX_ASSET_DECIMALS = 22;
/** In force at one time. */
export const MAX_KEYS_PER_ACCOUNT = 100;
/** Revoked and expired keys that an account keeps for its list; those that ended first are dropped. From version 2 on. */
export const MAX_ENDED_KEYS_PER_ACCOUNT = 100;
export const MAX_FEE_TIERS = 50;
/**
 * Ten times what Binance allows per symbol; a market maker's ladder on every market fits. What is
 * attached to an order comes beside: with two attached to each there can be twice as many.
 */
export const MAX_OPEN_ORDERS_PER_ACCOUNT = 2_000;
/** One for every market there may be, of one key or of several. */
export const MAX_DEADLINES_PER_ACCOUNT = 1_000;
/**
 * Engine version 1: triggered orders that run after a command, and again before the next one. One trade must
 * not keep everybody waiting for all the stops that it triggers.
 */
export const MAX_TRIGGERED_AT_ONCE = 100;

/**
 * The work of one portion (engine version 2). A portion begins when time advances and with every tick; what it
 * leaves is done by the next ones. The commands of a batch share one time, so this bounds a batch.
 */
export interface Portion {
  /** Orders that end by a date, a deadline, a delisting or the cancellation of several orders. */
  ends: number;
  /** Orders of one sweep that end before it is the turn of the next one. */
  turn: number;
  /** Triggered orders that run, each counted with its work: see `trades` and `scanned`. */
  triggers: number;
  /** Trades that a triggered order may make for the price of one triggered order. */
  trades: number;
  /** Orders, or price levels, that may be looked at for the price of ending one, or of one triggered order. */
  scanned: number;
}

/** Tests use smaller portions, so that a few orders need several. */
export const PORTION: Portion = { ends: 200, turn: 50, triggers: 100, trades: 10, scanned: 100 };
/** Cancellations of several orders that an account may have under way. */
export const MAX_SWEEPS_PER_ACCOUNT = 100;
/** Version 1: client order ids remembered over all accounts. */
export const MAX_CLIENT_ORDER_IDS = 8_000_000;
/** How long a client order id keeps its order from being placed twice (API section 3: at least 24 h). */
export const CLIENT_ORDER_ID_LIFETIME_MS = 25 * 3_600_000;
/** Version 1: transfer references, all of which were remembered permanently. */
export const MAX_TRANSFERS = 8_000_000;
/**
 * Orders of the book that are still counted once an account cannot pay for its market order: enough to say exactly
 * what an ordinary order needs. Decides only what a rejection reports.
 */
export const MAX_ORDERS_BEYOND_BUDGET = 256;
/**
 * What the engine itself remembers from version 2 on; history knows the rest. Tests lower these numbers,
 * because none of them places 10,000 orders for every account.
 */
export const REMEMBERED = {
  /**
   * The newest client order ids of each account, besides those of its open orders: 30 bytes each.
   * At most 60,000.
   */
  clientOrderIds: 10_000,
  /** The newest transfers of all accounts: about 300 bytes each. */
  transfers: 100_000,
};
/** Client order ids of its account that an order drops at most, to make room for its own. */
export const MAX_DROPPED_AT_ONCE = 4;
/** Every so many orders some account's expired ids are forgotten, at most this number of them. */
export const SWEEP_EVERY_ORDERS = 8;
export const MAX_SWEPT_AT_ONCE = 32;
/**
 * What accounts and fees have of an asset, in all, stays below this many minor units. Only transfers
 * change that sum, so no balance, hold or fee ever reaches it either.
 */
export const MAX_ASSET_TOTAL = 10n ** 30n;
/**
 * Where a market has no collar, a stop or take profit that buys without a limit holds, and trades, up
 * to its trigger and this much more, millionths: it must hold something that a bad market cannot exceed.
 */
export const WIDTH_WITHOUT_COLLAR = 100_000;
