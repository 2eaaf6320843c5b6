import { basename } from 'node:path';
import { MAX_ASSET_DECIMALS, MAX_UNITS } from '../../engine/limits.ts';
import { formatUnits } from '../../engine/numbers/units.ts';
import { type Decimal, toUnits } from './decimal.ts';
import { RecordingError } from './errors.ts';
import type { ScannedFile } from './scan.ts';

/** Quote assets by which a symbol without a slash is split, longer ones before their endings. */
const QUOTES = [
  'FDUSD',
  'USDT',
  'USDC',
  'TUSD',
  'BUSD',
  'USD',
  'DAI',
  'EUR',
  'GBP',
  'JPY',
  'BRL',
  'TRY',
  'BTC',
  'ETH',
  'BNB',
] as const;
const SYMBOL = /^[A-Z0-9]{1,12}\/[A-Z0-9]{1,12}$/;
const WITH_SYMBOL = /^([^=/]*\/[^=/]*)=(.+)$/;

/** A file and the symbol of its market. */
export interface MarketFile {
  readonly symbol: string;
  readonly path: string;
}

/**
 * Reads an argument `FILE` or `SYMBOL=FILE`. Without a symbol, it is the beginning of the file's name:
 * `BTCUSDT-aggTrades-2026-01.zip` is BTC/USDT.
 * @throws RecordingError
 */
export function parseMarketFile(argument: string): MarketFile {
  const [, given, path] = WITH_SYMBOL.exec(argument) ?? [];
  if (given !== undefined && path !== undefined) {
    if (SYMBOL.test(given)) return { symbol: given, path };
    throw new RecordingError(
      `${JSON.stringify(given)} is not the symbol of a market. Give BASE/QUOTE=FILE, such as BTC/USD=${path}.`,
    );
  }
  const joined = /^[A-Z0-9]+/.exec(basename(argument))?.[0] ?? '';
  const quote = QUOTES.find((each) => joined.endsWith(each) && joined.length > each.length);
  const symbol = `${joined.slice(0, -(quote?.length ?? 0))}/${quote}`;
  if (quote !== undefined && SYMBOL.test(symbol)) return { symbol, path: argument };
  throw new RecordingError(
    `The name of ${argument} does not begin with a symbol such as BTCUSDT. Give its market: BASE/QUOTE=${argument}.`,
  );
}

/** An asset that exists in the sandbox. */
export interface KnownAsset {
  readonly asset: string;
  readonly decimals: number;
}

/** The rules of a market that a recording needs, without fees. */
export interface MarketFit {
  readonly priceDecimals: number;
  readonly amountDecimals: number;
  /** In price units. */
  readonly maxPrice: number;
  /** In amount units. */
  readonly maxAmount: number;
}

const MIN_ASSET_DECIMALS = 8;

/** Returns the decimals of an asset that a market needs and that does not exist yet. */
export function decimalsOfNewAsset(isQuote: boolean, fit: MarketFit): number {
  const needed = fit.amountDecimals + (isQuote ? fit.priceDecimals : 0);
  return Math.max(MIN_ASSET_DECIMALS, needed);
}

/**
 * Returns a market whose tick and step are the finest of its files, as far as its assets allow.
 * @param base Undefined if it does not exist yet, as well as `quote`.
 */
export function fitMarket(
  files: readonly ScannedFile[],
  base: KnownAsset | undefined,
  quote: KnownAsset | undefined,
): MarketFit {
  const finest = (column: 'prices' | 'amounts') =>
    Math.max(...files.map((file) => file[column].finest));
  const quoteDecimals = quote?.decimals ?? MAX_ASSET_DECIMALS;
  const priceDecimals = Math.min(finest('prices'), quoteDecimals);
  const amountDecimals = Math.min(
    finest('amounts'),
    quoteDecimals - priceDecimals,
    base?.decimals ?? MAX_ASSET_DECIMALS,
  );
  return { priceDecimals, amountDecimals, maxPrice: MAX_UNITS, maxAmount: MAX_UNITS };
}

/** Returns warnings about numbers that are finer than the market's units, so that they will be rounded. */
export function roundingWarnings(file: ScannedFile, fit: MarketFit): string[] {
  const warn = (column: 'prices' | 'amounts', unit: string, decimals: number): string[] => {
    const { count, firstLine } = file[column].finerThan(decimals);
    if (count === 0) return [];
    const size = formatUnits(1, decimals);
    return [
      `${file.path}: ${count.toLocaleString('en-US')} ${column} are rounded to the market's ${unit} of ${size}, the first in line ${firstLine}`,
    ];
  };
  return [
    ...warn('prices', 'tick', fit.priceDecimals),
    ...warn('amounts', 'step', fit.amountDecimals),
  ];
}

/** @throws RecordingError if a price or an amount is above the maximum of the market */
export function checkMaximums(file: ScannedFile, fit: MarketFit): void {
  const check = (column: 'prices' | 'amounts', decimals: number, maximum: number) => {
    const { maximum: value, maximumLine } = file[column];
    if (toUnits(value, decimals) <= maximum) return;
    throw new RecordingError(
      `${file.path} cannot be played: line ${maximumLine}: ${formatDecimal(value)} is above the market's maximum of ${formatUnits(maximum, decimals)}.`,
    );
  };
  check('prices', fit.priceDecimals, fit.maxPrice);
  check('amounts', fit.amountDecimals, fit.maxAmount);
}

function formatDecimal({ units, decimals }: Decimal): string {
  return formatUnits(units, decimals);
}
