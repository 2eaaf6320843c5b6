import { afterAll, beforeAll, expect, test } from 'bun:test';
import { generate } from 'otplib';
import { Browser, PASSWORD, tokenIn } from './browser.ts';
import { TestExchange } from './exchange.ts';

/** Tests the change of the email address over HTTP, as its user and as others. */

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
});
afterAll(() => exchange.close());

let count = 0;
const newEmail = () => `user${count++}@example.com`;
const readProfile = async (browser: Browser) => (await browser.get()).data?.profile;

test('mails a link that changes the address with the password and ends all sessions', async () => {
  const [old, email] = [newEmail(), newEmail()];
  const browser = await Browser.signedUp(exchange, old);
  expect((await readProfile(browser)).pendingEmail).toBeNull();
  const begun = await browser.post('/email', { email: email.toUpperCase(), password: PASSWORD });
  expect(begun.data.profile).toMatchObject({ email: old, pendingEmail: email });
  expect(await readProfile(browser)).toMatchObject({ email: old, pendingEmail: email });
  const token = tokenIn(exchange);
  const phone = new Browser(exchange);
  const wrong = await phone.post('/email/confirm', { token, password: 'wrong' });
  expect(wrong.code).toBe('UNAUTHORIZED');
  const confirmed = await phone.post('/email/confirm', { token, password: PASSWORD });
  expect(confirmed.data).toEqual({ status: 'email_changed' });
  expect((await browser.get()).status).toBe(401);
  expect(phone.session).toBeUndefined();
  expect((await phone.post('/sign-in', { email: old, password: PASSWORD })).status).toBe(401);
  expect((await phone.post('/sign-in', { email, password: PASSWORD })).status).toBe(200);
  expect(await readProfile(phone)).toMatchObject({ email, pendingEmail: null });
  const again = await phone.post('/email/confirm', { token, password: PASSWORD });
  expect(again.details).toMatchObject({ field: 'token', rule: 'valid' });
});

test('responds alike to a free address and one in use, whose owner gets a mail', async () => {
  const [old, free, used] = [newEmail(), newEmail(), newEmail()];
  await Browser.signedUp(exchange, used);
  const browser = await Browser.signedUp(exchange, old);
  const change = async (email: string) => {
    const { status, text } = await browser.post('/email', { email, password: PASSWORD });
    return [status, text.replaceAll(email, 'EMAIL')];
  };
  expect(await change(used)).toEqual(await change(free));
  const mails = exchange.mails.slice(-4).map(({ to, subject }) => [to, subject]);
  expect(mails).toEqual([
    [old, 'Your email address is being changed'],
    [used, 'This address already has an account'],
    [old, 'Your email address is being changed'],
    [free, 'Confirm your new email address'],
  ]);
});

test('is canceled by the user, and needs the password and the second factor', async () => {
  const browser = await Browser.signedUp(exchange, newEmail());
  const { data } = await browser.post('/second-factor', { password: PASSWORD });
  const totp = () => generate({ secret: data.secret, epoch: Math.floor(exchange.now / 1000) });
  await browser.post('/second-factor/confirm', { code: await totp() });
  exchange.now += 30_000;
  const email = newEmail();
  const before = exchange.mails.length;
  expect((await browser.post('/email', { email, password: PASSWORD })).code).toBe('UNAUTHORIZED');
  const onlyCode = await browser.post('/email', { email, password: 'wrong', code: await totp() });
  expect(onlyCode.code).toBe('UNAUTHORIZED');
  expect((await browser.post('/email', { email })).status).toBe(400);
  expect(exchange.mails).toHaveLength(before);
  const both = await browser.post('/email', { email, password: PASSWORD, code: await totp() });
  expect(both.data.profile.pendingEmail).toBe(email);
  const token = tokenIn(exchange);
  const canceled = await browser.post('/email/cancel');
  expect(canceled.data.profile.pendingEmail).toBeNull();
  const late = await browser.post('/email/confirm', { token, password: PASSWORD });
  expect(late.details.field).toBe('token');
  const own = (await readProfile(browser)).email;
  exchange.now += 30_000;
  const same = { email: own, password: PASSWORD, code: await totp() };
  expect((await browser.post('/email', same)).details.field).toBe('email');
});

test('is for sessions of the exchange’s own pages only', async () => {
  const browser = await Browser.signedUp(exchange, newEmail());
  const path = '/api/account/email';
  const body = { email: newEmail(), password: PASSWORD };
  expect((await exchange.send('alice', 'POST', path, JSON.stringify(body))).status).toBe(403);
  expect((await exchange.send(undefined, 'POST', path, JSON.stringify(body))).status).toBe(401);
  const forged = await browser.send('POST', path, body, { Origin: 'https://evil.example' });
  expect(forged.code).toBe('BROWSER_NOT_ALLOWED');
  expect((await readProfile(browser)).pendingEmail).toBeNull();
});
