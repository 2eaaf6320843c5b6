/**
 * npm run bench:engine [-- --commands N] [--runs N] [--open N] [--compare DIRECTORY]
 *
 * Measures the engine alone: applies prepared commands to an exchange of 1,000 funded accounts with full
 * books, on one market and on four, with holds, fees, ledger entries and events. Prints one JSON line.
 * --compare: only measures how many times as fast it is as the engine of another working tree.
 */
import { parseArgs } from 'node:util';
import { compare, EngineRun, encodeBatches, loadEngine, ownEngine } from './engine/engine-run.ts';
import { bytesPerOpenOrder } from './engine/memory.ts';
import { type Mix, Traders } from './engine/mix.ts';
import { median, type PairedRatio } from './pairs.ts';

const { values } = parseArgs({
  options: {
    commands: { type: 'string', default: '300000' },
    runs: { type: 'string', default: '7' },
    open: { type: 'string', default: '1000000' },
    compare: { type: 'string' },
  },
});
const ACCOUNTS = 1_000;
const OPEN_ORDERS = 50_000;

interface Rates {
  readonly commandsPerSecond: number;
  readonly fillsPerSecond: number;
}

/** Returns the median of repeated runs, each on a new exchange. The digest shows that every run did the same. */
function measure(mix: Mix): Rates {
  const traders = new Traders(mix);
  const opening = traders.opening();
  const tradesBefore = traders.exchange.state.nextTradeId;
  const commands = traders.next(Number(values.commands));
  const fills = traders.exchange.state.nextTradeId - tradesBefore;
  const batches = encodeBatches(commands);
  const times = Array.from({ length: Number(values.runs) }, () => {
    const run = new EngineRun(ownEngine, opening, batches);
    Bun.gc(true);
    const elapsed = run.apply(batches.length);
    if (run.digest !== traders.exchange.state.digest) throw new Error('The runs differ.');
    return elapsed;
  });
  const seconds = median(times) / 1000;
  return {
    commandsPerSecond: Math.round(commands.length / seconds),
    fillsPerSecond: Math.round(fills / seconds),
  };
}

/** Compares this engine with that of another working tree. */
async function compareWith(directory: string, mix: Mix): Promise<PairedRatio> {
  const other = await loadEngine(directory);
  const traders = new Traders(mix);
  const opening = traders.opening();
  const batches = encodeBatches(traders.next(Number(values.commands)));
  return compare(other, opening, batches, Number(values.runs));
}

function measureAll() {
  const openOrders = Number(values.open);
  return {
    ...measure(one),
    fourMarkets: measure({ ...mix, markets: 4 }),
    withClientOrderIds: measure(withIds),
    withClientOrderIdsOfVersion1: measure({ ...withIds, version: 1 }),
    bytesPerOpenOrder: bytesPerOpenOrder(openOrders, ACCOUNTS),
    openOrders,
  };
}

const mix = { accounts: ACCOUNTS, openOrders: OPEN_ORDERS };
const one: Mix = { ...mix, markets: 1 };
const withIds: Mix = { ...one, hasClientOrderIds: true };
const result =
  values.compare === undefined
    ? measureAll()
    : {
        ...(await compareWith(values.compare, one)),
        withClientOrderIds: await compareWith(values.compare, withIds),
        withSubAccounts: await compareWith(values.compare, { ...one, hasSubAccounts: true }),
      };
console.log(JSON.stringify(result));
