import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CommandKind, type ListMarket } from '../../engine/command.ts';
import type { State } from '../../engine/state.ts';
import { MAKER, TAKER } from '../makers/maker-accounts.ts';
import { SANDBOX_ASSETS, sandboxGenesis } from '../sandbox.ts';
import { toUnits } from './decimal.ts';
import { RecordingError } from './errors.ts';
import { type RecordedEvent, recordedEvents } from './events.ts';
import type { FormatName } from './formats.ts';
import {
  checkMaximums,
  fitMarket,
  type MarketFile,
  type MarketFit,
  parseMarketFile,
  roundingWarnings,
} from './markets.ts';
import { BUYERS, SELLERS } from './recorded-accounts.ts';
import { isoTime, type ScannedFile, scanFile } from './scan.ts';

/** A market whose orders and trades are recorded. */
export interface RecordedMarket extends MarketFit {
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  /** Whether the sandbox has this market anyway. */
  readonly isListed: boolean;
  readonly format: FormatName;
  /** In price units. */
  readonly firstPrice: number;
  /** In order of time. */
  readonly files: readonly ScannedFile[];
}

/** Checked files, ready to be played. */
export interface Recording {
  /** In the order of their first files in the arguments. */
  readonly markets: readonly RecordedMarket[];
  /** Time of the first row, milliseconds since 1970. */
  readonly startsAt: number;
  /** Time of the last row. */
  readonly endsAt: number;
  /** Texts about gaps in the files and numbers that are rounded. */
  readonly warnings: readonly string[];
}

/**
 * Checks recorded files completely, before anything of them is played.
 * @param files `FILE` or `SYMBOL=FILE`; files of one market in order of time.
 * @param directory For the checked rows. Its content is replaced.
 * @throws RecordingError if a file is damaged or has an invalid line, or the files do not fit together
 */
export async function openRecording(
  files: readonly string[],
  directory: string,
): Promise<Recording> {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const bySymbol = new Map<string, ScannedFile[]>();
  const given: readonly MarketFile[] = files.map(parseMarketFile);
  for (const [index, { symbol, path }] of given.entries()) {
    const scanned = await scanFile(path, join(directory, `${index}.rows`));
    const before = bySymbol.get(symbol);
    if (before === undefined) bySymbol.set(symbol, [scanned]);
    else {
      checkContinuation(before.at(-1)!, scanned);
      before.push(scanned);
    }
  }
  const markets = [...bySymbol].map(([symbol, scanned]) => toMarket(symbol, scanned));
  const all = markets.flatMap((market) => market.files);
  for (const market of markets) for (const file of market.files) checkMaximums(file, market);
  return {
    markets,
    startsAt: Math.min(...all.map(({ firstTime }) => firstTime)),
    endsAt: Math.max(...all.map(({ lastTime }) => lastTime)),
    warnings: markets.flatMap((market) =>
      market.files.flatMap((file) => [...gapWarnings(file), ...roundingWarnings(file, market)]),
    ),
  };
}

/** Yields the events of all markets of a recording in order of time. */
export function eventsIn({ markets }: Recording): Generator<RecordedEvent> {
  return recordedEvents(
    markets.map(({ files, priceDecimals, amountDecimals }) => ({
      spools: files.map(({ spool }) => spool),
      priceDecimals,
      amountDecimals,
    })),
  );
}

/** @throws RecordingError if an exchange was not created for a recording */
export function checkMarkets({ markets, endsAt }: Recording, state: State): void {
  for (const { symbol, format, priceDecimals, amountDecimals } of markets) {
    const market = state.marketsBySymbol.get(symbol);
    const fits =
      market?.rules.priceDecimals === priceDecimals &&
      market.rules.amountDecimals === amountDecimals &&
      // A sandbox of the present would skip everything.
      market.listedAt <= endsAt &&
      accountsFor(format).every((id) => state.accountsById.has(id));
    if (fits) continue;
    throw new RecordingError(
      `The sandbox in the data directory was not created for this recording of ${symbol}. Start with --reset, or with another --data directory.`,
    );
  }
}

/** Returns the ids of the accounts that play a format. */
export function accountsFor(format: FormatName): readonly string[] {
  return format === 'l3' || format === 'bitstamp' ? [...BUYERS, ...SELLERS] : [MAKER, TAKER];
}

/** Returns a line about what will be played. */
export function describeMarket({ symbol, format, files }: RecordedMarket): string {
  const rows = files.reduce((sum, file) => sum + file.rows, 0).toLocaleString('en-US');
  const [from, to] = [isoTime(files[0]!.firstTime), isoTime(files.at(-1)!.lastTime)];
  return `Plays ${symbol}: ${rows} rows of ${format} from ${from} to ${to}`;
}

/** Returns a line about the end of a market's recording. */
export function endText({ symbol, files }: RecordedMarket): string {
  return `The recording of ${symbol} ended at ${isoTime(files.at(-1)!.lastTime)}. Its makers have stopped.`;
}

function checkContinuation(before: ScannedFile, next: ScannedFile): void {
  if (before.format !== next.format) {
    throw new RecordingError(
      `${before.path} has ${before.format}, ${next.path} has ${next.format}. The files of a market must have the same format.`,
    );
  }
  if (next.firstTime >= before.lastTime) return;
  throw new RecordingError(
    `${next.path} begins at ${isoTime(next.firstTime)}, before the end of ${before.path} at ${isoTime(before.lastTime)}. ` +
      'Give the files of a market in order of time.',
  );
}

function toMarket(symbol: string, files: readonly ScannedFile[]): RecordedMarket {
  const [base, quote] = symbol.split('/') as [string, string];
  const listed = sandboxMarkets().find((market) => market.symbol === symbol);
  const asset = (name: string) => SANDBOX_ASSETS.find(({ asset: known }) => known === name);
  const fit = listed ?? fitMarket(files, asset(base), asset(quote));
  const { priceDecimals, amountDecimals, maxPrice, maxAmount } = fit;
  return {
    symbol,
    base,
    quote,
    isListed: listed !== undefined,
    format: files[0]!.format,
    files,
    priceDecimals,
    amountDecimals,
    maxPrice,
    maxAmount,
    firstPrice: toUnits(files[0]!.firstPrice, priceDecimals),
  };
}

function sandboxMarkets(): ListMarket[] {
  return sandboxGenesis().filter((command) => command.kind === CommandKind.listMarket);
}

function gapWarnings({ path, gaps }: ScannedFile): string[] {
  if (gaps.count === 0) return [];
  const times = gaps.count === 1 ? '1 gap' : `${gaps.count.toLocaleString('en-US')} gaps`;
  return [[`${path} has ${times}:`, ...gaps.lines].join('\n')];
}
