import { afterEach, beforeEach, expect, test } from 'bun:test';
import { CommandKind, SYSTEM_ACTOR } from '../../src/engine/command.ts';
import type { TradeEvent } from '../../src/engine/event.ts';
import { listen } from '../../src/gateway/http/server.ts';
import { Streams } from '../../src/gateway/stream/streams.ts';
import { TestExchange } from '../http/exchange.ts';
import { StreamClient } from './client.ts';

let exchange: TestExchange;
let server: ReturnType<typeof listen>;
let lastTrade: TradeEvent;

beforeEach(async () => {
  exchange = await TestExchange.open();
  const streams = new Streams(exchange.services, exchange.authorization);
  exchange.onEvents = (events) => {
    for (const event of events) if (event.kind === 'trade') lastTrade = { ...event };
    streams.note(events);
  };
  const config = { port: 0, host: '127.0.0.1', rateLimits: 'spec', trustedProxies: [] } as const;
  server = listen(exchange.gateway, config, streams);
});

afterEach(async () => {
  await server.stop();
  await exchange.close();
});

async function connect(name?: string): Promise<StreamClient> {
  const client = await StreamClient.open(server.port);
  if (name === undefined) return client;
  const headers = exchange.headers(name);
  const secret = headers['X-API-Secret']!;
  client.send({ op: 'auth', apiKey: headers.Authorization!.slice(7), apiSecret: secret });
  expect(await client.next()).toEqual({ op: 'authenticated' });
  return client;
}

test('a busted trade is sent again to both accounts and to the public, without moving the sequence', async () => {
  const clients = {
    alice: await connect('alice'),
    bob: await connect('bob'),
    public: await connect(),
  };
  for (const name of ['alice', 'bob'] as const) {
    clients[name].send({ op: 'subscribe', channel: 'fills' });
  }
  clients.public.send({ op: 'subscribe', channel: 'trades', symbol: 'BTC/USDT' });
  for (const client of Object.values(clients)) expect((await client.next()).op).toBe('snapshot');
  const order = { symbol: 'BTC/USDT', type: 'limit', price: 100_000, amount: 0.01 };
  await exchange.place('bob', { ...order, side: 'sell' });
  await exchange.place('alice', { ...order, side: 'buy' });
  const traded = {
    alice: await clients.alice.next(),
    bob: await clients.bob.next(),
    public: await clients.public.next(),
  };
  const { makerFee: makerFeePaid, takerFee: takerFeePaid, ...terms } = lastTrade;
  const { kind: _kind, cost: _cost, ...trade } = terms;
  await exchange.services.replica.execute({
    kind: CommandKind.bustTrade,
    ...SYSTEM_ACTOR,
    trade: { ...trade, makerFeePaid, takerFeePaid },
    reason: 'test',
  });
  for (const [name, client] of Object.entries(clients)) {
    const channel = name === 'public' ? 'trades' : 'fills';
    const before = traded[name as keyof typeof traded];
    const message = await client.next();
    expect([message.prevSequence, message.sequence]).toEqual([before.sequence, before.sequence]);
    const [record] = before.data[channel];
    expect(message.data).toEqual({
      [channel]: [],
      busts: [{ ...record, bustedAt: message.data.busts[0].bustedAt }],
    });
    expect(Date.parse(message.data.busts[0].bustedAt)).toBeGreaterThanOrEqual(
      Date.parse(record.timestamp),
    );
    client.close();
  }
});
