import { describe, expect, spyOn, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'otplib';
import { Authenticator } from '../../test/http/authenticator.ts';
import { CLIENT, DATABASES, empty, PASSWORD, TestUsers } from '../testing/test-users.ts';
import { usersOfEachTest } from '../testing/users-of-each-test.ts';
import { Database } from './database.ts';
import { GuessesSlowedError, NotFoundError, WrongCredentialsError } from './errors.ts';
import { loadSeal } from './seals.ts';
import { Links } from './sign-in/links.ts';
import { SESSION_IDLE_MS, SESSION_LIFETIME_MS } from './sign-in/sessions.ts';
import { EXCHANGE_ACTOR, UserEvents } from './user-events.ts';

/** Tests for every supported database. BUTTONWOOD_TEST_POSTGRES=postgres://… adds PostgreSQL and empties it. */

const EMAIL = 'carol@example.com';
const SITE = { origin: 'https://exchange.test', hostname: 'exchange.test' };

describe.each(DATABASES)('on %s', (_, url) => {
  const test_ = usersOfEachTest(url);

  test('a sign-up creates user and account only when its link is opened', async () => {
    const { users } = test_;
    await users.signUp.begin(EMAIL, PASSWORD, 'Carol <b>', CLIENT.scope);
    expect(await users.store.findByEmail(EMAIL)).toBeUndefined();
    const user = await users.signUp.verify(test_.token);
    expect(user).toMatchObject({ email: EMAIL, name: 'Carol <b>', permissions: 3 });
    expect(user.accountId).toBe(user.id);
    expect(user.password).toStartWith('$argon2id$');
    await test_.signIn(EMAIL);
    expect(test_.opened).toEqual([user.accountId]);
  });

  test('users are found by the beginning of an address or a name first, then by a part', async () => {
    const { store } = test_.users;
    for (const [place, name] of ['Ann Ode', 'Odette', '100% sure', 'Ben'].entries()) {
      const id = `u${place}`;
      const email = ['zoe', 'x_y', 'ode', 'xzy'][place]!;
      const terms = { id, accountId: id, email: `${email}@example.com`, name };
      await store.add({ ...terms, password: '', permissions: 1, createdAt: place });
    }
    const search = async (text: string, limit = 8) =>
      (await store.search(text, limit)).map(({ id }) => id);
    expect(await search('ODE')).toEqual(['u2', 'u1', 'u0']);
    expect(await search('ode', 2)).toEqual(['u2', 'u1']);
    expect(await search('x_')).toEqual(['u1']);
    expect(await search('0%')).toEqual(['u2']);
    expect(await search('')).toHaveLength(4);
    const ids = (found: readonly { readonly id: string }[]) => found.map(({ id }) => id);
    expect(ids(await store.listByAccounts(['u1', 'u3', 'none']))).toEqual(['u1', 'u3']);
    expect(ids(await store.listByIds(['u2', 'none', 'u0']))).toEqual(['u0', 'u2']);
  });

  test('an approved grant is applied once, and only to a user of its account', async () => {
    const user = await test_.addUser(EMAIL);
    const { users } = test_;
    const { secret } = await users.sessions.begin(user, CLIENT);
    const terms = { userId: user.id, accountId: user.accountId, permissions: 129 };
    expect(users.hasApplied('1/5')).toBe(false);
    expect(await users.grant({ ...terms, approval: '1/5' }, EXCHANGE_ACTOR)).toBe('applied');
    expect(users.hasApplied('1/5')).toBe(true);
    expect(await users.sessions.find(secret)).toBeUndefined();
    await users.store.setPermissions(user.id, 1);
    expect(await users.grant({ ...terms, approval: '1/5' }, EXCHANGE_ACTOR)).toBe('repeated');
    const foreign = { ...terms, accountId: 'other', approval: '2/5' };
    expect(await users.grant(foreign, EXCHANGE_ACTOR)).toBe('unknownUser');
    expect((await users.store.findById(user.id))!.permissions).toBe(1);
  });

  test('sessions are found only by their secret, end at once, and expire', async () => {
    const user = await test_.addUser(EMAIL);
    const { sessions } = test_.users;
    const first = await sessions.begin(user, CLIENT);
    const second = await sessions.begin(user, CLIENT);
    expect(sessions.cached(first.secret)).toBe(first.session);
    expect(await sessions.find(first.session.id)).toBeUndefined();
    const ended: string[] = [];
    sessions.onEnded = (ids) => ended.push(...ids);
    await sessions.end([first.session.id]);
    expect(ended).toEqual([first.session.id]);
    expect(sessions.cached(first.secret)).toBeUndefined();
    expect(await sessions.find(first.secret)).toBeUndefined();
    const renewed = await sessions.rotate(second.session);
    expect(ended).toEqual([first.session.id, second.session.id]);
    await expect(sessions.rotate(first.session)).rejects.toThrow(WrongCredentialsError);
    expect(await sessions.find(second.secret)).toBeUndefined();
    expect((await sessions.find(renewed))!.id).toBe(second.session.id);
    for (let days = 6; days < 30; days += 6) {
      test_.now += SESSION_IDLE_MS - 86_400_000;
      expect(await sessions.find(renewed)).toBeDefined();
      await sessions.deleteExpired();
    }
    test_.now = second.session.createdAt + SESSION_LIFETIME_MS;
    expect(await sessions.find(renewed)).toBeUndefined();
    const third = await sessions.begin(user, CLIENT);
    test_.now += SESSION_IDLE_MS;
    expect(await sessions.find(third.secret)).toBeUndefined();
    await sessions.deleteExpired();
    expect(await sessions.listByUser(user.id)).toEqual([]);
  });

  test('a sign-in starts no session if the credentials changed during the check', async () => {
    const user = await test_.addUser(EMAIL);
    const { sessions, store, secondFactor, signIn } = test_.users;
    const begin = () => signIn.startSession(user, CLIENT, 'password');
    // Another password is set during the check.
    const { verify } = Bun.password;
    const spied = Bun.password as { verify: typeof verify };
    spied.verify = async (...given) => {
      await store.setPassword(user.id, 'another hash');
      return verify(...given);
    };
    try {
      await expect(test_.signIn(EMAIL)).rejects.toThrow(WrongCredentialsError);
    } finally {
      spied.verify = verify;
    }
    await expect(begin()).rejects.toThrow(WrongCredentialsError);
    expect(await sessions.listByUser(user.id)).toEqual([]);
    await store.setPassword(user.id, user.password);
    await begin();
    await test_.users.invite(user.accountId, EMAIL, 1);
    expect(await sessions.listByUser(user.id)).toEqual([]);
    await expect(begin()).rejects.toThrow(WrongCredentialsError);
    await store.setPermissions(user.id, user.permissions);
    const { session } = await begin();
    const { secret } = await secondFactor.offer(session, user);
    const offered = (await store.findById(user.id))!;
    const code = await generate({ secret, epoch: Math.floor(test_.now / 1000) });
    await secondFactor.confirm(session, offered, code);
    await expect(begin()).rejects.toThrow(WrongCredentialsError);
    expect(await sessions.listByUser(user.id)).toHaveLength(1);
  });

  test('a session and the event of its sign-in are stored together or not at all', async () => {
    const user = await test_.addUser(EMAIL);
    const { events, sessions, signIn, store } = test_.users;
    const actions = async () => (await events.listBefore(1e9, 100)).map(({ action }) => action);
    const add = spyOn(UserEvents.prototype, 'add').mockRejectedValueOnce(new Error('disk full'));
    await expect(test_.signIn(EMAIL)).rejects.toThrow('disk full');
    add.mockRestore();
    expect(await sessions.listByUser(user.id)).toEqual([]);
    await store.setPassword(user.id, 'another hash');
    await expect(signIn.startSession(user, CLIENT, 'password')).rejects.toThrow(
      WrongCredentialsError,
    );
    expect(await actions()).toEqual(['signed_up']);
    await store.setPassword(user.id, user.password);
    await test_.signIn(EMAIL);
    expect(await sessions.listByUser(user.id)).toHaveLength(1);
    expect(await actions()).toEqual(['signed_in', 'signed_up']);
  });

  test('a session that ends while it is read is not cached', async () => {
    const user = await test_.addUser(EMAIL);
    const { sessions } = test_.users;
    const { secret, session } = await sessions.begin(user, CLIENT);
    const renewed = await sessions.rotate(session);
    expect(sessions.cached(secret)).toBeUndefined();
    const [found] = await Promise.all([sessions.find(renewed), sessions.end([session.id])]);
    expect([undefined, session.id]).toContain(found?.id);
    expect(sessions.cached(renewed)).toBeUndefined();
    expect(await sessions.find(renewed)).toBeUndefined();
  });

  test('sign-in and sign-out touch only the sessions of one user', async () => {
    const { sessions } = test_.users;
    const users = [];
    for (let index = 0; index < 20; index++) {
      const user = await test_.addUser(`p${index}@example.com`);
      await sessions.begin(user, CLIENT);
      users.push(user);
    }
    const cache = Reflect.get(sessions, 'cache') as Map<string, unknown>;
    const walks = (['values', 'entries', 'forEach'] as const).map((name) => spyOn(cache, name));
    const iterator = spyOn(cache, Symbol.iterator as never);
    const { secret, session } = await sessions.begin(users[7]!, CLIENT);
    const both = await sessions.listByUser(users[7]!.id);
    const [older] = both.filter((each) => each !== session);
    expect(both).toHaveLength(2);
    expect(both).toContain(session);
    await sessions.end([session.id]);
    expect(sessions.cached(secret)).toBeUndefined();
    expect(await sessions.listByUser(users[7]!.id)).toEqual([older!]);
    for (const walk of [...walks, iterator]) expect(walk).not.toHaveBeenCalled();
  });

  test('a code works once, older codes not after it, and adjacent time steps are accepted', async () => {
    const { secondFactor, store, sessions } = test_.users;
    let user = await test_.addUser(EMAIL);
    const { session } = await sessions.begin(user, CLIENT);
    const { secret } = await secondFactor.offer(session, user);
    user = (await store.findById(user.id))!;
    const code = (offset: number) =>
      generate({ secret, epoch: Math.floor(test_.now / 1000) + offset * 30 });
    expect(await secondFactor.confirm(session, user, await code(5))).toBeUndefined();
    const recovery = (await secondFactor.confirm(session, user, await code(-1)))!;
    user = (await store.findById(user.id))!;
    expect(await secondFactor.accept(user, await code(-1))).toBe(false);
    expect(await secondFactor.accept(user, await code(2))).toBe(false);
    const now = await code(0);
    const both = await Promise.all([1, 2].map(() => secondFactor.accept(user, now)));
    expect(both.sort()).toEqual([false, true]);
    expect(await secondFactor.accept(user, await code(1))).toBe(true);
    expect(await secondFactor.accept(user, now)).toBe(false);
    expect(recovery).toHaveLength(10);
    expect(await secondFactor.accept(user, recovery[3]!.toUpperCase())).toBe(true);
    expect(await secondFactor.accept(user, recovery[3]!)).toBe(false);
    expect(await secondFactor.recoveryCodesLeft(user.id)).toBe(9);
    await secondFactor.renewRecoveryCodes(session, user);
    expect(await secondFactor.accept(user, recovery[4]!)).toBe(false);
  });

  test('a passkey signs in until it is removed, even during its check', async () => {
    const { passkeys, store, sessions, signIn, events } = test_.users;
    const user = await test_.addUser(EMAIL);
    const { session } = await sessions.begin(user, CLIENT);
    const authenticator = new Authenticator(SITE.origin);
    const register = async () => {
      const { challenge } = await passkeys.registrationOptions(user, SITE);
      const made = authenticator.create(challenge);
      return passkeys.add(session, user, SITE, made, 'phone');
    };
    const respond = async () => {
      const { challenge } = await passkeys.signInOptions(SITE);
      return passkeys.verify(SITE, authenticator.get(challenge));
    };
    const signInByPasskey = async () => {
      const passkey = await respond();
      return signIn.startSession((await store.findById(passkey.userId))!, CLIENT, passkey);
    };
    const { id } = await register();
    await expect(register()).rejects.toThrow('already exists');
    test_.now += 1000;
    await signInByPasskey();
    const [used] = await passkeys.listByUser(user.id);
    expect(used).toMatchObject({ id, counter: 1, lastUsedAt: test_.now, label: 'phone' });
    const before = await sessions.listByUser(user.id);

    // Removed while its signature is checked.
    const verify = crypto.subtle.verify.bind(crypto.subtle);
    const spied = spyOn(crypto.subtle, 'verify').mockImplementation(
      async (...given: Parameters<typeof verify>) => {
        await passkeys.remove(user, id);
        return verify(...given);
      },
    );
    try {
      await expect(respond()).rejects.toThrow(WrongCredentialsError);
    } finally {
      spied.mockRestore();
    }
    await expect(passkeys.remove(user, id)).rejects.toThrow(NotFoundError);

    // Removed between its check and its session; then together with its user.
    await register();
    test_.onOpenAccount = () => passkeys.remove(user, id);
    await expect(signInByPasskey()).rejects.toThrow(WrongCredentialsError);
    test_.onOpenAccount = async () => {};
    await register();
    expect(await sessions.listByUser(user.id)).toEqual(before);
    test_.onOpenAccount = () => test_.users.remove(user.accountId, EMAIL, EXCHANGE_ACTOR);
    await expect(signInByPasskey()).rejects.toThrow(WrongCredentialsError);
    expect(await sessions.listByUser(user.id)).toEqual([]);
    expect(await passkeys.listByUser(user.id)).toEqual([]);
    const recorded = await events.listBefore(Number.MAX_SAFE_INTEGER, 100, user.accountId);
    expect(recorded.map(({ action }) => action)).toEqual([
      'removed',
      'passkey_added',
      'passkey_removed',
      'passkey_added',
      'passkey_removed',
      'signed_in',
      'passkey_added',
      'signed_up',
    ]);
  });

  test('a browser that has signed in is known until a password reset in another browser', async () => {
    const user = await test_.addUser(EMAIL);
    const { device } = await test_.signIn(EMAIL);
    const known = { device: device! };
    expect((await test_.signIn(EMAIL, PASSWORD, undefined, known)).device).toBeUndefined();
    for (let i = 0; i < 20; i++) {
      const from = { scope: `198.51.100.${i}` };
      await expect(test_.signIn(EMAIL, 'wrong', undefined, from)).rejects.toThrow();
    }
    const unknown = { scope: '198.51.100.99' };
    await expect(test_.signIn(EMAIL, PASSWORD, undefined, unknown)).rejects.toThrow(
      GuessesSlowedError,
    );
    await test_.signIn(EMAIL, PASSWORD, undefined, known);
    await test_.users.signIn.replaceDevices(user.id);
    await expect(test_.signIn(EMAIL, PASSWORD, undefined, known)).rejects.toThrow(
      GuessesSlowedError,
    );
  });

  test('removing the second factor deletes its codes, and events are read in pages', async () => {
    const { secondFactor, store, sessions, events } = test_.users;
    const user = await test_.addUser(EMAIL);
    const { session } = await sessions.begin(user, CLIENT);
    const { secret } = await secondFactor.offer(session, user);
    const code = await generate({ secret, epoch: Math.floor(test_.now / 1000) });
    await secondFactor.confirm(session, (await store.findById(user.id))!, code, '192.0.2.1');
    await secondFactor.remove(session, user);
    expect(await secondFactor.recoveryCodesLeft(user.id)).toBe(0);
    await store.setName(user.id, 'Caroline');
    expect(await store.findById(user.id)).toEqual({
      ...user,
      name: 'Caroline',
      totpStep: Math.floor(test_.now / 30_000),
    });
    await test_.addUser('dave@example.com');
    const first = await events.listBefore(Number.MAX_SAFE_INTEGER, 2);
    const rest = await events.listBefore(first.at(-1)!.id, 10);
    const all = [...first, ...rest];
    expect(all.map(({ email, action }) => [email, action])).toEqual([
      ['dave@example.com', 'signed_up'],
      [EMAIL, 'second_factor_off'],
      [EMAIL, 'second_factor_on'],
      [EMAIL, 'signed_up'],
    ]);
    expect(all[2]).toMatchObject({
      time: test_.now,
      userId: user.id,
      accountId: user.accountId,
      email: EMAIL,
      action: 'second_factor_on',
      ...{ by: EMAIL, address: '192.0.2.1', userAgent: '' },
      details: '',
    });
    expect(await events.listBefore(Number.MAX_SAFE_INTEGER, 10, user.accountId)).toEqual(
      all.slice(1),
    );
  });

  test('the last use of a key is the last one saved', async () => {
    const { keyUses } = test_.users;
    await keyUses.save(
      new Map([
        ['bwk_a', 1],
        ['bwk_b', 2],
      ]),
    );
    await keyUses.save(new Map([['bwk_a', 1_790_000_000_000]]));
    expect(await keyUses.load()).toEqual(
      new Map([
        ['bwk_a', 1_790_000_000_000],
        ['bwk_b', 2],
      ]),
    );
  });

  test('the secret of public order ids is created once and kept', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'buttonwood-users-'));
    // A database in memory ends with its connection.
    const kept = url.startsWith('sqlite') ? `sqlite://${join(directory, 'users.db')}` : url;
    const secrets: Uint8Array[] = [];
    for (let start = 0; start < 3; start++) {
      const { users, database } = await TestUsers.open(kept);
      secrets.push(users.orderIdSecret);
      expect(await loadSeal(database, 'order ids')).toEqual(Buffer.from(users.orderIdSecret));
      expect(await loadSeal(database, 'challenges')).not.toEqual(secrets[0] as Buffer);
      await users.close();
    }
    rmSync(directory, { recursive: true });
    expect(secrets).toEqual([secrets[0]!, secrets[0]!, secrets[0]!]);
    expect(secrets[0]).toHaveLength(32);
    // Another database has another one.
    await test_.users.close();
    await empty(url);
    await test_.begin(url);
    expect(test_.users.orderIdSecret).not.toEqual(secrets[0]!);
  });

  test('a transaction is atomic, whatever runs concurrently', async () => {
    const database = await Database.open(url);
    await database.run('CREATE TABLE IF NOT EXISTS marks (mark INTEGER NOT NULL)');
    const failing = database.transaction(async (queries) => {
      await queries.run('INSERT INTO marks (mark) VALUES ($1)', 1);
      await Bun.sleep(1);
      throw new Error('injected by the test');
    });
    const [failed] = await Promise.allSettled([
      failing,
      database.run('INSERT INTO marks (mark) VALUES ($1)', 2),
    ]);
    expect(failed!.status).toBe('rejected');
    expect((await database.query('SELECT mark FROM marks')).map(({ mark }) => mark)).toEqual([2]);
    await expect(new Links(database).find('verify', 'x', 0)).rejects.toThrow('Request a new one');
    await database.close();
  });
});
