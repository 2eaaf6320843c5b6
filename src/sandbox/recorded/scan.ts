import type { Decimal } from './decimal.ts';
import { RowError } from './decimal.ts';
import { RecordingError } from './errors.ts';
import { fileBytes } from './file-bytes.ts';
import { Findings } from './findings.ts';
import { detectFormat, type Format, type FormatName, KNOWN_HEADERS } from './formats.ts';
import { type Line, linesIn } from './lines.ts';
import { Precision } from './precision.ts';
import type { Row } from './row.ts';
import { SpoolWriter } from './spool.ts';

/** A longer time without a row is reported. Klines have no gap at all. */
const MAX_GAP_MS = 3_600_000;

/** A checked file, whose rows are in a spool. */
export interface ScannedFile {
  readonly path: string;
  readonly spool: string;
  readonly format: FormatName;
  readonly rows: number;
  /** Milliseconds since 1970. */
  readonly firstTime: number;
  /** The end of the last kline, or the time of the last row. */
  readonly lastTime: number;
  readonly firstPrice: Decimal;
  readonly prices: Precision;
  readonly amounts: Precision;
  /** The sum of all amounts, in base, for the scale of quotes. */
  readonly volume: number;
  /** Times without rows. */
  readonly gaps: Findings;
}

/**
 * Checks every line of a file and writes its rows to a spool.
 * @throws RecordingError if a line is invalid, or the file cannot be read to its end
 */
export async function scanFile(path: string, spool: string): Promise<ScannedFile> {
  const writer = new SpoolWriter(spool);
  const scan = new Scan(path, writer);
  try {
    for await (const lines of linesIn(fileBytes(path))) for (const line of lines) scan.read(line);
  } finally {
    writer.close();
  }
  return scan.finish(spool);
}

class Scan {
  private line = 0;
  private rows = 0;
  private format: Format | undefined;
  private parse: ReturnType<Format['parser']> | undefined;
  private firstTime = 0;
  private lastTime = 0;
  private previousTime = 0;
  private firstPrice: Decimal | undefined;
  private volume = 0;
  private readonly prices = new Precision();
  private readonly amounts = new Precision();
  private readonly invalid = new Findings();
  private readonly gaps = new Findings();

  constructor(
    private readonly path: string,
    private readonly writer: SpoolWriter,
  ) {}

  read({ text, isComplete }: Line): void {
    this.line++;
    if (this.parse === undefined) {
      if (this.begin(text)) return;
    }
    try {
      for (const row of this.parseLine(text, isComplete)) this.note(row);
    } catch (error) {
      if (!(error instanceof RowError)) throw error;
      this.invalid.note(this.line, error.message);
    }
  }

  /** @throws RowError also for a line without a line break: its last number may have been cut */
  private parseLine(text: string, isComplete: boolean): readonly Row[] {
    if (isComplete) return this.parse!(text);
    const cut = 'the line has no line break, so the file was cut here';
    try {
      this.parse!(text);
    } catch (error) {
      throw error instanceof RowError ? new RowError(`${error.message}, and ${cut}`) : error;
    }
    throw new RowError(`${cut}; if it is complete, add one`);
  }

  finish(spool: string): ScannedFile {
    const { path, format, rows, firstPrice, invalid } = this;
    if (invalid.count > 0) {
      const lines =
        invalid.count === 1 ? '1 line is' : `${invalid.count.toLocaleString('en-US')} lines are`;
      throw new RecordingError(
        [`${path} cannot be played, because ${lines} invalid:`, ...invalid.lines].join('\n'),
      );
    }
    if (format === undefined || firstPrice === undefined) {
      throw new RecordingError(`${path} cannot be played, because it has no rows.`);
    }
    const { firstTime, lastTime, prices, amounts, volume, gaps } = this;
    return {
      path,
      spool,
      format: format.name,
      rows,
      firstTime,
      lastTime,
      firstPrice,
      prices,
      amounts,
      volume,
      gaps,
    };
  }

  /** Detects the format. @returns whether the line is a header */
  private begin(text: string): boolean {
    this.format = detectFormat(text);
    if (this.format === undefined) {
      throw new RecordingError(
        `${this.path} cannot be played, because line 1 is in no known format: ${JSON.stringify(text.slice(0, 100))}. ` +
          `Known are aggTrades and klines of Binance, Bitstamp's order feed, and CSV with one of these first lines:\n` +
          KNOWN_HEADERS.map((header) => `  ${header}`).join('\n'),
      );
    }
    this.parse = this.format.parser();
    return this.format.hasHeader;
  }

  private note(row: Row): void {
    const { time } = row;
    if (time < this.previousTime) {
      throw new RowError(
        `its time ${isoTime(time)} is before that of an earlier row, ${isoTime(this.previousTime)}`,
      );
    }
    this.noteGap(row);
    if (this.rows === 0) this.firstTime = time;
    // The line that begins a snapshot is two rows of the player.
    if (row.kind !== 'clear') this.rows++;
    this.previousTime = time;
    this.lastTime = row.kind === 'kline' ? row.closeTime : time;
    if (row.kind === 'kline') {
      for (const price of [row.open, row.high, row.low, row.close]) this.notePrice(price);
      this.noteAmount(row.volume);
    } else if ('price' in row) {
      this.notePrice(row.price);
      this.noteAmount(row.amount);
    }
    this.writer.write(row);
  }

  private notePrice(price: Decimal): void {
    this.firstPrice ??= price;
    this.prices.note(price, this.line);
  }

  private noteAmount(amount: Decimal): void {
    this.volume += amount.units / 10 ** amount.decimals;
    this.amounts.note(amount, this.line);
  }

  private noteGap(row: Row): void {
    if (this.rows === 0) return;
    const { time } = row;
    if (row.kind === 'kline') {
      if (time <= this.lastTime) {
        throw new RowError(`its kline begins at ${isoTime(time)}, before the end of the one above`);
      }
      if (time > this.lastTime + 1) this.gaps.note(this.line, gapText(this.lastTime + 1, time));
    } else if (time - this.previousTime > MAX_GAP_MS) {
      this.gaps.note(this.line, gapText(this.previousTime, time));
    }
  }
}

function gapText(from: number, to: number): string {
  const minutes = Math.round((to - from) / 60_000).toLocaleString('en-US');
  return `nothing from ${isoTime(from)} to ${isoTime(to)} (${minutes} min)`;
}

/** Returns a time as ISO 8601, for messages. */
export function isoTime(time: number): string {
  return new Date(time).toISOString();
}
