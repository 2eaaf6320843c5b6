import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Authorization } from '../../src/gateway/auth/authorization.ts';
import { Browser, PASSWORD, tokenIn } from './browser.ts';
import { TestExchange } from './exchange.ts';

/** Tests attacks: pages of other sites, stolen and planted cookies, guessing, enumeration of users. */

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
});
afterAll(() => exchange.close());

let count = 0;
const newEmail = () => `target${count++}@example.com`;
const ORDER = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 45000 };

async function endAllSessions(userId: string): Promise<void> {
  const { sessions } = exchange.services.users;
  await sessions.end((await sessions.listByUser(userId)).map(({ id }) => id));
}

describe('another site’s page', () => {
  test.each([
    ['POST', '/api/orders', ORDER],
    ['DELETE', '/api/orders?all=true', undefined],
    ['PATCH', '/api/account', { name: 'Mallory' }],
    ['POST', '/api/account/sign-out', {}],
    ['DELETE', '/api/account/sessions', undefined],
  ])(
    'cannot use a session to %s %s, nor can a request without an Origin',
    async (method, path, body) => {
      const browser = await Browser.signedUp(exchange, newEmail());
      const cookie = `__Host-buttonwood=${browser.session}`;
      for (const origin of [
        'https://evil.example',
        'null',
        '',
        'http://127.0.0.1:3001',
        'https://127.0.0.1:3000',
        'http://127.0.0.1:3000.evil.example',
        'http://localhost:3000',
      ]) {
        const answer = await browser.send(method, path, body, { Origin: origin });
        expect([answer.status, answer.code]).toEqual([403, 'BROWSER_NOT_ALLOWED']);
      }
      const text = body === undefined ? undefined : JSON.stringify(body);
      const bare = await exchange.send(undefined, method, path, text, { Cookie: cookie });
      expect(bare.code).toBe('BROWSER_NOT_ALLOWED');
      expect((await browser.get()).data.profile.name).toBe('Carol');
    },
  );

  test('cannot read, by its Origin or by Sec-Fetch-Site', async () => {
    const browser = await Browser.signedUp(exchange, newEmail());
    const read = (headers: Record<string, string>) =>
      exchange.send(undefined, 'GET', '/api/account', undefined, {
        Cookie: `__Host-buttonwood=${browser.session}`,
        ...headers,
      });
    expect((await read({})).status).toBe(200);
    expect((await read({ 'Sec-Fetch-Site': 'same-origin' })).status).toBe(200);
    expect((await read({ 'Sec-Fetch-Site': 'none' })).status).toBe(200);
    expect((await read({ Origin: 'https://evil.example' })).code).toBe('BROWSER_NOT_ALLOWED');
    expect((await read({ 'Sec-Fetch-Site': 'cross-site' })).code).toBe('BROWSER_NOT_ALLOWED');
    expect((await read({ 'Sec-Fetch-Site': 'same-site' })).code).toBe('BROWSER_NOT_ALLOWED');
  });

  test('cannot sign users up or in', async () => {
    const browser = new Browser(exchange);
    const email = newEmail();
    const user = { email, password: PASSWORD, name: 'Carol' };
    const from = (path: string, body: object, headers: Record<string, string>) =>
      browser.send('POST', `/api/account${path}`, body, headers);
    const evil = { Origin: 'https://evil.example' };
    expect((await from('/sign-up', user, evil)).code).toBe('BROWSER_NOT_ALLOWED');
    expect((await from('/sign-in', { email, password: PASSWORD }, evil)).code).toBe(
      'BROWSER_NOT_ALLOWED',
    );
    const bare = await exchange.send(
      undefined,
      'POST',
      '/api/account/sign-up',
      JSON.stringify(user),
    );
    expect(bare.code).toBe('BROWSER_NOT_ALLOWED');
  });

  test('is rejected even if its host name resolves to the exchange and its Host header agrees', async () => {
    const browser = new Browser(exchange);
    const signIn = { email: newEmail(), password: PASSWORD };
    const from = (site: string) => {
      const headers = { Origin: `http://${site}`, Host: site };
      return browser.send('POST', '/api/account/sign-in', signIn, headers);
    };
    expect((await from('rebind.example:3000')).code).toBe('BROWSER_NOT_ALLOWED');
    expect((await from('localhost:3000')).code).toBe('UNAUTHORIZED');
  });

  test('is rejected unless its origin is the public URL, if one is set', () => {
    const publicUrl = 'https://exchange.example';
    const terms = { rateLimits: 'off', trustedProxies: [], isSandbox: true } as const;
    const authorization = new Authorization(exchange.services, {
      ...terms,
      baseUrl: publicUrl,
      publicUrl,
    });
    const visit = (origin: string, host: string) => {
      const request = new Request('http://127.0.0.1:3000/', {
        headers: { Origin: origin, Host: host },
      });
      return () => authorization.readRequestOrigin(request, { requestIP: () => null });
    };
    expect(visit(publicUrl, '127.0.0.1:3000')).not.toThrow();
    expect(visit('https://rebind.example', 'rebind.example')).toThrow('own pages');
    expect(visit('http://127.0.0.1:3000', '127.0.0.1:3000')).toThrow('own pages');
  });
});

describe('cookies', () => {
  test('missing, invented, expired, revoked and foreign ones get the same answer', async () => {
    const browser = await Browser.signedUp(exchange, newEmail());
    const stolen = browser.session!;
    const ask = async (cookie?: string) => {
      const headers = cookie === undefined ? {} : { Cookie: cookie };
      const answer = await exchange.send(undefined, 'GET', '/api/account', undefined, headers);
      return [answer.status, answer.text, answer.headers.get('X-RateLimit-Limit')];
    };
    const named = (secret: string) => `__Host-buttonwood=${secret}`;
    expect((await ask(named(stolen)))[0]).toBe(200);
    expect((await ask(`a=b; ${named(stolen)}; c=d`))[0]).toBe(200);
    await browser.post('/sign-out');
    const refused = await ask();
    expect(refused[0]).toBe(401);
    const { id } = (await (await Browser.signedUp(exchange, newEmail())).get('/sessions')).data
      .sessions[0];
    for (const wrong of [
      stolen,
      'A'.repeat(43),
      '',
      'x',
      id,
      stolen.slice(1),
      `${stolen}A`,
      `"${stolen}"`,
      "' OR 1=1 --",
      '%00',
      'A'.repeat(4000),
    ]) {
      expect(await ask(named(wrong))).toEqual(refused);
    }
    expect(await ask(`buttonwood=${stolen}`)).toEqual(refused);
  });

  test('a session ends after 7 idle days, and after 30 days in any case', async () => {
    const own = await TestExchange.open();
    const idle = await Browser.signedUp(own, newEmail());
    const busy = await Browser.signedUp(own, newEmail());
    const day = 86_400_000;
    own.now += 6 * day;
    expect((await busy.get()).status).toBe(200);
    own.now += day;
    expect((await idle.get()).code).toBe('UNAUTHORIZED');
    for (let days = 7; days < 27; days += 5) {
      expect((await busy.get()).status).toBe(200);
      own.now += 5 * day;
    }
    expect((await busy.get()).status).toBe(200);
    own.now += 3 * day;
    expect((await busy.get()).code).toBe('UNAUTHORIZED');
    await own.close();
  });

  test('a planted cookie is never adopted at sign-in', async () => {
    const email = newEmail();
    await Browser.signedUp(exchange, email);
    const mallory = await Browser.signedUp(exchange, newEmail());
    const planted = mallory.session!;
    const victim = new Browser(exchange);
    for (const cookie of ['A'.repeat(43), planted]) {
      victim.cookies.set('__Host-buttonwood', cookie);
      await victim.post('/sign-in', { email, password: PASSWORD });
      expect(victim.session).not.toBe(cookie);
      expect((await victim.get()).data.profile.email).toBe(email);
    }
    victim.cookies.set('__Host-buttonwood', planted);
    expect((await victim.get()).code).toBe('UNAUTHORIZED');
  });

  test('key headers take precedence over a cookie', async () => {
    const browser = await Browser.signedUp(exchange, newEmail());
    const headers = { ...exchange.headers('alice'), Origin: '' };
    const answer = await browser.send('GET', '/api/portfolio/balances', undefined, headers);
    expect(answer.data.balances).not.toEqual([]);
    for (const wrong of [{ Authorization: 'Bearer unknown' }, { 'X-API-Secret': 'nothing' }]) {
      const refused = await browser.send('GET', '/api/portfolio/balances', undefined, wrong);
      expect(refused.code).toBe('UNAUTHORIZED');
    }
  });
});

describe('a session that ends while its password is checked', () => {
  test.each([
    ['/keys', { label: 'bot', permissions: ['read'] }],
    ['/password', { newPassword: 'a field full of poppies' }],
    ['/second-factor', {}],
    ['/passkeys/options', {}],
  ])('does nothing more: %s', async (path, body) => {
    const email = newEmail();
    const browser = await Browser.signedUp(exchange, email);
    browser.host = 'localhost:3000';
    const { users } = exchange.services;
    const before = (await users.store.findByEmail(email))!;
    const { verify } = Bun.password;
    const spied = Bun.password as { verify: typeof verify };
    spied.verify = async (...given) => {
      await endAllSessions(before.id);
      return verify(...given);
    };
    try {
      const answer = await browser.post(path, { ...body, password: PASSWORD });
      expect([answer.code, answer.headers.getSetCookie()]).toEqual(['UNAUTHORIZED', []]);
    } finally {
      spied.verify = verify;
    }
    expect(await users.store.findByEmail(email)).toEqual(before);
    expect(exchange.state.accountsById.get(before.accountId)!.keys).toEqual([]);
  });

  test('changes no password if it ends while the new one is hashed', async () => {
    const email = newEmail();
    const browser = await Browser.signedUp(exchange, email);
    const { users } = exchange.services;
    const before = (await users.store.findByEmail(email))!;
    const { hash } = Bun.password;
    const spied = Bun.password as { hash: typeof hash };
    spied.hash = async (...given) => {
      await endAllSessions(before.id);
      return hash(...given);
    };
    try {
      const newPassword = 'a field full of poppies';
      const answer = await browser.post('/password', { password: PASSWORD, newPassword });
      expect(answer.code).toBe('UNAUTHORIZED');
    } finally {
      spied.hash = hash;
    }
    expect(await users.store.findByEmail(email)).toEqual(before);
  });
});

describe('enumeration of users', () => {
  test('gets the same bytes for known and unknown users', async () => {
    const known = newEmail();
    await Browser.signedUp(exchange, known);
    const unknown = newEmail();
    const waiting = newEmail();
    const browser = new Browser(exchange);
    await browser.post('/sign-up', { email: waiting, password: PASSWORD, name: 'Carol' });
    const answers = async (email: string) => {
      const texts = [
        await browser.post('/sign-up', { email, password: PASSWORD, name: 'Carol' }),
        await browser.post('/sign-in', { email, password: 'a wrong guess' }),
        await browser.post('/sign-in', { email, password: 'a wrong guess', code: '123456' }),
        await browser.post('/password-reset', { email }),
      ].map(({ status, text, headers }) => [status, text, headers.getSetCookie().length]);
      return JSON.stringify(texts);
    };
    const responses = await answers(known);
    expect(await answers(unknown)).toBe(responses);
    expect(await answers(waiting)).toBe(responses);
    expect(JSON.parse(responses).map(([status]: [number]) => status)).toEqual([200, 401, 401, 200]);
  });

  test('costs the same work: one hash each', async () => {
    const own = await TestExchange.open();
    const known = newEmail();
    await Browser.signedUp(own, known);
    const { hash, verify } = Bun.password;
    let work: string[] = [];
    const spied = Bun.password as { hash: typeof hash; verify: typeof verify };
    spied.hash = (...given) => {
      work.push('hash');
      return hash(...given);
    };
    spied.verify = (...given) => {
      work.push('verify');
      return verify(...given);
    };
    const countWork = async (path: string, body: object) => {
      work = [];
      await new Browser(own).post(path, body);
      return work;
    };
    try {
      for (const email of [known, newEmail()]) {
        const user = { email, password: PASSWORD, name: 'Carol' };
        expect(await countWork('/sign-up', user)).toEqual(['hash']);
        expect(await countWork('/sign-in', { email, password: 'a wrong guess' })).toEqual([
          'verify',
        ]);
      }
    } finally {
      Object.assign(spied, { hash, verify });
    }
    await own.close();
  });

  test('the password of an unconfirmed user counts as wrong, and mails the link again', async () => {
    const browser = new Browser(exchange);
    const email = newEmail();
    await browser.post('/sign-up', { email, password: PASSWORD, name: 'Carol' });
    const sent = exchange.mails.length;
    const { signUp } = exchange.services.users;
    expect((await browser.post('/sign-in', { email, password: 'wrong' })).code).toBe(
      'UNAUTHORIZED',
    );
    await signUp.whenIdle();
    expect(exchange.mails).toHaveLength(sent);
    expect((await browser.post('/sign-in', { email, password: PASSWORD })).code).toBe(
      'UNAUTHORIZED',
    );
    await signUp.whenIdle();
    expect(exchange.mails).toHaveLength(sent + 1);
    await browser.post('/verify-email', { token: tokenIn(exchange), password: PASSWORD });
    expect((await browser.get()).data.profile.email).toBe(email);
  });
});

describe('guessing', () => {
  test('waits ever longer, except in a known browser', async () => {
    const own = await TestExchange.open();
    const email = newEmail();
    const owner = await Browser.signedUp(own, email);
    await owner.post('/sign-out');
    const guesser = new Browser(own);
    const guess = (password: string) => guesser.post('/sign-in', { email, password });
    for (let tries = 0; tries < 5; tries++) {
      expect((await guess('a wrong guess')).code).toBe('UNAUTHORIZED');
    }
    const slowed = await guess(PASSWORD);
    expect([slowed.status, slowed.code, slowed.details]).toEqual([
      429,
      'RATE_LIMIT_EXCEEDED',
      { retryAfter: 1 },
    ]);
    expect(slowed.headers.get('Retry-After')).toBe('1');
    own.peer = '198.51.100.7';
    expect((await owner.post('/sign-in', { email, password: PASSWORD })).status).toBe(200);
    own.peer = '127.0.0.1';
    own.now += 1000;
    expect((await guess('a wrong guess')).code).toBe('UNAUTHORIZED');
    expect((await guess(PASSWORD)).details).toEqual({ retryAfter: 2 });
    own.now += 2000;
    expect((await guess(PASSWORD)).data.status).toBe('signed_in');
    await own.close();
  });

  test('within a session is slowed too, for this session only', async () => {
    const own = await TestExchange.open();
    const email = newEmail();
    const thief = await Browser.signedUp(own, email);
    const owner = new Browser(own);
    await owner.post('/sign-in', { email, password: PASSWORD });
    const terms = { label: 'bot', permissions: ['read'] };
    for (let tries = 0; tries < 5; tries++) {
      await thief.post('/keys', { ...terms, password: 'a wrong guess' });
    }
    for (const [path, body] of [
      ['/keys', terms],
      ['/second-factor', {}],
      ['/password', { newPassword: 'a field full of poppies' }],
    ] as const) {
      const answer = await thief.post(path, { ...body, password: PASSWORD });
      expect(answer.code).toBe('RATE_LIMIT_EXCEEDED');
    }
    expect((await owner.post('/keys', { ...terms, password: PASSWORD })).status).toBe(200);
    await own.close();
  });

  test('unauthenticated endpoints are limited by address, ten a minute each; authenticated ones by account, apart from keys', async () => {
    const own = await TestExchange.open({ rateLimits: 'spec' });
    const browser = await Browser.signedUp(own, newEmail());
    const reset = () => browser.post('/password-reset', { email: 'nobody@example.com' });
    for (let left = 9; left >= 0; left--) {
      expect((await reset()).headers.get('X-RateLimit-Remaining')).toBe(`${left}`);
    }
    expect((await reset()).code).toBe('RATE_LIMIT_EXCEEDED');
    const nothing = await browser.post('/verify-email', { token: 'x', password: PASSWORD });
    expect(nothing.headers.get('X-RateLimit-Remaining')).toBe('8');
    for (let tries = 0; tries < 300; tries++) await browser.send('POST', '/api/orders', ORDER);
    expect((await browser.send('POST', '/api/orders', ORDER)).code).toBe('RATE_LIMIT_EXCEEDED');
    const { accountId } = (await browser.get()).data.profile;
    await own.addKey('bot', accountId, ['trade']);
    const bot = await own.place('bot', ORDER);
    expect(bot.headers.get('X-RateLimit-Remaining')).toBe('29');
    await own.close();
  });
});

describe('links', () => {
  test('of another user’s sign-up give no access without its password, and stay valid', async () => {
    const email = newEmail();
    const browser = new Browser(exchange);
    await browser.post('/sign-up', { email, password: 'chosen by a stranger', name: 'Mallory' });
    const token = tokenIn(exchange);
    const looked = await browser.post('/verify-email/link', { token });
    expect(looked.data).toEqual({ email, name: 'Mallory' });
    const refused = await browser.post('/verify-email', { token, password: PASSWORD });
    expect([refused.code, browser.cookies.size]).toEqual(['UNAUTHORIZED', 0]);
    expect((await browser.post('/verify-email', { token })).details.field).toBe('password');
    await browser.post('/sign-up', { email, password: PASSWORD, name: 'Carol' });
    await browser.post('/verify-email', { token: tokenIn(exchange), password: PASSWORD });
    expect((await browser.get()).data.profile.name).toBe('Carol');
    const gone = await browser.post('/verify-email', { token, password: 'chosen by a stranger' });
    expect(gone.details).toEqual({ field: 'token', rule: 'valid' });
  });

  test('that are used, invented, foreign or for another purpose change nothing', async () => {
    const email = newEmail();
    const owner = await Browser.signedUp(exchange, email);
    await owner.post('/password-reset', { email });
    const token = tokenIn(exchange);
    const password = 'a field full of poppies';
    const confirm = (body: object) => new Browser(exchange).post('/password-reset/confirm', body);
    const weak = await confirm({ token, password: 'x'.repeat(12) });
    expect(weak.details).toEqual({ field: 'password', rule: 'notCommon' });
    expect((await owner.get()).status).toBe(200);
    expect((await confirm({ token, password })).data).toEqual({ status: 'password_changed' });
    expect((await owner.get()).code).toBe('UNAUTHORIZED');
    await new Browser(exchange).post('/sign-up', {
      email: newEmail(),
      password: PASSWORD,
      name: 'Carol',
    });
    const verification = tokenIn(exchange);
    for (const wrong of [token, verification, 'A'.repeat(43), 'x', "' OR 1=1 --"]) {
      const answer = await confirm({ token: wrong, password: 'a wood full of larches' });
      expect([answer.status, answer.details]).toEqual([400, { field: 'token', rule: 'valid' }]);
    }
    const used = await owner.post('/verify-email', { token, password });
    expect(used.details).toEqual({ field: 'token', rule: 'valid' });
    expect((await owner.post('/sign-in', { email, password })).status).toBe(200);
  });
});
