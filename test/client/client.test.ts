import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { ApiRequestError, Client } from '../../src/client/index.ts';
import { DOCUMENT } from '../http/described.ts';
import { ExchangeProcess, temporaryDirectory } from '../process/exchange-process.ts';

/** Tests of the client's methods and exact numbers against an exchange. */

const directory = temporaryDirectory();
let exchange: ExchangeProcess;
let options: { baseUrl: string; apiKey: string; apiSecret: string };
let exact: Client<true>;

beforeAll(async () => {
  exchange = await ExchangeProcess.start(directory.path);
  options = clientOptions('alice');
});
afterAll(async () => {
  await exchange.stop();
  directory.remove();
});

function clientOptions(name: string) {
  const { apiKey, apiSecret } = exchange.credential(name);
  return { baseUrl: exchange.baseUrl, apiKey, apiSecret };
}

beforeEach(async () => {
  exact = new Client({ ...options, exactNumbers: true });
  await exact.cancelOrders({ all: 'true' });
});

const ORDER = { symbol: 'BTC/USDT', side: 'buy', type: 'limit' } as const;

test('has a method for every endpoint', () => {
  const operations = Object.values(DOCUMENT.paths).flatMap((path) => Object.values(path as object));
  expect(operations.length).toBeGreaterThan(40);
  for (const { operationId } of operations) expect(exact).toHaveProperty(operationId);
});

test('round-trips every digit', async () => {
  const placed = await exact.placeOrder({ ...ORDER, amount: '0.12345678', price: '40000.10' });
  expect([placed.amount, placed.price, placed.filled]).toEqual(['0.12345678', '40000.1', '0']);
  const { orders } = await exact.listOrders({ status: 'open', limit: 1 });
  expect(orders).toEqual([placed]);
  const { bids, sequence } = await exact.getOrderbook({ symbol: 'BTC/USDT', depth: 5 });
  expect(bids).toEqual([['40000.1', '0.12345678']]);
  expect(sequence).toBeNumber();
});

test('responses have doubles unless exact numbers are requested', async () => {
  const client = new Client(options);
  const placed = await client.placeOrder({ ...ORDER, amount: 0.5, price: '40000.10' });
  const amount: number = placed.amount;
  expect([amount, placed.price]).toEqual([0.5, 40000.1]);
});

test('times are texts or milliseconds', async () => {
  const { orderId, timestamp } = await exact.placeOrder({ ...ORDER, amount: 1, price: 40000 });
  const placedAt = Date.parse(timestamp);
  for (const since of [placedAt, timestamp]) {
    const { orders } = await exact.listOrders({ since, until: placedAt });
    expect(orders.map((order) => order.orderId)).toContain(orderId);
  }
  const later = await exact.listOrders({ since: placedAt + 1 });
  expect(later.orders.map((order) => order.orderId)).not.toContain(orderId);
});

test('parameters go into path, query or body', async () => {
  const { orderId } = await exact.placeOrder({ ...ORDER, amount: 1, price: 40000 });
  const amended = await exact.amendOrder({ id: orderId, price: '41000' });
  expect(amended).toMatchObject({ orderId, price: '41000', amount: '1' });
  const canceled = await exact.cancelOrder({ id: orderId });
  expect(canceled).toEqual({ ...(await exact.getOrder({ id: orderId })) });
  const { armed } = await exact.cancelAfter({ timeout: 60, symbol: null });
  expect(armed).toMatchObject([{ symbol: null }]);
  await exact.cancelAfter({ timeout: 0 });
  const { results } = await exact.placeOrders({
    orders: [
      { ...ORDER, amount: '1', price: '40000' },
      { ...ORDER, amount: '1', price: '40000.001' },
    ],
  });
  expect(results.map(({ success }) => success)).toEqual([true, false]);
});

test('an error has its code, status and exact details', async () => {
  const refused = exact.placeOrder({ ...ORDER, amount: '9000', price: '12345678.12' });
  const error = await refused.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiRequestError);
  const { code, status, details } = error as ApiRequestError;
  expect([code, status, details.required]).toEqual(['INSUFFICIENT_BALANCE', 400, '111111103080']);
});

test('an unknown parameter is rejected, not dropped', async () => {
  const misspelt = { symbl: 'BTC/USDT' } as object;
  const error = await exact.listOrders(misspelt).catch((thrown: unknown) => thrown);
  expect((error as ApiRequestError).details).toMatchObject({
    field: 'symbl',
    rule: 'unknownParameter',
  });
});

test.each(['', '.', '..'])('rejects the id %p', async (id) => {
  await expect(exact.cancelOrder({ id })).rejects.toThrow('must not be');
});

test('does not send a text that is not a number', async () => {
  const order = { ...ORDER, amount: '1,5', price: 40000 };
  await expect(exact.placeOrder(order)).rejects.toThrow('amount is "1,5"');
});

test('operators have operator methods', async () => {
  const operator = new Client({ ...clientOptions('operator'), exactNumbers: true });
  const { account } = await operator.getAccount({ id: 'alice' });
  expect(account).toMatchObject({ accountId: 'alice', limitClass: 1 });
  const change = { symbol: 'SOL/USDT', makerFee: '0.0001' };
  const preview = await operator.changeMarket({ ...change, preview: 'true' });
  expect(preview.market.makerFee).toBe('0.0008');
  expect((await operator.changeMarket(change)).market.makerFee).toBe('0.0001');
});

test('the file of a report is a stream of the bytes that the report names', async () => {
  const client = new Client({ ...options, exactNumbers: true });
  const terms = { kind: 'ledger', format: 'json', from: '2020-01-01T00:00:00Z' } as const;
  let report = await client.createReport(terms);
  while (report.status !== 'done') {
    if (report.status === 'failed') throw new Error(report.error ?? '');
    await Bun.sleep(10);
    report = await client.getReport({ id: report.reportId });
  }
  const { body } = await client.getReportFile({ id: report.reportId });
  const hasher = new Bun.CryptoHasher('sha256');
  let size = 0;
  for await (const part of body!) {
    hasher.update(part);
    size += part.length;
  }
  expect([`${size}`, hasher.digest('hex')]).toEqual([`${report.bytes}`, report.sha256!]);
  expect(size).toBeGreaterThan(0);
  const missing = await client.getReportFile({ id: '0'.repeat(24) }).catch((error) => error);
  expect(missing).toBeInstanceOf(ApiRequestError);
  expect(missing.code).toBe('NOT_FOUND');
});
