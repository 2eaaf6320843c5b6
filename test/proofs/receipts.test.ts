import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, type Order } from '../../src/client/index.ts';
import { runForTest } from '../../src/testing/test-cli.ts';
import { temporaryDirectory } from '../process/exchange-process.ts';
import { MainProcess } from '../process/main-process.ts';

/** Receipts of orders of a running exchange, checked against its log. */

setDefaultTimeout(120_000);

const parent = temporaryDirectory();
const data = join(parent.path, 'data');
let node: MainProcess;
let alice: Client;
let url: string;
let credentials: { apiKey: string; apiSecret: string };

beforeAll(async () => {
  const env = { BUTTONWOOD_DATA: data, BUTTONWOOD_MAKERS: 'off', BUTTONWOOD_RATE_LIMITS: 'off' };
  node = MainProcess.start(['start'], env);
  const baseUrl = await node.serving();
  const { accounts } = JSON.parse(readFileSync(join(data, 'sandbox.json'), 'utf8'));
  const { apiKey, apiSecret } = accounts.find((each: { name: string }) => each.name === 'alice');
  url = baseUrl;
  credentials = { apiKey, apiSecret };
  alice = new Client({ baseUrl, ...credentials });
});
afterAll(async () => {
  node.signal('SIGKILL');
  await node.ended();
  parent.remove();
});

const ORDER = {
  symbol: 'BTC/USDT',
  side: 'buy',
  type: 'limit',
  amount: 0.1,
  price: 30000,
} as const;

function write(name: string, order: unknown): string {
  const path = join(parent.path, name);
  writeFileSync(path, JSON.stringify(order));
  return path;
}

async function verify(...files: string[]) {
  return runForTest(['verify-receipt', ...files, '--data', data]);
}

test('receipts are in the log, in the sequence of the orders; those that were changed are not', async () => {
  const first = await alice.placeOrder({ ...ORDER, returnReceipt: true, returnFills: true });
  const { results } = await alice.placeOrders({
    orders: [
      { ...ORDER, price: 30001, returnReceipt: true },
      { ...ORDER, price: 30002 },
      { ...ORDER, price: 30003, returnReceipt: true, clientOrderId: 'third' },
    ],
  });
  const [second, plain, third] = results.map((each) => (each as { data: Order }).data);
  expect(first.fills).toEqual([]);
  expect('receipt' in plain!).toBe(false);
  expect(second!.receipt!.position).toBe(third!.receipt!.position);
  expect(third!.receipt!.index).toBe(second!.receipt!.index + 2);
  const head = await alice.getLogHead();
  expect(head.position).toBe(third!.receipt!.position);
  expect(head.logHash).toBe(third!.receipt!.logHash);
  const repeated = await alice.placeOrder({
    ...ORDER,
    price: 30003,
    clientOrderId: 'third',
    returnReceipt: true,
  });
  expect(repeated.orderId).toBe(third!.orderId);
  expect(repeated.receipt).toBeNull();

  const files = [write('third.json', third), write('first.json', { success: true, data: first })];
  const sound = await verify(...files, write('second.json', second));
  expect(sound).toMatchObject({ exitCode: 0, error: '' });
  const places = [first, second!, third!].map(({ orderId }) => sound.out.indexOf(` ${orderId} `));
  expect(places).toEqual([...places].sort((one, other) => one - other));
  const { receipt } = second!;
  const changes: [object, string][] = [
    [{ receipt: { ...receipt!, logHash: '0'.repeat(64) } }, 'has the chain hash'],
    [{ receipt: { ...receipt!, index: receipt!.index + 1 } }, 'orderId is'],
    [{ receipt: { ...receipt!, index: 99 } }, 'no such command'],
    [{ receipt: { ...receipt!, position: receipt!.position + 1000 } }, 'There is no batch'],
    [{ receipt: { ...receipt!, position: 1 } }, 'has the chain hash'],
    [{ receipt: { ...receipt!, timestamp: '2026-01-05T12:00:00.000Z' } }, 'is of'],
    [{ receipt: null }, 'no order with a receipt'],
    [{ amount: 0.2 }, 'amount is 0.1'],
    [{ side: 'sell' }, 'side is buy'],
    [{ orderId: '999' }, 'orderId is'],
    [{ clientOrderId: 'other' }, 'clientOrderId is'],
  ];
  for (const [change, reason] of changes) {
    const { exitCode, error } = await verify(write('changed.json', { ...second, ...change }));
    expect({ change, exitCode, error }).toEqual({
      change,
      exitCode: 1,
      error: expect.stringContaining(reason),
    });
  }
});

/** Sends an operation over `/ws` and returns its response. */
function operate(request: object): Promise<{ data: Order }> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`);
  return new Promise<{ data: Order }>((resolve, reject) => {
    socket.onopen = () => socket.send(JSON.stringify({ op: 'auth', ...credentials }));
    socket.onerror = () => reject(new Error('The connection failed.'));
    socket.onclose = () => reject(new Error('The connection was closed.'));
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(String(data));
      if (message.op === 'authenticated') socket.send(JSON.stringify({ id: 1, ...request }));
      else resolve(message);
    };
  }).finally(() => socket.close());
}

test('a file that is cut at any byte, or has no order, names what is wrong with it', async () => {
  const placed = await alice.placeOrder({ ...ORDER, price: 26_000, returnReceipt: true });
  const text = JSON.stringify({ success: true, data: placed });
  const path = write('cut.json', placed);
  const findError = async (content: string) => {
    writeFileSync(path, content);
    const { exitCode, error } = await verify(path);
    return { exitCode, error: error.replaceAll(path, 'FILE') };
  };
  expect(await findError(text)).toEqual({ exitCode: 0, error: '' });
  for (let end = 0; end < text.length; end++) {
    const error = expect.stringContaining('FILE is no JSON. Save the whole response again.');
    expect({ end, ...(await findError(text.slice(0, end))) }).toEqual({ end, exitCode: 1, error });
  }
  const others: [unknown, string][] = [
    [{ orders: [] }, 'No order in FILE has a receipt.'],
    [{ results: [] }, 'No order in FILE has a receipt.'],
    [{ results: [null, 1, 'receipt', []] }, 'No order in FILE has a receipt.'],
    [{ orders: [null] }, 'FILE is no order with a receipt'],
    [{ results: [{ success: true, data: null }] }, 'No order in FILE has a receipt.'],
    [null, 'FILE is no order with a receipt'],
    [[placed], 'FILE is no order with a receipt'],
  ];
  for (const [value, reason] of others) {
    const error = expect.stringContaining(reason);
    expect(await findError(JSON.stringify(value))).toEqual({ exitCode: 1, error });
  }
});

test('an order over a WebSocket connection has a receipt too', async () => {
  const params = { ...ORDER, price: 30004, returnReceipt: true };
  const { data: order } = await operate({ op: 'order.place', params });
  expect(order.receipt!.position).toBe((await alice.getLogHead()).position);
  const sound = await verify(write('socket.json', order));
  expect(sound).toMatchObject({ exitCode: 0, error: '' });
  const { data: plain } = await operate({ op: 'order.place', params: { ...ORDER, price: 30005 } });
  expect('receipt' in plain).toBe(false);
});

test('changes, cancellations, OCO orders and batches have receipts, in the sequence of their execution', async () => {
  const { results } = await alice.placeOrders({
    orders: [
      { ...ORDER, price: 29001, returnReceipt: true },
      { ...ORDER, price: 29002 },
      { ...ORDER, price: 29003, returnReceipt: true },
    ],
  });
  const [placed, plain] = results.map((each) => (each as { data: Order }).data);
  const amended = await alice.amendOrder({
    id: placed!.orderId,
    amount: 0.05,
    returnReceipt: true,
  });
  const oco = await alice.placePair({
    symbol: 'BTC/USDT',
    side: 'sell',
    amount: 0.01,
    takeProfit: { price: 900_000 },
    stopLoss: { triggerPrice: 1000 },
    returnReceipt: true,
  });
  const canceled = await alice.cancelOrder({ id: placed!.orderId, returnReceipt: 'true' });
  expect(amended.receipt!.position).toBeGreaterThan(placed!.receipt!.position);
  expect(oco.orders.map(({ receipt }) => receipt)).toEqual(
    Array(2).fill({ ...oco.orders[0]!.receipt! }),
  );
  const head = await alice.getLogHead();
  expect(canceled).toMatchObject({ status: 'canceled', amount: 0.05 });
  expect(canceled.receipt).toMatchObject({ position: head.position, logHash: head.logHash });
  expect('receipt' in (await alice.cancelOrder({ id: plain!.orderId }))).toBe(false);
  const sound = await verify(
    write('canceled.json', canceled),
    write('oco.json', { success: true, data: oco }),
    write('amended.json', amended),
    write('batch.json', { success: true, data: { results } }),
  );
  expect(sound).toMatchObject({ exitCode: 0, error: '' });
  const actions = sound.out.match(/(?<=Z +)(placed|amended|canceled)/g);
  expect(actions).toEqual(['placed', 'placed', 'amended', 'placed', 'placed', 'canceled']);

  const { receipt } = canceled;
  const wrong: [object, string][] = [
    [{ ...canceled, receipt: amended.receipt }, 'status is open'],
    [{ ...placed, receipt }, 'amount is 0.05'],
    [{ ...canceled, filled: 0.01 }, 'filled is 0'],
    [{ orders: [oco.orders[0]!, { ...oco.orders[1]!, side: 'buy' }] }, 'side is sell'],
    [{ results: [{ success: true, data: plain }] }, 'No order in'],
    [{ ...canceled, receipt: { ...receipt!, index: receipt!.index + 1 } }, 'no such command'],
  ];
  for (const [data, reason] of wrong) {
    const { exitCode, error } = await verify(write('wrong.json', data));
    expect({ exitCode, error }).toEqual({ exitCode: 1, error: expect.stringContaining(reason) });
  }
});

test('a change and a cancellation over a WebSocket connection have receipts too', async () => {
  const { orderId } = await alice.placeOrder({ ...ORDER, price: 28000 });
  const change = { orderId, price: 28001, returnReceipt: true };
  const { data: amended } = await operate({ op: 'order.amend', params: change });
  const { data: canceled } = await operate({
    op: 'order.cancel',
    params: { orderId, returnReceipt: true },
  });
  expect(canceled.receipt!.position).toBeGreaterThan(amended.receipt!.position);
  const sound = await verify(write('ws-cancel.json', canceled), write('ws-amend.json', amended));
  expect(sound).toMatchObject({ exitCode: 0, error: '' });
});

test('returnReceipt alone changes nothing, and a wrong one is rejected before anything happens', async () => {
  const { orderId } = await alice.placeOrder({ ...ORDER, price: 27000 });
  const alone = alice.amendOrder({ id: orderId, returnReceipt: true } as never);
  await expect(alone).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  const wrong = alice.amendOrder({ id: orderId, amount: 0.2, returnReceipt: 'yes' } as never);
  await expect(wrong).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    details: { field: 'returnReceipt' },
  });
  const wrongly = alice.cancelOrder({ id: orderId, returnReceipt: 'yes' } as never);
  await expect(wrongly).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    details: { field: 'returnReceipt' },
  });
  expect(await alice.getOrder({ id: orderId })).toMatchObject({ status: 'open', amount: 0.1 });
});

test('returnReceipt must be a boolean', async () => {
  const wrong = { ...ORDER, returnReceipt: 'yes' as unknown as boolean };
  await expect(alice.placeOrder(wrong)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
});
