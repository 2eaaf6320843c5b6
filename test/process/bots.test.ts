import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { join } from 'node:path';
import { Client } from '../../src/client/index.ts';
import { ExchangeProcess, temporaryDirectory } from './exchange-process.ts';
import { inherited } from './inherited.ts';

/** Tests the bots of examples/ as programs against a real exchange. */

setDefaultTimeout(60_000);

const root = join(import.meta.dir, '../..');
const directory = temporaryDirectory();
let exchange: ExchangeProcess;
let alice: Client<true>;
let bob: Client<true>;
let bot: Bot | undefined;

beforeAll(async () => {
  exchange = await ExchangeProcess.start(directory.path);
  const makeClient = (name: string) =>
    new Client({ baseUrl: exchange.baseUrl, ...exchange.credential(name), exactNumbers: true });
  [alice, bob] = [makeClient('alice'), makeClient('bob')];
});
afterAll(async () => {
  await exchange.stop();
  directory.remove();
});
afterEach(() => bot?.kill());

/** An example in a process, with alice's key. */
class Bot {
  private readonly child: Bun.Subprocess<'ignore', 'pipe', 'inherit'>;
  private readonly lines: AsyncIterator<string>;

  constructor(name: string, args: readonly string[], env: Record<string, string> = {}) {
    this.child = Bun.spawn([process.execPath, `examples/${name}.ts`, ...args], {
      cwd: root,
      env: { ...inherited(), BUTTONWOOD_DATA: directory.path, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.lines = readLines(this.child.stdout);
  }

  /** Returns the next line that it prints. @throws Error if it ends before. */
  async line(): Promise<string> {
    const { value, done } = await this.lines.next();
    if (done) throw new Error('it ended');
    return value;
  }

  async rest(): Promise<string[]> {
    const rest: string[] = [];
    for (let next = await this.lines.next(); !next.done; next = await this.lines.next()) {
      rest.push(next.value);
    }
    return rest;
  }

  /** Stops it as Ctrl-C does. */
  async interrupt(): Promise<number> {
    // A terminal signals both the program and its launcher.
    this.child.kill('SIGINT');
    this.child.kill('SIGINT');
    return this.child.exited;
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.child.exited;
  }
}

async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of stream) {
    text += decoder.decode(bytes, { stream: true });
    const lines = text.split('\n');
    text = lines.pop()!;
    yield* lines;
  }
}

async function openOrders() {
  const { orders } = await alice.listOrders({ status: 'open', sort: 'asc' });
  return orders;
}

const take = (symbol: string, side: 'buy' | 'sell', amount: string) =>
  bob.placeOrder({ symbol, side, type: 'market', amount });

test('the portfolio is worth the sum of its parts, to the last digit', async () => {
  const { apiKey, apiSecret } = exchange.credential('alice');
  bot = new Bot('portfolio', ['USDT'], {
    BUTTONWOOD_DATA: '/nowhere',
    BUTTONWOOD_URL: exchange.baseUrl,
    API_KEY: apiKey,
    API_SECRET: apiSecret,
  });
  const lines = await bot.rest();
  const { balances } = await alice.getBalances();
  const { prices } = await alice.getPrices();
  expect(lines).toHaveLength(balances.length + 2);
  const SCALE = 10n ** 20n;
  const units = (text: string) => {
    const [whole, fraction = ''] = text.split('.');
    return BigInt(whole!) * SCALE + BigInt(fraction.padEnd(20, '0'));
  };
  let sum = 0n;
  for (const [index, { asset, total, available, held }] of balances.entries()) {
    const price = prices.find(({ symbol }) => symbol === `${asset}/USDT`)?.price ?? '1';
    const cells = lines[index + 1]!.trim().split(/\s+/);
    expect(cells.slice(0, 5)).toEqual([asset, total, available, held, price]);
    expect(units(cells[5]!)).toBe((units(total) * units(price)) / SCALE);
    sum += units(cells[5]!);
  }
  expect(units(lines.at(-1)!.trim().split(/\s+/)[1]!)).toBe(sum);
});

test('the portfolio converts through one market or two', async () => {
  bot = new Bot('portfolio', ['BTC']);
  const lines = await bot.rest();
  const { balances } = await alice.getBalances();
  const { prices } = await alice.getPrices();
  const price = (symbol: string) => Number(prices.find((one) => one.symbol === symbol)!.price);
  const inBitcoin: Record<string, number> = {
    BTC: 1,
    ETH: price('ETH/BTC'),
    SOL: price('SOL/USDT') / price('BTC/USDT'),
    USDT: 1 / price('BTC/USDT'),
  };
  let sum = 0;
  for (const [index, { asset, total }] of balances.entries()) {
    const cells = lines[index + 1]!.trim().split(/\s+/);
    expect(Number(cells[4])).toBeCloseTo(inBitcoin[asset]!, 12);
    expect(Number(cells[5]) / (Number(total) * inBitcoin[asset]!)).toBeCloseTo(1, 12);
    sum += Number(cells[5]);
  }
  expect(balances).toHaveLength(4);
  expect(lines).toHaveLength(balances.length + 2);
  expect(Number(lines.at(-1)!.trim().split(/\s+/)[1])).toBeCloseTo(sum, 8);
});

test('the portfolio reports what it cannot convert, and possible currencies', async () => {
  const amount = (asset: string) => ({ asset, total: 2, available: 2, held: 0 });
  const answers: Record<string, object> = {
    '/api/portfolio/balances': { balances: ['A', 'B', 'C', 'D'].map(amount) },
    '/api/prices': {
      prices: [
        { symbol: 'A/B', price: 3 },
        { symbol: 'C/B', price: 7 },
        { symbol: 'D/E', price: 1 },
      ],
    },
  };
  const standIn = Bun.serve({
    port: 0,
    fetch: ({ url }) => Response.json({ success: true, data: answers[new URL(url).pathname] }),
  });
  const run = async (currency: string) => {
    const child = Bun.spawn([process.execPath, 'examples/portfolio.ts', currency], {
      cwd: root,
      env: {
        ...inherited(),
        BUTTONWOOD_URL: standIn.url.origin,
        API_KEY: 'k',
        API_SECRET: 's',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const texts = [child.stdout, child.stderr].map((stream) => new Response(stream).text());
    const [output, errors] = (await Promise.all(texts)) as [string, string];
    return { output: output.trimEnd().split('\n'), errors, exitCode: await child.exited };
  };
  const { output, exitCode } = await run('C');
  await expect(run('XXX')).resolves.toEqual({
    output: [''],
    errors: 'No market has XXX. Use one of A, B, C, D, E.\n',
    exitCode: 1,
  });
  await standIn.stop(true);
  expect(exitCode).toBe(0);
  expect(output.slice(1).map((line) => line.trim().split(/ {2,}/))).toEqual([
    ['A', '2', '2', '0', '0.4285714285714285714285', '0.8571428571428571428571'],
    ['B', '2', '2', '0', '0.1428571428571428571428', '0.2857142857142857142857'],
    ['C', '2', '2', '0', '1', '2'],
    ['D', '2', '2', '0', 'no price'],
    ['total', '3.1428571428571428571428'],
    ['Not included, because no market has a price in C: D.'],
  ]);
});

test('the market maker quotes both sides, again after a fill, and cancels all at the end', async () => {
  const symbol = 'ETH/USDT';
  const mine = await alice.placeOrder({
    symbol,
    side: 'buy',
    type: 'limit',
    amount: 1,
    price: 4000,
  });
  bot = new Bot('market-maker', [symbol, '0.5', '0.05']);
  const quoted = (await bot.line()).split(' / ') as [string, string];
  const { bids, asks } = await alice.getOrderbook({ symbol });
  expect([bids[0], asks[0]]).toEqual([
    [quoted[0], '0.5'],
    [quoted[1], '0.5'],
  ]);
  expect(Number(quoted[0])).toBeWithin(5200 * 0.996, 5200);
  expect(Number(quoted[1])).toBeWithin(5200 * 0.999, 5200 * 1.004);
  const { armed } = await alice.cancelAfter({ timeout: 0, symbol: 'SOL/USDT' });
  expect(armed).toMatchObject([{ symbol }]);

  await take(symbol, 'sell', '0.2');
  const requoted = (await bot.line()).split(' / ') as [string, string];
  const quotes = (await openOrders()).filter(({ orderId }) => orderId !== mine.orderId);
  expect(quotes).toMatchObject([
    { side: 'buy', price: requoted[0], remaining: '0.5', postOnly: true },
    { side: 'sell', price: requoted[1], remaining: '0.5', postOnly: true },
  ]);

  expect(await bot.interrupt()).toBe(0);
  expect(await openOrders()).toMatchObject([{ orderId: mine.orderId }]);
  expect((await alice.cancelAfter({ timeout: 0, symbol: 'SOL/USDT' })).armed).toEqual([]);
  await alice.cancelOrder({ id: mine.orderId });
});

test('the grid bot places the opposite order one level further after a fill', async () => {
  const symbol = 'SOL/USDT';
  const mine = await alice.placeOrder({
    symbol,
    side: 'buy',
    type: 'limit',
    amount: 1,
    price: 100,
  });
  bot = new Bot('grid-bot', [symbol, '240', '280', '5', '2']);
  const placed = [await bot.line(), await bot.line(), await bot.line(), await bot.line()];
  expect(placed).toEqual(
    ['buy at 240', 'buy at 250', 'sell at 270', 'sell at 280'].map((text) => `${text} placed`),
  );
  const prices = async () => (await openOrders()).map(({ side, price }) => `${side} ${price}`);
  await take(symbol, 'sell', '1');
  await take(symbol, 'sell', '1');
  expect(await bot.line()).toBe('buy at 250 filled');
  expect(await bot.line()).toBe('sell at 260 placed');
  expect(await prices()).toEqual(['buy 100', 'buy 240', 'sell 270', 'sell 280', 'sell 260']);
  await take(symbol, 'buy', '2');
  expect(await bot.line()).toBe('sell at 260 filled');
  expect(await bot.line()).toBe('buy at 250 placed');
  expect(await prices()).toEqual(['buy 100', 'buy 240', 'sell 270', 'sell 280', 'buy 250']);

  // More than a page of other orders precedes its own.
  for (let count = 0; count < 1005; count += 15) {
    const orders = Array.from({ length: 15 }, (_, index) => ({
      ...({ symbol, side: 'buy', type: 'limit', amount: 0.01, price: 100 } as const),
      clientOrderId: `grid-more-${count + index}`,
    }));
    await alice.placeOrders({ orders });
  }
  expect(await bot.interrupt()).toBe(0);
  expect(await openOrders()).toMatchObject([{ orderId: mine.orderId }]);
  await alice.cancelOrder({ id: mine.orderId });
});

test('the trailing bid follows the last price over a socket, and places again after a fill', async () => {
  const symbol = 'ETH/BTC';
  const trade = async (price: string) => {
    await alice.placeOrder({ symbol, side: 'sell', type: 'limit', amount: '0.1', price });
    await take(symbol, 'buy', '0.1');
  };
  await trade('0.05');
  bot = new Bot('trailing-bid', [symbol, '0.3', '0.1']);
  expect(await bot.line()).toMatch(/^placed at 0\.045 in \d+ ms$/);
  await trade('0.06');
  expect(await bot.line()).toMatch(/^amended to 0\.054 in \d+ ms$/);
  expect(await openOrders()).toMatchObject([{ symbol, price: '0.054', amount: '0.3' }]);
  await take(symbol, 'sell', '0.3');
  expect(await bot.line()).toMatch(/^placed at 0\.0486 in \d+ ms$/);
  expect(await openOrders()).toMatchObject([{ price: '0.0486', amount: '0.3', filled: '0' }]);
  expect(await bot.interrupt()).toBe(0);
  expect(await openOrders()).toEqual([]);
});
