/**
 * npm run bench:cluster [-- --seconds N] [--connections N] [--accounts N] [--nats 1|3] [--nodes N]
 *
 * Measures orders per second through 1, 2 and 3 nodes over NATS and PostgreSQL on this machine, and through a single
 * node with its own log in the same run. Also measures reads: of public data, which a node answers from memory, and
 * of an account's orders, for which it first waits until it has applied everything that any node has acknowledged.
 * The output states whether the servers sync each message: otherwise (nats-server before 2.10) a power loss can lose
 * orders. Servers, nodes and load share the machine, so that with few cores nodes compete. Prints one JSON line.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { JetStream } from '../src/cluster/log/jetstream.ts';
import { StreamState } from '../src/cluster/log/stream-state.ts';
import { connectToNats } from '../src/cluster/stream/connection.ts';
import { Progress } from '../src/monitoring/progress.ts';
import { EXCHANGE_USER, type Nats, startNats } from '../test/cluster/nats.ts';
import { startPostgres } from '../test/cluster/postgres.ts';
import { makeOrders, makeReads, openAccounts, type Trader } from './rest/orders.ts';
import { Processes, round } from './rest/processes.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '15' },
    connections: { type: 'string', default: '256' },
    accounts: { type: 'string', default: '500' },
    nats: { type: 'string', default: '1' },
    nodes: { type: 'string', default: '3' },
  },
});
const seconds = Number(values.seconds);
const connections = Number(values.connections);
const nodeCount = Number(values.nodes);
const FIRST_PORT = 4311;
const ENVIRONMENT = { BUTTONWOOD_RATE_LIMITS: 'off', BUTTONWOOD_MAKERS: 'off' };

interface Figures {
  readonly ordersPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly refused: number;
  readonly publicReadsPerSecond: number;
  readonly privateReadsPerSecond: number;
  /** Statistics of a log on NATS: bytes per order, and orders per message, including heartbeats. */
  readonly logBytesAnOrder?: number;
  readonly ordersAMessage?: number;
}

const progress = new Progress();
progress.begin('starting NATS and PostgreSQL');
const directory = mkdtempSync(join(tmpdir(), 'buttonwood-bench-'));
const nats = await startNats({ servers: Number(values.nats) === 3 ? 3 : 1 });
const postgres = await startPostgres().catch(async (error) => {
  await nats.stop();
  throw error;
});
try {
  const embedded = await measureEmbedded();
  const nodes: Record<string, Figures> = {};
  for (let count = 1; count <= nodeCount; count++) nodes[count] = await measureNodes(count);
  progress.end();
  const sync = nats.syncsAlways ? 'always' : 'none: not durable against a power cut';
  console.log(
    JSON.stringify({
      embedded,
      nodes,
      ratioOfOneNode: round(nodes[1]!.ordersPerSecond / embedded.ordersPerSecond),
      sync,
      natsServers: nats.servers.length,
      natsVersion: nats.version,
      seconds,
      connections,
      accounts: Number(values.accounts),
    }),
  );
} finally {
  await nats.stop();
  await postgres.remove();
  rmSync(directory, { recursive: true, force: true });
}

async function measureEmbedded(): Promise<Figures> {
  const processes = new Processes();
  try {
    const data = join(directory, 'embedded');
    progress.begin('a node with its own log, starting');
    await processes.serve(['src/main.ts', 'start'], FIRST_PORT, {
      ...ENVIRONMENT,
      BUTTONWOOD_DATA: data,
    });
    return await measure(processes, data, [FIRST_PORT], 'a node with its own log');
  } finally {
    await processes.end();
  }
}

/** Starts a new exchange for each number of nodes, so that all logs are equally long. */
async function measureNodes(count: number): Promise<Figures> {
  const processes = new Processes();
  const ports = Array.from({ length: count }, (_, index) => FIRST_PORT + index);
  const database = await postgres.createDatabase(`nodes${count}`);
  const name = `${count} of ${nodeCount} nodes`;
  progress.begin(`${name}, starting`);
  try {
    for (const port of ports) {
      await processes.serve(['src/main.ts', 'start'], port, {
        ...ENVIRONMENT,
        BUTTONWOOD_DATA: join(directory, `${count}-${port}`),
        BUTTONWOOD_LOG: formatUrls(nats),
        BUTTONWOOD_LOG_STREAM: `nodes${count}`,
        BUTTONWOOD_LOG_REPLICAS: `${nats.servers.length}`,
        BUTTONWOOD_DATABASE: database,
        BUTTONWOOD_NODE: `node-${port}`,
      });
    }
    const data = join(directory, `${count}-${FIRST_PORT}`);
    const figures = await measure(processes, data, ports, name);
    progress.begin(`${name}, reading the log`);
    return { ...figures, ...(await measureLog(`nodes${count}`)) };
  } finally {
    await processes.end();
  }
}

/** Returns the stream's statistics for the orders of a run. */
async function measureLog(stream: string) {
  const servers = nats.urls.map((url) => url.replace('nats://', ''));
  const { user, pass: password } = EXCHANGE_USER;
  const connection = await connectToNats({ servers, isTls: false, user, password }, 'bench');
  const state = new StreamState();
  let orders = 0;
  let bytes = 0;
  const log = await JetStream.open(connection, stream);
  const end = await log.lastSequence();
  for await (const message of log.messages(0, end)) {
    orders += state.take(message).batch.count;
    bytes += message.bytes.length;
  }
  await connection.close();
  return { logBytesAnOrder: Math.round(bytes / orders), ordersAMessage: round(orders / end) };
}

/** Loads all nodes at once, each with its share of the connections. `who` names them in the progress. */
async function measure(
  processes: Processes,
  data: string,
  ports: number[],
  who: string,
): Promise<Figures> {
  const sandbox = JSON.parse(readFileSync(join(data, 'sandbox.json'), 'utf8'));
  const traders = await openAccounts(
    `http://127.0.0.1:${ports[0]}`,
    sandbox,
    Number(values.accounts),
  );
  const load = async (name: string, requests: readonly string[], forSeconds: number) => {
    const path = join(directory, `${name}.json`);
    await Bun.write(path, JSON.stringify(requests));
    progress.beginTimed(`${who}, load: ${name}`, forSeconds);
    const share = Math.ceil(connections / ports.length);
    return Promise.all(ports.map((port) => processes.load(port, path, forSeconds, share)));
  };
  const orders = await load('orders', makeOrders(traders, 20_000, 1), seconds);
  const reads = async (name: string, path: (trader: Trader) => string) => {
    const results = await load(
      name,
      makeReads(traders, path),
      Math.min(seconds, Math.max(3, seconds / 3)),
    );
    return Math.round(results.reduce((sum, { perSecond }) => sum + perSecond, 0));
  };
  return {
    ordersPerSecond: Math.round(orders.reduce((sum, { perSecond }) => sum + perSecond, 0)),
    p50Ms: round(Math.max(...orders.map(({ p50Ms }) => p50Ms))),
    p99Ms: round(Math.max(...orders.map(({ p99Ms }) => p99Ms))),
    refused: orders.reduce((sum, { refused }) => sum + refused, 0),
    publicReadsPerSecond: await reads('public', () => '/api/orderbook?symbol=BTC/USDT&depth=10'),
    privateReadsPerSecond: await reads('private', () => '/api/portfolio/balances'),
  };
}

function formatUrls({ urls }: Nats): string {
  const { user, pass } = EXCHANGE_USER;
  return urls.map((url) => url.replace('//', `//${user}:${pass}@`)).join(',');
}
