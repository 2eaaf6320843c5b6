import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { CommandKind, SYSTEM_ACTOR } from '../../src/engine/command.ts';
import { PAST_LIMIT } from '../../src/gateway/limits/windows.ts';
import { below, seededRandom } from '../../src/storage/seeded-random.ts';
import { runs } from '../check.ts';
import { type Answer, TestExchange } from './exchange.ts';
import { RandomTrading } from './random-trading.ts';

/** Tests `?at=`: every endpoint that has it answers as it did then. */

setDefaultTimeout(120_000);

const PRIVATE_PATHS = [
  '/api/portfolio/balances',
  '/api/portfolio/history?interval=1m&limit=5',
  '/api/portfolio/history?interval=1h&limit=3',
  '/api/orders',
  '/api/orders?limit=3',
  '/api/orders?status=open',
  '/api/orders?status=closed&sort=asc&limit=4',
  '/api/orders?status=canceled&symbol=BTC/USDT',
  '/api/orders?side=buy&sort=asc',
];
const PUBLIC_PATHS = ['/api/orderbook?symbol=BTC/USDT', '/api/level3?symbol=BTC/USDT&limit=5'];

/** An answer of the exchange when its log ended at a position. */
interface Remembered {
  readonly name: string | undefined;
  readonly path: string;
  readonly position: number;
  readonly now: number;
  readonly text: string;
}

function withAt(path: string, at: string | number): string {
  return `${path}${path.includes('?') ? '&' : '?'}at=${encodeURIComponent(at)}`;
}

/** Returns a response without the time at which it was made. */
function essence({ status, text }: Pick<Answer, 'status' | 'text'>): string {
  return `${status} ${text.replace(/,"timestamp":"[^"]*"\}\}$/, '}}')}`;
}

async function ask(exchange: TestExchange, { name, path }: Pick<Remembered, 'name' | 'path'>) {
  return essence(await exchange.send(name, 'GET', path));
}

/** Trades at random and remembers answers at some positions. */
async function live(exchange: TestExchange, seed: number): Promise<Remembered[]> {
  const random = seededRandom(seed);
  const trading = new RandomTrading(exchange, random);
  const remembered: Remembered[] = [];
  for (let step = 0; step < 150; step++) {
    await trading.step();
    if (below(5, random) > 0) continue;
    // Otherwise the state may be older than the clock, which the ends of intervals depend on.
    await exchange.replica.execute({ kind: CommandKind.tick });
    const paths = [
      ...PUBLIC_PATHS.map((path) => ({ name: undefined, path })),
      ...['alice', 'bob'].flatMap((name) => [
        ...PRIVATE_PATHS.map((path) => ({ name, path })),
        { name, path: `/api/orders/${1 + below(40, random)}?queueAhead=true` },
        { name, path: `/api/orders/${1 + below(exchange.state.nextOrderId + 3, random)}` },
      ]),
    ];
    for (const each of paths) {
      const text = await ask(exchange, each);
      remembered.push({ ...each, position: exchange.replica.position, now: exchange.now, text });
    }
    // A request by time includes every change of that time.
    exchange.now += 1 + below(90_000, random) * below(2, random);
  }
  return remembered;
}

const opened: TestExchange[] = [];
afterAll(() => Promise.all(opened.map((exchange) => exchange.close())));

async function open(options: Parameters<typeof TestExchange.open>[0] = {}) {
  const exchange = await TestExchange.open(options);
  opened.push(exchange);
  return exchange;
}

describe('at', () => {
  for (const seed of runs(2) > 2 ? [1, 2, 3, 4] : [1, 2]) {
    test(`shows what the endpoints answered then, byte for byte (seed ${seed})`, async () => {
      // Many kept states, and few: the way to a state must not matter.
      const exchange = await open({ past: { keepEvery: seed % 2 === 0 ? 7 : 1_000_000 } });
      const remembered = await live(exchange, seed);
      expect(remembered.length).toBeGreaterThan(200);
      const random = seededRandom(seed + 1000);
      const shuffled = remembered.map((each) => ({ each, at: random() }));
      for (const { each } of shuffled.sort((a, b) => a.at - b.at)) {
        const at = [each.position, each.now, new Date(each.now).toISOString()][below(3, random)]!;
        const found = await ask(exchange, { ...each, path: withAt(each.path, at) });
        expect(`${each.path} at ${at}: ${found}`).toBe(`${each.path} at ${at}: ${each.text}`);
      }
    });
  }

  test('by position shows the time of the state, by time that time', async () => {
    const exchange = await open();
    const { position } = exchange.replica;
    const begun = exchange.now;
    exchange.now += 5000;
    await exchange.place('alice', {
      symbol: 'BTC/USDT',
      side: 'buy',
      type: 'limit',
      amount: 1,
      price: 9,
    });
    const book = async (at: string | number) =>
      (await exchange.send(undefined, 'GET', withAt('/api/orderbook?symbol=BTC/USDT', at))).data;
    expect(await book(position)).toMatchObject({
      bids: [],
      timestamp: new Date(begun).toISOString(),
    });
    const later = new Date(begun + 4999).toISOString();
    expect(await book(later)).toMatchObject({ bids: [], timestamp: later });
    expect(await book(begun + 5000)).toMatchObject({ bids: [[9, 1]] });
    expect(await book(position + 1)).toMatchObject({ bids: [[9, 1]] });
  });

  test('a state at the border between two batches of one time is that of the position', async () => {
    const exchange = await open();
    const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 1, price: 9 };
    const { orderId } = (await exchange.place('alice', order)).data;
    const { position } = exchange.replica;
    await exchange.send('alice', 'DELETE', `/api/orders/${orderId}`);
    // All at the same time: history alone does not show whether the order had ended.
    const status = async (at: number) => {
      const answer = await exchange.send('alice', 'GET', withAt(`/api/orders/${orderId}`, at));
      return answer.data?.status ?? answer.code;
    };
    expect([
      await status(position - 1),
      await status(position),
      await status(position + 1),
    ]).toEqual(['ORDER_NOT_FOUND', 'open', 'canceled']);
  });
});

describe('an invalid at', () => {
  const BOOK = '/api/orderbook?symbol=BTC/USDT';
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await open();
  });
  const cases: readonly (readonly [string, object])[] = [
    ['yesterday', { rule: 'positionOrTime' }],
    ['-1', { rule: 'positionOrTime' }],
    ['1.5', { rule: 'positionOrTime' }],
    ['2026-02-30T00:00:00Z', { rule: 'positionOrTime' }],
    ['99999999999999999999', { rule: 'positionOrTime' }],
    ['', { rule: 'notEmpty' }],
    ['1&at=2', { rule: 'once' }],
    ['0', { rule: 'begun', nearest: 1 }],
    ['1999-01-01T00:00:00Z', { rule: 'begun', nearest: '2026-01-05T12:00:00.000Z' }],
    ['99999999999', { rule: 'past' }],
    ['2126-01-01T00:00:00Z', { rule: 'past', nearest: '2026-01-05T12:00:00.000Z' }],
  ];
  for (const [at, details] of cases) {
    test(`${at}: INVALID_REQUEST with ${JSON.stringify(details)}`, async () => {
      const answer = await exchange.send(undefined, 'GET', `${BOOK}&at=${at}`);
      expect([answer.status, answer.code]).toEqual([400, 'INVALID_REQUEST']);
      expect(answer.details).toMatchObject({ field: 'at', ...details });
    });
  }

  test('before the account existed', async () => {
    const late = await open();
    const { position } = late.replica;
    await late.replica.execute({
      ...{ kind: CommandKind.createAccount, ...SYSTEM_ACTOR, accountId: 'late', limitClass: 1 },
    });
    await late.addKey('late', 'late', ['read']);
    const answer = await late.send('late', 'GET', `/api/portfolio/balances?at=${position}`);
    expect(answer.details).toEqual({ field: 'at', rule: 'accountExists' });
  });

  test('on endpoints without a past', async () => {
    const answer = await exchange.send('alice', 'GET', '/api/fills?at=1');
    expect(answer.details).toEqual({ field: 'at', rule: 'unknownParameter' });
  });
});

test('a real exchange has no at', async () => {
  const exchange = await open({ isSandbox: false });
  for (const path of PUBLIC_PATHS) {
    const answer = await exchange.send(undefined, 'GET', withAt(path, 1));
    expect([answer.status, answer.details]).toEqual([
      400,
      { field: 'at', rule: 'unknownParameter' },
    ]);
  }
  for (const path of PRIVATE_PATHS) {
    const answer = await exchange.send('alice', 'GET', withAt(path, 1));
    expect(answer.details).toEqual({ field: 'at', rule: 'unknownParameter' });
  }
});

test('work is bounded: a request that is sent again continues where it stopped', async () => {
  const exchange = await open({ past: { maxCommands: 10 } });
  for (let step = 0; step < 40; step++) await exchange.replica.execute({ kind: CommandKind.tick });
  const target = exchange.replica.position - 1;
  const answers: number[] = [];
  for (;;) {
    const path = withAt('/api/orderbook?symbol=BTC/USDT', target);
    const answer = await exchange.send(undefined, 'GET', path);
    answers.push(answer.status);
    if (answer.status === 200) break;
    expect([answer.code, answer.details]).toEqual([
      'OVERLOADED',
      { field: 'at', rule: 'maxCommands' },
    ]);
    expect(answer.headers.get('retry-after')).toBe('1');
  }
  expect(answers.length).toBeGreaterThan(4);
});

test('requests with at have a limit of their own', async () => {
  const exchange = await open({ rateLimits: 'spec' });
  const statuses: number[] = [];
  // Two endpoints, so that the limits of neither are reached.
  for (let count = 0; count <= PAST_LIMIT / 2; count++) {
    for (const path of [
      '/api/orderbook?symbol=BTC/USDT&at=1',
      '/api/level3?symbol=BTC/USDT&at=2',
    ]) {
      statuses.push((await exchange.send(undefined, 'GET', path)).status);
    }
  }
  expect(statuses.indexOf(429)).toBe(PAST_LIMIT);
  expect((await exchange.send(undefined, 'GET', '/api/orderbook?symbol=BTC/USDT')).status).toBe(
    200,
  );
});
