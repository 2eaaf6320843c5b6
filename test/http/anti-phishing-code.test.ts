import { afterAll, beforeAll, expect, test } from 'bun:test';
import { generate } from 'otplib';
import { Browser, PASSWORD } from './browser.ts';
import { TestExchange } from './exchange.ts';

/** Tests the anti-phishing code over HTTP, as its user and as others. */

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
});
afterAll(() => exchange.close());

let count = 0;
const newEmail = () => `user${count++}@example.com`;
const change = (browser: Browser, antiPhishingCode: unknown, proof: object) =>
  browser.post('/anti-phishing-code', { antiPhishingCode, ...proof });
const readCode = async (browser: Browser) =>
  (await browser.get()).data.profile.antiPhishingCode as string | null;

test('is set, changed and removed with the password', async () => {
  const browser = await Browser.signedUp(exchange, newEmail());
  expect(await readCode(browser)).toBeNull();
  const set = await change(browser, 'Clover42', { password: PASSWORD });
  expect(set.data.profile.antiPhishingCode).toBe('Clover42');
  expect(await readCode(browser)).toBe('Clover42');
  await browser.post('/keys', { permissions: ['read'], password: PASSWORD });
  expect(exchange.mails.at(-1)!.text).toStartWith('Your anti-phishing code: Clover42\n\n');
  const removed = await change(browser, null, { password: PASSWORD });
  expect(removed.data.profile.antiPhishingCode).toBeNull();
  expect(await readCode(browser)).toBeNull();
});

test('must be 4 to 20 letters or digits, so that it cannot imitate other lines of a mail', async () => {
  const browser = await Browser.signedUp(exchange, newEmail());
  for (const code of ['', 'abc', 'a'.repeat(21), 'two words', 'Clover42\n', 'Clöver42', 42]) {
    const { code: error, details } = await change(browser, code, { password: PASSWORD });
    expect([error, details.field]).toEqual(['INVALID_REQUEST', 'antiPhishingCode']);
  }
  expect((await browser.post('/anti-phishing-code', { password: PASSWORD })).status).toBe(400);
  expect(await readCode(browser)).toBeNull();
});

test('a session alone cannot change or remove it, and guesses are slowed', async () => {
  const browser = await Browser.signedUp(exchange, newEmail());
  await change(browser, 'Clover42', { password: PASSWORD });
  const before = exchange.mails.length;
  expect((await change(browser, 'Mallory1', {})).code).toBe('UNAUTHORIZED');
  expect((await change(browser, null, { password: 'wrong' })).code).toBe('UNAUTHORIZED');
  const codes: (string | undefined)[] = [];
  for (let guess = 0; guess < 10; guess++) {
    codes.push((await change(browser, null, { password: `wrong ${guess}` })).code);
  }
  expect(codes.at(-1)).toBe('RATE_LIMIT_EXCEEDED');
  expect(await readCode(browser)).toBe('Clover42');
  expect(exchange.mails).toHaveLength(before);
});

test('needs a code of the second factor if it is on, not the password', async () => {
  const browser = await Browser.signedUp(exchange, newEmail());
  const { data } = await browser.post('/second-factor', { password: PASSWORD });
  const totp = () => generate({ secret: data.secret, epoch: Math.floor(exchange.now / 1000) });
  await browser.post('/second-factor/confirm', { code: await totp() });
  exchange.now += 30_000;
  expect((await change(browser, 'Clover42', { password: PASSWORD })).code).toBe('UNAUTHORIZED');
  expect((await change(browser, 'Clover42', { code: await totp() })).status).toBe(200);
  expect(await readCode(browser)).toBe('Clover42');
});

test('only the sessions of its user see it: no key, no operator and no other user', async () => {
  const email = newEmail();
  const browser = await Browser.signedUp(exchange, email);
  await change(browser, 'Hidden4711', { password: PASSWORD });
  const { accountId } = (await browser.get()).data.profile;
  const paths = [
    '/api/admin/audit/users?limit=200',
    `/api/admin/accounts?search=${encodeURIComponent(email)}`,
    `/api/admin/accounts/${accountId}/users`,
    `/api/admin/accounts/${accountId}`,
  ];
  for (const path of paths) {
    const { status, text } = await exchange.send('operator', 'GET', path);
    expect([path, status]).toEqual([path, 200]);
    expect(text).not.toContain('Hidden4711');
  }
  expect((await exchange.send('operator', 'GET', '/api/account')).status).toBe(403);
  const body = JSON.stringify({ antiPhishingCode: 'Mallory1', password: PASSWORD });
  const path = '/api/account/anti-phishing-code';
  expect((await exchange.send('operator', 'POST', path, body)).status).toBe(403);
  expect((await exchange.send(undefined, 'POST', path, body)).status).toBe(401);
  const other = await Browser.signedUp(exchange, newEmail());
  expect((await other.get()).text).not.toContain('Hidden4711');
  const fromElsewhere = { Origin: 'https://evil.example' };
  const forged = await browser.send('POST', path, JSON.parse(body), fromElsewhere);
  expect(forged.code).toBe('BROWSER_NOT_ALLOWED');
  expect(await readCode(browser)).toBe('Hidden4711');
});
