// Starts a sandbox cluster on this machine: NATS, PostgreSQL and three nodes, from installed programs.
// npm run cluster [-- --nodes 3 --nats 3 --dir ./cluster --reset]
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { retry } from '../src/monitoring/retry.ts';
import { onStopSignal } from '../src/node/launcher.ts';
import { type Nats, startNats } from '../test/cluster/nats.ts';
import { type PostgresServer, startPostgres } from '../test/cluster/postgres.ts';

/** Ports below the ephemeral range: first node, first admin port, first of 9 for NATS, PostgreSQL. */
const PORTS = { nodes: 7001, admin: 7101, nats: 7201, postgres: 7301 } as const;
const MAX_NODES = 9;
const READY_MS = 60_000;
const DATABASE = 'exchange';
const ROOT = join(import.meta.dir, '..');

interface Node {
  readonly name: string;
  readonly url: string;
  readonly adminUrl: string;
  readonly data: string;
  readonly logPath: string;
  readonly child: Bun.Subprocess;
}

const { directory, nodeCount, natsCount, isReset } = options();
let nats: Nats | undefined;
let postgres: PostgresServer | undefined;
const nodes: Node[] = [];
let isStopping = false;
onStopSignal((signal) => void stop(signal, 0));

try {
  if (isReset) reset();
  mkdirSync(directory, { recursive: true });
  console.log(`Starting ${natsCount} NATS, 1 PostgreSQL and ${nodeCount} nodes in ${directory} …`);
  nats = await startNats({ servers: natsCount, directory, firstPort: PORTS.nats });
  postgres = await startPostgres({ directory: join(directory, 'postgres'), port: PORTS.postgres });
  const database = await databaseUrl(postgres);
  // The first node creates the exchange and the file with its keys; the others join it.
  for (let index = 0; index < nodeCount; index++) {
    const node = startNode(index, nats, database);
    nodes.push(node);
    await ready(node);
  }
  greet(nats, database);
} catch (error) {
  if (!isStopping) {
    console.error((error as Error).message);
    await stop('it did not start', 1);
  }
}

/** Stops the nodes first, because they still write to the servers. */
async function stop(reason: string, exitCode: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  console.log(`\nStopping (${reason}) …`);
  for (const { child } of nodes) child.kill('SIGTERM');
  await Promise.all(nodes.map(({ child }) => child.exited));
  await postgres?.stop();
  await nats?.stop();
  process.exit(exitCode);
}

function options() {
  const fail = (message: string): never => {
    console.error(`${message}\nnpm run cluster -- [--nodes N] [--nats 1|3] [--dir DIR] [--reset]`);
    process.exit(2);
  };
  try {
    const { values } = parseArgs({
      options: {
        nodes: { type: 'string', default: '3' },
        nats: { type: 'string', default: '3' },
        dir: { type: 'string', default: 'cluster' },
        reset: { type: 'boolean', default: false },
      },
    });
    const nodeCount = Number(values.nodes);
    if (!Number.isInteger(nodeCount) || nodeCount < 1 || nodeCount > MAX_NODES) {
      return fail(`--nodes takes a whole number from 1 to ${MAX_NODES}.`);
    }
    if (values.nats !== '1' && values.nats !== '3') return fail('--nats takes 1 or 3.');
    const natsCount: 1 | 3 = values.nats === '1' ? 1 : 3;
    return { directory: resolve(values.dir), nodeCount, natsCount, isReset: values.reset };
  } catch (error) {
    return fail((error as Error).message);
  }
}

/** Removes only files of this script, because the directory may hold others. */
function reset(): void {
  const ours = ['postgres', ...[1, 2, 3].map((number) => `nats-${number}`)];
  for (let index = 0; index < MAX_NODES; index++) ours.push(nodeName(index));
  for (const name of ours) rmSync(join(directory, name), { recursive: true, force: true });
}

async function databaseUrl(server: PostgresServer): Promise<string> {
  const sql = new Bun.SQL(server.url, { max: 1 });
  const found = await sql`SELECT 1 FROM pg_database WHERE datname = ${DATABASE}`;
  await sql.close();
  return found.length > 0
    ? new URL(`/${DATABASE}`, server.url).href
    : await server.createDatabase(DATABASE);
}

function nodeName(index: number): string {
  return `node-${index + 1}`;
}

function startNode(index: number, { urls, systemUrls }: Nats, database: string): Node {
  const name = nodeName(index);
  const data = join(directory, name);
  mkdirSync(data, { recursive: true });
  const logPath = join(data, 'node.log');
  const log = openSync(logPath, 'a');
  const flags = [
    '--port',
    `${PORTS.nodes + index}`,
    '--admin-port',
    `${PORTS.admin + index}`,
    '--node',
    name,
    '--data',
    data,
    '--log',
    urls.join(','),
    '--database',
    database,
    '--log-replicas',
    `${natsCount}`,
  ];
  const child = Bun.spawn([process.execPath, 'src/main.ts', 'start', ...flags], {
    cwd: ROOT,
    // The stream's limit comes from the free space that the servers report.
    env: { ...process.env, BUTTONWOOD_LOG_SYSTEM: systemUrls.join(',') },
    stdio: ['ignore', log, log],
    detached: true,
    onExit: (_, code, signal) => {
      if (!isStopping) console.error(`${name} ended (${signal ?? code}): see ${logPath}`);
    },
  });
  closeSync(log);
  const at = (port: number) => `http://127.0.0.1:${port + index}`;
  return { name, url: at(PORTS.nodes), adminUrl: at(PORTS.admin), data, logPath, child };
}

/** Waits until the node reports that it is ready, once it has caught up with the log. */
async function ready({ name, adminUrl, child, logPath }: Node): Promise<void> {
  const isReady = async () => {
    const answer = await fetch(`${adminUrl}/readyz`).catch(() => undefined);
    return answer?.ok === true;
  };
  const hasStarted = await retry(isReady, {
    every: 100,
    until: performance.now() + READY_MS,
    isDone: (isOk) => isOk || child.exitCode !== null,
  });
  if (hasStarted) return;
  const end = readFileSync(logPath, 'utf8').trim().split('\n').slice(-5).join('\n');
  throw new Error(`${name} is not ready. The end of ${logPath}:\n${end}`);
}

function greet({ urls, version, syncsAlways }: Nats, database: string): void {
  const keys = nodes.map(({ data }) => join(data, 'sandbox.json')).find(existsSync);
  const { accounts } = JSON.parse(readFileSync(keys!, 'utf8')) as {
    accounts: { name: string; apiKey: string; apiSecret: string }[];
  };
  const alice = accounts.find(({ name }) => name === 'alice')!;
  const doubt = syncsAlways
    ? 'which sync every batch'
    : 'which cannot sync every batch (2.10 can): a power loss may lose acknowledged commands';
  console.log(`
${nodes.map(({ name, url, adminUrl }) => `${name}      ${url}   admin ${adminUrl}/readyz /metrics`).join('\n')}
NATS        ${urls.join(' ')}
            version ${version}, ${doubt}
PostgreSQL  ${database}
Keys        ${keys}
Logs        ${directory}/*/*.log

Place an order as alice, through any node:

curl -X POST ${nodes.at(-1)!.url}/api/orders \\
  -H 'Authorization: Bearer ${alice.apiKey}' \\
  -H 'X-API-Secret: ${alice.apiSecret}' \\
  -H 'Content-Type: application/json' \\
  -d '{"symbol":"BTC/USDT","side":"buy","type":"limit","amount":0.01,"price":45000}'

Kill a node or a server and watch the others continue. Ctrl-C stops all; the next start continues from here.`);
}
