import { Database } from 'bun:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Client, Streams } from '../../src/client/index.ts';
import { HISTORY_MINUTES } from '../../src/sandbox/makers/seeded-trading.ts';
import { runForTest } from '../../src/testing/test-cli.ts';
import { ExchangeProcess, temporaryDirectory } from './exchange-process.ts';
import { MainProcess } from './main-process.ts';

// The default sandbox, with market makers and random flow.

const LIVING = { BUTTONWOOD_MAKERS: 'on', BUTTONWOOD_RATE_LIMITS: 'spec' };
/** Time of reads with busy cores; `SANDBOX_SECONDS` sets another. */
const BUSY_MS = Number(process.env.SANDBOX_SECONDS ?? 10) * 1000;
const QUIET = { BUTTONWOOD_MAKERS: 'off' };
const SYMBOL = 'BTC/USDT';

const parent = temporaryDirectory();
let directories = 0;
const newDirectory = () => join(parent.path, `${directories++}`);
let directory: string;
let exchange: ExchangeProcess | undefined;

beforeEach(() => {
  directory = newDirectory();
});
afterEach(async () => {
  await exchange?.kill();
  exchange = undefined;
});
afterAll(() => parent.remove());

/** Returns the number of batches of the log that are in history. */
function writtenBatches(): number {
  const history = new Database(join(directory, 'history.sqlite'), { readonly: true });
  const [row] = history.query('SELECT sequence FROM position').values() as [[bigint | number]];
  history.close();
  return Number(row[0]);
}

async function start(env: Record<string, string>): Promise<ExchangeProcess> {
  exchange = await ExchangeProcess.start(directory, env);
  return exchange;
}

function makeClient({ baseUrl, credentials }: ExchangeProcess, name: string): Client {
  return new Client({ baseUrl, ...credentials.find((each) => each.name === name)! });
}

/** Returns best bid and ask, once the market makers quote. */
async function quoted(
  { baseUrl }: ExchangeProcess,
  symbol = SYMBOL,
  least = 100_000,
): Promise<readonly [number, number]> {
  const streams = new Streams({ baseUrl });
  try {
    return await new Promise((resolve, reject) => {
      streams
        .subscribe({ channel: 'prices', symbol }, ({ data: { bid, ask } }) => {
          if (bid !== null && ask !== null && bid > least) resolve([bid, ask]);
        })
        .catch(reject);
    });
  } finally {
    streams.close();
  }
}

test('the first start has thirty days of history, in candles of every interval, and the books balance', async () => {
  const living = await start(LIVING);
  const client = new Client({ baseUrl: living.baseUrl });
  for (const interval of ['1m', '5m', '15m', '30m', '1h', '4h', '1d'] as const) {
    const { candles } = await client.getCandles({ symbol: SYMBOL, interval, limit: 25 });
    expect(candles.length).toBe(25);
    expect(candles.every(({ low }) => low > 100_000)).toBe(true);
    // Some minutes have no trade, and the last one has only begun.
    expect(candles.filter(({ volume }) => volume > 0).length).toBeGreaterThan(21);
  }
  const { prices } = await client.getPrices();
  expect(prices.every(({ baseVolume, high, low }) => baseVolume > 0 && high! > low!)).toBe(true);
  const { balances } = await makeClient(living, 'alice').getBalances();
  expect(balances.map(({ asset, total }) => [asset, total])).toEqual([
    ['USDT', 1_000_000],
    ['BTC', 100],
    ['ETH', 2_000],
    ['SOL', 20_000],
  ]);
  await living.stop();
  const env = { BUTTONWOOD_DATA: directory };
  expect(await runForTest(['verify'], env)).toMatchObject({ exitCode: 0 });
}, 90_000);

test('reads of history are answered from the first one, also while all cores are busy', async () => {
  const loop = [process.execPath, '-e', 'for (;;);'];
  const busy = Array.from({ length: availableParallelism() }, () => Bun.spawn(loop));
  try {
    const living = await start({ ...LIVING, BUTTONWOOD_RATE_LIMITS: 'off' });
    // A batch for each minute, and more.
    expect(writtenBatches()).toBeGreaterThan(HISTORY_MINUTES);
    const alice = living.credential('alice');
    const paths = [
      ...[`/api/candles?symbol=${SYMBOL}&interval=1m`, `/api/trades?symbol=${SYMBOL}&fromId=1`],
      ...['/api/orders', '/api/fills', '/api/orders?clientOrderId=none'],
    ];
    const statuses: Record<string, number> = {};
    const until = performance.now() + BUSY_MS;
    while (performance.now() < until) {
      const answers = await Promise.all(paths.map((path) => living.send(alice, 'GET', path)));
      answers.forEach(({ status }, index) => {
        const key = `${status} ${paths[index]}`;
        statuses[key] = (statuses[key] ?? 0) + 1;
      });
      await Bun.sleep(100);
    }
    expect(Object.keys(statuses).sort()).toEqual(paths.map((path) => `200 ${path}`).sort());
  } finally {
    for (const each of busy) each.kill('SIGKILL');
  }
}, 180_000);

describe('a sandbox created without makers has no history, and gets its traders later', () => {
  const begun = newDirectory();
  beforeAll(async () => {
    await (await ExchangeProcess.start(begun, QUIET)).stop();
  });
  beforeEach(() => {
    directory = begun;
  });

  test('an order inside the spread fills, one far away rests, and no other account pays for it', async () => {
    const living = await start(LIVING);
    const [bid, ask] = await quoted(living);
    expect(ask).toBeGreaterThan(bid + 0.02);
    const alice = makeClient(living, 'alice');
    const far = await alice.placeOrder({
      symbol: SYMBOL,
      side: 'buy',
      type: 'limit',
      amount: 0.01,
      price: 95_000,
    });
    const streams = new Streams({ baseUrl: living.baseUrl, ...living.credential('alice') });
    let filled = Promise.withResolvers<string>();
    await streams.subscribe({ channel: 'orders' }, ({ data }) => {
      const done = data.orders.find(({ status }) => status === 'filled');
      if (done !== undefined) filled.resolve(done.orderId);
    });
    const inside = await alice.placeOrder({
      symbol: SYMBOL,
      side: 'buy',
      type: 'limit',
      amount: 0.01,
      price: (bid + 0.01).toFixed(2),
    });
    expect(await filled.promise).toBe(inside.orderId);
    const [coinBid] = await quoted(living, 'ETH/BTC', 0.04);
    filled = Promise.withResolvers();
    // Barely worth the minimum notional: rounded to four decimals the remainder is worth less.
    const tiny = await alice.placeOrder({
      symbol: 'ETH/BTC',
      side: 'buy',
      type: 'limit',
      amount: 0.00024,
      price: (coinBid + 0.00001).toFixed(5),
    });
    expect(await filled.promise).toBe(tiny.orderId);
    streams.close();
    expect((await alice.getOrder({ id: far.orderId })).status).toBe('open');
    await alice.cancelOrder({ id: far.orderId });
    const time = await fetch(`${living.baseUrl}/api/orderbook?symbol=${SYMBOL}`);
    expect(time.headers.get('x-ratelimit-remaining')).toBe('99');
    const { output } = await living.stop();
    expect(output).not.toContain('makers have failed');
    expect(output).not.toContain('refuses a request');
    exchange = undefined;
  }, 60_000);

  test.each(['SIGKILL', 'SIGTERM'] as const)(
    '%s leaves no quote of the market makers in the book',
    async (signal) => {
      const living = await start(LIVING);
      await quoted(living);
      if (signal === 'SIGKILL') await living.kill();
      else expect((await living.stop()).exitCode).toBe(0);
      const after = await start(QUIET);
      const { bids, asks } = await new Client({ baseUrl: after.baseUrl }).getOrderbook({
        symbol: SYMBOL,
      });
      expect({ bids, asks }).toEqual({ bids: [], asks: [] });
    },
    60_000,
  );
});

test('an interrupted setup starts again', async () => {
  const env = { BUTTONWOOD_DATA: directory };
  const broken = MainProcess.start(['start'], { ...env, BUTTONWOOD_MAKERS: 'on' });
  while (!existsSync(join(directory, 'beginning'))) await Bun.sleep(5);
  broken.signal('SIGKILL');
  await broken.ended();
  const quiet = await start(QUIET);
  const { trades } = await new Client({ baseUrl: quiet.baseUrl }).getTrades({ symbol: SYMBOL });
  expect(trades).toEqual([]);
  expect(existsSync(join(directory, 'beginning'))).toBe(false);
  expect(readFileSync(join(directory, 'sandbox.json'), 'utf8')).toContain('alice');
}, 60_000);
