import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { HistoryUnavailableError } from '../../src/archivist/archivist.ts';
import { CommandKind, SYSTEM_ACTOR, type Transfer } from '../../src/engine/command.ts';
import { MAX_REMEMBERED } from '../../src/engine/limits.ts';
import { DroppedIds } from '../../src/replica/dropped-ids.ts';
import { OrderSearch } from '../../src/replica/order-search.ts';
import { executeTransfer } from '../../src/replica/transfers.ts';
import { rememberLittle } from '../reference/little-memory.ts';
import { type Answer, TestExchange } from './exchange.ts';

/** Tests that a repeated request returns the first order after any change, also from history. */

let restore = () => {};
beforeAll(() => {
  restore = rememberLittle();
});
afterAll(() => restore());

let exchange: TestExchange;
beforeEach(async () => {
  exchange = await TestExchange.open();
});
afterEach(() => exchange.close());

const LIMIT = {
  symbol: 'BTC/USDT',
  side: 'buy',
  type: 'limit',
  amount: 0.01000001,
  price: 45000.01,
  clientOrderId: 'first',
};
const ATTACHED = {
  ...LIMIT,
  attached: { takeProfit: { price: 50000.01 }, stopLoss: { triggerPrice: 40000.01 } },
};
const STOP = { ...LIMIT, type: 'stop_limit', triggerPrice: 150000.01, price: 150001.01 };
const PAIR = {
  symbol: 'BTC/USDT',
  side: 'sell',
  amount: 0.01000001,
  clientOrderId: 'first',
  takeProfit: { price: 200000.01 },
  stopLoss: { triggerPrice: 20000.01 },
};

const REQUESTS: [string, string, Record<string, unknown>][] = [
  ['a limit order', '/api/orders', LIMIT],
  ['a bracket order', '/api/orders', ATTACHED],
  ['a stop', '/api/orders', STOP],
  ['an OCO order', '/api/orders/oco', PAIR],
];

const post = (path: string, body: object, name = 'alice') =>
  exchange.send(name, 'POST', path, JSON.stringify(body));
const operate = async (path: string, body: object) => {
  const answer = await exchange.send('operator', 'PATCH', path, JSON.stringify(body));
  expect(answer.text).toContain('"success":true');
};
const change = (rules: object) => operate('/api/admin/markets', { symbol: 'BTC/USDT', ...rules });
const freeze = (frozen: boolean) =>
  operate('/api/admin/accounts/alice', { frozen, reason: 'test' });
/** Market rules whose grids contain no number of the requests. */
const TICK = { tickSize: 0.1, minPrice: 0.1 };
const STEP = { stepSize: 0.001, minAmount: 0.001 };

function firstId({ data }: Answer): string {
  return (data.orders?.[0] ?? data).orderId;
}

/** Places and cancels orders of alice until the engine has dropped all earlier ids. */
async function dropIds(count = 3): Promise<void> {
  for (let n = 0; n < count; n++) {
    const order = { ...LIMIT, clientOrderId: `drop-${exchange.state.nextOrderId}` };
    const { data } = await post('/api/orders', order);
    await exchange.send('alice', 'DELETE', `/api/orders/${data.orderId}`);
  }
}

const cancelAll = () => exchange.send('alice', 'DELETE', '/api/orders?all=true');

describe.each(REQUESTS)('%s', (_, path, body) => {
  const changes: [string, () => Promise<unknown>][] = [
    ['tick', () => change(TICK)],
    ['step', () => change(STEP)],
    ['halt', () => change({ status: 'halted' })],
    ['delisting', () => change({ status: 'delisted' })],
    ['freeze', () => freeze(true)],
    ['tick, of one that only history knows', () => droppedThen(TICK)],
    ['step, of one that only history knows', () => droppedThen(STEP)],
    [
      'freeze, of one that only history knows',
      async () => {
        await cancelAll();
        await dropIds();
        await freeze(true);
      },
    ],
  ];
  const droppedThen = async (rules: object) => {
    await cancelAll();
    await dropIds();
    await change(rules);
  };

  test.each(changes)('is answered again after a change of %s', async (__, make) => {
    const first = await post(path, body);
    expect(first.status).toBe(200);
    await make();
    const before = exchange.state.nextOrderId;
    const again = await post(path, body);
    expect(again.status).toBe(200);
    expect(firstId(again)).toBe(firstId(first));
    expect(exchange.state.nextOrderId).toBe(before);
  });

  test('another request with the id is 409, even if only history has the first', async () => {
    await post(path, body);
    await cancelAll();
    await dropIds();
    const other = await post(path, { ...body, amount: 0.02 });
    expect([other.status, other.code]).toEqual([409, 'DUPLICATE_CLIENT_ORDER_ID']);
  });
});

test('a first request off the grid is rejected as usual, with the first of several faults', async () => {
  await change({ ...TICK, ...STEP });
  const refused = await post('/api/orders', LIMIT);
  expect([refused.status, refused.code]).toEqual([400, 'INVALID_AMOUNT']);
  expect(refused.details).toMatchObject({ field: 'amount', rule: 'stepSize', nearest: 0.01 });
  const late = await post('/api/orders', { ...LIMIT, price: -1 });
  expect(late.details).toMatchObject({ field: 'amount', rule: 'stepSize' });
  const price = await post('/api/orders', { ...LIMIT, amount: 0.01 });
  expect(price.details).toMatchObject({ field: 'price', rule: 'tickSize', nearest: 45000 });
  expect(exchange.state.nextOrderId).toBe(1);
});

test('a cluster node that has not applied the first request waits for it', async () => {
  await change(TICK);
  // The log that this node applies while it waits.
  exchange.replica.whenCurrent = async () => {
    await change({ tickSize: 0.01, minPrice: 0.01 });
    exchange.replica.whenCurrent = () => undefined;
    expect((await post('/api/orders', LIMIT)).status).toBe(200);
    await change(TICK);
  };
  const again = await post('/api/orders', LIMIT);
  expect([again.status, again.data.orderId]).toEqual([200, '1']);
});

test('amended orders, market orders and orders by cost are compared by the original request', async () => {
  const sell = { ...LIMIT, side: 'sell', price: 60000, amount: 1, clientOrderId: 'maker' };
  await post('/api/orders', sell, 'bob');
  const market = { symbol: 'BTC/USDT', side: 'buy', type: 'market' };
  const bodies = [
    { ...market, amount: 0.1, clientOrderId: 'market' },
    { ...market, cost: 1000, clientOrderId: 'cost' },
    LIMIT,
  ];
  const ids: string[] = [];
  for (const body of bodies) ids.push(firstId(await post('/api/orders', body)));
  const amend = await exchange.send(
    'alice',
    'PATCH',
    `/api/orders/${ids[2]}`,
    JSON.stringify({ amount: 0.005, price: 44000 }),
  );
  expect(amend.status).toBe(200);
  await cancelAll();
  await dropIds();
  for (const [index, body] of bodies.entries()) {
    expect(firstId(await post('/api/orders', body))).toBe(ids[index]!);
  }
});

test('a frozen account is rejected before anything else, and places nothing', async () => {
  await post('/api/orders', LIMIT);
  await freeze(true);
  const batch = '/api/orders/batch';
  const answers = [
    await post('/api/orders', { ...LIMIT, clientOrderId: 'other' }),
    await post('/api/orders', { nonsense: true }),
    await post('/api/orders/oco', { ...PAIR, clientOrderId: 'other' }),
    await post(batch, { orders: [{ ...LIMIT, clientOrderId: 'other' }, 7] }),
    await post(batch, { nonsense: true }),
  ];
  for (const answer of answers) {
    expect([answer.status, answer.code]).toEqual([403, 'ACCOUNT_FROZEN']);
  }
  const mixed = await post(batch, { orders: [LIMIT, { ...LIMIT, clientOrderId: 'other' }] });
  expect(mixed.data.results[0].data.orderId).toBe('1');
  expect(mixed.data.results[1].error.code).toBe('ACCOUNT_FROZEN');
});

describe('of a batch', () => {
  const batch = (orders: object[]) => post('/api/orders/batch', { orders });

  test('history is queried once, and new orders are placed in order', async () => {
    const known = firstId(await post('/api/orders', LIMIT));
    await cancelAll();
    await dropIds();
    const count = countLookUps();
    const { data } = await batch([
      { ...LIMIT, clientOrderId: 'new-1' },
      LIMIT,
      { ...LIMIT, clientOrderId: undefined },
      { ...LIMIT, clientOrderId: 'new-2' },
      { ...LIMIT, clientOrderId: 'new-2' },
    ]);
    const ids = data.results.map((each: { data: { orderId: string } }) =>
      Number(each.data.orderId),
    );
    expect(ids[1]).toBe(Number(known));
    expect([ids[2] - ids[0], ids[3] - ids[0], ids[4] - ids[0]]).toEqual([1, 2, 2]);
    expect(count).toEqual({ placed: 1 });
  });
});

/** Counts lookups of client order ids in history. */
function countLookUps(): { placed: number } {
  const count = { placed: 0 };
  const { archivist } = exchange;
  const ask = archivist.query.bind(archivist);
  archivist.query = (query) => {
    if (query.kind === 'placed') count.placed++;
    return ask(query);
  };
  return count;
}

test('of an account that has dropped ids only a used id queries history', async () => {
  const first = await post('/api/orders', LIMIT);
  await cancelAll();
  await dropIds();
  const count = countLookUps();
  await dropIds(20);
  expect(count).toEqual({ placed: 0 });
  const before = exchange.state.nextOrderId;
  expect(firstId(await post('/api/orders', LIMIT))).toBe(firstId(first));
  expect([count, exchange.state.nextOrderId]).toEqual([{ placed: 1 }, before]);
});

test('after a restart history is queried until its ids are loaded, and a used id is still known', async () => {
  const first = await post('/api/orders', LIMIT);
  await cancelAll();
  await dropIds(5);
  const { replica, archivist } = exchange;
  const held = Promise.withResolvers<void>();
  const isAsked = Promise.withResolvers<void>();
  const ask = archivist.query.bind(archivist);
  archivist.query = async (query) => {
    if (query.kind === 'placedIds') {
      isAsked.resolve();
      await held.promise;
    }
    return ask(query);
  };
  const droppedIds = new DroppedIds(replica, archivist);
  const orderSearch = new OrderSearch(replica, archivist, droppedIds);
  Object.assign(exchange.services, { orderSearch });
  await isAsked.promise;
  const count = countLookUps();
  await dropIds(2);
  expect(count).toEqual({ placed: 2 });
  held.resolve();
  while (droppedIds.unloadedAccounts > 0) await Bun.sleep(1);
  await dropIds(2);
  expect(count).toEqual({ placed: 2 });
  expect(firstId(await post('/api/orders', LIMIT))).toBe(firstId(first));
  expect(count).toEqual({ placed: 3 });
});

test('an account that has dropped no id never queries history', async () => {
  await dropIds();
  exchange.archivist.query = () => Promise.reject(new Error('asked'));
  expect((await post('/api/orders', LIMIT, 'bob')).status).toBe(200);
});

test('if history does not respond, no order is placed that may already exist', async () => {
  await post('/api/orders', LIMIT);
  await cancelAll();
  await dropIds();
  exchange.archivist.query = () => Promise.reject(new HistoryUnavailableError('gone'));
  expect((await post('/api/orders', { ...LIMIT, clientOrderId: 'new' })).status).toBe(200);
  const { nextOrderId } = exchange.state;
  const answer = await post('/api/orders', LIMIT);
  expect([answer.status, answer.code]).toEqual([503, 'OVERLOADED']);
  const batch = await post('/api/orders/batch', { orders: [LIMIT] });
  expect([batch.status, batch.data.results[0].error.code]).toEqual([200, 'OVERLOADED']);
  expect(exchange.state.nextOrderId).toBe(nextOrderId);
});

test('an id that is dropped during the query of history is queried again', async () => {
  const first = await post('/api/orders', LIMIT);
  await exchange.send('alice', 'DELETE', `/api/orders/${firstId(first)}`);
  // The engine knows the id when the command is submitted, but not when it is applied.
  const others = ['a', 'b', 'c'].map((clientOrderId) =>
    post('/api/orders', { ...LIMIT, clientOrderId, timeInForce: 'IOC' }),
  );
  const again = post('/api/orders', LIMIT);
  await Promise.all(others);
  const answer = await again;
  expect(answer.status).toBe(200);
  expect(firstId(answer)).toBe(firstId(first));
});

test('25 hours after it was placed an id is free again, in history too', async () => {
  const first = await post('/api/orders', LIMIT);
  await cancelAll();
  exchange.now += 3_600_000;
  await dropIds();
  exchange.now += 24 * 3_600_000 - 1_000;
  expect(firstId(await post('/api/orders', LIMIT))).toBe(firstId(first));
  exchange.now += 1_000;
  await post('/api/orders', LIMIT, 'bob');
  expect(firstId(await post('/api/orders', LIMIT))).not.toBe(firstId(first));
});

describe('the reference of a transfer', () => {
  const transfer = (reference: string, amount = 1) =>
    post(
      '/api/admin/transfers',
      { account: 'alice', asset: 'USDT', amount, reference, reason: 'test' },
      'operator',
    );

  test('has one effect, however many transfers follow', async () => {
    const first = await transfer('deposit-1');
    for (let n = 0; n < MAX_REMEMBERED.transfers + 5; n++) {
      expect((await transfer(`more-${n}`)).data.created).toBe(true);
    }
    expect(exchange.state.transfers.has('deposit-1')).toBe(false);
    expect(exchange.state.transfers.size).toBe(MAX_REMEMBERED.transfers);
    const again = await transfer('deposit-1');
    expect(again.data.transfer).toEqual(first.data.transfer);
    expect(again.data.created).toBe(false);
    const other = await transfer('deposit-1', 2);
    expect([other.status, other.code]).toEqual([409, 'DUPLICATE_REFERENCE']);
  });

  test('is credited once by concurrent requests', async () => {
    for (let n = 0; n < MAX_REMEMBERED.transfers; n++) await transfer(`more-${n}`);
    const answers = await Promise.all(Array.from({ length: 10 }, () => transfer('same')));
    expect(answers.filter(({ data }) => data.created)).toHaveLength(1);
  });

  test('is not credited if history does not answer', async () => {
    for (let n = 0; n < MAX_REMEMBERED.transfers; n++) await transfer(`more-${n}`);
    exchange.archivist.query = () => Promise.reject(new HistoryUnavailableError('gone'));
    const answer = await transfer('new');
    expect([answer.status, answer.code]).toEqual([503, 'OVERLOADED']);
  });

  test('of version 1 is known after the upgrade', async () => {
    const old = await TestExchange.open({ version: 1 });
    const { replica, archivist, state } = old;
    const command: Transfer = {
      kind: CommandKind.transfer,
      ...SYSTEM_ACTOR,
      owner: 1,
      asset: 0,
      amount: 1,
      reference: 'old',
      reason: 'test',
    };
    await replica.execute(command);
    await replica.execute({ kind: CommandKind.upgrade, ...SYSTEM_ACTOR, version: 2 });
    for (let n = 0; n < 2 * MAX_REMEMBERED.transfers; n++) {
      await executeTransfer({ replica, archivist }, { ...command, reference: `more-${n}` });
    }
    expect(state.transfers.has('old')).toBe(false);
    const outcome = await executeTransfer({ replica, archivist }, command);
    expect(outcome).toMatchObject({ kind: 'transfer', created: false });
    await old.close();
  });
});
