/**
 * npm run bench:markets-latency [-- --markets N] [--seconds N] [--slices N] [--connections N] [--in-flight N] [--per-second N]
 *
 * Measures the latency of durable orders over sockets in an exchange with one market and in one with N, orders spread over
 * all of them. Every market has subscribers to all of its twenty topics. Exchanges, subscribers and load are separate
 * processes; slices of the two exchanges take turns, each first equally often. `p50Ratio` and `p99Ratio` are those of the
 * medians of the slices, N markets to one. Orders start at a steady rate; with `--per-second 0` as fast as they are
 * answered, which favors one market, because orders of a batch then share the updates of its topics. Prints one JSON line.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from './pairs.ts';
import { openAccounts, type Trader } from './rest/orders.ts';
import { Processes, round } from './rest/processes.ts';
import type { WsLoad, WsLoadResult } from './ws/load.ts';

const { values } = parseArgs({
  options: {
    markets: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '60' },
    slices: { type: 'string', default: '10' },
    connections: { type: 'string', default: '4' },
    'in-flight': { type: 'string', default: '2' },
    'per-second': { type: 'string', default: '400' },
  },
});
const slices = Number(values.slices);
const sliceSeconds = Number(values.seconds) / slices / 2;
const ACCOUNTS = 50;
const ORDERS = 4000;
const RULES = {
  tickSize: 0.01,
  stepSize: 0.001,
  maxAmount: 1_000_000,
  maxPrice: 100_000,
  minNotional: 0.01,
  makerFee: 0,
  takerFee: 0,
  referencePrice: 100,
};
const directory = mkdtempSync(join(tmpdir(), 'buttonwood-bench-'));
const processes = new Processes();

interface Sandbox {
  readonly accounts: readonly (Trader & { readonly name: string })[];
}

try {
  const exchanges = [await open(4301, 1), await open(4302, Number(values.markets))];
  const runs: WsLoadResult[][] = [[], []];
  let firstAccount = 0;
  const run = async (index: number) => {
    const { port, file } = exchanges[index]!;
    const numbers = [
      sliceSeconds,
      values.connections,
      values['in-flight'],
      values['per-second'],
      firstAccount,
    ];
    firstAccount += 7;
    const args = ['bench/ws/load.ts', `${port}`, file, ...numbers.map(String)];
    runs[index]!.push(await processes.print<WsLoadResult>(args));
  };
  for (let slice = 0; slice <= slices; slice++) {
    const order = slice % 2 === 0 ? [0, 1] : [1, 0];
    for (const index of order) await run(index);
  }
  // The first slices include compilation.
  const [one, many] = runs.map((results) => results.slice(1));
  const middle = (results: WsLoadResult[], field: 'p50Ms' | 'p99Ms' | 'perSecond') =>
    median(results.map((each) => each[field]));
  console.log(
    JSON.stringify({
      markets: Number(values.markets),
      topics: exchanges[1]!.topics,
      p50OneMs: round(middle(one!, 'p50Ms')),
      p50ManyMs: round(middle(many!, 'p50Ms')),
      p50Ratio: round(middle(many!, 'p50Ms') / middle(one!, 'p50Ms')),
      p99OneMs: round(middle(one!, 'p99Ms')),
      p99ManyMs: round(middle(many!, 'p99Ms')),
      p99Ratio: round(middle(many!, 'p99Ms') / middle(one!, 'p99Ms')),
      onePerSecond: Math.round(middle(one!, 'perSecond')),
      manyPerSecond: Math.round(middle(many!, 'perSecond')),
      refused: runs.flat().reduce((sum, each) => sum + each.refused, 0),
      slices,
      sliceSeconds,
      connections: Number(values.connections),
      inFlight: Number(values['in-flight']),
      perSecond: Number(values['per-second']),
    }),
  );
} finally {
  await processes.end();
  rmSync(directory, { recursive: true, force: true });
}

/** Starts an exchange with funded traders, `count` markets of its own, and subscribers to all of their topics. */
async function open(port: number, count: number) {
  const own = join(directory, `${port}`);
  const sandbox: Sandbox = await processes.serveSandbox(port, own, 'off');
  const baseUrl = `http://127.0.0.1:${port}`;
  const operator = sandbox.accounts.find(({ name }) => name === 'operator')!;
  const post = (path: string, body: object) => send(`${baseUrl}/api/admin${path}`, operator, body);
  const accounts = await openAccounts(baseUrl, sandbox, ACCOUNTS);
  const bases = Array.from({ length: count }, (_, index) => `COIN${index}`);
  for (const asset of bases) {
    await post('/assets', { asset, name: asset, decimals: 8 });
    await post('/markets', { symbol: `${asset}/USDT`, ...RULES });
    const transfers = accounts.map((_, index) => {
      const account = `trader-${index}`;
      const reference = `${account}-${asset}`;
      return post('/transfers', { account, asset, amount: 1000, reference, reason: 'bench' });
    });
    await Promise.all(transfers);
  }
  const symbols = bases.map((base) => `${base}/USDT`);
  const file = `${own}.json`;
  const load: WsLoad = {
    auths: accounts.map((account) => JSON.stringify({ op: 'auth', ...account })),
    params: makeParams(symbols),
  };
  await Bun.write(file, JSON.stringify(load));
  const topics = Number(
    await processes.start(['bench/markets/subscribers.ts', `${port}`, symbols.join(',')]),
  );
  return { port, file, topics };
}

/** Returns orders as parameters of `order.place`: pairs of a bid and an ask of the same price that trade. Seeded. */
function makeParams(symbols: readonly string[]): string[] {
  let state = 1;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 4_294_967_296) * below);
  };
  return Array.from({ length: ORDERS / 2 }, (_, pair) => {
    const symbol = symbols[pair % symbols.length];
    const price = (10_000 + random(200)) / 100;
    const amount = (1 + random(500)) / 1000;
    const order = { symbol, type: 'limit', amount, price };
    return ['buy', 'sell'].map((side) => JSON.stringify({ ...order, side }));
  }).flat();
}

async function send(url: string, operator: Trader, body: object): Promise<void> {
  const headers = {
    Authorization: `Bearer ${operator.apiKey}`,
    'X-API-Secret': operator.apiSecret,
    'Content-Type': 'application/json',
  };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url}: ${await answer.text()}`);
}
