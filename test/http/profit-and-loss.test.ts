import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { ProfitAndLoss } from '../../src/client/index.ts';
import { MINUTE_MS } from '../../src/config/durations.ts';
import { TestExchange } from './exchange.ts';

/** Tests GET /api/portfolio/profit-and-loss by the example of docs/trading/profit-and-loss.md. */

const NOON = Date.UTC(2026, 0, 5, 12);
let exchange: TestExchange;
let transfers = 0;

async function ask(name: string, query = ''): Promise<ProfitAndLoss> {
  const answer = await exchange.send(name, 'GET', `/api/portfolio/profit-and-loss?${query}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.data;
}

async function credit(account: string, asset: string, amount: number): Promise<void> {
  const body = { account, asset, amount, reference: `pnl-${++transfers}`, reason: 'test' };
  const answer = await exchange.send(
    'operator',
    'POST',
    '/api/admin/transfers',
    JSON.stringify(body),
  );
  expect(answer.status).toBe(200);
}

/** Makes a trade of which `name` is the maker. */
async function trade(
  name: string,
  side: 'buy' | 'sell',
  amount: number,
  price: number,
): Promise<void> {
  const order = { symbol: 'BTC/USDT', type: 'limit', amount, price };
  const other = side === 'buy' ? 'sell' : 'buy';
  expect((await exchange.place(name, { ...order, side })).status).toBe(200);
  const taken = await exchange.place('bob', { ...order, side: other });
  expect(taken.data.status).toBe('filled');
}

async function addAccount(id: string): Promise<void> {
  await exchange.send('operator', 'POST', '/api/admin/accounts', JSON.stringify({ accountId: id }));
  await exchange.addKey(id, id, ['read', 'trade']);
}

beforeAll(async () => {
  exchange = await TestExchange.open();
  await addAccount('erin');
  const at = (minute: number) => {
    exchange.now = NOON + minute * MINUTE_MS;
  };
  at(1);
  await trade('alice', 'buy', 0.01, 50_000);
  at(2);
  await credit('erin', 'USDT', 10_000);
  await trade('erin', 'buy', 0.1, 50_000);
  at(3);
  await trade('alice', 'buy', 0.01, 55_000);
  at(4);
  await credit('erin', 'BTC', 0.1);
  at(5);
  await trade('erin', 'sell', 0.15, 60_000);
  at(6);
});
afterAll(() => exchange.close());

/** Expects realized + unrealized + withdrawnGain = value - netDeposits of an answer and of all its points. */
function expectConsistent(answer: ProfitAndLoss): void {
  for (const each of [answer, ...answer.points]) {
    const { value, cost, realized, unrealized, withdrawnGain, netDeposits } = each;
    expect(unrealized).toBeCloseTo(value - cost, 6);
    expect(realized + unrealized + withdrawnGain).toBeCloseTo(value - netDeposits, 6);
  }
  for (const name of ['cost', 'realized', 'withdrawnGain'] as const) {
    const sum = answer.assets.reduce((total, each) => total + each[name], 0);
    expect(sum).toBeCloseTo(answer[name], 6);
  }
  expect(answer.isComplete).toBe(true);
}

/** Makes a report about gains from the beginning to a time. */
async function makeTaxReport(name: string, kind: string, format: string, to: number) {
  const terms = { kind, format, from: '2026-01-01T00:00:00.000Z', to: new Date(to).toISOString() };
  const created = await exchange.send(name, 'POST', '/api/reports', JSON.stringify(terms));
  const path = `/api/reports/${created.data.reportId}`;
  const report = await exchange.send(name, 'GET', path);
  expect(report.data).toMatchObject({ status: 'done', error: null });
  return (await exchange.send(name, 'GET', `${path}/file`)).text;
}

describe('GET /api/portfolio/profit-and-loss', () => {
  test('first in, first out: the example of the documentation', async () => {
    const found = await ask('erin', 'method=fifo&limit=5');
    expect(found).toMatchObject({
      quote: 'USDT',
      value: 16_988,
      netDeposits: 15_500,
      realized: 1238.4,
      unrealized: 249.6,
      withdrawnGain: 0,
      fees: 11.2,
      returnIndex: 1.114676866138,
      keptSince: null,
    });
    expect(found.assets).toContainEqual({
      asset: 'BTC',
      amount: 0.04992,
      averageCost: 55_000,
      cost: 2745.6,
      price: 60_000,
      value: 2995.2,
      unrealized: 249.6,
      realized: 1238.4,
      withdrawnGain: 0,
      hasUnknownCost: false,
    });
    // A deposit at 12:04 changes the value, and not the return.
    expect(found.points.map(({ value }) => value)).toEqual([
      9996, 10_495.6, 15_995.6, 16_988, 16_988,
    ]);
    expect(found.points.map(({ returnIndex }) => returnIndex)).toEqual([
      0.9996, 1.04956, 1.04956, 1.114676866138, 1.114676866138,
    ]);
    expect(found.flows.map(({ asset, value }) => [asset, value])).toEqual([
      ['USDT', 10_000],
      ['BTC', 5500],
    ]);
    expect(found.years).toEqual([
      {
        year: 2026,
        disposals: 2,
        proceeds: 8992.8,
        cost: 7754.4,
        gains: 1238.4,
        losses: 0,
        income: 0,
        hasUnknownCost: false,
      },
    ]);
    expectConsistent(found);
  });

  test('average cost: the example of the documentation', async () => {
    const found = await ask('erin', 'method=average&limit=5');
    expect(found).toMatchObject({ realized: 1114.6487394958, unrealized: 373.3512605042 });
    const bitcoin = found.assets.find(({ asset }) => asset === 'BTC');
    expect(bitcoin).toMatchObject({ averageCost: 52_521.008403361375, cost: 2621.8487394958 });
    expectConsistent(found);
  });

  test('what is withdrawn leaves with its cost and its gain, and does not change the return', async () => {
    const before = await ask('erin');
    await credit('erin', 'BTC', -0.02);
    const after = await ask('erin');
    expect(after.withdrawnGain).toBe(100);
    expect(after.realized).toBe(before.realized);
    expect(after.withdrawn).toBe(1200);
    expect(after.returnIndex).toBe(before.returnIndex);
    expect(after.years).toEqual(before.years);
    expectConsistent(after);
  });

  test('values in any asset that a market leads to, also by inverse prices', async () => {
    const found = await ask('erin', 'quote=BTC&limit=3');
    expect(found.value).toBeCloseTo(0.03 - 0.00008 + 13_992.8 / 60_000, 7);
    expectConsistent(found);
    const none = await ask('erin', 'quote=SOL&limit=3');
    expect(none.value).toBe(0);
    expect(none.assets.map(({ value }) => value)).toEqual([null, null]);
    expectConsistent(none);
  });

  test('continues from earlier answers with the same result as from the beginning', async () => {
    await ask('alice', 'limit=10');
    for (let round = 0; round < 5; round++) {
      exchange.now += MINUTE_MS;
      await trade('alice', round % 2 ? 'buy' : 'sell', (10 + round) / 1000, 50_000 + 1000 * round);
      await ask('alice', 'limit=10');
    }
    const continued = await ask('alice', 'limit=20');
    const archive = exchange.archive as unknown as { gains: { walks: Map<string, unknown> } };
    archive.gains.walks.clear();
    expect(await ask('alice', 'limit=20')).toEqual(continued);
    expectConsistent(continued);
    expectConsistent(await ask('alice', 'limit=20&method=average'));
    expectConsistent(await ask('bob', 'limit=20'));
    expectConsistent(await ask('bob', 'limit=100&interval=1s'));
  });

  test('a long ledger takes several requests', async () => {
    const whole = await ask('bob', 'limit=5');
    const { gains } = exchange.archive as unknown as {
      gains: { walks: Map<string, unknown>; maxEntries: number };
    };
    gains.walks.clear();
    gains.maxEntries = 3;
    const first = await ask('bob', 'limit=5');
    expect([first.isComplete, first.points]).toEqual([false, []]);
    for (let request = 0; request < 100; request++) {
      const found = await ask('bob', 'limit=5');
      if (found.isComplete) break;
    }
    gains.maxEntries = Infinity;
    expect(await ask('bob', 'limit=5')).toEqual(whole);
  });

  test('an account without entries has nothing', async () => {
    await addAccount('frank');
    const found = await ask('frank', 'limit=2');
    expect(found).toMatchObject({ value: 0, assets: [], flows: [], years: [], returnIndex: 1 });
    expect(found.points).toHaveLength(2);
    expect((await ask('frank', 'interval=1s&limit=130')).points).toHaveLength(130);
  });

  test.each([
    ['method=lifo', 'method'],
    ['quote=XYZ', 'quote'],
    ['interval=2m', 'interval'],
    ['limit=1001', 'limit'],
  ])('rejects %s', async (query, field) => {
    const path = `/api/portfolio/profit-and-loss?${query}`;
    const answer = await exchange.send('erin', 'GET', path);
    expect([answer.status, answer.details.field]).toEqual([400, field]);
  });
});

describe('reports of gains', () => {
  test('list the parts of each disposal with their costs, and the sum', async () => {
    const fifo = await makeTaxReport('erin', 'tax_fifo', 'csv', NOON + 6 * MINUTE_MS);
    expect(fifo.split('\r\n')).toEqual([
      'time,kind,reference,asset,amount,currency,proceeds,cost,gain,fee,acquiredAt,holdingDays,costIsKnown',
      '2026-01-05T12:05:00.000Z,trade,4,BTC,0.09992,USDT,5990.40384,5000,990.40384,4.79616,2026-01-05T12:02:00.000Z,0,true',
      '2026-01-05T12:05:00.000Z,trade,4,BTC,0.05008,USDT,3002.39616,2754.4,247.99616,2.40384,2026-01-05T12:04:00.000Z,0,true',
      ',total,,,,USDT,8992.8,7754.4,1238.4,7.2,,,true',
      '',
    ]);
    const average = await makeTaxReport('erin', 'tax_average', 'json', NOON + 6 * MINUTE_MS);
    const { method, total, disposals } = JSON.parse(average);
    expect([method, total.gain, disposals.length]).toEqual(['average', 1114.6487394958, 1]);
    expect(disposals[0]).toMatchObject({
      acquiredAt: null,
      holdingDays: null,
      cost: 7878.1512605042,
    });
  });

  test('have the gains that the yearly totals have', async () => {
    await trade('alice', 'sell', 0.02, 61_000);
    exchange.now += MINUTE_MS;
    for (const method of ['fifo', 'average'] as const) {
      const { years } = await ask('alice', `method=${method}`);
      const text = await makeTaxReport('alice', `tax_${method}`, 'json', exchange.now);
      const { total, disposals } = JSON.parse(text);
      expect(total.gain).toBeCloseTo(years[0]!.gains + years[0]!.losses, 6);
      expect(disposals).toHaveLength(years[0]!.disposals);
    }
  });
});
