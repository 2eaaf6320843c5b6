/**
 * npm run bench:engine [-- --commands N] [--runs N] [--open N]
 *
 * Measures the engine alone: applies prepared commands to an exchange of 1,000 funded accounts with full
 * books, on one market and on four, with holds, fees, ledger entries and events. Prints one JSON line.
 */
import { parseArgs } from 'node:util';
import type { Command } from '../src/engine/command.ts';
import { Exchange } from '../src/engine/exchange.ts';
import { ByteReader, ByteWriter } from '../src/engine/numbers/bytes.ts';
import { decodeCommand, encodeCommand } from '../src/log/codec.ts';
import { bytesPerOpenOrder } from './engine/memory.ts';
import { BATCH, commandTime, type Mix, Traders } from './engine/mix.ts';

const { values } = parseArgs({
  options: {
    commands: { type: 'string', default: '300000' },
    runs: { type: 'string', default: '7' },
    open: { type: 'string', default: '1000000' },
  },
});
const ACCOUNTS = 1_000;
const OPEN_ORDERS = 50_000;

interface Rates {
  readonly commandsPerSecond: number;
  readonly fillsPerSecond: number;
}

/** Returns the median of repeated runs, each on a new exchange. */
function measure(mix: Mix): Rates {
  const traders = new Traders(mix);
  const opening = traders.opening();
  const tradesBefore = traders.exchange.state.nextTradeId;
  const commands = traders.next(Number(values.commands));
  const fills = traders.exchange.state.nextTradeId - tradesBefore;
  const { digest } = traders.exchange.state;
  const batches = encoded(commands);
  const times = Array.from({ length: Number(values.runs) }, () => run(opening, batches, digest));
  const seconds = times.sort((a, b) => a - b)[times.length >> 1]! / 1000;
  return {
    commandsPerSecond: Math.round(commands.length / seconds),
    fillsPerSecond: Math.round(fills / seconds),
  };
}

/**
 * Returns the milliseconds to apply `commands`. They are decoded batch by batch, outside the measured time, because
 * an engine gets its commands freshly decoded, not from a list far larger than any cache. The digest shows that every
 * run did the same.
 */
function run(
  opening: readonly Command[],
  batches: readonly EncodedBatch[],
  digest: number,
): number {
  const exchange = new Exchange();
  for (let index = 0; index < opening.length; index++)
    exchange.apply(opening[index]!, commandTime(index));
  Bun.gc(true);
  let elapsed = 0;
  let applied = opening.length;
  for (const { bytes, count } of batches) {
    const reader = new ByteReader(bytes);
    const commands = Array.from({ length: count }, () => decodeCommand(reader));
    const start = performance.now();
    exchange.prefetch(commands);
    for (const command of commands) exchange.apply(command, commandTime(applied++));
    elapsed += performance.now() - start;
  }
  if (exchange.state.digest !== digest) throw new Error('The runs differ.');
  return elapsed;
}

interface EncodedBatch {
  readonly bytes: Uint8Array;
  readonly count: number;
}

function encoded(commands: readonly Command[]): EncodedBatch[] {
  const writer = new ByteWriter();
  return Array.from({ length: Math.ceil(commands.length / BATCH) }, (_, index) => {
    const batch = commands.slice(index * BATCH, (index + 1) * BATCH);
    writer.reset();
    for (const command of batch) encodeCommand(writer, command);
    return { bytes: writer.bytes().slice(), count: batch.length };
  });
}

const mix = { accounts: ACCOUNTS, openOrders: OPEN_ORDERS };
const one = measure({ ...mix, markets: 1 });
const four = measure({ ...mix, markets: 4 });
const withIds = measure({ ...mix, markets: 1, hasClientOrderIds: true });
const withVersion1Ids = measure({ ...mix, markets: 1, hasClientOrderIds: true, version: 1 });
const openOrders = Number(values.open);
console.log(
  JSON.stringify({
    ...one,
    fourMarkets: four,
    withClientOrderIds: withIds,
    withClientOrderIdsOfVersion1: withVersion1Ids,
    bytesPerOpenOrder: bytesPerOpenOrder(openOrders, ACCOUNTS),
    openOrders,
  }),
);
