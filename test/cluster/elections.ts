/**
 * Kills the server that leads the stream, again and again, and measures how long until each node takes orders again: those
 * too that have lost neither their server nor their clients. Ends with an error where one takes longer than ten seconds.
 *
 * npm run test:elections -- [--rounds 6]
 */
import type { Credential } from '../process/exchange-process.ts';
import { wholeArguments } from '../whole-arguments.ts';
import { Cluster, type ClusterNode } from './cluster.ts';

const MOST_MS = 10_000;
/** What was on its way may be answered after the leader's death. */
const ON_ITS_WAY_MS = 300;
const ASK_AGAIN_MS = 50;
/** Longer than a node takes to give up. */
const TIMEOUT_MS = 15_000;
const PAUSE_MS = 4_000;
const ORDER = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.001, price: 45_000 };

const { rounds } = wholeArguments('npm run test:elections -- [--rounds N]', {
  rounds: { default: 6, least: 1 },
});

const cluster = await Cluster.start({
  env: { BUTTONWOOD_RATE_LIMITS: 'off' },
  links: 'proxies',
});
try {
  const all: number[] = [];
  for (let round = 0; round < rounds; round++) all.push(...(await killLeader()));
  const longestMs = Math.max(...all);
  console.log(JSON.stringify({ nats: cluster.nats.version, rounds, longestMs }));
  if (longestMs > MOST_MS) throw new Error(`a node took no order for ${longestMs} ms`);
} finally {
  await cluster.stop();
}
process.exit(0);

/** @returns How long each node took no order, ms. */
async function killLeader(): Promise<readonly number[]> {
  const server = cluster.nats.servers[await leader()]!;
  await server.kill();
  const killedAt = performance.now();
  const tookMs = await Promise.all(cluster.nodes.map((node) => untilTaken(node, killedAt)));
  console.log(JSON.stringify({ killed: server.name, tookMs }));
  await server.start();
  await cluster.nats.ready();
  await Bun.sleep(PAUSE_MS);
  return tookMs;
}

async function leader(): Promise<number> {
  for (;;) {
    const found = await cluster.leader();
    if (found !== undefined) return found;
    await Bun.sleep(ASK_AGAIN_MS);
  }
}

async function untilTaken(node: ClusterNode, sinceMs: number): Promise<number> {
  for (;;) {
    const isTaken = await place(node);
    const tookMs = Math.round(performance.now() - sinceMs);
    if (isTaken && tookMs > ON_ITS_WAY_MS) return tookMs;
    await Bun.sleep(ASK_AGAIN_MS);
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
    // Too late, or not at all: it is asked again.
    return false;
  }
}

function trader(): Credential {
  const all = cluster.nodes.flatMap(({ process: node }) => node?.credentials ?? []);
  return all.find(({ name, permissions }) => name === 'alice' && permissions.includes('trade'))!;
}
