/** Who trades with whom where nobody else does; their names are taken in every sandbox. */
export const MAKER = 'house-maker';
export const TAKER = 'house-taker';
export const MAKER_ACCOUNTS = [MAKER, TAKER] as const;

/** Their requests are many, and no business of a user's windows. */
export const MAKER_LIMIT_CLASS = 1000;

/** Whole coins that each begins with: fees take a hundredth of it in years. */
export const MAKER_FUNDS = {
  USDT: 20_000_000_000,
  BTC: 200_000,
  ETH: 4_000_000,
  SOL: 60_000_000,
} as const;
