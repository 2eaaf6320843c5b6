import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { TestExchange } from './exchange.ts';

/**
 * The suites of orders, which send requests that have an operation as operations over a socket. `npm run test:long` runs
 * all of them.
 */
const QUICK = ['place-order', 'oco', 'amend-order', 'batch', 'cancel-order', 'cancel-orders'];
const LONG = [
  ...['order-terms', 'order-record', 'exactness', 'stop-orders', 'brackets', 'amend-stop'],
  ...['cancel-after', 'get-order', 'client-order-id', 'idempotency', 'insufficient-balance'],
  ...['disk-full', 'portions', 'order-list', 'order-fills'],
];
const SUITES = process.env.SOCKET_SUITES === 'all' ? [...QUICK, ...LONG] : QUICK;

test('the suites of orders succeed over sockets', async () => {
  const files = SUITES.map((name) => join(import.meta.dir, `${name}.test.ts`));
  const child = Bun.spawn([process.execPath, 'test', '--timeout=60000', ...files], {
    env: { ...process.env, TEST_TRANSPORT: 'socket' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const output = await new Response(child.stderr).text();
  const failed = output.split('\n').filter((line) => line.startsWith('(fail)'));
  expect({ failed, exitCode: await child.exited, output: failed.length > 0 ? output : '' }).toEqual(
    {
      failed: [],
      exitCode: 0,
      output: '',
    },
  );
  expect(Number(/^ *(\d+) pass$/m.exec(output)?.[1])).toBeGreaterThan(SUITES === QUICK ? 100 : 300);
});

test('a request with an operation is not sent over HTTP then', async () => {
  process.env.TEST_TRANSPORT = 'socket';
  try {
    const exchange = await TestExchange.open();
    exchange.gateway.fetch = () => {
      throw new Error('over HTTP');
    };
    const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 45_000 };
    expect((await exchange.place('alice', order)).data.status).toBe('open');
    const { status } = await exchange.send('alice', 'GET', '/api/orders?status=open');
    expect(status).toBe(200);
    await exchange.close();
  } finally {
    delete process.env.TEST_TRANSPORT;
  }
});
