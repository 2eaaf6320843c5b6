import { FUNDS } from '../config/sandbox-funds.ts';
import { type Command, CommandKind, type MarketRules, SYSTEM_ACTOR } from '../engine/command.ts';
import { ENGINE_VERSION } from '../engine/exchange.ts';
import { MAX_UNITS } from '../engine/limits.ts';
import { product } from '../engine/numbers/exact.ts';

/** What the sandbox starts with (API section 8). It can exist in no other exchange. */

interface SandboxAsset {
  readonly asset: keyof typeof FUNDS;
  readonly name: string;
  /** The most that a market needs which quotes in it: tick decimals + step decimals. */
  readonly decimals: number;
}

/** In the order of their creation: an asset's place is its index. */
export const SANDBOX_ASSETS: readonly SandboxAsset[] = [
  { asset: 'USDT', name: 'Tether', decimals: 10 },
  { asset: 'BTC', name: 'Bitcoin', decimals: 13 },
  { asset: 'ETH', name: 'Ether', decimals: 8 },
  { asset: 'SOL', name: 'Solana', decimals: 8 },
];

/** Prices in hundredths of a USDT, and for ETH/BTC in hundred-thousandths of a BTC. */
const MARKETS = [
  { base: 'BTC', quote: 'USDT', priceDecimals: 2, referencePrice: 11_800_000 },
  { base: 'ETH', quote: 'USDT', priceDecimals: 2, referencePrice: 520_000 },
  { base: 'SOL', quote: 'USDT', priceDecimals: 2, referencePrice: 26_000 },
  { base: 'ETH', quote: 'BTC', priceDecimals: 5, referencePrice: 4_400 },
] as const;

const AMOUNT_DECIMALS = 8;
/** Parts per million. */
const MAKER_FEE = 800;
const TAKER_FEE = 1_000;
/** Wide, so that market orders meet prices that people make up; a real market's is near a tenth. */
const COLLAR = 750_000;

export const TRADERS = ['alice', 'bob'] as const;
export const OPERATOR = 'operator';

/** The commands that make an empty exchange the sandbox, keys aside. */
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
    ...rulesOf(quote, priceDecimals, referencePrice),
  }));
  const accounts: Command[] = [OPERATOR, ...TRADERS].map((accountId) => ({
    kind: CommandKind.createAccount,
    ...SYSTEM_ACTOR,
    accountId,
    limitClass: 1,
  }));
  const credits: Command[] = TRADERS.flatMap((accountId, index) =>
    SANDBOX_ASSETS.map(({ asset, decimals }, assetIndex) => ({
      kind: CommandKind.transfer,
      ...SYSTEM_ACTOR,
      owner: index + 1,
      asset: assetIndex,
      amount: product(FUNDS[asset], 1, 10 ** decimals),
      reference: `sandbox-${accountId}-${asset}`,
      reason: 'sandbox funds',
    })),
  );
  return [
    { kind: CommandKind.open, version: ENGINE_VERSION, sandbox: true },
    ...assets,
    ...markets,
    ...accounts,
    ...credits,
  ];
}

/** Wide bounds, so that what people type from documents is taken. */
function rulesOf(quote: string, priceDecimals: number, referencePrice: number): MarketRules {
  const quoteDecimals = SANDBOX_ASSETS.find(({ asset }) => asset === quote)!.decimals;
  return {
    priceDecimals,
    amountDecimals: AMOUNT_DECIMALS,
    tick: 1,
    step: 1,
    minPrice: 1,
    maxPrice: 1_000_000_000 * 10 ** priceDecimals,
    minAmount: 1,
    maxAmount: Math.min(MAX_UNITS, 10_000_000 * 10 ** AMOUNT_DECIMALS),
    // A hundredth of a USDT, a hundred-thousandth of a BTC.
    minNotional: 10 ** (quoteDecimals - priceDecimals),
    makerFee: MAKER_FEE,
    takerFee: TAKER_FEE,
    referencePrice,
    collar: COLLAR,
  };
}
