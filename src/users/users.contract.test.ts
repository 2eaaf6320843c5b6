import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import { generate } from 'otplib';
import { Authenticator } from '../../test/http/authenticator.ts';
import { CLIENT, DATABASES, empty, PASSWORD, TestUsers } from '../testing/test-users.ts';
import { Database } from './database.ts';
import { GuessesSlowedError, NotThereError, WrongCredentialsError } from './errors.ts';
import { Links } from './links.ts';
import { SESSION_IDLE_MS, SESSION_LIFETIME_MS } from './sessions.ts';
import { EXCHANGE_ACTOR } from './user-events.ts';

/** What every database must do. BUTTONWOOD_TEST_POSTGRES=postgres://… runs it there too: it empties it. */

const EMAIL = 'carol@example.com';
const SITE = { origin: 'https://exchange.test', hostname: 'exchange.test' };

describe.each(DATABASES)('on %s', (_, url) => {
  let test_: TestUsers;
  beforeEach(async () => {
    await empty(url);
    test_ = await TestUsers.open(url);
  });
  afterEach(() => test_.accounts.close());

  test('signing up makes nobody before the link is opened, and somebody with an account after', async () => {
    const { accounts } = test_;
    await accounts.signUp.begin(EMAIL, PASSWORD, 'Carol <b>', CLIENT.scope);
    expect(await accounts.store.byEmail(EMAIL)).toBeUndefined();
    const user = await accounts.signUp.verify(test_.token);
    expect(user).toMatchObject({ email: EMAIL, name: 'Carol <b>', permissions: 3 });
    expect(user.accountId).toBe(user.id);
    expect(user.password).toStartWith('$argon2id$');
    await test_.signIn(EMAIL);
    expect(test_.opened).toEqual([user.accountId]);
  });

  test('sessions: found by their secret alone, ended at once, over in time', async () => {
    const user = await test_.addUser(EMAIL);
    const { sessions } = test_.accounts;
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
      await sessions.tidy();
    }
    test_.now = second.session.createdAt + SESSION_LIFETIME_MS;
    expect(await sessions.find(renewed)).toBeUndefined();
    const third = await sessions.begin(user, CLIENT);
    test_.now += SESSION_IDLE_MS;
    expect(await sessions.find(third.secret)).toBeUndefined();
    await sessions.tidy();
    expect(await sessions.of(user.id)).toEqual([]);
  });

  test('a sign-in that was checked against what is no more begins no session', async () => {
    const user = await test_.addUser(EMAIL);
    const { sessions, store, secondFactor, signIn } = test_.accounts;
    const begin = () => signIn.admit(user, CLIENT);
    // While the password is looked at, another one is set.
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
    expect(await sessions.of(user.id)).toEqual([]);
    await store.setPassword(user.id, user.password);
    await begin();
    await test_.accounts.invite(user.accountId, EMAIL, 1);
    expect(await sessions.of(user.id)).toEqual([]);
    await expect(begin()).rejects.toThrow(WrongCredentialsError);
    await store.setPermissions(user.id, user.permissions);
    const { session } = await begin();
    const { secret } = await secondFactor.offer(session, user);
    const offered = (await store.byId(user.id))!;
    const code = await generate({ secret, epoch: Math.floor(test_.now / 1000) });
    await secondFactor.confirm(session, offered, code);
    await expect(begin()).rejects.toThrow(WrongCredentialsError);
    expect(await sessions.of(user.id)).toHaveLength(1);
  });

  test('a session that is read while it ends is not kept', async () => {
    const user = await test_.addUser(EMAIL);
    const { sessions } = test_.accounts;
    const { secret, session } = await sessions.begin(user, CLIENT);
    const renewed = await sessions.rotate(session);
    expect(sessions.cached(secret)).toBeUndefined();
    const [found] = await Promise.all([sessions.find(renewed), sessions.end([session.id])]);
    expect([undefined, session.id]).toContain(found?.id);
    expect(sessions.cached(renewed)).toBeUndefined();
    expect(await sessions.find(renewed)).toBeUndefined();
  });

  test('a sign-in and a sign-out look at the sessions of one person alone', async () => {
    const { sessions } = test_.accounts;
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
    const both = await sessions.of(users[7]!.id);
    const [older] = both.filter((each) => each !== session);
    expect(both).toHaveLength(2);
    expect(both).toContain(session);
    await sessions.end([session.id]);
    expect(sessions.cached(secret)).toBeUndefined();
    expect(await sessions.of(users[7]!.id)).toEqual([older!]);
    for (const walk of [...walks, iterator]) expect(walk).not.toHaveBeenCalled();
  });

  test('a code works once, an older one not after it, one of a neighbouring step too', async () => {
    const { secondFactor, store, sessions } = test_.accounts;
    let user = await test_.addUser(EMAIL);
    const { session } = await sessions.begin(user, CLIENT);
    const { secret } = await secondFactor.offer(session, user);
    user = (await store.byId(user.id))!;
    const code = (offset: number) =>
      generate({ secret, epoch: Math.floor(test_.now / 1000) + offset * 30 });
    expect(await secondFactor.confirm(session, user, await code(5))).toBeUndefined();
    const recovery = (await secondFactor.confirm(session, user, await code(-1)))!;
    user = (await store.byId(user.id))!;
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

  test('a passkey signs in while it is there, also where it goes as it is shown', async () => {
    const { passkeys, store, sessions, signIn, events } = test_.accounts;
    const user = await test_.addUser(EMAIL);
    const { session } = await sessions.begin(user, CLIENT);
    const authenticator = new Authenticator(SITE.origin);
    const register = async () => {
      const { challenge } = await passkeys.registration(user, SITE);
      const made = authenticator.create(challenge);
      return passkeys.add(session, user, SITE, made, 'phone');
    };
    const answer = async () => {
      const { challenge } = await passkeys.request(SITE);
      return passkeys.shown(SITE, authenticator.get(challenge));
    };
    const show = async () => {
      const shown = await answer();
      return signIn.admit((await store.byId(shown.personId))!, CLIENT, shown);
    };
    const { id } = await register();
    await expect(register()).rejects.toThrow('there already');
    test_.now += 1000;
    await show();
    const [used] = await passkeys.of(user.id);
    expect(used).toMatchObject({ id, counter: 1, lastUsedAt: test_.now, label: 'phone' });
    const before = await sessions.of(user.id);

    // While its signature is looked at.
    const verify = crypto.subtle.verify.bind(crypto.subtle);
    const spied = spyOn(crypto.subtle, 'verify').mockImplementation(
      async (...given: Parameters<typeof verify>) => {
        await passkeys.remove(user, id);
        return verify(...given);
      },
    );
    try {
      await expect(answer()).rejects.toThrow(WrongCredentialsError);
    } finally {
      spied.mockRestore();
    }
    await expect(passkeys.remove(user, id)).rejects.toThrow(NotThereError);

    // Between its check and its session; then its person too.
    await register();
    test_.onOpening = () => passkeys.remove(user, id);
    await expect(show()).rejects.toThrow(WrongCredentialsError);
    test_.onOpening = async () => {};
    await register();
    expect(await sessions.of(user.id)).toEqual(before);
    test_.onOpening = () => test_.accounts.remove(user.accountId, EMAIL, EXCHANGE_ACTOR);
    await expect(show()).rejects.toThrow(WrongCredentialsError);
    expect(await sessions.of(user.id)).toEqual([]);
    expect(await passkeys.of(user.id)).toEqual([]);
    const noted = await events.before(Number.MAX_SAFE_INTEGER, 100, user.accountId);
    expect(noted.map(({ action }) => action)).toEqual([
      ...['removed', 'passkey_added', 'passkey_removed', 'passkey_added', 'passkey_removed'],
      ...['signed_in', 'passkey_added', 'signed_up'],
    ]);
  });

  test('a browser that has signed in is known, until a link sets the password in another', async () => {
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
    await test_.accounts.signIn.trustOnly(user.id);
    await expect(test_.signIn(EMAIL, PASSWORD, undefined, known)).rejects.toThrow(
      GuessesSlowedError,
    );
  });

  test('a second factor goes with its codes, and what happened is read in pages', async () => {
    const { secondFactor, store, sessions, events } = test_.accounts;
    const user = await test_.addUser(EMAIL);
    const { session } = await sessions.begin(user, CLIENT);
    const { secret } = await secondFactor.offer(session, user);
    const code = await generate({ secret, epoch: Math.floor(test_.now / 1000) });
    await secondFactor.confirm(session, (await store.byId(user.id))!, code, '192.0.2.1');
    await secondFactor.remove(session, user);
    expect(await secondFactor.recoveryCodesLeft(user.id)).toBe(0);
    await store.setName(user.id, 'Caroline');
    expect(await store.byId(user.id)).toEqual({
      ...{ ...user, name: 'Caroline' },
      totpStep: Math.floor(test_.now / 30_000),
    });
    await test_.addUser('dave@example.com');
    const first = await events.before(Number.MAX_SAFE_INTEGER, 2);
    const rest = await events.before(first.at(-1)!.id, 10);
    const all = [...first, ...rest];
    expect(all.map(({ email, action }) => [email, action])).toEqual([
      ['dave@example.com', 'signed_up'],
      [EMAIL, 'second_factor_off'],
      [EMAIL, 'second_factor_on'],
      [EMAIL, 'signed_up'],
    ]);
    expect(all[2]).toEqual({
      ...{ id: all[2]!.id, time: test_.now, personId: user.id, accountId: user.accountId },
      ...{ email: EMAIL, action: 'second_factor_on', by: EMAIL, address: '192.0.2.1', details: '' },
    });
    expect(await events.before(Number.MAX_SAFE_INTEGER, 10, user.accountId)).toEqual(all.slice(1));
  });

  test('a key is last used when it was last written down', async () => {
    const { keyUses } = test_.accounts;
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

  test('a transaction happens whole or not at all, beside whatever else runs', async () => {
    const database = await Database.open(url);
    await database.run('CREATE TABLE IF NOT EXISTS marks (mark INTEGER NOT NULL)');
    const failing = database.transaction(async (queries) => {
      await queries.run('INSERT INTO marks (mark) VALUES ($1)', 1);
      await Bun.sleep(1);
      throw new Error('in the midst of it');
    });
    const [failed] = await Promise.allSettled([
      failing,
      database.run('INSERT INTO marks (mark) VALUES ($1)', 2),
    ]);
    expect(failed!.status).toBe('rejected');
    expect((await database.query('SELECT mark FROM marks')).map(({ mark }) => mark)).toEqual([2]);
    await expect(new Links(database).look('verify', 'x', 0)).rejects.toThrow('ask for a new one');
    await database.close();
  });
});
