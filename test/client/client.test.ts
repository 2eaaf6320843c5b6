import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { ApiRequestError, Client } from '../../src/client/index.ts';
import { DOCUMENT } from '../http/described.ts';
import { ExchangeProcess, temporaryDirectory } from '../process/exchange-process.ts';

/** The client against an exchange: every method, and every digit. */

const directory = temporaryDirectory();
let exchange: ExchangeProcess;
let options: { baseUrl: string; apiKey: string; apiSecret: string };
let exact: Client<true>;

beforeAll(async () => {
  exchange = await ExchangeProcess.start(directory.path);
  options = optionsOf('alice');
});
afterAll(async () => {
  await exchange.stop();
  directory.remove();
});

function optionsOf(name: string) {
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

test('every digit goes there and back', async () => {
  const placed = await exact.placeOrder({ ...ORDER, amount: '0.12345678', price: '40000.10' });
  expect([placed.amount, placed.price, placed.filled]).toEqual(['0.12345678', '40000.1', '0']);
  const { orders } = await exact.listOrders({ status: 'open', limit: 1 });
  expect(orders).toEqual([placed]);
  const { bids, sequence } = await exact.getOrderbook({ symbol: 'BTC/USDT', depth: 5 });
  expect(bids).toEqual([['40000.1', '0.12345678']]);
  expect(sequence).toBeNumber();
});

test('answers are numbers unless exact ones are asked for', async () => {
  const client = new Client(options);
  const placed = await client.placeOrder({ ...ORDER, amount: 0.5, price: '40000.10' });
  const amount: number = placed.amount;
  expect([amount, placed.price]).toEqual([0.5, 40000.1]);
});

test('path, query and body each get their parameters', async () => {
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

test('a refusal has its code, status and exact details', async () => {
  const refused = exact.placeOrder({ ...ORDER, amount: '9000', price: '12345678.12' });
  const error = await refused.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiRequestError);
  const { code, status, details } = error as ApiRequestError;
  expect([code, status, details.required]).toEqual(['INSUFFICIENT_BALANCE', 400, '111111103080']);
});

test('a parameter that does not exist is refused, not left out', async () => {
  const misspelt = { symbl: 'BTC/USDT' } as object;
  const error = await exact.listOrders(misspelt).catch((thrown: unknown) => thrown);
  expect((error as ApiRequestError).details).toMatchObject({
    field: 'symbl',
    rule: 'unknownParameter',
  });
});

test.each(['', '.', '..'])('%p is no id', async (id) => {
  await expect(exact.cancelOrder({ id })).rejects.toThrow('give the id');
});

test('a text that is no number is not sent', async () => {
  const order = { ...ORDER, amount: '1,5', price: 40000 };
  await expect(exact.placeOrder(order)).rejects.toThrow('amount is "1,5"');
});

test('an operator has the methods of operators', async () => {
  const operator = new Client({ ...optionsOf('operator'), exactNumbers: true });
  const { account } = await operator.getAccount({ id: 'alice' });
  expect(account).toMatchObject({ accountId: 'alice', limitClass: 1 });
  const change = { symbol: 'SOL/USDT', makerFee: '0.0001' };
  const preview = await operator.changeMarket({ ...change, preview: 'true' });
  expect(preview.market.makerFee).toBe('0.0008');
  expect((await operator.changeMarket(change)).market.makerFee).toBe('0.0001');
});
