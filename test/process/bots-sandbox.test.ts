import { afterAll, beforeAll, expect, test } from 'bun:test';
import { delimiter, join } from 'node:path';
import { Client } from '../../src/client/index.ts';
import { describeWherePossible } from '../describe-where-possible.ts';
import { findPython } from '../python/python-packages.ts';
import { ExchangeProcess, temporaryDirectory } from './exchange-process.ts';
import { inherited } from './inherited.ts';

/**
 * Each trading example runs with its default arguments in a fresh sandbox with its market makers, and trades: for 10 s, for a
 * minute by `npm run test:examples`, and longer until it has a fill.
 */

const RUN_MS = Number(process.env.EXAMPLE_SECONDS ?? 10) * 1000;
/** The sandbox trades several times a minute. */
const MAX_RUN_MS = 240_000;

const root = join(import.meta.dir, '../..');
const directory = temporaryDirectory();
const tools = findPython(join(root, 'python/requirements-dev.txt'));
let exchange: ExchangeProcess;

beforeAll(async () => {
  exchange = await ExchangeProcess.start(directory.path, { BUTTONWOOD_MAKERS: 'on' });
  // Until the market makers quote both sides.
  const client = new Client({ baseUrl: exchange.baseUrl });
  for (let isQuoted = false; !isQuoted; ) {
    const { prices } = await client.getPrices();
    isQuoted = prices.every(({ bid, ask }) => bid !== null && ask !== null);
    if (!isQuoted) await Bun.sleep(100);
  }
}, MAX_RUN_MS);
afterAll(async () => {
  await exchange.stop();
  directory.remove();
});

/** Each bot has a market and an account, so that its fills and orders are not those of another bot. */
const BOTS = [
  ['market-maker', 'alice', 'BTC'],
  ['grid-bot', 'bob', 'BTC'],
  ['trailing-bid', 'bob', 'ETH'],
] as const;
const PYTHON_BOTS = [
  ['market_maker', 'alice', 'ETH'],
  ['grid_bot', 'bob', 'SOL'],
  ['trailing_bid', 'alice', 'SOL'],
] as const;

/** Expects that a program trades, and that it leaves no order behind after Ctrl-C. */
async function expectTrades(
  account: string,
  asset: string,
  program: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const symbol = `${asset}/USDT`;
  const credential = exchange.credential(account);
  const client = new Client({ baseUrl: exchange.baseUrl, ...credential });
  // A balance shows a fill at once.
  const total = async () => {
    const { balances } = await client.getBalances();
    return balances.find((balance) => balance.asset === asset)!.total;
  };
  const totalAtStart = await total();
  let hasTraded = false;
  const child = Bun.spawn([...program, symbol], {
    cwd: root,
    env: {
      ...inherited(),
      ...env,
      BUTTONWOOD_URL: exchange.baseUrl,
      API_KEY: credential.apiKey,
      API_SECRET: credential.apiSecret,
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
}

test.concurrent.each(BOTS)(
  '%s trades in a sandbox, and leaves no order behind',
  (name, account, asset) => expectTrades(account, asset, [process.execPath, `examples/${name}.ts`]),
  MAX_RUN_MS + 30_000,
);

const problem = typeof tools === 'string' ? tools : undefined;
describeWherePossible('the examples in Python', problem, 'install python3 with pip', () => {
  test.concurrent.each(PYTHON_BOTS)(
    '%s trades in a sandbox, and leaves no order behind',
    (name, account, asset) => {
      if (typeof tools === 'string') throw new Error(tools);
      const env = {
        PYTHONPATH: [join(root, 'python/src'), tools.packages].join(delimiter),
        PYTHONDONTWRITEBYTECODE: '1',
      };
      return expectTrades(account, asset, [tools.python, `python/examples/${name}.py`], env);
    },
    MAX_RUN_MS + 30_000,
  );
});
