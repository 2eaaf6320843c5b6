import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { z } from 'zod';
import { AMOUNT_DECIMALS, PRICE_DECIMALS, parseUnits } from './units.ts';

export type Side = 'buy' | 'sell';

/** Price and amount in integer units (see units.ts). */
export interface Level {
  readonly side: Side;
  readonly price: bigint;
  readonly amount: bigint;
}
export interface Trade {
  readonly price: bigint;
  readonly amount: bigint;
}

export type RecordedEvent =
  | ({ readonly kind: 'created'; readonly id: string } & Level)
  /** The order has left the book: canceled or completely filled. */
  | { readonly kind: 'deleted'; readonly id: string; readonly side: Side; readonly price: bigint }
  | { readonly kind: 'book'; readonly levels: readonly Level[] }
  | ({ readonly kind: 'trade' } & Trade);

/** The recording cannot be read; the message says what to do. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
}

/**
 * Reads a recording, plain or compressed (`.xz`, `.gz`, `.zst`). Its lines have the form `timestamp_ms event {json}`,
 * as in Bitstamp's live order feed.
 * @throws RecordingError
 */
export async function readRecording(path: string): Promise<RecordedEvent[]> {
  if (!existsSync(path)) {
    throw new RecordingError(`Recording ${path} not found. Pass one with --file.`);
  }
  return parseRecording(await readText(path));
}

async function readText(path: string): Promise<string> {
  if (path.endsWith('.xz')) return readXz(path);
  const bytes = await readFile(path);
  if (path.endsWith('.gz')) return gunzipSync(bytes).toString();
  if (path.endsWith('.zst')) return zstdDecompressSync(bytes).toString();
  return bytes.toString();
}

async function readXz(path: string): Promise<string> {
  const program = Bun.which('xz');
  if (program === null) {
    throw new RecordingError(
      `${path} requires the program xz, which is not installed. Install it (Debian and Ubuntu: ` +
        'apt install xz-utils, macOS: brew install xz), or pass the unpacked file.',
    );
  }
  const child = Bun.spawn([program, '-dc', path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const text = await child.stdout.text();
  if ((await child.exited) !== 0)
    throw new RecordingError(`xz could not unpack ${path}; see its message above.`);
  return text;
}

const ORDER = z.object({
  id: z.number(),
  order_type: z.union([z.literal(0), z.literal(1)]),
  price: z.string(),
  amount: z.string(),
});
const LEVELS = z.array(z.tuple([z.string(), z.string()]));
const BOOK = z.object({ bids: LEVELS, asks: LEVELS });
const TRADE = z.object({ price: z.number(), amount: z.number() });

/** Parses a recording. @throws RecordingError with the line number */
export function parseRecording(text: string): RecordedEvent[] {
  const events: RecordedEvent[] = [];
  let hasBook = false;
  text.split('\n').forEach((line, index) => {
    if (line === '') return;
    const [, name = '', json = ''] = /^\d+ (\w+) (.*)$/.exec(line) ?? [];
    // Only the first book snapshot seeds the replay; the rest is up to the exchange.
    if (name === 'order_book' && hasBook) return;
    hasBook ||= name === 'order_book';
    try {
      const event = readEvent(name, json);
      if (event !== undefined) events.push(event);
    } catch (error) {
      throw new RecordingError(`Line ${index + 1} is invalid: ${(error as Error).message}`);
    }
  });
  return events;
}

/** Returns undefined for events that a replay does not need. */
function readEvent(name: string, json: string): RecordedEvent | undefined {
  switch (name) {
    case 'order_created':
    case 'order_deleted': {
      const { id, order_type, price, amount } = ORDER.parse(JSON.parse(json));
      const side = order_type === 0 ? 'buy' : 'sell';
      const level = readLevel(side, price, amount);
      return name === 'order_created'
        ? { kind: 'created', id: `${id}`, ...level }
        : { kind: 'deleted', id: `${id}`, side, price: level.price };
    }
    case 'order_changed':
      return undefined;
    case 'order_book': {
      const { bids, asks } = BOOK.parse(JSON.parse(json));
      const levels = [
        ...bids.map(([price, amount]) => readLevel('buy', price, amount)),
        ...asks.map(([price, amount]) => readLevel('sell', price, amount)),
      ];
      return { kind: 'book', levels };
    }
    case 'trade': {
      // The feed has doubles, 236.61 as 236.61000000000001; rounding to the market's decimals restores them.
      const { price, amount } = TRADE.parse(JSON.parse(json));
      return {
        kind: 'trade',
        price: parseUnits(price.toFixed(PRICE_DECIMALS), PRICE_DECIMALS),
        amount: parseUnits(amount.toFixed(AMOUNT_DECIMALS), AMOUNT_DECIMALS),
      };
    }
    default:
      throw new RangeError('expected `timestamp_ms event {json}` with a known event');
  }
}

function readLevel(side: Side, price: string, amount: string): Level {
  return {
    side,
    price: parseUnits(price, PRICE_DECIMALS),
    amount: parseUnits(amount, AMOUNT_DECIMALS),
  };
}
