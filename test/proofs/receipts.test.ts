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

test('an order over a WebSocket connection has a receipt too', async () => {
  const params = { ...ORDER, price: 30004, returnReceipt: true };
  const { data: order } = await operate({ op: 'order.place', params });
  expect(order.receipt!.position).toBe((await alice.getLogHead()).position);
  const sound = await verify(write('socket.json', order));
  expect(sound).toMatchObject({ exitCode: 0, error: '' });
  const { data: plain } = await operate({ op: 'order.place', params: { ...ORDER, price: 30005 } });
  expect('receipt' in plain).toBe(false);
});

test('returnReceipt must be a boolean', async () => {
  const wrong = { ...ORDER, returnReceipt: 'yes' as unknown as boolean };
  await expect(alice.placeOrder(wrong)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
});
