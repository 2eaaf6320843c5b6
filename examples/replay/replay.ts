// Feeds a recorded order flow through the REST API of an exchange and compares the trades.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compareTrades } from './comparison.ts';
import {
  booksBalance,
  connectOperator,
  type Operator,
  openTraders,
  prepareMarket,
} from './market.ts';
import { OrderFlow } from './order-flow.ts';
import { type RecordedEvent, RecordingError, readRecording } from './recording.ts';
import { count, type Report, reportText } from './report.ts';
import { startSandbox } from './sandbox.ts';

const USAGE = `node bin/bun.mjs examples/replay/replay.ts [options]
  --file F         recording (default: the one in ../shared/data)
  --credentials F  sandbox.json of a running exchange (default: start a temporary sandbox)
  --url U          URL of that exchange (default: the one in the file)
  --empty          start with an empty book instead of the recording's first book snapshot
  --json           print one JSON line`;
const DEFAULT_FILE = join(
  import.meta.dir,
  '../../../shared/data/bitstamp-btcusd-2015-05-01-l3.log.xz',
);
const ORDERS_PER_PROGRESS_LINE = 5_000;

/** The command line is invalid; the message says why. */
class UsageError extends Error {}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof UsageError) && !(error instanceof RecordingError)) throw error;
  console.error(error instanceof UsageError ? `${error.message}\n\n${USAGE}` : error.message);
  process.exitCode = 2;
}

async function main(): Promise<number> {
  const options = readOptions();
  if (options.url !== undefined && options.credentials === undefined) {
    throw new UsageError('--url requires --credentials.');
  }
  const recording = await readRecording(options.file ?? DEFAULT_FILE);
  if (!recording.some(({ kind }) => kind === 'trade')) {
    throw new RecordingError('The recording has no trades to compare with.');
  }
  const events = options.empty ? recording.filter(({ kind }) => kind !== 'book') : recording;
  const report =
    options.credentials === undefined
      ? await replayInSandbox(events)
      : await replay(events, connectOperator(options.credentials, options.url));
  console.log(options.json ? JSON.stringify(report) : reportText(report));
  return report.booksBalance ? 0 : 1;
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        file: { type: 'string' },
        credentials: { type: 'string' },
        url: { type: 'string' },
        empty: { type: 'boolean' },
        json: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

async function replayInSandbox(events: readonly RecordedEvent[]): Promise<Report> {
  const sandbox = await startSandbox();
  const stopAndExit = () => void sandbox.stop().then(() => process.exit(130));
  process.once('SIGINT', stopAndExit).once('SIGTERM', stopAndExit);
  try {
    return await replay(events, connectOperator(sandbox.credentialsPath, undefined));
  } finally {
    await sandbox.stop();
  }
}

/** Replays the events in order, waiting for each response before the next request. */
async function replay(events: readonly RecordedEvent[], operator: Operator): Promise<Report> {
  const run = Date.now().toString(36);
  await prepareMarket(operator.client);
  const flow = new OrderFlow(await openTraders(operator, run), run);
  const recorded = events.filter((event) => event.kind === 'trade');
  const ordersRecorded = events.filter((event) => event.kind === 'created').length;
  const start = performance.now();
  for (const event of events) {
    await flow.apply(event);
    if (event.kind === 'created' && flow.ordersSent % ORDERS_PER_PROGRESS_LINE === 0) {
      const { ordersSent, trades } = flow;
      console.error(
        `${count(ordersSent)} of ${count(ordersRecorded)} orders, ${count(trades.length)} trades`,
      );
    }
  }
  const seconds = (performance.now() - start) / 1000;
  const { ordersSent, seedOrdersSent, cancelsSent } = flow;
  await flow.clear();
  const comparison = compareTrades(flow.trades, recorded);
  return {
    orders: ordersSent,
    seedOrders: seedOrdersSent,
    cancels: cancelsSent,
    refused: flow.rejected,
    tradesMade: flow.trades.length,
    tradesRecorded: recorded.length,
    ...comparison,
    share: comparison.matched / recorded.length,
    seconds,
    ordersPerSecond: (ordersSent + seedOrdersSent) / seconds,
    requestsPerSecond: (ordersSent + seedOrdersSent + cancelsSent) / seconds,
    booksBalance: await booksBalance(operator.client),
  };
}
