import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { Browser } from '../http/browser.ts';
import { FaultBench, resting } from './bench.ts';

/** Faults of requests, as clients of both APIs see them. */

let bench: FaultBench;
beforeEach(async () => {
  bench = await FaultBench.open();
});
afterEach(() => bench.close());

const BINANCE_ORDER = {
  ...{ symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' },
  ...{ quantity: 0.01, price: 45_000, newClientOrderId: 'bot-1' },
};

describe('an answer that is lost', () => {
  test('after commit: the order is open, and a retry with its client order id places none', async () => {
    await bench.add([{ kind: 'answer_lost_after_commit', count: 1 }]);
    expect(await bench.send('alice', 'POST', '/api/orders', resting('bot-1'))).toBeUndefined();
    expect(bench.openOrders('alice')).toBe(1);
    const { position } = bench.exchange.replica;
    const again = await bench.send('alice', 'POST', '/api/orders', resting('bot-1'));
    expect(again).toMatchObject({ status: 200, json: { data: { clientOrderId: 'bot-1' } } });
    expect(bench.openOrders('alice')).toBe(1);
    expect(await bench.injected()).toMatchObject([
      {
        ...{ number: 1, scriptId: 'fault-1', fault: 0, kind: 'answer_lost_after_commit' },
        ...{ apiKey: bench.apiKey('alice'), account: 'alice', endpoint: 'POST /api/orders' },
        position,
        timestamp: new Date(bench.exchange.now).toISOString(),
        requestId: expect.stringMatching(/^[0-9a-f]{16}-/) as string,
      },
    ]);
  });

  test('before commit: nothing is submitted', async () => {
    await bench.add([{ kind: 'answer_lost_before_commit', count: 1 }]);
    const { position } = bench.exchange.replica;
    expect(await bench.send('alice', 'POST', '/api/orders', resting('bot-1'))).toBeUndefined();
    expect(bench.exchange.replica.position).toBe(position);
    expect((await bench.send('alice', 'POST', '/api/orders', resting('bot-1')))?.status).toBe(200);
    expect(bench.openOrders('alice')).toBe(1);
  });

  test('of the Binance dialect', async () => {
    await bench.add([
      { kind: 'answer_lost_after_commit', count: 1, endpoints: ['POST /binance/api/v3/order'] },
    ]);
    const place = () => bench.venue.request('alice', 'POST', '/api/v3/order', BINANCE_ORDER);
    expect(place()).rejects.toThrow();
    await place().catch(() => {});
    expect(bench.openOrders('alice')).toBe(1);
    const [{ endpoint }] = await bench.injected();
    expect(endpoint).toBe('POST /binance/api/v3/order');
  });

  test.each(['answer_lost_after_commit', 'answer_lost_before_commit'])(
    'of an operation: %s ends the connection',
    async (kind) => {
      await bench.add([{ kind, endpoints: ['ws order.*'], count: 1 }]);
      const bot = await bench.socket('alice');
      bot.send({ op: 'order.place', id: 'x1', params: resting() });
      expect((await bot.closed).code).toBe(1006);
      expect(bench.openOrders('alice')).toBe(kind === 'answer_lost_after_commit' ? 1 : 0);
      expect(await bench.injected()).toMatchObject([
        { kind, requestId: 'x1', endpoint: 'ws order.place', account: 'alice' },
      ]);
    },
  );

  test('of a method of the WebSocket API', async () => {
    await bench.add([{ kind: 'answer_lost_after_commit', endpoints: ['ws-api order.place'] }]);
    const bot = await bench.venue.connect('/ws-api/v3');
    bot.send({ id: 5, method: 'order.place', params: bench.venue.signed('alice', BINANCE_ORDER) });
    expect((await bot.closed).code).toBe(1006);
    expect(bench.openOrders('alice')).toBe(1);
    expect(await bench.injected()).toMatchObject([
      { requestId: '5', endpoint: 'ws-api order.place' },
    ]);
  });
});

test('a count is a maximum, also for requests at once', async () => {
  const kind = 'answer_lost_after_commit';
  await bench.add([{ kind, count: 2 }], { account: 'alice' });
  const place = () => bench.send('alice', 'POST', '/api/orders', resting());
  const answers = await Promise.all(Array.from({ length: 10 }, place));
  expect(answers.filter((answer) => answer === undefined)).toHaveLength(2);
  expect(bench.openOrders('alice')).toBe(10);
  await bench.clear();
  await bench.add([{ kind, count: 1, endpoints: ['ws order.*'] }]);
  const bots = await Promise.all(Array.from({ length: 4 }, () => bench.socket('bob')));
  for (const bot of bots) bot.send({ op: 'order.place', id: 1, params: resting() });
  const ends = bots.map(async (bot) => {
    const closed = bot.closed.then(() => 'closed');
    return Promise.race([closed, bot.take().then(() => 'answered')]);
  });
  expect((await Promise.all(ends)).sort()).toEqual(['answered', 'answered', 'answered', 'closed']);
  expect(await bench.injected()).toHaveLength(3);
});

test('what does not happen does not count', async () => {
  await bench.add([
    { kind: 'status', status: 503, count: 1, endpoints: ['GET /api/orders'] },
    { kind: 'stale_read', count: 1 },
  ]);
  const list = () => bench.send('alice', 'GET', '/api/orders?status=open');
  expect((await list())?.status).toBe(503);
  expect((await list())?.json.data.orders).toEqual([]);
  await bench.send('alice', 'POST', '/api/orders', resting());
  expect((await list())?.json.data.orders).toEqual([]);
  expect((await list())?.json.data.orders).toHaveLength(1);
  expect((await bench.injected()).map(({ kind }) => kind)).toEqual(['status', 'stale_read']);
});

describe('a status', () => {
  test.each([
    [429, 429, 'RATE_LIMIT_EXCEEDED', -1003, '1'],
    [418, 429, 'RATE_LIMIT_EXCEEDED', -1003, '1'],
    [500, 500, 'INTERNAL_ERROR', -1001, null],
    [503, 503, 'OVERLOADED', -1008, '1'],
  ])('%d', async (status, own, code, binanceCode, retryAfter) => {
    await bench.add([{ kind: 'status', status }]);
    const { position } = bench.exchange.replica;
    const answer = (await bench.send('alice', 'POST', '/api/orders', resting()))!;
    expect([answer.status, answer.json.error.code]).toEqual([own, code]);
    expect(answer.headers.get('Retry-After')).toBe(retryAfter);
    const [{ requestId }] = await bench.injected();
    expect(requestId).toBe(answer.headers.get('X-Request-Id'));
    const binance = await bench.venue.request('alice', 'POST', '/api/v3/order', BINANCE_ORDER);
    expect([binance.status, binance.body.code]).toEqual([status, binanceCode]);
    expect(bench.exchange.replica.position).toBe(position);
    const bot = await bench.socket('alice');
    bot.send({ op: 'order.place', id: 1, params: resting() });
    expect(await bot.take()).toMatchObject({ op: 'order.place', id: 1, error: { code } });
  });
});

test('a delay waits before or after the request', async () => {
  await bench.add([{ kind: 'delay', ms: 120, jitter: 10, count: 1 }]);
  const start = performance.now();
  const placing = bench.send('alice', 'POST', '/api/orders', resting());
  await Bun.sleep(60);
  expect(bench.openOrders('alice')).toBe(1);
  expect((await placing)?.status).toBe(200);
  expect(performance.now() - start).toBeGreaterThanOrEqual(115);
  await bench.add([{ kind: 'delay', ms: 120, before: true, count: 1 }]);
  const late = bench.send('alice', 'POST', '/api/orders', resting());
  await Bun.sleep(60);
  expect(bench.openOrders('alice')).toBe(1);
  expect((await late)?.status).toBe(200);
  expect(bench.openOrders('alice')).toBe(2);
});

test('an account that may not place orders may read and cancel', async () => {
  const { json } = (await bench.send('alice', 'POST', '/api/orders', resting()))!;
  await bench.add([{ kind: 'reject_all' }], { account: 'alice' });
  expect(await bench.send('alice', 'POST', '/api/orders', resting())).toMatchObject({
    status: 403,
    json: { error: { code: 'ACCOUNT_FROZEN' } },
  });
  const binance = await bench.venue.request('alice', 'POST', '/api/v3/order', BINANCE_ORDER);
  expect(binance.body).toEqual({
    code: -2010,
    msg: 'This account may not place or cancel orders.',
  });
  expect((await bench.send('alice', 'GET', '/api/orders'))?.status).toBe(200);
  expect((await bench.send('alice', 'DELETE', `/api/orders/${json.data.orderId}`))?.status).toBe(
    200,
  );
  expect((await bench.send('bob', 'POST', '/api/orders', resting()))?.status).toBe(200);
});

test('a stale read is the answer of the same read before', async () => {
  await bench.add([{ kind: 'stale_read', endpoints: ['GET /api/orders*'] }]);
  const open = async () =>
    (await bench.send('alice', 'GET', '/api/orders?status=open'))!.json.data.orders;
  expect(await open()).toEqual([]);
  await bench.send('alice', 'POST', '/api/orders', resting());
  expect(await open()).toEqual([]);
  expect(await open()).toHaveLength(1);
  expect(await bench.injected()).toHaveLength(1);
});

test('a stale read is not older than its script', async () => {
  const open = async () =>
    (await bench.send('alice', 'GET', '/api/orders?status=open'))!.json.data.orders;
  await bench.add([{ kind: 'stale_read' }]);
  await open();
  await bench.clear();
  await bench.send('alice', 'POST', '/api/orders', resting());
  await bench.add([{ kind: 'stale_read' }]);
  expect(await open()).toHaveLength(1);
  expect(await bench.injected()).toEqual([]);
});

describe('a stale read is never an answer for another', () => {
  beforeEach(async () => {
    // So that the accounts differ.
    await bench.send('alice', 'POST', '/api/orders', resting());
    await bench.add([{ kind: 'stale_read' }]);
  });

  test('key of an operation', async () => {
    const read = async (name: string) => {
      const bot = await bench.socket(name);
      bot.send({ op: 'balances', id: 1 });
      return (await bot.take()).data;
    };
    const alice = await read('alice');
    expect(await read('bob')).not.toEqual(alice);
    expect(await bench.injected()).toEqual([]);
  });

  test('session of the WebSocket API', async () => {
    const read = async (name: string) => {
      const bot = await bench.venue.connect('/ws-api/v3');
      await bot.call('session.logon', bench.venue.signed(name));
      return (await bot.call('account.status', { timestamp: bench.exchange.now })).result;
    };
    const alice = await read('alice');
    expect(alice.balances).not.toHaveLength(0);
    expect(await read('bob')).not.toEqual(alice);
    expect(await bench.injected()).toEqual([]);
  });

  test('cookie of a browser', async () => {
    const [carol, dave] = [
      await Browser.signedUp(bench.exchange, 'carol@example.com'),
      await Browser.signedUp(bench.exchange, 'dave@example.com'),
    ];
    expect((await carol.send('POST', '/api/account/faucet', { asset: 'BTC' })).status).toBe(200);
    const read = (browser: Browser) => browser.send('GET', '/api/portfolio/balances');
    const own = await read(carol);
    expect(own.status).toBe(200);
    expect((await read(dave)).data).not.toEqual(own.data);
    expect(await bench.injected()).toEqual([]);
  });
});

test('maintenance has an end in Retry-After, and closes sockets', async () => {
  const bot = await bench.socket('alice');
  const until = bench.exchange.now + 30_000;
  await bench.add([{ kind: 'maintenance', schedule: { until } }]);
  const answer = (await bench.send('alice', 'GET', '/api/orders'))!;
  expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '30']);
  expect(answer.json.error).toMatchObject({ code: 'OVERLOADED', details: { rule: 'maintenance' } });
  expect(answer.json.error.message).toContain('maintenance');
  const binance = await bench.venue.request('alice', 'GET', '/api/v3/openOrders', {});
  expect(binance).toMatchObject({ status: 503, body: { msg: 'System is under maintenance.' } });
  expect(await bot.closed).toEqual({ code: 1013, reason: 'maintenance' });
  bench.exchange.now = until;
  expect((await bench.send('alice', 'GET', '/api/orders'))?.status).toBe(200);
  await bench.socket('alice');
});

test('a maintenance that is improbable, or lasts no time, closes no socket', async () => {
  const bot = await bench.socket('alice');
  await bench.add([
    { kind: 'maintenance', probability: 0.000001 },
    { kind: 'maintenance', schedule: { everyMs: 60_000 } },
  ]);
  expect(await Promise.race([bot.closed, Bun.sleep(150)])).toBeUndefined();
});

test('a skewed clock shows its time and checks windows by it', async () => {
  await bench.add([{ kind: 'clock_skew', ms: 60_000 }]);
  const { now } = bench.exchange;
  const time = (await bench.send(undefined, 'GET', '/api/time'))!.json.data.timestamp;
  expect(Date.parse(time)).toBe(now + 60_000);
  expect((await bench.venue.get('/api/v3/time')).json.serverTime).toBe(now + 60_000);
  const late = await bench.venue.request('alice', 'GET', '/api/v3/openOrders', {});
  expect(late.body.code).toBe(-1021);
  bench.exchange.now = now + 60_000;
  const headers = { 'X-API-Timestamp': `${now + 120_000}` };
  const synced = await bench.send('alice', 'POST', '/api/orders', resting(), headers);
  expect(synced?.status).toBe(200);
  const unsynced = await bench.send('alice', 'POST', '/api/orders', resting(), {
    'X-API-Timestamp': `${now + 60_000}`,
  });
  expect(unsynced?.json.error.details).toMatchObject({ rule: 'recvWindow' });
});

test('a market is halted before the script is answered', async () => {
  await bench.add([{ kind: 'market_halt', symbol: 'BTC/USDT', ms: 5000 }]);
  const rejected = await bench.send('alice', 'POST', '/api/orders', resting());
  expect(rejected?.json.error.code).toBe('MARKET_UNAVAILABLE');
  expect(await bench.injected()).toHaveLength(1);
});

test('a market is halted for a time, and opened again', async () => {
  const status = () => bench.exchange.state.markets[0]!.status;
  const online = status();
  const until = async (wanted: (status: number) => boolean) => {
    for (let tries = 0; tries < 200 && !wanted(status()); tries++) await Bun.sleep(5);
    expect(wanted(status())).toBe(true);
  };
  await bench.add([{ kind: 'market_halt', symbol: 'BTC/USDT', ms: 5000 }]);
  await until((now) => now !== online);
  const rejected = await bench.send('alice', 'POST', '/api/orders', resting());
  expect(rejected?.json.error.code).toBe('MARKET_UNAVAILABLE');
  bench.exchange.now += 5000;
  await until((now) => now === online);
  expect(await bench.injected()).toMatchObject([
    { kind: 'market_halt', endpoint: 'market BTC/USDT', requestId: null },
  ]);
  await bench.add([{ kind: 'market_halt', symbol: 'BTC/USDT', ms: 5000 }]);
  await until((now) => now !== online);
  await bench.clear();
  expect(status()).toBe(online);
});
