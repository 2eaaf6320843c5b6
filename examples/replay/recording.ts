import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { z } from 'zod';
import { AMOUNT_DECIMALS, PRICE_DECIMALS, unitsOf } from './units.ts';

export type Side = 'buy' | 'sell';

/** Prices and amounts are whole units, see units.ts. */
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
  /** The order left the book: canceled, or filled to the end. */
  | { readonly kind: 'deleted'; readonly id: string; readonly side: Side; readonly price: bigint }
  | { readonly kind: 'book'; readonly levels: readonly Level[] }
  | ({ readonly kind: 'trade' } & Trade);

/** The recording cannot be read: the message says what to do. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
}

/**
 * Reads a recording, plain or compressed (`.xz`, `.gz`, `.zst`): lines of
 * `timestamp_ms event {json}`, as Bitstamp's live feed of orders gave them.
 * @throws RecordingError
 */
export async function readRecording(path: string): Promise<RecordedEvent[]> {
  if (!existsSync(path)) {
    throw new RecordingError(`There is no recording ${path}. Name one with --file.`);
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
      `${path} needs the program xz, which is not installed. Install it (Debian and Ubuntu: ` +
        'apt install xz-utils, macOS: brew install xz), or unpack the file elsewhere and name that.',
    );
  }
  const child = Bun.spawn([program, '-dc', path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const text = await child.stdout.text();
  if ((await child.exited) !== 0) throw new RecordingError(`xz cannot unpack ${path}, see above.`);
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

/** @throws RecordingError naming the line. */
export function parseRecording(text: string): RecordedEvent[] {
  const events: RecordedEvent[] = [];
  let hasBook = false;
  text.split('\n').forEach((line, index) => {
    if (line === '') return;
    const [, name = '', json = ''] = /^\d+ (\w+) (.*)$/.exec(line) ?? [];
    // Only the first picture of the book is of use: what follows is for the exchange to find out.
    if (name === 'order_book' && hasBook) return;
    hasBook ||= name === 'order_book';
    try {
      const event = readEvent(name, json);
      if (event !== undefined) events.push(event);
    } catch (error) {
      throw new RecordingError(`Line ${index + 1} is not as expected: ${(error as Error).message}`);
    }
  });
  return events;
}

/** Undefined for what a replay does not need. */
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
      // The feed wrote these as doubles, 236.61 as 236.61000000000001: the grid gives them back.
      const { price, amount } = TRADE.parse(JSON.parse(json));
      return {
        kind: 'trade',
        price: unitsOf(price.toFixed(PRICE_DECIMALS), PRICE_DECIMALS),
        amount: unitsOf(amount.toFixed(AMOUNT_DECIMALS), AMOUNT_DECIMALS),
      };
    }
    default:
      throw new RangeError('it is no `timestamp_ms event {json}` with an event known here');
  }
}

function readLevel(side: Side, price: string, amount: string): Level {
  return {
    side,
    price: unitsOf(price, PRICE_DECIMALS),
    amount: unitsOf(amount, AMOUNT_DECIMALS),
  };
}
