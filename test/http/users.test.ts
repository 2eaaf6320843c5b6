import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Browser, PASSWORD, tokenIn } from './browser.ts';
import { TestExchange } from './exchange.ts';

/** Tests /api/account/: sign-up, sign-in, sign-out, profile, sessions, password, keys. */

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
});
afterAll(() => exchange.close());

let count = 0;
const newEmail = () => `person${count++}@example.com`;

describe('signing up', () => {
  test('a mailed link opens an account, signs in and trades', async () => {
    const browser = new Browser(exchange);
    const email = newEmail();
    const user = { email: email.toUpperCase(), password: PASSWORD, name: 'Carol' };
    const asked = await browser.post('/sign-up', user);
    expect(asked.data).toEqual({ status: 'check_email' });
    expect(browser.cookies.size).toBe(0);
    expect(exchange.mails.at(-1)!.to).toBe(email);
    const verified = await browser.post('/verify-email', {
      token: tokenIn(exchange),
      password: PASSWORD,
    });
    expect(verified.data).toEqual({ status: 'verified' });
    const { data } = await browser.get();
    expect(data.profile).toMatchObject({
      email,
      name: 'Carol',
      permissions: ['read', 'trade'],
      secondFactor: false,
      recoveryCodesLeft: 0,
      passkeys: 0,
      isSandbox: true,
    });
    expect(exchange.state.accountsById.has(data.profile.accountId)).toBe(true);
    const balances = await browser.send('GET', '/api/portfolio/balances');
    expect(balances.data).toEqual({ balances: [] });
    expect(balances.headers.get('Cache-Control')).toBe('no-store');
    const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 45000 };
    expect((await browser.send('POST', '/api/orders', order)).code).toBe('INSUFFICIENT_BALANCE');
  });

  test('the cookie belongs to the host, and scripts cannot read it', async () => {
    const browser = await Browser.signedUp(exchange, newEmail());
    await browser.post('/sign-out');
    const email = exchange.mails.at(-1)!.to;
    const answer = await browser.post('/sign-in', { email, password: PASSWORD });
    const [cookie] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-buttonwood=[\w-]{43}; Max-Age=2592000; /);
    for (const term of ['Path=/', 'Secure', 'HttpOnly', 'SameSite=Strict']) {
      expect(cookie!.split('; ')).toContain(term);
    }
    expect(cookie).not.toContain('Domain');
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    expect(answer.text).not.toContain(browser.session!);
  });

  test('a name is any text without control characters', async () => {
    const browser = await Browser.signedUp(exchange, newEmail());
    const name = '</script><script>alert(1)</script> "Zoë" 🦊 \'; DROP TABLE users';
    const { data } = await browser.send('PATCH', '/api/account', { name });
    expect(data.profile.name).toBe(name);
    expect((await browser.get()).data.profile.name).toBe(name);
    for (const wrong of ['', ' ', 'a\nb', 'a\u0000', 'a\u202eb', 'a\u2028b', 'x'.repeat(65)]) {
      const refused = await browser.send('PATCH', '/api/account', { name: wrong });
      expect([refused.code, refused.details.field]).toEqual(['INVALID_REQUEST', 'name']);
    }
    expect((await browser.get()).data.profile.name).toBe(name);
  });

  test.each([
    ['email', { email: 'not an address' }],
    ['email', { email: 'a@b@example.com' }],
    ['email', { email: 'victim@example.com\r\nBcc: all@example.com' }],
    ['password', { password: 'elevenchars' }],
    ['password', { password: '1q2w3e4r5t6y' }],
    ['password', { password: 'x'.repeat(257) }],
    ['name', { name: null }],
    ['nonsense', { nonsense: 1 }],
  ])('a wrong %s is reported and sends no mail', async (field, wrong) => {
    const sent = exchange.mails.length;
    const user = { email: newEmail(), password: PASSWORD, name: 'Carol' };
    const answer = await new Browser(exchange).post('/sign-up', { ...user, ...wrong });
    expect([answer.code, answer.details.field]).toEqual(['INVALID_REQUEST', field]);
    expect(exchange.mails).toHaveLength(sent);
  });

  test('without mail no one can sign up, but an invited user can accept', async () => {
    const silent = await TestExchange.open({ canMail: false });
    const browser = new Browser(silent);
    const user = { email: 'carol@example.com', password: PASSWORD, name: 'Carol' };
    expect((await browser.post('/sign-up', user)).code).toBe('NOT_FOUND');
    const { email } = user;
    expect((await browser.post('/password-reset', { email })).code).toBe('NOT_FOUND');
    const path = '/api/admin/accounts/alice/users';
    const invitation = JSON.stringify({ email, permissions: ['read'] });
    const { data } = await silent.send('operator', 'POST', path, invitation);
    const token = data.link.split('#token=')[1];
    await browser.post('/password-reset/confirm', { token, password: PASSWORD });
    await browser.post('/sign-in', { email, password: PASSWORD });
    expect((await browser.get()).data.profile).toMatchObject({ accountId: 'alice' });
    await silent.close();
  });
});

describe('an invitation', () => {
  const path = '/api/admin/accounts/bob/users';
  const invite = (email: string, permissions: string[], account = path) =>
    exchange.send('operator', 'POST', account, JSON.stringify({ email, permissions }));

  test('grants its permissions, and a second one changes them at once', async () => {
    const email = newEmail();
    await invite(email, ['read']);
    const browser = new Browser(exchange);
    await browser.post('/password-reset/confirm', { token: tokenIn(exchange), password: PASSWORD });
    expect(browser.session).toBeUndefined();
    await browser.post('/sign-in', { email, password: PASSWORD });
    const cancel = () => browser.send('DELETE', '/api/orders?all=true');
    expect((await cancel()).details).toEqual({ required: 'trade' });
    expect((await browser.send('GET', '/api/admin/state')).details).toEqual({
      required: 'operate',
    });
    await invite(email, ['trade', 'operate']);
    expect((await cancel()).code).toBe('UNAUTHORIZED');
    await browser.post('/sign-in', { email, password: PASSWORD });
    expect((await cancel()).data.orders).toEqual([]);
    expect((await browser.send('GET', '/api/admin/state')).status).toBe(200);
    expect((await browser.send('GET', '/api/orders')).details).toEqual({ required: 'read' });
  });

  test('a second one ends sessions, and a removed user loses access at once', async () => {
    const email = newEmail();
    await invite(email, ['read']);
    const browser = new Browser(exchange);
    await browser.post('/password-reset/confirm', { token: tokenIn(exchange), password: PASSWORD });
    const signIn = () => browser.post('/sign-in', { email, password: PASSWORD });
    await signIn();
    await invite(email, ['read']);
    expect((await browser.get()).code).toBe('UNAUTHORIZED');
    await signIn();
    expect((await browser.get()).status).toBe(200);
    const listed = async () =>
      (await exchange.send('operator', 'GET', path)).data.users.map(
        (user: { email: string }) => user.email,
      );
    expect(await listed()).toContain(email);
    const { data } = await exchange.send('operator', 'GET', path);
    expect(data.users).toContainEqual(
      expect.objectContaining({ email, permissions: ['read'], secondFactor: false }),
    );
    const own = `${path}/${encodeURIComponent(email)}/remove`;
    const remove = (who: string, from = own) => exchange.send(who, 'POST', from, '{}');
    expect((await remove('bob')).code).toBe('INSUFFICIENT_PERMISSIONS');
    expect((await remove('operator', own.replace('/bob/', '/alice/'))).code).toBe('NOT_FOUND');
    const link = tokenIn(exchange);
    expect((await remove('operator')).status).toBe(200);
    expect(exchange.mails.at(-1)).toMatchObject({
      to: email,
      subject: 'Your access was removed',
    });
    expect(await listed()).not.toContain(email);
    expect((await browser.get()).code).toBe('UNAUTHORIZED');
    expect((await signIn()).code).toBe('UNAUTHORIZED');
    const late = await browser.post('/password-reset/confirm', { token: link, password: PASSWORD });
    expect(late.details.field).toBe('token');
    expect((await remove('operator')).code).toBe('NOT_FOUND');
  });

  test('does not move a user from another account', async () => {
    const email = newEmail();
    await Browser.signedUp(exchange, email);
    const answer = await invite(email, ['read']);
    expect([answer.code, answer.details.field]).toEqual(['INVALID_REQUEST', 'email']);
    expect((await invite(email, ['read'], '/api/admin/accounts/nobody/users')).code).toBe(
      'NOT_FOUND',
    );
    const bob = await exchange.send('bob', 'POST', path, '{}');
    expect(bob.code).toBe('INSUFFICIENT_PERMISSIONS');
  });
});

describe('an operator who is signed in', () => {
  const operator = async (permissions: string[]) => {
    const email = newEmail();
    const body = JSON.stringify({ email, permissions });
    await exchange.send('operator', 'POST', '/api/admin/accounts/operator/users', body);
    const browser = new Browser(exchange);
    await browser.post('/password-reset/confirm', { token: tokenIn(exchange), password: PASSWORD });
    await browser.post('/sign-in', { email, password: PASSWORD });
    return browser;
  };
  const usersPath = '/api/admin/accounts/bob/users';
  const keysPath = '/api/admin/accounts/bob/keys';

  test('grants access only with the password, and guesses are slowed', async () => {
    const browser = await operator(['operate']);
    const keys = exchange.state.accountsById.get('bob')!.keys.length;
    const email = newEmail();
    const sent = exchange.mails.length;
    const key = { permissions: ['read'] };
    const user = { email, permissions: ['read'] };
    for (const proof of [{}, { password: 'wrong' }, { code: '123456' }]) {
      expect((await browser.send('POST', keysPath, { ...key, ...proof })).code).toBe(
        'UNAUTHORIZED',
      );
    }
    expect((await browser.send('POST', usersPath, user)).code).toBe('UNAUTHORIZED');
    expect(exchange.state.accountsById.get('bob')!.keys).toHaveLength(keys);
    expect(exchange.mails).toHaveLength(sent);
    const made = await browser.send('POST', keysPath, { ...key, password: PASSWORD });
    expect(made.data.apiSecret).toStartWith('bws_');
    const invited = await browser.send('POST', usersPath, { ...user, password: PASSWORD });
    expect(invited.data.email).toBe(email);
    const remove = (proof: object) =>
      browser.send('POST', `${usersPath}/${encodeURIComponent(email)}/remove`, proof);
    for (const proof of [{}, { password: 'wrong' }, { code: '123456' }]) {
      expect((await remove(proof)).code).toBe('UNAUTHORIZED');
    }
    expect((await remove({ password: PASSWORD })).status).toBe(200);
    for (let count = 0; count < 5; count++) await browser.send('POST', usersPath, user);
    const slowed = await browser.send('POST', usersPath, { ...user, password: PASSWORD });
    expect([slowed.code, slowed.headers.get('Retry-After')]).toEqual(['RATE_LIMIT_EXCEEDED', '1']);
  });

  test('finds changes of users in the audit log, with actor and address', async () => {
    const browser = await operator(['operate']);
    const email = newEmail();
    const invitation = { email, password: PASSWORD };
    await browser.send('POST', usersPath, { ...invitation, permissions: ['read'] });
    await browser.send('POST', usersPath, { ...invitation, permissions: ['read', 'trade'] });
    const user = new Browser(exchange);
    await user.post('/password-reset/confirm', { token: tokenIn(exchange), password: PASSWORD });
    await user.post('/sign-in', { email, password: PASSWORD });
    await user.post('/keys', { label: 'bot', permissions: ['read'], password: PASSWORD });
    await user.post('/password', { password: PASSWORD, newPassword: `${PASSWORD}s` });
    await user.post('/sign-out');
    const { email: by } = (await browser.get()).data.profile;
    const path = '/api/admin/audit/users?account=bob&limit=4';
    const { data } = await browser.send('GET', path);
    const older = await browser.send('GET', `${path}&cursor=${data.nextCursor}`);
    const all = [...data.entries, ...older.data.entries];
    expect(all.slice(0, 7).map((entry) => [entry.action, entry.email, entry.by])).toEqual([
      ['signed_out', email, email],
      ['password_changed', email, email],
      ['key_made', email, email],
      ['signed_in', email, email],
      ['password_reset', email, email],
      ['permissions_changed', email, by],
      ['invited', email, by],
    ]);
    expect(all[5]).toMatchObject({ details: 'read, trade', account: 'bob' });
    expect(all[2].details).toStartWith('bwk_');
    for (const { address } of all.slice(0, 7)) expect(address).toMatch(/^[\d.]+$/);
    expect((await user.send('GET', path)).code).toBe('UNAUTHORIZED');
    expect((await exchange.send('bob', 'GET', path)).code).toBe('INSUFFICIENT_PERMISSIONS');
  });

  const make = {
    session: (browser: Browser) => (path: string, body: object) =>
      browser.send('POST', path, { ...body, password: PASSWORD }),
    key: (name: string) => (path: string, body: object) =>
      exchange.send(name, 'POST', path, JSON.stringify(body)),
  };

  test('grants only their own permissions in their own account, by session or key', async () => {
    const own = '/api/admin/accounts/operator';
    for (const give of [make.session(await operator(['operate'])), make.key('operator')]) {
      for (const what of [{}, { email: newEmail() }]) {
        const path = 'email' in what ? `${own}/users` : `${own}/keys`;
        const refused = await give(path, { ...what, permissions: ['operate', 'trade'] });
        expect([refused.code, refused.details]).toEqual([
          'INSUFFICIENT_PERMISSIONS',
          { required: 'trade' },
        ]);
        expect((await give(path, { ...what, permissions: ['read', 'operate'] })).status).toBe(200);
      }
    }
  });

  test('grants everything in other accounts, and notifies the users there', async () => {
    const accountId = 'watched';
    const path = `/api/admin/accounts/${accountId}`;
    const give = make.session(await operator(['operate']));
    await exchange.send('operator', 'POST', '/api/admin/accounts', JSON.stringify({ accountId }));
    const [first, second] = [newEmail(), newEmail()];
    const invite = (email: string, permissions: string[]) =>
      give(`${path}/users`, { email, permissions });
    await invite(first, ['read', 'trade']);
    const before = exchange.mails.length;
    expect((await invite(second, ['read', 'trade', 'operate'])).status).toBe(200);
    await invite(second, ['read', 'trade', 'operate']);
    await invite(second, ['read']);
    expect((await give(`${path}/keys`, { permissions: ['read', 'trade'] })).status).toBe(200);
    const mails = exchange.mails.slice(before).filter(({ to }) => to === first);
    expect(mails.map(({ subject }) => subject)).toEqual([
      'Access to your account has changed',
      'Access to your account has changed',
      'A new API key',
    ]);
    expect(mails[0]!.text).toContain(second);
  });
});

describe('sessions', () => {
  test('are listed, and ended one by one or all at once', async () => {
    const email = newEmail();
    const first = await Browser.signedUp(exchange, email);
    const second = new Browser(exchange);
    await second.post('/sign-in', { email, password: PASSWORD });
    const third = new Browser(exchange);
    await third.post('/sign-in', { email, password: PASSWORD });
    const { data } = await first.get('/sessions');
    expect(data.sessions).toHaveLength(3);
    expect(data.sessions.filter((each: { current: boolean }) => each.current)).toHaveLength(1);
    const own = await second.get('/sessions');
    const { id } = own.data.sessions.find((each: { current: boolean }) => each.current);
    const left = await first.delete(`/sessions/${id}`);
    expect(left.data.sessions).toHaveLength(2);
    expect((await second.get()).code).toBe('UNAUTHORIZED');
    expect((await first.delete(`/sessions/${id}`)).code).toBe('NOT_FOUND');
    const stranger = await Browser.signedUp(exchange, newEmail());
    const [kept] = left.data.sessions;
    expect((await stranger.delete(`/sessions/${kept.id}`)).code).toBe('NOT_FOUND');
    expect((await first.delete('/sessions')).data).toEqual({ sessions: [] });
    expect(first.session).toBeUndefined();
    expect((await third.get()).code).toBe('UNAUTHORIZED');
    expect((await stranger.get()).status).toBe(200);
  });

  test('a new password ends the others and renews this one', async () => {
    const email = newEmail();
    const first = await Browser.signedUp(exchange, email);
    const second = new Browser(exchange);
    await second.post('/sign-in', { email, password: PASSWORD });
    const before = second.session;
    const newPassword = 'a field full of poppies';
    const wrong = await second.post('/password', { password: 'wrong', newPassword });
    expect(wrong.code).toBe('UNAUTHORIZED');
    const common = await second.post('/password', {
      password: PASSWORD,
      newPassword: 'x'.repeat(20),
    });
    expect(common.details.field).toBe('newPassword');
    await second.post('/password', { password: PASSWORD, newPassword });
    expect(second.session).not.toBe(before);
    expect((await second.get()).status).toBe(200);
    expect((await first.get()).code).toBe('UNAUTHORIZED');
    const old = new Browser(exchange);
    const cookie = `__Host-buttonwood=${before}`;
    expect((await old.send('GET', '/api/account', undefined, { Cookie: cookie })).code).toBe(
      'UNAUTHORIZED',
    );
    expect((await old.post('/sign-in', { email, password: PASSWORD })).code).toBe('UNAUTHORIZED');
    await old.post('/sign-in', { email, password: newPassword });
    expect((await old.get()).status).toBe(200);
  });
});

describe('keys', () => {
  test('are created with the password, shown once, used, listed with their last use, and revoked', async () => {
    const browser = await Browser.signedUp(exchange, newEmail());
    const label = '<b>bot</b>';
    const terms = { label, permissions: ['read'], addresses: ['127.0.0.0/8'] };
    expect((await browser.post('/keys', terms)).code).toBe('UNAUTHORIZED');
    expect((await browser.post('/keys', { ...terms, password: 'wrong' })).code).toBe(
      'UNAUTHORIZED',
    );
    expect((await browser.get('/keys')).data).toEqual({ keys: [], nextCursor: null });
    const { data } = await browser.post('/keys', { ...terms, password: PASSWORD });
    const { apiKey, apiSecret, key } = data;
    expect(key).toMatchObject({ id: apiKey, label, lastUsedAt: null, status: 'active' });
    const headers = { Authorization: `Bearer ${apiKey}`, 'X-API-Secret': apiSecret };
    exchange.peer = '192.0.2.9';
    const elsewhere = await exchange.send(undefined, 'GET', '/api/orders', undefined, headers);
    exchange.peer = '127.0.0.1';
    const written = await exchange.send(undefined, 'DELETE', '/api/orders', undefined, headers);
    expect([elsewhere.code, written.code]).toEqual(['IP_NOT_ALLOWED', 'INSUFFICIENT_PERMISSIONS']);
    expect((await browser.get('/keys')).data.keys).toEqual([key]);
    const used = await exchange.send(undefined, 'GET', '/api/orders', undefined, headers);
    expect(used.status).toBe(200);
    const listed = await browser.get('/keys');
    expect(listed.data.keys).toEqual([
      { ...key, lastUsedAt: new Date(exchange.now).toISOString() },
    ]);
    expect(listed.text).not.toContain(apiSecret);
    const ended = await browser.delete(`/keys/${apiKey}`);
    expect(ended.data.key.status).toBe('revoked');
    const refused = await exchange.send(undefined, 'GET', '/api/orders', undefined, headers);
    expect(refused.code).toBe('UNAUTHORIZED');
  });

  test('may do no more than their creator, and belong to no other user', async () => {
    const browser = await Browser.signedUp(exchange, newEmail());
    const terms = { label: 'bot', permissions: ['operate'], password: PASSWORD };
    expect((await browser.post('/keys', terms)).details).toEqual({ required: 'operate' });
    const { apiKey } = exchange.state.accountsById.get('alice')!.keys[0]!;
    expect((await browser.delete(`/keys/${apiKey}`)).code).toBe('NOT_FOUND');
    for (const wrong of [
      { label: 'a\u0007' },
      { label: '' },
      { permissions: [] },
      { addresses: ['nowhere'] },
      { expiresAt: '2020-01-01T00:00:00Z' },
    ]) {
      const answer = await browser.post('/keys', { ...terms, permissions: ['read'], ...wrong });
      expect([answer.code, answer.details.field]).toEqual([
        'INVALID_REQUEST',
        Object.keys(wrong)[0]!,
      ]);
    }
    expect((await browser.get('/keys')).data).toEqual({ keys: [], nextCursor: null });
  });

  test('change their label and addresses with the password; the users are mailed', async () => {
    const email = newEmail();
    const browser = await Browser.signedUp(exchange, email);
    const terms = { label: 'bot', permissions: ['read'], password: PASSWORD };
    const { apiKey, apiSecret, key } = (await browser.post('/keys', terms)).data;
    const headers = { Authorization: `Bearer ${apiKey}`, 'X-API-Secret': apiSecret };
    const use = async () =>
      (await exchange.send(undefined, 'GET', '/api/orders', undefined, headers)).status;
    const change = (body: object) => browser.send('PATCH', `/api/account/keys/${apiKey}`, body);
    const addresses = ['192.0.2.0/24'];
    const before = exchange.mails.length;
    expect((await change({ addresses })).code).toBe('UNAUTHORIZED');
    expect((await change({ addresses, password: 'wrong' })).code).toBe('UNAUTHORIZED');
    for (const wrong of [{}, { label: '' }, { label: null }, { addresses: ['nowhere'] }]) {
      const answer = await change({ ...wrong, password: PASSWORD });
      const [field = 'label'] = Object.keys(wrong);
      expect([answer.code, answer.details.field]).toEqual(['INVALID_REQUEST', field]);
    }
    expect([await use(), exchange.mails.length]).toEqual([200, before]);

    const restricted = await change({ addresses, password: PASSWORD });
    const { lastUsedAt: _, ...kept } = key;
    expect(restricted.data.key).toMatchObject({ ...kept, addresses });
    expect(await use()).toBe(403);
    const renamed = await change({ label: 'grid bot', password: PASSWORD });
    expect(renamed.data.key).toMatchObject({ ...kept, label: 'grid bot', addresses });
    const widened = await change({ addresses: [], password: PASSWORD });
    expect(widened.data.key).toMatchObject({ ...kept, label: 'grid bot', addresses: [] });
    expect(await use()).toBe(200);
    expect((await browser.get('/keys')).data.keys).toMatchObject([widened.data.key]);
    const mails = exchange.mails.slice(before).filter(({ to }) => to === email);
    expect(mails.map(({ subject }) => subject)).toEqual(Array(3).fill('API key changed'));
    expect(mails[0]!.text).toContain('192.0.2.0/24');

    await browser.delete(`/keys/${apiKey}`);
    const late = await change({ label: 'late', password: PASSWORD });
    expect([late.code, late.details.rule]).toEqual([
      'INVALID_REQUEST',
      'a key that has ended cannot be changed',
    ]);
  });

  test('keep their addresses if only the label is changed at the same time', async () => {
    const browser = await Browser.signedUp(exchange, newEmail());
    const terms = { label: 'bot', permissions: ['read'], password: PASSWORD };
    const { apiKey } = (await browser.post('/keys', terms)).data;
    const change = (body: object) =>
      browser.send('PATCH', `/api/account/keys/${apiKey}`, { ...body, password: PASSWORD });
    const addresses = ['192.0.2.1'];
    await Promise.all([change({ addresses }), change({ label: 'grid bot' })]);
    const [key] = (await browser.get('/keys')).data.keys;
    expect(key).toMatchObject({ label: 'grid bot', addresses });
  });

  test('of sub-accounts are notified to the users of the main account', async () => {
    const email = newEmail();
    const browser = await Browser.signedUp(exchange, email);
    const { account } = (await browser.send('POST', '/api/accounts', { name: 'Grid' })).data;
    const send = (method: string, path: string, body: object) =>
      browser.send(method, path, body, { 'X-Account': account.accountId });
    const before = exchange.mails.length;
    const terms = { label: 'bot', permissions: ['read'], password: PASSWORD };
    const created = await send('POST', '/api/account/keys', terms);
    const path = `/api/account/keys/${created.data.apiKey}`;
    await send('PATCH', path, { addresses: ['192.0.2.1'], password: PASSWORD });
    const mails = exchange.mails.slice(before).filter(({ to }) => to === email);
    expect(mails.map(({ subject }) => subject)).toEqual(['A new API key', 'API key changed']);
  });

  test('that may withdraw keep addresses, and others change no keys', async () => {
    const browser = await Browser.signedUp(exchange, newEmail());
    const addresses = ['192.0.2.1'];
    const terms = { label: 'pays', permissions: ['read', 'withdraw'], addresses };
    const { apiKey } = (await browser.post('/keys', { ...terms, password: PASSWORD })).data;
    const owner = exchange.state.keysByApiKey.get(apiKey)!.account.id;
    const path = `/api/account/keys/${apiKey}`;
    for (const wide of [[], ['0.0.0.0/0'], ['192.0.2.2'], [...addresses, '192.0.2.2']]) {
      const answer = await browser.send('PATCH', path, { addresses: wide, password: PASSWORD });
      expect(answer.code).toBe('INVALID_REQUEST');
    }
    const stranger = await Browser.signedUp(exchange, newEmail());
    const change = { label: 'mine', password: PASSWORD };
    expect((await stranger.send('PATCH', path, change)).code).toBe('NOT_FOUND');
    // An operator cannot let more clients use a permission that they do not hold.
    const admin = `/api/admin/accounts/${owner}/keys/${apiKey}`;
    const byOperator = await exchange.send(
      'operator',
      'PATCH',
      admin,
      '{"addresses":["192.0.2.2"]}',
    );
    expect(byOperator.code).toBe('INSUFFICIENT_PERMISSIONS');
    expect((await browser.get('/keys')).data.keys).toMatchObject([{ label: 'pays', addresses }]);
  });

  test('are notified to all users of the account', async () => {
    const accountId = 'shared';
    const path = `/api/admin/accounts/${accountId}`;
    const operate = (to: string, body: object) =>
      exchange.send('operator', 'POST', to, JSON.stringify(body));
    await operate('/api/admin/accounts', { accountId });
    const emails = [newEmail(), newEmail()];
    for (const email of emails) {
      await operate(`${path}/users`, { email, permissions: ['read'] });
    }
    const browser = new Browser(exchange);
    await browser.post('/password-reset/confirm', { token: tokenIn(exchange), password: PASSWORD });
    await browser.post('/sign-in', { email: emails[1]!, password: PASSWORD });
    const terms = { label: 'bot', permissions: ['read'] };
    for (const make of [
      () => operate(`${path}/keys`, terms),
      () => browser.post('/keys', { ...terms, password: PASSWORD }),
    ]) {
      const before = exchange.mails.length;
      expect((await make()).status).toBe(200);
      const mails = exchange.mails.slice(before).map(({ to, subject }) => [to, subject]);
      expect(mails.sort()).toEqual(emails.map((to) => [to, 'A new API key']).sort());
    }
  });

  test('do not authorize endpoints for sessions', async () => {
    const answer = await exchange.send('alice', 'GET', '/api/account');
    expect([answer.code, answer.details]).toEqual([
      'INSUFFICIENT_PERMISSIONS',
      { required: 'session' },
    ]);
  });
});
