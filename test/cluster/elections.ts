/**
 * Removes the leader of the log repeatedly and measures how long each node accepts no order: the longest time between two
 * accepted orders, also on nodes that lost neither their server nor a client.
 *
 * - `restart`: SIGTERM to the server that leads, as in a planned restart. It hands its leadership over.
 * - `step-down`: the leader hands its leadership over on request; no server stops.
 * - `kill`: SIGKILL. The servers elect another leader only after 4 to 9 s of silence (NATS's own timeout).
 *
 * npm run test:elections -- [--rounds 6] [--how restart,step-down,kill]
 */
import { parseArgs } from 'node:util';
import type { Credential } from '../process/exchange-process.ts';
import { Cluster, type ClusterNode, STREAM } from './cluster.ts';

/** The way in which the leader is removed, and the maximum and median time without an accepted order, ms. */
const LIMITS_MS = {
  restart: { longest: 2_000, median: 500 },
  'step-down': { longest: 2_000, median: 500 },
  kill: { longest: 10_000, median: 10_000 },
} as const;
type How = keyof typeof LIMITS_MS;
/** Pause between two orders for one node. */
const ASK_AGAIN_MS = 10;
/** Time of normal orders before a leader is removed, and after every node has accepted one again. */
const FLOW_MS = 1_000;
/** Longer than a node's own timeout. */
const TIMEOUT_MS = 15_000;
/** An order that is answered soon in any case, because it never rests. */
const ORDER = {
  symbol: 'BTC/USDT',
  side: 'buy',
  type: 'limit',
  amount: 0.001,
  price: 45_000,
  timeInForce: 'IOC',
};

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '6' },
    how: { type: 'string', default: Object.keys(LIMITS_MS).join() },
  },
});
const rounds = Number(values.rounds);
const hows = values.how.split(',') as How[];
if (!(Number.isInteger(rounds) && rounds > 0) || hows.some((how) => !(how in LIMITS_MS))) {
  throw new Error(
    'npm run test:elections -- [--rounds N] [--how restart,step-down,kill]: a whole number from 1 on, and some of these.',
  );
}

const cluster = await Cluster.start({
  env: { BUTTONWOOD_RATE_LIMITS: 'off' },
  links: 'proxies',
});
const wrong: string[] = [];
try {
  for (const how of hows) {
    const all: number[] = [];
    for (let round = 0; round < rounds; round++) all.push(...(await electionAfter(how)));
    all.sort((a, b) => a - b);
    const [medianMs, longestMs] = [all[all.length >> 1]!, all.at(-1)!];
    console.log(JSON.stringify({ nats: cluster.nats.version, how, rounds, medianMs, longestMs }));
    const limits = LIMITS_MS[how];
    if (longestMs > limits.longest || medianMs > limits.median) {
      wrong.push(
        `${how}: a node accepted no order for ${medianMs} ms (median), ${longestMs} ms (longest)`,
      );
    }
  }
} finally {
  await cluster.stop();
}
if (wrong.length > 0) throw new Error(wrong.join('; '));
process.exit(0);

/** @returns how long each node accepted no order, ms */
async function electionAfter(how: How): Promise<readonly number[]> {
  const flows = cluster.nodes.map((node) => new Flow(node));
  await Bun.sleep(FLOW_MS);
  const server = cluster.nats.servers[await leader()]!;
  const startedAt = performance.now();
  if (how === 'kill') await server.kill();
  else if (how === 'restart') await server.stop();
  else await stepDown();
  await Promise.all(flows.map((flow) => flow.acceptedSince(performance.now())));
  await Bun.sleep(FLOW_MS);
  if (how !== 'step-down') await server.start();
  await cluster.nats.ready();
  await Bun.sleep(FLOW_MS);
  const stallsMs = await Promise.all(flows.map((flow) => flow.end(startedAt)));
  console.log(JSON.stringify({ how, server: server.name, stallsMs }));
  return stallsMs;
}

async function stepDown(): Promise<void> {
  const connection = await cluster.connect();
  const answer = await connection.request(`$JS.API.STREAM.LEADER.STEPDOWN.${STREAM}`);
  if (answer.json<{ success?: boolean }>().success !== true) throw new Error(answer.string());
  await connection.close();
}

async function leader(): Promise<number> {
  for (;;) {
    const found = await cluster.leader();
    if (found !== undefined) return found;
    await Bun.sleep(ASK_AGAIN_MS);
  }
}

/** Sends orders to one node, one after the other, and records when the accepted ones were answered. */
class Flow {
  private readonly acceptedAt: number[] = [];
  private isEnding = false;
  private readonly ended: Promise<void>;

  constructor(private readonly node: ClusterNode) {
    this.ended = this.run();
  }

  async acceptedSince(sinceMs: number): Promise<void> {
    while (!((this.acceptedAt.at(-1) ?? 0) > sinceMs)) await Bun.sleep(ASK_AGAIN_MS);
  }

  /** @returns The longest time between two accepted orders, ms, of those that ended after `sinceMs`. */
  async end(sinceMs: number): Promise<number> {
    this.isEnding = true;
    await this.ended;
    const { acceptedAt } = this;
    const gaps = acceptedAt.map((at, n) => (n > 0 && at > sinceMs ? at - acceptedAt[n - 1]! : 0));
    return Math.round(Math.max(...gaps));
  }

  private async run(): Promise<void> {
    while (!this.isEnding) {
      if (await place(this.node)) this.acceptedAt.push(performance.now());
      await Bun.sleep(ASK_AGAIN_MS);
    }
  }
}

async function place({ baseUrl }: ClusterNode): Promise<boolean> {
  const { apiKey, apiSecret } = trader();
  const headers = {
    Authorization: `Bearer ${apiKey}`,
    'X-API-Secret': apiSecret,
    'Content-Type': 'application/json',
  };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const body = JSON.stringify(ORDER);
  try {
    const terms = { method: 'POST', headers, body, signal };
    const response = await fetch(`${baseUrl}/api/orders`, terms);
    await response.text();
    return response.status === 200;
  } catch {
    // Late or without an answer: it is repeated.
    return false;
  }
}

function trader(): Credential {
  const all = cluster.nodes.flatMap(({ process: node }) => node?.credentials ?? []);
  return all.find(({ name, permissions }) => name === 'alice' && permissions.includes('trade'))!;
}
