import { afterAll, beforeAll, expect, test } from 'bun:test';
import { detectorNames, PARAMETERS } from '../../src/surveillance/alert.ts';
import { TestExchange } from './exchange.ts';

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
});
afterAll(() => exchange.close());

type By = 'alice' | 'bob';

async function place(by: By, side: string): Promise<void> {
  const order = { symbol: 'BTC/USDT', side, type: 'limit', amount: 0.01, price: 45_000 };
  const { status } = await exchange.send(by, 'POST', '/api/orders', JSON.stringify(order));
  expect(status).toBe(200);
  exchange.now += 1000;
}

/** Two users trade the same amount to and fro, and a command ends the window. */
async function washTrade(): Promise<void> {
  for (let round = 0; round < 6; round++) {
    const [seller, buyer]: By[] = round % 2 === 0 ? ['alice', 'bob'] : ['bob', 'alice'];
    await place(seller!, 'sell');
    await place(buyer!, 'buy');
  }
  exchange.now += 600_000;
  await place('alice', 'buy');
  const canceled = await exchange.send('alice', 'DELETE', '/api/orders?all=true');
  expect(canceled.status).toBe(200);
}

const list = async (query = '', by: 'operator' | By = 'operator') =>
  exchange.send(by, 'GET', `/api/admin/alerts${query}`);

test('operators see alerts, newest first, by detector, market and user', async () => {
  expect((await list()).data).toMatchObject({
    ...{ alerts: [], failedDetectors: [], nextCursor: null },
    detection: { orders: 0, trades: 0 },
  });
  for (let times = 0; times < 3; times++) await washTrade();
  const { alerts, nextCursor } = (await list()).data;
  expect(nextCursor).toBeNull();
  expect(alerts).toHaveLength(3);
  const [newest] = alerts;
  expect(newest).toMatchObject({
    detector: 'wash_trading',
    symbol: 'BTC/USDT',
    figures: { trades: 6, netPercent: 0 },
  });
  expect([...newest.accounts].sort()).toEqual(['alice', 'bob']);
  const { from, to, logPosition } = newest;
  expect(newest.id).toStartWith(`wash_trading-${from.logPosition}-${from.index}-`);
  expect(to.logPosition).toBeGreaterThan(from.logPosition);
  expect(logPosition).toBeGreaterThan(to.logPosition);
  expect(alerts[1].logPosition).toBeLessThan(from.logPosition);

  const found = async (query: string) => (await list(query)).data.alerts;
  for (const same of ['detector=wash_trading', 'symbol=BTC/USDT', 'account=bob', 'limit=3']) {
    expect(await found(`?${same}`)).toEqual(alerts);
  }
  for (const none of ['detector=pump', 'symbol=ETH/USDT', 'account=operator']) {
    expect(await found(`?${none}`)).toEqual([]);
  }
  const pages: object[] = [];
  let query = '?limit=1';
  for (let page = 0; page < 3; page++) {
    const { data } = await list(query);
    expect(data.alerts).toHaveLength(1);
    pages.push(...data.alerts);
    query = `?limit=1&cursor=${data.nextCursor}`;
  }
  expect(pages).toEqual(alerts);
  const time = new Date(Date.parse(newest.to.timestamp));
  const after = new Date(time.getTime() + 1).toISOString();
  expect(await found(`?severity=medium&since=${time.toISOString()}`)).toEqual([newest]);
  expect(await found(`?until=${time.toISOString()}`)).toEqual(alerts);
  expect(await found(`?since=${after}`)).toEqual([]);
  expect(await found('?severity=high')).toEqual([]);
  // The rows are the same once they are stored.
  await exchange.archive.flush();
  expect((await list()).data.alerts).toEqual(alerts);
  expect(await found('?account=alice&detector=wash_trading&symbol=BTC/USDT')).toEqual(alerts);
  expect((await list('?limit=1')).data.alerts).toEqual([newest]);
  expect(await found(`?severity=medium&since=${time.toISOString()}`)).toEqual([newest]);
  expect(await found(`?since=${after}`)).toEqual([]);
  expect(await found('?severity=high')).toEqual([]);
});

test('the list has what the detectors have read', async () => {
  const before = (await list()).data.detection;
  await washTrade();
  const { detection } = (await list()).data;
  expect(detection.detectors.map(({ detector }: { detector: string }) => detector)).toEqual([
    ...detectorNames,
  ]);
  expect(detection.trades - before.trades).toBe(6);
  // Twelve orders that trade and one that is canceled, each with the changes of both sides.
  expect(detection.orders - before.orders).toBeGreaterThanOrEqual(20);
  expect(detection.from).toBe(before.from);
  expect(Date.parse(detection.to)).toBeGreaterThan(Date.parse(before.to));
  const [washTrading, spoofing] = detection.detectors;
  expect(washTrading).toMatchObject({ severity: 'medium', isRunning: true, windowMs: 600_000 });
  expect(washTrading.parameters).toEqual(PARAMETERS.wash_trading);
  expect(washTrading.alerts - before.detectors[0].alerts).toBe(1);
  expect(Date.parse(washTrading.nextAt)).toBeGreaterThan(Date.parse(detection.to));
  for (const { evaluatedTo } of detection.detectors) {
    // Nothing was evaluated before the first command.
    if (evaluatedTo !== null) {
      expect(Date.parse(evaluatedTo)).toBeGreaterThan(Date.parse(detection.from));
      expect(Date.parse(evaluatedTo)).toBeLessThanOrEqual(Date.parse(detection.to));
    }
  }
  expect(
    before.detectors.map((each: { evaluatedTo: string | null }) => each.evaluatedTo),
  ).toContain(null);
  expect(spoofing.alerts).toBe(0);
});

test.each([
  ['?detector=front_running', 400, 'detector'],
  ['?symbol=BTC/XYZ', 400, 'symbol'],
  ['?account=nobody-here', 404, 'account'],
  ['?cursor=x', 400, 'cursor'],
  ['?severity=extreme', 400, 'severity'],
  ['?since=yesterday', 400, 'since'],
  ['?status=open', 400, 'status'],
  ['?caseStatus=done', 400, 'caseStatus'],
  ['?assignee=nobody-here', 404, 'assignee'],
])('%s is rejected', async (query, status, field) => {
  const response = await list(query);
  expect([response.status, response.json.error.details.field]).toEqual([status, field]);
});

test('users see no alerts', async () => {
  expect((await list('', 'alice')).status).toBe(403);
  const path = '/api/admin/alerts/pump-1';
  expect((await exchange.send('alice', 'GET', path)).status).toBe(403);
  expect((await exchange.send('alice', 'PATCH', path, '{"note":"x"}')).status).toBe(403);
});

/** Sends a review of the alert. @returns The status, and the message or the case */
async function review(id: string, body: object, by = 'operator') {
  const path = `/api/admin/alerts/${id}`;
  const { status, json } = await exchange.send(by, 'PATCH', path, JSON.stringify(body));
  return { status, data: json.data, error: json.error };
}

test('cases are assigned, closed with a note and reopened, and keep all reviews', async () => {
  const id = await exchange.addAlert();
  const found = async (query: string) => {
    const { data } = await list(`?detector=pump&${query}`);
    return data.alerts.map((alert: { id: string }) => alert.id);
  };
  const get = async () => (await exchange.send('operator', 'GET', `/api/admin/alerts/${id}`)).data;
  expect(await get()).toMatchObject({
    alert: { id, caseStatus: 'open', assignee: null, reviewedAt: null },
    reviews: [],
  });
  expect(await found('caseStatus=open')).toEqual([id]);
  const steps = [
    [{ assignee: 'operator' }, 'assigned', 'operator', ''],
    [{ note: 'called' }, 'assigned', 'operator', 'called'],
    [{ caseStatus: 'closed', note: 'harmless' }, 'closed', 'operator', 'harmless'],
    [{ caseStatus: 'open', assignee: '' }, 'open', null, ''],
  ] as const;
  for (const [index, [body, caseStatus, assignee, note]] of steps.entries()) {
    exchange.now += 1000;
    const reviewedAt = new Date(exchange.now).toISOString();
    const { status, data } = await review(id, body);
    expect(status).toBe(200);
    expect(data.alert).toMatchObject({ id, caseStatus, assignee, reviewedAt });
    expect(data.reviews).toHaveLength(index + 1);
    const actor = { account: 'operator', user: null, timestamp: reviewedAt };
    expect(data.reviews[index]).toMatchObject({ caseStatus, assignee, note, ...actor });
    // The answer is the same once the rows are stored.
    for (const isStored of [false, true]) {
      if (isStored) await exchange.archive.flush();
      expect(await get()).toEqual(data);
      for (const each of ['open', 'assigned', 'closed']) {
        expect(await found(`caseStatus=${each}`)).toEqual(each === caseStatus ? [id] : []);
      }
      expect(await found('assignee=operator')).toEqual(assignee === null ? [] : [id]);
      expect(await found('assignee=alice')).toEqual([]);
    }
  }
  expect((await list('?detector=pump')).data.alerts).toEqual([(await get()).alert]);
  const audit = await exchange.send('operator', 'GET', '/api/admin/audit?action=reviewAlert');
  const assigned = { alert: id, isClosed: false, assignee: 'operator', note: '' };
  expect(audit.data.entries.at(-1).details).toMatchObject(assigned);
  expect(audit.data.entries[0].details.assignee).toBeNull();
});

test('reviews that do not fit the case are refused, and change nothing', async () => {
  const id = await exchange.addAlert();
  const refusal = async (body: object) => {
    const { status, error } = await review(id, body);
    return `${status} ${error?.details.field} ${error?.details.rule}: ${error?.message}`;
  };
  const empty = '400 note change: Send caseStatus, assignee or note.';
  expect(await refusal({})).toBe(empty);
  expect(await refusal({ note: ' ' })).toBe(empty);
  expect(await refusal({ caseStatus: 'open', note: 'x' })).toStartWith('400 caseStatus open: ');
  const unexplained = '400 note closed: Send a note that says why the case is closed.';
  expect(await refusal({ caseStatus: 'closed' })).toBe(unexplained);
  expect(await refusal({ assignee: 'nobody-here' })).toStartWith('404 assignee');
  const { data } = await review(id, { caseStatus: 'closed', note: 'harmless' });
  for (const body of [{ caseStatus: 'closed', note: 'x' }, { note: 'x' }, { assignee: 'alice' }]) {
    expect(await refusal(body)).toBe(
      '400 caseStatus closed: The case is closed. Reopen it with caseStatus open.',
    );
  }
  expect((await exchange.send('operator', 'GET', `/api/admin/alerts/${id}`)).data).toEqual(data);
  expect((await review('pump-0', { note: 'x' })).error.code).toBe('NOT_FOUND');
});

test('reviews need compliance or operate', async () => {
  const id = await exchange.addAlert();
  await exchange.addKey('supporter', 'operator', ['support']);
  await exchange.addKey('officer', 'operator', ['compliance']);
  const body = { note: 'looked at it' };
  expect((await review(id, body, 'supporter')).error.code).toBe('INSUFFICIENT_PERMISSIONS');
  expect((await review(id, body, 'officer')).status).toBe(200);
});

test('an alert has the trades and orders behind it', async () => {
  await washTrade();
  const [alert] = (await list('?limit=1')).data.alerts;
  const path = `/api/admin/alerts/${alert.id}/activity`;
  const read = async () => (await exchange.send('operator', 'GET', path)).data;
  const { fills, orders, areFillsComplete, areOrdersComplete } = await read();
  expect([fills.length, areFillsComplete, areOrdersComplete]).toEqual([12, true, true]);
  for (const name of ['alice', 'bob']) {
    expect(fills.filter(({ account }: { account: string }) => account === name)).toHaveLength(6);
  }
  expect(fills[0]).toMatchObject({ price: 45000, amount: 0.01, side: expect.any(String) });
  const ordered = new Set(orders.map(({ orderId }: { orderId: string }) => orderId));
  for (const { orderId, timestamp } of fills) {
    expect(ordered).toContain(orderId);
    expect(timestamp >= alert.from.timestamp && timestamp <= alert.to.timestamp).toBe(true);
  }
  await exchange.archive.flush();
  expect((await read()).fills).toEqual(fills);
  expect((await exchange.send('alice', 'GET', path)).status).toBe(403);
  const unknown = await exchange.send('operator', 'GET', '/api/admin/alerts/pump-1/activity');
  expect(unknown.status).toBe(404);
});
