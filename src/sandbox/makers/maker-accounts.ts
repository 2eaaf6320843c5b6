/** Accounts of the sandbox's market makers. Their names are reserved in every sandbox. */
export const MAKER = 'house-maker';
export const TAKER = 'house-taker';
export const MAKER_ACCOUNTS = [MAKER, TAKER] as const;

/** Rate-limit multiplier, because the market makers send many requests. */
export const MAKER_LIMIT_CLASS = 1000;

/** Initial funds of each account, in whole coins. Fees take years to use up one percent. */
export const MAKER_FUNDS = {
  USDT: 20_000_000_000,
  BTC: 200_000,
  ETH: 4_000_000,
  SOL: 60_000_000,
} as const;
