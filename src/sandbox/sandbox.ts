import { FUNDS } from '../config/sandbox-funds.ts';
import { type Command, CommandKind, type ListedRules, SYSTEM_ACTOR } from '../engine/command.ts';
import { ENGINE_VERSION } from '../engine/exchange.ts';
import { MAX_UNITS } from '../engine/limits.ts';
import { product } from '../engine/numbers/exact.ts';
import type { State } from '../engine/state.ts';

// The assets, markets and accounts with which the sandbox starts.

interface SandboxAsset {
  readonly asset: keyof typeof FUNDS;
  readonly name: string;
  /** Quote assets need tick decimals + step decimals of their markets. */
  readonly decimals: number;
}

/** The assets in the order of their creation, so that their position is their index in the engine. */
export const SANDBOX_ASSETS: readonly SandboxAsset[] = [
  { asset: 'USDT', name: 'Tether', decimals: 10 },
  { asset: 'BTC', name: 'Bitcoin', decimals: 13 },
  { asset: 'ETH', name: 'Ethereum', decimals: 8 },
  { asset: 'SOL', name: 'Solana', decimals: 8 },
];

/** Reference prices in ticks: 0.01 USDT, and 0.00001 BTC for ETH/BTC. */
const MARKETS = [
  { base: 'BTC', quote: 'USDT', priceDecimals: 2, referencePrice: 11_800_000 },
  { base: 'ETH', quote: 'USDT', priceDecimals: 2, referencePrice: 520_000 },
  { base: 'SOL', quote: 'USDT', priceDecimals: 2, referencePrice: 26_000 },
  { base: 'ETH', quote: 'BTC', priceDecimals: 5, referencePrice: 4_400 },
] as const;

export const AMOUNT_DECIMALS = 8;
/** Fees in parts per million. */
const MAKER_FEE = 800;
const TAKER_FEE = 1_000;
/** Price band of market orders in parts per million. Wide, so that invented test prices trade; real markets use about 10 %. */
const COLLAR = 750_000;

export const TRADERS = ['alice', 'bob'] as const;
export const OPERATOR = 'operator';

/** Returns the commands that turn an empty exchange into the sandbox, except for keys. */
export function sandboxGenesis(): Command[] {
  const assets: Command[] = SANDBOX_ASSETS.map((asset) => ({
    kind: CommandKind.createAsset,
    ...SYSTEM_ACTOR,
    ...asset,
  }));
  const markets: Command[] = MARKETS.map(({ base, quote, priceDecimals, referencePrice }) => ({
    kind: CommandKind.listMarket,
    ...SYSTEM_ACTOR,
    symbol: `${base}/${quote}`,
    base,
    quote,
    ...marketRules(quote, priceDecimals, referencePrice),
  }));
  const names = [OPERATOR, ...TRADERS];
  const accounts = openAccounts(names, names, SANDBOX_ASSETS);
  return [
    { kind: CommandKind.open, version: ENGINE_VERSION, sandbox: true },
    ...assets,
    ...markets,
    ...accounts,
  ];
}

/** Returns the commands that open and fund those of the sandbox's accounts that an exchange lacks, as a fork may. */
export function missingAccounts({ accounts, accountsById, assets }: State): Command[] {
  const missing = [OPERATOR, ...TRADERS].filter((name) => !accountsById.has(name));
  const ids = [...accounts.map(({ id }) => id), ...missing];
  return openAccounts(missing, ids, assets);
}

/**
 * Returns the commands that open accounts, and fund those of traders with the sandbox's assets.
 * @param ids Ids of all accounts by their index, including the new ones.
 * @param assets The assets of the exchange by their index.
 */
function openAccounts(
  names: readonly string[],
  ids: readonly string[],
  assets: readonly { readonly asset: string; readonly decimals: number }[],
): Command[] {
  const accounts = names.map((accountId) => ({
    kind: CommandKind.createAccount,
    ...SYSTEM_ACTOR,
    accountId,
    limitClass: 1,
  }));
  const traders = names.filter((name) => TRADERS.some((trader) => trader === name));
  const credits = traders.flatMap((accountId) =>
    SANDBOX_ASSETS.flatMap(({ asset }) => {
      const index = assets.findIndex((each) => each.asset === asset);
      if (index < 0) return [];
      return {
        kind: CommandKind.transfer,
        ...SYSTEM_ACTOR,
        owner: ids.indexOf(accountId),
        asset: index,
        amount: product(FUNDS[asset], 1, 10 ** assets[index]!.decimals),
        reference: `sandbox-${accountId}-${asset}`,
        reason: 'sandbox funds',
      };
    }),
  );
  return [...accounts, ...credits];
}

/** Rules of all markets of a sandbox: the smallest tick and step, fees, and a wide price band of market orders. */
export const COMMON_RULES = {
  tick: 1,
  step: 1,
  minPrice: 1,
  minAmount: 1,
  makerFee: MAKER_FEE,
  takerFee: TAKER_FEE,
  collar: COLLAR,
} as const;

/** Returns rules with wide bounds, so that prices and amounts from examples are accepted. */
function marketRules(quote: string, priceDecimals: number, referencePrice: number): ListedRules {
  const quoteDecimals = SANDBOX_ASSETS.find(({ asset }) => asset === quote)!.decimals;
  return {
    ...COMMON_RULES,
    priceDecimals,
    amountDecimals: AMOUNT_DECIMALS,
    maxPrice: 1_000_000_000 * 10 ** priceDecimals,
    maxAmount: Math.min(MAX_UNITS, 10_000_000 * 10 ** AMOUNT_DECIMALS),
    // 0.01 USDT or 0.00001 BTC.
    minNotional: 10 ** (quoteDecimals - priceDecimals),
    referencePrice,
  };
}
