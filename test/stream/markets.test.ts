import { afterEach, beforeEach, expect, test } from 'bun:test';
import { type Command, CommandKind, SYSTEM_ACTOR } from '../../src/engine/command.ts';
import { MarketStatus } from '../../src/engine/terms.ts';
import { listen } from '../../src/gateway/http/server.ts';
import { Streams } from '../../src/gateway/stream/streams.ts';
import { TestExchange } from '../http/exchange.ts';
import { StreamClient } from './client.ts';

let exchange: TestExchange;
let server: ReturnType<typeof listen>;
let client: StreamClient;

beforeEach(async () => {
  exchange = await TestExchange.open();
  const streams = new Streams(exchange.services, exchange.authorization);
  exchange.onEvents = (events) => streams.note(events);
  const config = { port: 0, host: '127.0.0.1', rateLimits: 'spec', trustedProxies: [] } as const;
  server = listen(exchange.gateway, config, streams);
  client = await StreamClient.open(server.port);
});

afterEach(async () => {
  client.close();
  await server.stop();
  await exchange.close();
});

const execute = (command: Command) => exchange.services.replica.execute(command);
const setTrading = (status: number) => {
  const terms = { status, reason: 'Bad feed', cancelOrders: false };
  return execute({ kind: CommandKind.setTradingStatus, ...SYSTEM_ACTOR, ...terms });
};
const setStatus = (status: number) =>
  execute({ kind: CommandKind.setMarketStatus, ...SYSTEM_ACTOR, market: 0, status });

test('statuses of markets are sent as they change', async () => {
  client.send({ op: 'subscribe', channel: 'markets' });
  const { op, data } = await client.next();
  const { markets } = exchange.services.replica.exchange.state;
  expect([op, data.markets]).toEqual([
    'snapshot',
    markets.map(({ symbol }) => ({ symbol, status: 'online' })),
  ]);
  const { symbol } = markets[0]!;
  await setStatus(MarketStatus.auction);
  expect((await client.next()).data.markets).toEqual([{ symbol, status: 'auction' }]);
  await setTrading(MarketStatus.halted);
  const halted = (await client.next()).data;
  expect(halted.trading).toMatchObject({ status: 'halted', reason: 'Bad feed' });
  expect(halted.markets).toHaveLength(markets.length);
  // Trading resumes where it was.
  await setTrading(MarketStatus.online);
  expect((await client.next()).data.markets[0]).toEqual({ symbol, status: 'auction' });
  const from = exchange.now + 60_000;
  const period = { from, to: from + 1000, mode: MarketStatus.cancelOnly, message: 'New release' };
  await execute({ kind: CommandKind.scheduleMaintenance, ...SYSTEM_ACTOR, ...period });
  const announced = (await client.next()).data;
  expect([announced.markets, announced.maintenance]).toMatchObject([[], [{ active: false }]]);
  exchange.now = from;
  await execute({ kind: CommandKind.tick });
  expect((await client.next()).data).toMatchObject({
    trading: { status: 'cancel_only' },
    maintenance: [{ active: true }],
  });
  client.send({ op: 'unsubscribe', channel: 'markets' });
  expect(await client.next()).toEqual({ op: 'unsubscribed', channel: 'markets' });
  await setTrading(MarketStatus.halted);
  client.send({ op: 'ping' });
  expect(await client.next()).toEqual({ op: 'pong' });
});

test('changes of rules and new markets are sent as they happen, as the records of REST', async () => {
  client.send({ op: 'subscribe', channel: 'markets' });
  expect((await client.next()).data.listings).toBeUndefined();
  const patch = (body: object) =>
    exchange.send('operator', 'PATCH', '/api/admin/markets', JSON.stringify(body));
  const listed = async (symbol: string) =>
    (await exchange.send(undefined, 'GET', `/api/markets?symbol=${symbol}`)).data.markets[0];
  expect((await patch({ symbol: 'BTC/USDT', minNotional: 7, makerFee: 0.0005 })).status).toBe(200);
  const changed = await client.next();
  expect(changed).toMatchObject({ op: 'update', channel: 'markets', data: { markets: [] } });
  expect(changed.data.listings).toEqual([await listed('BTC/USDT')]);
  expect(changed.data.listings[0]).toMatchObject({ minNotional: 7, makerFee: 0.0005 });

  const { listedAt: _, ...market } = await listed('ETH/BTC');
  const steps = { tickSize: market.tickSize, stepSize: market.stepSize };
  const terms = {
    ...steps,
    ...{ minAmount: market.minAmount, maxAmount: market.maxAmount, minNotional: 1e-4 },
    ...{ maxPrice: 1000, makerFee: 0.001, takerFee: 0.001, referencePrice: 1 },
  };
  const body = JSON.stringify({ symbol: 'SOL/BTC', ...terms });
  const made = await exchange.send('operator', 'POST', '/api/admin/markets', body);
  expect(made.json).toMatchObject({ success: true });
  expect((await client.next()).data).toMatchObject({
    markets: [{ symbol: 'SOL/BTC', status: 'online' }],
    listings: [await listed('SOL/BTC')],
  });
  // A status alone is no change of rules.
  await setStatus(MarketStatus.halted);
  expect((await client.next()).data.listings).toBeUndefined();
});

test('prices have the status in force at once', async () => {
  client.send({ op: 'subscribe', channel: 'prices', symbol: 'BTC/USDT' });
  expect((await client.next()).data.status).toBe('online');
  await setTrading(MarketStatus.halted);
  expect((await client.next()).data.status).toBe('halted');
});

test('the channel takes no symbol and is subscribed once', async () => {
  client.send({ op: 'subscribe', channel: 'markets', symbol: 'BTC/USDT' });
  expect(await client.next()).toMatchObject({ op: 'error' });
  for (const _ of ['first', 'second']) client.send({ op: 'subscribe', channel: 'markets' });
  expect(await client.next()).toMatchObject({ op: 'snapshot' });
  expect(await client.next()).toMatchObject({ op: 'error' });
});
