import { afterAll, beforeAll, expect, test } from 'bun:test';
import { NETWORK, TestCustodian } from './custodian.ts';
import { TestExchange } from './exchange.ts';

/** Tests that the daily limits of withdrawals that GET /api/limits shows are those that the engine applies. */

const DAY_MS = 24 * 3_600_000;

let exchange: TestExchange;
let addressId: string;
beforeAll(async () => {
  exchange = await TestExchange.open();
  await TestCustodian.open(exchange);
  await operate('/networks', { ...NETWORK, hourlyCount: 0 });
  await operate('/networks', { ...NETWORK, network: 'lightning', dailyLimit: 2 });
  await operate('/networks', { ...NETWORK, network: 'liquid', dailyLimit: 0 });
  await operate('/transfers', {
    ...{ account: 'alice', asset: 'BTC', amount: 20, reference: 'funds', reason: 'test' },
  });
  await exchange.addKey('payer', 'alice', ['withdraw', 'read'], { addresses: ['127.0.0.0/16'] });
  exchange.now += NETWORK.newDeviceDelayMs;
  const place = { asset: 'BTC', network: 'bitcoin', address: 'bc1qlimit' };
  addressId = (await post('/api/withdrawal-addresses', place)).data.address.id;
});
afterAll(() => exchange.close());

const operate = (path: string, body: object) =>
  exchange.send('operator', 'POST', `/api/admin${path}`, JSON.stringify(body));
const post = async (path: string, body: object) =>
  (await exchange.send('payer', 'POST', path, JSON.stringify(body))).json;
const withdraw = (amount: number) => post('/api/withdrawals', { addressId, amount });
const daily = async () => (await exchange.send('payer', 'GET', '/api/limits')).data.withdrawals;
const limits = (used: number, remaining: number, onLightning: number) => [
  { asset: 'BTC', network: 'bitcoin', dailyLimit: 5, used, remaining },
  { asset: 'BTC', network: 'lightning', dailyLimit: 2, used, remaining: onLightning },
];

test('the rest is accepted, and the smallest amount beyond it is not', async () => {
  expect(await daily()).toEqual(limits(0, 5, 2));
  const { withdrawal } = (await withdraw(1.2)).data;
  expect(await daily()).toEqual(limits(1.2, 3.8, 0.8));
  await exchange.send('payer', 'DELETE', `/api/withdrawals/${withdrawal.id}`);
  expect(await daily()).toEqual(limits(0, 5, 2));
  await withdraw(3.7);
  expect(await daily()).toEqual(limits(3.7, 1.3, 0));
  expect((await withdraw(1.30000001)).error).toMatchObject({ code: 'WITHDRAWAL_LIMIT' });
  expect((await withdraw(1.3)).success).toBe(true);
  expect(await daily()).toEqual(limits(5, 0, 0));
  expect((await withdraw(0.0005)).error.code).toBe('WITHDRAWAL_LIMIT');
});

test('a withdrawal is no longer counted after 24 hours, without any command in between', async () => {
  exchange.now += DAY_MS - 1;
  expect(await daily()).toEqual(limits(5, 0, 0));
  expect((await withdraw(0.0005)).error.code).toBe('WITHDRAWAL_LIMIT');
  exchange.now += 1;
  expect(await daily()).toEqual(limits(0, 5, 2));
  expect((await withdraw(5.00000001)).error.code).toBe('WITHDRAWAL_LIMIT');
  expect((await withdraw(5)).success).toBe(true);
});

test('a limit that is lowered below what was used leaves nothing', async () => {
  await operate('/networks', { ...NETWORK, hourlyCount: 0, dailyLimit: 4 });
  expect((await daily())[0]).toMatchObject({ dailyLimit: 4, used: 5, remaining: 0 });
});

test('sub-accounts, which do not withdraw, have no limits', async () => {
  await exchange.addKey('owner', 'alice', ['transfer', 'read']);
  const body = JSON.stringify({ name: 'bots' });
  const { account } = (await exchange.send('owner', 'POST', '/api/accounts', body)).data;
  await exchange.addKey('bot', account.accountId, ['read']);
  expect((await exchange.send('bot', 'GET', '/api/limits')).data.withdrawals).toEqual([]);
});
