import { afterAll, beforeAll, expect, test } from 'bun:test';
import { Browser, PASSWORD } from './browser.ts';
import { NETWORK } from './custodian.ts';
import { TestExchange } from './exchange.ts';

/** Closing and reopening sub-accounts over HTTP. */

const ORDER = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 45000 };

let exchange: TestExchange;
let carol: Browser;
let main: string;
let sub: string;
beforeAll(async () => {
  exchange = await TestExchange.open();
  carol = await Browser.signedUp(exchange);
  main = (await carol.get()).data.profile.accountId;
  await adjust(main, 1000);
  sub = (await carol.send('POST', '/api/accounts', { name: 'Grid bot' })).data.account.accountId;
});
afterAll(() => exchange.close());

let adjustments = 0;
function adjust(account: string, amount: number) {
  const reference = `a-${adjustments++}`;
  const terms = { account, asset: 'USDT', amount, reference, reason: 'test' };
  return exchange.send('operator', 'POST', '/api/admin/transfers', JSON.stringify(terms));
}

const change = (body: object, id = sub, browser = carol) =>
  browser.send('PATCH', `/api/accounts/${id}`, body);
const transfer = (body: object) =>
  carol.send('POST', '/api/transfers', { asset: 'USDT', amount: 500, ...body });
const bySub = (method: string, path: string, body?: object) =>
  carol.send(method, path, body, { 'X-Account': sub });

test('a change is of the name or closes, never both or nothing', async () => {
  for (const body of [{}, { name: 'Other', closed: true }, { name: null, closed: null }]) {
    const { code, json } = await change(body);
    expect([code, json.error.details.rule]).toEqual(['INVALID_REQUEST', 'oneOf']);
  }
  expect((await change({ closed: 'yes' })).code).toBe('INVALID_REQUEST');
  expect((await change({ closed: true }, main)).code).toBe('NOT_FOUND');
  const dora = await Browser.signedUp(exchange, 'dora@example.com');
  expect((await change({ closed: true }, sub, dora)).code).toBe('NOT_FOUND');
});

test('the error of a sub-account in use says what to do', async () => {
  await transfer({ to: sub });
  const funded = await change({ closed: true });
  expect([funded.status, funded.json.error]).toEqual([
    400,
    {
      code: 'INVALID_REQUEST',
      message: 'Sub-account still holds 500 USDT. Transfer its balances first.',
      details: { field: 'closed', rule: 'balance' },
    },
  ]);
  const placed = await bySub('POST', '/api/orders', ORDER);
  const trading = await change({ closed: true });
  expect(trading.json.error.message).toBe('Sub-account still has open orders. Cancel them first.');
  expect((await bySub('DELETE', `/api/orders/${placed.data.orderId}`)).status).toBe(200);
  expect((await transfer({ from: sub, to: main })).status).toBe(200);
});

test('closing revokes keys, and a closed sub-account gets no others, no orders and no transfers', async () => {
  const key = { label: 'bot', permissions: ['read', 'trade'], password: PASSWORD };
  const { apiKey, apiSecret } = (await bySub('POST', '/api/account/keys', key)).data;
  const headers = { Authorization: `Bearer ${apiKey}`, 'X-API-Secret': apiSecret };
  const read = () => exchange.send(undefined, 'GET', '/api/orders', undefined, headers);
  expect((await read()).status).toBe(200);
  const closed = await change({ closed: true });
  expect(closed.data.account).toMatchObject({ accountId: sub, name: 'Grid bot', closed: true });
  expect((await read()).code).toBe('UNAUTHORIZED');
  const rules = [];
  for (const each of [
    await bySub('POST', '/api/account/keys', key),
    await bySub('POST', '/api/orders', ORDER),
    await bySub('POST', '/api/orders/test', ORDER),
    await transfer({ to: sub }),
  ]) {
    rules.push([each.status, each.code, each.json.error.details.rule]);
  }
  const isClosed = [400, 'INVALID_REQUEST', 'closed'];
  expect(rules).toEqual([isClosed, isClosed, isClosed, [400, 'INVALID_REQUEST', 'receives']]);
  // Its history stays readable, and its name taken.
  expect((await bySub('GET', '/api/ledger')).data.entries).not.toEqual([]);
  const again = await carol.send('POST', '/api/accounts', { name: 'Grid bot' });
  expect(again.data).toMatchObject({ created: false, account: { accountId: sub, closed: true } });
});

test('a rejected transfer reveals the state of the receiving account only to its owner', async () => {
  const own = await transfer({ to: sub });
  const receives = { field: 'to', rule: 'receives' };
  expect(own.json.error).toEqual({
    code: 'INVALID_REQUEST',
    message: 'The account in to is frozen or closed and cannot receive transfers.',
    details: receives,
  });
  const erin = await Browser.signedUp(exchange, 'erin@example.com');
  await adjust((await erin.get()).data.profile.accountId, 10);
  const terms = { asset: 'USDT', amount: 1, password: PASSWORD };
  const send = (to: string) => erin.send('POST', '/api/transfers', { ...terms, to });
  await exchange.send('operator', 'PATCH', '/api/admin/accounts/bob', '{"frozen":true}');
  for (const to of [sub, 'bob']) {
    expect((await send(to)).json.error).toEqual({
      code: 'INVALID_REQUEST',
      message: 'The account in to cannot receive transfers now.',
      details: receives,
    });
  }
});

test('a closed sub-account gets no new deposit address and nothing from the faucet', async () => {
  await exchange.send('operator', 'POST', '/api/admin/networks', JSON.stringify(NETWORK));
  const place = { asset: NETWORK.asset, network: NETWORK.network };
  const { digest } = exchange.state;
  for (const each of [
    await bySub('POST', '/api/deposit-addresses', place),
    await bySub('POST', '/api/account/faucet', { asset: 'USDT' }),
  ]) {
    expect([each.status, each.json.error]).toEqual([
      400,
      {
        code: 'INVALID_REQUEST',
        message: 'The sub-account is closed. Reopen it first.',
        details: { field: 'account', rule: 'closed' },
      },
    ]);
  }
  expect(exchange.state.digest).toBe(digest);
  expect((await carol.send('POST', '/api/deposit-addresses', place)).data.address).toBeNull();
});

test('lists show closed sub-accounts, to operators too', async () => {
  const { accounts } = (await carol.send('GET', '/api/accounts')).data;
  expect(accounts.map(({ closed }: { closed: boolean }) => closed)).toEqual([false, true]);
  const { data } = await exchange.send('operator', 'GET', `/api/admin/accounts/${sub}`);
  expect(data.account).toMatchObject({ closed: true, frozen: false });
  const found = await exchange.send('operator', 'GET', `/api/admin/search?search=${sub}`);
  expect(found.data.results[0]).toMatchObject({ kind: 'account', status: 'closed' });
  const { data: timeline } = await exchange.send(
    ...(['operator', 'GET', `/api/admin/accounts/${sub}/timeline`] as const),
  );
  const closing = timeline.entries.find(
    ({ command }: { command: { action: string } }) => command.action === 'closeSubAccount',
  );
  expect(closing.command).toMatchObject({ outcome: 'done', details: { isClosed: true } });
});

test('money that arrives later is credited, can leave, and is there after reopening', async () => {
  expect((await adjust(sub, 7)).status).toBe(200);
  expect((await transfer({ from: sub, to: main, amount: 3 })).status).toBe(200);
  expect((await change({ closed: true })).data.account.closed).toBe(true);
  const { account } = (await change({ closed: false })).data;
  expect(account).toMatchObject({ closed: false, balances: [{ asset: 'USDT', total: 4 }] });
  expect((await transfer({ to: sub })).status).toBe(200);
  expect((await bySub('POST', '/api/orders', ORDER)).status).toBe(200);
});
