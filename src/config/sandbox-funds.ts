/** Initial balances of a sandbox account, in whole coins. */
export const FUNDS = { USDT: 1_000_000, BTC: 100, ETH: 2_000, SOL: 20_000 } as const;

/** Amounts that the sandbox's faucet credits per request, in whole coins. */
export const FAUCET: Readonly<Record<keyof typeof FUNDS, number>> = {
  USDT: 100_000,
  BTC: 1,
  ETH: 20,
  SOL: 400,
};

/** The assets of the faucet. */
export const FAUCET_ASSETS = Object.keys(FAUCET) as (keyof typeof FUNDS)[];
