import type { Asset } from '../../../engine/markets/markets.ts';
import { formatUnits } from '../../../engine/numbers/units.ts';
import type { State } from '../../../engine/state.ts';
import { permissionNamesOf } from '../../auth/permissions.ts';

/** What stands in the audit: the fields of a command, with indexes and units that only the engine knows. */
export type CommandDetails = Readonly<Record<string, unknown>>;

/** The account, market or asset that a command was done to; undefined where it is none of them. */
export function subjectOf(details: CommandDetails, state: State): string | undefined {
  const { accountId, symbol, asset } = namesOf(details, state);
  const [subject] = [accountId, symbol, asset].filter((name) => typeof name === 'string');
  return subject as string | undefined;
}

/** The details as everyone writes them: names for indexes, decimals for units. JSON text. */
export function detailsText(details: CommandDetails, state: State): string {
  const { permissions, expiresAt, rules, tiers, ...rest } = namesOf(details, state);
  const readable: Record<string, unknown> = rest;
  const { amount, market, asset } = details;
  if (typeof permissions === 'number') readable.permissions = permissionNamesOf(permissions);
  if (typeof expiresAt === 'number') {
    readable.expiresAt = expiresAt === 0 ? null : new Date(expiresAt).toISOString();
  }
  if (typeof asset === 'number' && typeof amount === 'string') {
    readable.amount = decimalOf(amount, state.assets[asset]!.decimals);
  }
  if (typeof market === 'number' && isFields(rules)) {
    const { rules: present, quote } = state.markets[market]!;
    readable.rules = rulesOf(rules, present, quote);
  }
  if (typeof asset === 'number' && Array.isArray(tiers)) {
    readable.tiers = tiers.map((tier: CommandDetails) => tierOf(tier, state.assets[asset]!));
  }
  if (typeof details.priceDecimals === 'number') {
    const quote = state.assetsByName.get(String(details.quote))!;
    return JSON.stringify(rulesOf(readable, details as unknown as Decimals, quote));
  }
  return JSON.stringify(readable);
}

function namesOf(details: CommandDetails, { accounts, markets, assets }: State): CommandDetails {
  const { owner, market, asset, ...rest } = details;
  return {
    ...(typeof owner === 'number' ? { accountId: accounts[owner]?.id } : {}),
    ...(typeof market === 'number' ? { symbol: markets[market]?.symbol } : {}),
    ...(asset === undefined ? {} : { asset: assets[asset as number]?.asset ?? asset }),
    ...rest,
  };
}

interface Decimals {
  readonly priceDecimals: number;
  readonly amountDecimals: number;
}

/** Of rules and of listings: engine's name → API's name, and in which decimals it counts. */
const RULES: Readonly<Record<string, readonly [string, 'price' | 'amount' | 'rate' | 'quote']>> = {
  tick: ['tickSize', 'price'],
  step: ['stepSize', 'amount'],
  minPrice: ['minPrice', 'price'],
  maxPrice: ['maxPrice', 'price'],
  referencePrice: ['referencePrice', 'price'],
  minAmount: ['minAmount', 'amount'],
  maxAmount: ['maxAmount', 'amount'],
  makerFee: ['makerFee', 'rate'],
  takerFee: ['takerFee', 'rate'],
  collar: ['collar', 'rate'],
  minNotional: ['minNotional', 'quote'],
};
const RATE_DECIMALS = 6;

function rulesOf(rules: CommandDetails, market: Decimals, quote: Asset): CommandDetails {
  const decimals = {
    price: market.priceDecimals,
    amount: market.amountDecimals,
    rate: RATE_DECIMALS,
    quote: quote.decimals,
  };
  const readable = Object.entries(rules).map(([name, value]) => {
    const [apiName, unit] = RULES[name] ?? [];
    if (apiName === undefined || unit === undefined) return [name, value];
    return [apiName, decimalOf(value, decimals[unit])];
  });
  return Object.fromEntries(readable);
}

function tierOf(tier: CommandDetails, asset: Asset): CommandDetails {
  return {
    minVolume: decimalOf(tier.minVolume, asset.decimals),
    makerFee: decimalOf(tier.makerFee, RATE_DECIMALS),
    takerFee: decimalOf(tier.takerFee, RATE_DECIMALS),
  };
}

/** An exact JSON number of units, which stand in the audit as a number or as its digits. */
function decimalOf(units: unknown, decimals: number): unknown {
  const text = formatUnits(BigInt(units as number | string), decimals);
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);
}

function isFields(value: unknown): value is CommandDetails {
  return typeof value === 'object' && value !== null;
}
