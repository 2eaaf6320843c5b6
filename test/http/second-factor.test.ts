import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { generate } from 'otplib';
import { Authenticator } from './authenticator.ts';
import { Browser, PASSWORD } from './browser.ts';
import { TestExchange } from './exchange.ts';

/** Tests codes of an app, recovery codes and passkeys over HTTP. */

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
});
afterAll(() => exchange.close());

let count = 0;
const newEmail = () => `user${count++}@example.com`;
const totpCode = (secret: string) => generate({ secret, epoch: Math.floor(exchange.now / 1000) });

/** Returns a user with an active second factor, after the time of the first code. */
async function withSecondFactor(email: string) {
  const browser = await Browser.signedUp(exchange, email);
  const { data } = await browser.post('/second-factor', { password: PASSWORD });
  const confirmed = await browser.post('/second-factor/confirm', {
    code: await totpCode(data.secret),
  });
  exchange.now += 30_000;
  const recoveryCodes: string[] = confirmed.data.recoveryCodes;
  return { browser, secret: data.secret as string, uri: data.uri as string, recoveryCodes };
}

describe('a second factor', () => {
  test('is named in the list of sign-ins, which shows wrong passwords and codes to their user only', async () => {
    const email = newEmail();
    const { browser, secret } = await withSecondFactor(email);
    const from = { 'User-Agent': 'Firefox/140.0' };
    const signIn = (password: string, code?: string) =>
      new Browser(exchange).send('POST', '/api/account/sign-in', { email, password, code }, from);
    await signIn('wrong');
    await signIn(PASSWORD, '000000');
    // Failures are recorded a second later.
    const deadline = Date.now() + 10_000;
    while ((await browser.get('/sign-ins')).data.signIns.length < 3 && Date.now() < deadline) {
      await Bun.sleep(250);
    }
    await signIn(PASSWORD, await totpCode(secret));

    const { data } = await browser.get('/sign-ins?limit=3');
    expect(data.signIns).toMatchObject([
      { result: 'succeeded', method: 'password_totp', userAgent: 'Firefox/140.0' },
      { result: 'wrong_code', method: 'password_totp', userAgent: 'Firefox/140.0' },
      { result: 'wrong_password', method: 'password', userAgent: 'Firefox/140.0' },
    ]);
    const { timestamp, address } = data.signIns[1];
    expect([timestamp, address]).toEqual([new Date(exchange.now).toISOString(), '127.0.0.1']);
    const older = await browser.get(`/sign-ins?limit=3&cursor=${data.nextCursor}`);
    expect(older.data).toMatchObject({
      signIns: [{ result: 'succeeded', method: 'email_link', userAgent: null }],
      nextCursor: null,
    });

    const other = await Browser.signedUp(exchange, newEmail());
    expect((await other.get('/sign-ins')).data.signIns).toHaveLength(1);
    expect((await other.get(`/sign-ins?cursor=${data.nextCursor}`)).code).toBe('INVALID_REQUEST');
    expect((await exchange.send('alice', 'GET', '/api/account/sign-ins')).status).toBe(403);
    expect((await exchange.send(undefined, 'GET', '/api/account/sign-ins')).status).toBe(401);
    const audit = await exchange.send('operator', 'GET', '/api/admin/audit/users?limit=200');
    const failed = audit.data.entries.filter(
      (entry: { action: string; email: string }) =>
        entry.action === 'sign_in_failed' && entry.email === email,
    );
    expect(failed.map(({ details }: { details: string }) => details)).toEqual([
      'password_totp',
      'password',
    ]);
  });

  test('is required once it is on, and each code works once', async () => {
    const email = newEmail();
    const browser = await Browser.signedUp(exchange, email);
    expect((await browser.post('/second-factor', { password: 'wrong' })).code).toBe('UNAUTHORIZED');
    const { data } = await browser.post('/second-factor', { password: PASSWORD });
    expect(data.uri).toStartWith('otpauth://totp/Buttonwood:user');
    const other = new Browser(exchange);
    const signIn = (code?: string) => other.post('/sign-in', { email, password: PASSWORD, code });
    expect((await signIn()).data.status).toBe('signed_in');
    expect((await browser.post('/second-factor/confirm', { code: '000000' })).code).toBe(
      'UNAUTHORIZED',
    );
    const before = browser.session;
    const code = await totpCode(data.secret);
    const confirmed = await browser.post('/second-factor/confirm', { code });
    expect(new Set(confirmed.data.recoveryCodes).size).toBe(10);
    expect(browser.session).not.toBe(before);
    expect((await browser.get()).data.profile).toMatchObject({
      secondFactor: true,
      recoveryCodesLeft: 10,
    });
    expect((await signIn()).data).toEqual({ status: 'second_factor_required' });
    expect((await signIn(code)).code).toBe('UNAUTHORIZED');
    exchange.now += 30_000;
    const next = await totpCode(data.secret);
    expect((await signIn(next)).data.status).toBe('signed_in');
    expect((await signIn(next)).code).toBe('UNAUTHORIZED');
    const wrong = await other.post('/sign-in', { email, password: 'wrong', code: next });
    expect(wrong.code).toBe('UNAUTHORIZED');
  });

  test('recovery codes work once, and new ones invalidate the old ones', async () => {
    const email = newEmail();
    const { browser, secret, recoveryCodes } = await withSecondFactor(email);
    const other = new Browser(exchange);
    const signIn = (code: string) => other.post('/sign-in', { email, password: PASSWORD, code });
    expect((await signIn(recoveryCodes[0]!)).data.status).toBe('signed_in');
    expect((await signIn(recoveryCodes[0]!)).code).toBe('UNAUTHORIZED');
    expect((await browser.get()).data.profile.recoveryCodesLeft).toBe(9);
    const code = await totpCode(secret);
    const renewed = await browser.post('/second-factor/recovery-codes', { code });
    expect((await signIn(recoveryCodes[1]!)).code).toBe('UNAUTHORIZED');
    expect((await signIn(renewed.data.recoveryCodes[1])).data.status).toBe('signed_in');
  });

  test('is required instead of the password, and with the password to be turned off', async () => {
    const email = newEmail();
    const { browser, secret } = await withSecondFactor(email);
    const terms = { label: 'bot', permissions: ['read'] };
    expect((await browser.post('/keys', { ...terms, password: PASSWORD })).code).toBe(
      'UNAUTHORIZED',
    );
    const code = await totpCode(secret);
    expect((await browser.post('/keys', { ...terms, code })).status).toBe(200);
    expect((await browser.post('/keys', { ...terms, code })).code).toBe('UNAUTHORIZED');
    exchange.now += 30_000;
    const next = await totpCode(secret);
    const remove = (body: object) => browser.post('/second-factor/remove', body);
    expect((await remove({ password: 'wrong', code: next })).code).toBe('UNAUTHORIZED');
    expect((await remove({ password: PASSWORD, code: '000000' })).code).toBe('UNAUTHORIZED');
    expect((await browser.post('/second-factor', { password: PASSWORD })).code).toBe(
      'INVALID_REQUEST',
    );
    expect((await remove({ password: PASSWORD, code: next })).data).toEqual({ status: 'removed' });
    expect((await browser.get()).data.profile).toMatchObject({
      secondFactor: false,
      recoveryCodesLeft: 0,
    });
  });

  test('stays in force when the password is set by a mailed link', async () => {
    const email = newEmail();
    const { browser } = await withSecondFactor(email);
    await browser.post('/password-reset', { email });
    const token = /#token=(\S+)/.exec(exchange.mails.at(-1)!.text)![1]!;
    await browser.post('/password-reset/confirm', { token, password: 'a field full of poppies' });
    expect(exchange.mails.at(-1)!.text).toContain('/settings#keys');
    expect((await browser.get()).code).toBe('UNAUTHORIZED');
    const again = await browser.post('/sign-in', { email, password: 'a field full of poppies' });
    expect(again.data).toEqual({ status: 'second_factor_required' });
  });
});

describe('security changes are mailed to the user', () => {
  test('however many mails others have requested, and other sessions end with a second factor', async () => {
    const email = newEmail();
    const browser = await Browser.signedUp(exchange, email);
    const other = new Browser(exchange);
    await other.post('/sign-in', { email, password: PASSWORD });
    for (let i = 0; i < 12; i++) await other.post('/password-reset', { email });
    const sent = () =>
      exchange.mails.filter(({ to }) => to === email).map(({ subject }) => subject);
    expect(sent()).toHaveLength(6);
    await browser.post('/keys', { label: 'bot', permissions: ['read'], password: PASSWORD });
    browser.host = 'localhost:3000';
    const asked = await browser.post('/passkeys/options', { password: PASSWORD });
    const response = new Authenticator('http://localhost:3000').create(
      asked.data.options.challenge,
    );
    await browser.post('/passkeys', { response, label: 'phone' });
    const { secret } = (await browser.post('/second-factor', { password: PASSWORD })).data;
    await browser.post('/second-factor/confirm', { code: await totpCode(secret) });
    expect((await other.get()).code).toBe('UNAUTHORIZED');
    exchange.now += 30_000;
    await browser.post('/second-factor/recovery-codes', { code: await totpCode(secret) });
    exchange.now += 30_000;
    const both = { password: PASSWORD, code: await totpCode(secret) };
    await browser.post('/second-factor/remove', both);
    await browser.post('/password', { password: PASSWORD, newPassword: 'a field full of poppies' });
    expect(sent().slice(6)).toEqual([
      'A new API key',
      'A new passkey',
      'Two-factor authentication is on',
      'New recovery codes',
      'Two-factor authentication is off',
      'Your password was changed',
    ]);
  });
});

describe('passkeys', () => {
  const ORIGIN = 'http://localhost:3000';
  async function atName(email: string): Promise<Browser> {
    const browser = await Browser.signedUp(exchange, email);
    browser.host = 'localhost:3000';
    return browser;
  }

  async function register(browser: Browser, passkey: Authenticator) {
    const { data } = await browser.post('/passkeys/options', { password: PASSWORD });
    const response = passkey.create(data.options.challenge);
    return browser.post('/passkeys', { response, label: 'phone' });
  }

  async function show(browser: Browser, passkey: Authenticator) {
    const { data } = await browser.post('/sign-in/passkey/options');
    return browser.post('/sign-in/passkey', { response: passkey.get(data.options.challenge) });
  }

  test('are added, sign in on their own, are listed and removed', async () => {
    const browser = await atName(newEmail());
    const passkey = new Authenticator(ORIGIN);
    const { data } = await register(browser, passkey);
    expect(data.passkey).toMatchObject({ label: 'phone', lastUsedAt: null });
    const other = new Browser(exchange);
    other.host = browser.host;
    const signedIn = await show(other, passkey);
    expect(signedIn.data.status).toBe('signed_in');
    const { profile } = (await other.get()).data;
    expect(profile).toEqual((await browser.get()).data.profile);
    expect(profile.passkeys).toBe(1);
    const listed = await browser.get('/passkeys');
    expect(listed.data.passkeys[0].lastUsedAt).toBe(new Date(exchange.now).toISOString());
    const stranger = await Browser.signedUp(exchange, newEmail());
    const path = `/passkeys/${data.passkey.id}`;
    expect((await stranger.delete(path)).code).toBe('NOT_FOUND');
    expect((await browser.delete(path)).data).toEqual({ passkeys: [] });
    expect((await show(other, passkey)).code).toBe('UNAUTHORIZED');
  });

  test('require a password, a fresh challenge and the exchange’s own host name', async () => {
    const browser = await atName(newEmail());
    expect((await browser.post('/passkeys/options', { password: 'wrong' })).code).toBe(
      'UNAUTHORIZED',
    );
    const passkey = new Authenticator(ORIGIN);
    await register(browser, passkey);
    const { data } = await browser.post('/sign-in/passkey/options');
    const response = passkey.get(data.options.challenge);
    expect((await browser.post('/sign-in/passkey', { response })).status).toBe(200);
    expect((await browser.post('/sign-in/passkey', { response })).code).toBe('UNAUTHORIZED');
    for (const wrong of [
      new Authenticator('http://evil.example:3000'),
      new Authenticator(ORIGIN, 'evil.example'),
      Object.assign(new Authenticator(ORIGIN), { verifiesUser: false }),
    ]) {
      expect((await register(browser, wrong)).details.field).toBe('response');
    }
    passkey.verifiesUser = false;
    expect((await show(browser, passkey)).code).toBe('UNAUTHORIZED');
    passkey.verifiesUser = true;
    passkey.counter = 0;
    expect((await show(browser, passkey)).code).toBe('UNAUTHORIZED');
    for (const nonsense of [{}, { id: 7 }, { id: 'x', response: null }]) {
      const answer = await browser.post('/sign-in/passkey', { response: nonsense });
      expect(answer.code).toBe('UNAUTHORIZED');
    }
  });

  test('a challenge is valid for one user and a short time', async () => {
    const browser = await atName(newEmail());
    const other = await atName(newEmail());
    const { data } = await browser.post('/passkeys/options', { password: PASSWORD });
    const response = new Authenticator(ORIGIN).create(data.options.challenge);
    const stolen = await other.post('/passkeys', { response, label: 'mine' });
    expect(stolen.details.field).toBe('response');
    const late = await browser.post('/passkeys/options', { password: PASSWORD });
    exchange.now += 5 * 60_000;
    const answer = new Authenticator(ORIGIN).create(late.data.options.challenge);
    expect((await browser.post('/passkeys', { response: answer, label: 'late' })).code).toBe(
      'INVALID_REQUEST',
    );
  });

  test('require a host name: with an IP address they are rejected', async () => {
    const browser = await Browser.signedUp(exchange, newEmail());
    for (const host of ['127.0.0.1:3000', '[::1]:3000']) {
      browser.host = host;
      for (const path of ['/sign-in/passkey/options', '/passkeys/options']) {
        const answer = await browser.post(path);
        expect([answer.code, answer.details.rule]).toEqual(['INVALID_REQUEST', 'name']);
        expect(answer.json.error.message).toContain('localhost');
      }
    }
  });
});
