import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { Client } from '../../src/client/index.ts';
import { ExchangeProcess, temporaryDirectory } from './exchange-process.ts';
import { inherited } from './inherited.ts';

/**
 * Each trading example runs in a fresh sandbox with its market makers and trades: for 10 s, for a minute by
 * `npm run test:examples`, and longer until it has a fill.
 */

const RUN_MS = Number(process.env.EXAMPLE_SECONDS ?? 10) * 1000;
/** The sandbox trades several times a minute. */
const MAX_RUN_MS = 240_000;

const root = join(import.meta.dir, '../..');
const directory = temporaryDirectory();
let exchange: ExchangeProcess;
const lastPrices = new Map<string, number>();

beforeAll(async () => {
  exchange = await ExchangeProcess.start(directory.path, { BUTTONWOOD_MAKERS: 'on' });
  // Until the market makers quote both sides.
  const client = new Client({ baseUrl: exchange.baseUrl });
  for (let isQuoted = false; !isQuoted; ) {
    const { prices } = await client.getPrices();
    isQuoted = prices.every(({ bid, ask }) => bid !== null && ask !== null);
    for (const { symbol, price } of prices) lastPrices.set(symbol, price);
    if (!isQuoted) await Bun.sleep(100);
  }
}, MAX_RUN_MS);
afterAll(async () => {
  await exchange.stop();
  directory.remove();
});

const grid = (symbol: string) => {
  const last = lastPrices.get(symbol)!;
  return [symbol, `${last * 0.9985}`, `${last * 1.0015}`, '31', '0.01'];
};

test.concurrent.each([
  ['market-maker', 'alice', 'BTC', (symbol: string) => [symbol, '0.01', '1']],
  ['grid-bot', 'bob', 'BTC', grid],
  ['trailing-bid', 'bob', 'ETH', (symbol: string) => [symbol, '0.1', '0.0001']],
] as const)(
  '%s trades in a sandbox, and leaves no order behind',
  async (name, account, asset, toArguments) => {
    const symbol = `${asset}/USDT`;
    const credential = exchange.credential(account);
    const client = new Client({ baseUrl: exchange.baseUrl, ...credential });
    // A balance shows a fill at once, also while history is still being written.
    const total = async () => {
      const { balances } = await client.getBalances();
      return balances.find((balance) => balance.asset === asset)!.total;
    };
    const totalAtStart = await total();
    let hasTraded = false;
    const child = Bun.spawn([process.execPath, `examples/${name}.ts`, ...toArguments(symbol)], {
      cwd: root,
      env: {
        ...inherited(),
        BUTTONWOOD_URL: exchange.baseUrl,
        BUTTONWOOD_API_KEY: credential.apiKey,
        BUTTONWOOD_API_SECRET: credential.apiSecret,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const startMs = performance.now();
    const elapsedMs = () => performance.now() - startMs;
    while (elapsedMs() < RUN_MS || (!hasTraded && elapsedMs() < MAX_RUN_MS)) {
      await Bun.sleep(250);
      if (child.exitCode !== null) throw new Error(`it ended: ${await child.stderr.text()}`);
      hasTraded ||= (await total()) !== totalAtStart;
    }
    child.kill('SIGINT');
    const errors = await child.stderr.text();
    expect({ exitCode: await child.exited, hasTraded, errors }).toMatchObject({
      exitCode: 0,
      hasTraded: true,
    });
    const { orders } = await client.listOrders({ symbol, status: 'open' });
    expect(orders).toEqual([]);
    // A quote may be overtaken by the market, or the machine be busy with other tests; then it is rejected and placed
    // again. Nothing else goes wrong.
    for (const line of errors.split('\n').filter(Boolean))
      expect(line).toMatch(/^Post-only|overloaded/);
  },
  MAX_RUN_MS + 30_000,
);
