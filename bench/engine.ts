/**
 * npm run bench:engine [-- --commands N] [--runs N] [--open N]
 *
 * The engine alone: commands made beforehand are applied to an exchange of 1,000 funded accounts
 * with full books, on one market and on four, with holds, fees, ledger entries and events. Prints
 * one JSON line.
 */
import { parseArgs } from 'node:util';
import type { Command } from '../src/engine/command.ts';
import { Exchange } from '../src/engine/exchange.ts';
import { bytesPerOpenOrder } from './engine/memory.ts';
import { type Mix, Traders, timeOf } from './engine/mix.ts';

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

/** The median of repeated runs, each on an exchange of its own. */
function measure(mix: Mix): Rates {
  const traders = new Traders(mix);
  const opening = traders.opening();
  const tradesBefore = traders.exchange.state.nextTradeId;
  const commands = traders.next(Number(values.commands));
  const fills = traders.exchange.state.nextTradeId - tradesBefore;
  const { digest } = traders.exchange.state;
  const times = Array.from({ length: Number(values.runs) }, () => run(opening, commands, digest));
  const seconds = times.sort((a, b) => a - b)[times.length >> 1]! / 1000;
  return {
    commandsPerSecond: Math.round(commands.length / seconds),
    fillsPerSecond: Math.round(fills / seconds),
  };
}

/** Milliseconds to apply `commands`; the digest shows that every run did the same. */
function run(opening: readonly Command[], commands: readonly Command[], digest: number): number {
  const exchange = new Exchange();
  for (let index = 0; index < opening.length; index++)
    exchange.apply(opening[index]!, timeOf(index));
  Bun.gc(true);
  const start = performance.now();
  for (let index = 0; index < commands.length; index++) {
    exchange.apply(commands[index]!, timeOf(opening.length + index));
  }
  const elapsed = performance.now() - start;
  if (exchange.state.digest !== digest) throw new Error('The runs differ.');
  return elapsed;
}

const mix = { accounts: ACCOUNTS, openOrders: OPEN_ORDERS };
const one = measure({ ...mix, markets: 1 });
const four = measure({ ...mix, markets: 4 });
const withIds = measure({ ...mix, markets: 1, hasClientOrderIds: true });
const openOrders = Number(values.open);
console.log(
  JSON.stringify({
    ...one,
    fourMarkets: four,
    withClientOrderIds: withIds,
    bytesPerOpenOrder: bytesPerOpenOrder(openOrders, ACCOUNTS),
    openOrders,
  }),
);
