import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import { SQL } from 'bun';
import { generate } from 'otplib';
import { Authenticator } from '../../test/http/authenticator.ts';
import { Database } from './database.ts';
import { GuessesSlowedError, NotThereError, WrongCredentialsError } from './errors.ts';
import { Links } from './links.ts';
import { EXCHANGE } from './people-events.ts';
import { SESSION_IDLE_MS, SESSION_LIFETIME_MS } from './sessions.ts';
import { NEWCOMER, PASSWORD, TestAccounts } from './test-accounts.ts';

/** What every database must do. BUTTONWOOD_TEST_POSTGRES=postgres://… runs it there too: it empties it. */

const { BUTTONWOOD_TEST_POSTGRES } = process.env;
const URLS = ['sqlite://:memory:', BUTTONWOOD_TEST_POSTGRES].filter((url) => url !== undefined);
const EMAIL = 'carol@example.com';
const SITE = { origin: 'https://exchange.test', hostname: 'exchange.test' };

describe.each(URLS.map((url) => [url.split(':')[0]!, url] as const))('on %s', (_, url) => {
  let test_: TestAccounts;
  beforeEach(async () => {
    if (url.startsWith('postgres')) {
      const sql = new SQL(url);
      await sql.unsafe('DROP SCHEMA public CASCADE; CREATE SCHEMA public').simple();
      await sql.close();
    }
    test_ = await TestAccounts.open(url);
  });
  afterEach(() => test_.accounts.close());

  test('signing up makes nobody before the link is opened, and somebody with an account after', async () => {
    const { accounts } = test_;
    await accounts.signUp.begin(EMAIL, PASSWORD, 'Carol <b>', NEWCOMER.scope);
    expect(await accounts.people.byEmail(EMAIL)).toBeUndefined();
    const person = await accounts.signUp.verify(test_.token);
    expect(person).toMatchObject({ email: EMAIL, name: 'Carol <b>', permissions: 3 });
    expect(person.accountId).toBe(person.id);
    expect(person.password).toStartWith('$argon2id$');
    await test_.signIn(EMAIL);
    expect(test_.opened).toEqual([person.accountId]);
  });

  test('a link works once, in time, and for nothing else', async () => {
    const { signUp } = test_.accounts;
    await signUp.begin(EMAIL, PASSWORD, 'Carol', NEWCOMER.scope);
    const { token } = test_;
    await expect(signUp.setPassword(token, PASSWORD)).rejects.toThrow('ask for a new one');
    await signUp.verify(token);
    await expect(signUp.verify(token)).rejects.toThrow('ask for a new one');
    await signUp.forgotPassword(EMAIL);
    const reset = test_.token;
    await expect(signUp.verify(reset)).rejects.toThrow('ask for a new one');
    test_.now += 3_600_000;
    await expect(signUp.setPassword(reset, PASSWORD)).rejects.toThrow('ask for a new one');
    await signUp.tidy();
  });

  test('of two uses of a link at once one is refused', async () => {
    const person = await test_.addPerson(EMAIL);
    await test_.accounts.signUp.forgotPassword(EMAIL);
    const uses = ['a first new password', 'a second new password'].map((password) =>
      test_.accounts.resetPassword(test_.token, password),
    );
    const outcomes = (await Promise.allSettled(uses)).map(({ status }) => status);
    expect(outcomes.sort()).toEqual(['fulfilled', 'rejected']);
    expect((await test_.accounts.people.byId(person.id))!.password).not.toBe(person.password);
  });

  test('whoever opens the link first gets the address, with the password of that very sign-up', async () => {
    const { signUp } = test_.accounts;
    await signUp.begin(EMAIL, 'the password of a stranger', 'Mallory', NEWCOMER.scope);
    const strangers = test_.token;
    await signUp.begin(EMAIL, PASSWORD, 'Carol', NEWCOMER.scope);
    await signUp.verify(test_.token);
    await expect(signUp.verify(strangers)).rejects.toThrow('good any more');
    await test_.signIn(EMAIL);
    await expect(test_.signIn(EMAIL, 'the password of a stranger')).rejects.toThrow();
  });

  test('a stranger’s sign-up opens nothing for who has the link and not its password', async () => {
    const { signUp, signIn, people } = test_.accounts;
    await signUp.begin(EMAIL, PASSWORD, 'Carol', NEWCOMER.scope);
    const own = test_.token;
    const strangers: string[] = [];
    for (let i = 0; i < 30; i++) {
      test_.now += 3_600_000 / 10;
      await signUp.begin(EMAIL, 'the password of a stranger', 'Mallory', '198.51.100.1');
      strangers.push(test_.token);
    }
    const [gone, link] = [strangers[0]!, strangers.at(-1)!];
    await expect(signUp.look(gone)).rejects.toThrow('good any more');
    expect(await signUp.look(link)).toMatchObject({ email: EMAIL, name: 'Mallory' });
    const open = signIn.byLink(link, PASSWORD, NEWCOMER);
    await expect(open).rejects.toThrow(WrongCredentialsError);
    expect(await people.byEmail(EMAIL)).toBeUndefined();
    for (let i = 0; i < 4; i++) {
      await expect(signIn.byLink(own, 'wrong', NEWCOMER)).rejects.toThrow(WrongCredentialsError);
    }
    await signIn.byLink(own, PASSWORD, NEWCOMER);
    expect(await people.byEmail(EMAIL)).toMatchObject({ name: 'Carol' });
    await expect(signUp.look(link)).rejects.toThrow('good any more');
    await signUp.begin('dave@example.com', PASSWORD, 'Dave', NEWCOMER.scope);
    const daves = test_.token;
    const guess = () => signIn.byLink(daves, 'wrong', NEWCOMER);
    for (let i = 0; i < 5; i++) await expect(guess()).rejects.toThrow(WrongCredentialsError);
    await expect(guess()).rejects.toThrow(GuessesSlowedError);
  });

  test('sessions: found by their secret alone, ended at once, over in time', async () => {
    const person = await test_.addPerson(EMAIL);
    const { sessions } = test_.accounts;
    const first = await sessions.begin(person, NEWCOMER);
    const second = await sessions.begin(person, NEWCOMER);
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
    const third = await sessions.begin(person, NEWCOMER);
    test_.now += SESSION_IDLE_MS;
    expect(await sessions.find(third.secret)).toBeUndefined();
    await sessions.tidy();
    expect(await sessions.of(person.id)).toEqual([]);
  });

  test('a sign-in that was checked against what is no more begins no session', async () => {
    const person = await test_.addPerson(EMAIL);
    const { sessions, people, secondFactor, signIn } = test_.accounts;
    const begin = () => signIn.admit(person, NEWCOMER);
    // While the password is looked at, another one is set.
    const { verify } = Bun.password;
    const spied = Bun.password as { verify: typeof verify };
    spied.verify = async (...given) => {
      await people.setPassword(person.id, 'another hash');
      return verify(...given);
    };
    try {
      await expect(test_.signIn(EMAIL)).rejects.toThrow(WrongCredentialsError);
    } finally {
      spied.verify = verify;
    }
    await expect(begin()).rejects.toThrow(WrongCredentialsError);
    expect(await sessions.of(person.id)).toEqual([]);
    await people.setPassword(person.id, person.password);
    await begin();
    await test_.accounts.invite(person.accountId, EMAIL, 1);
    expect(await sessions.of(person.id)).toEqual([]);
    await expect(begin()).rejects.toThrow(WrongCredentialsError);
    await people.setPermissions(person.id, person.permissions);
    const { session } = await begin();
    const { secret } = await secondFactor.offer(session, person);
    const offered = (await people.byId(person.id))!;
    const code = await generate({ secret, epoch: Math.floor(test_.now / 1000) });
    await secondFactor.confirm(session, offered, code);
    await expect(begin()).rejects.toThrow(WrongCredentialsError);
    expect(await sessions.of(person.id)).toHaveLength(1);
  });

  test('a session that is read while it ends is not kept', async () => {
    const person = await test_.addPerson(EMAIL);
    const { sessions } = test_.accounts;
    const { secret, session } = await sessions.begin(person, NEWCOMER);
    const renewed = await sessions.rotate(session);
    expect(sessions.cached(secret)).toBeUndefined();
    const [found] = await Promise.all([sessions.find(renewed), sessions.end([session.id])]);
    expect([undefined, session.id]).toContain(found?.id);
    expect(sessions.cached(renewed)).toBeUndefined();
    expect(await sessions.find(renewed)).toBeUndefined();
  });

  test('a code works once, an older one not after it, one of a neighbouring step too', async () => {
    const { secondFactor, people, sessions } = test_.accounts;
    let person = await test_.addPerson(EMAIL);
    const { session } = await sessions.begin(person, NEWCOMER);
    const { secret } = await secondFactor.offer(session, person);
    person = (await people.byId(person.id))!;
    const code = (offset: number) =>
      generate({ secret, epoch: Math.floor(test_.now / 1000) + offset * 30 });
    expect(await secondFactor.confirm(session, person, await code(5))).toBeUndefined();
    const recovery = (await secondFactor.confirm(session, person, await code(-1)))!;
    person = (await people.byId(person.id))!;
    expect(await secondFactor.accept(person, await code(-1))).toBe(false);
    expect(await secondFactor.accept(person, await code(2))).toBe(false);
    const now = await code(0);
    const both = await Promise.all([1, 2].map(() => secondFactor.accept(person, now)));
    expect(both.sort()).toEqual([false, true]);
    expect(await secondFactor.accept(person, await code(1))).toBe(true);
    expect(await secondFactor.accept(person, now)).toBe(false);
    expect(recovery).toHaveLength(10);
    expect(await secondFactor.accept(person, recovery[3]!.toUpperCase())).toBe(true);
    expect(await secondFactor.accept(person, recovery[3]!)).toBe(false);
    expect(await secondFactor.recoveryCodesLeft(person.id)).toBe(9);
    await secondFactor.renewRecoveryCodes(session, person);
    expect(await secondFactor.accept(person, recovery[4]!)).toBe(false);
  });

  test('a passkey signs in while it is there, also where it goes as it is shown', async () => {
    const { passkeys, people, sessions, signIn, events } = test_.accounts;
    const person = await test_.addPerson(EMAIL);
    const { session } = await sessions.begin(person, NEWCOMER);
    const authenticator = new Authenticator(SITE.origin);
    const register = async () => {
      const { challenge } = await passkeys.registration(person, SITE);
      const made = authenticator.create(challenge);
      return passkeys.add(session, person, SITE, made, 'phone');
    };
    const answer = async () => {
      const { challenge } = await passkeys.request(SITE);
      return passkeys.shown(SITE, authenticator.get(challenge));
    };
    const show = async () => {
      const shown = await answer();
      return signIn.admit((await people.byId(shown.personId))!, NEWCOMER, shown);
    };
    const { id } = await register();
    await expect(register()).rejects.toThrow('there already');
    test_.now += 1000;
    await show();
    const [used] = await passkeys.of(person.id);
    expect(used).toMatchObject({ id, counter: 1, lastUsedAt: test_.now, label: 'phone' });
    const before = await sessions.of(person.id);

    // While its signature is looked at.
    const verify = crypto.subtle.verify.bind(crypto.subtle);
    const spied = spyOn(crypto.subtle, 'verify').mockImplementation(
      async (...given: Parameters<typeof verify>) => {
        await passkeys.remove(person, id);
        return verify(...given);
      },
    );
    try {
      await expect(answer()).rejects.toThrow(WrongCredentialsError);
    } finally {
      spied.mockRestore();
    }
    await expect(passkeys.remove(person, id)).rejects.toThrow(NotThereError);

    // Between its check and its session; then its person too.
    await register();
    test_.onOpening = () => passkeys.remove(person, id);
    await expect(show()).rejects.toThrow(WrongCredentialsError);
    test_.onOpening = async () => {};
    await register();
    expect(await sessions.of(person.id)).toEqual(before);
    test_.onOpening = () => test_.accounts.remove(person.accountId, EMAIL, EXCHANGE);
    await expect(show()).rejects.toThrow(WrongCredentialsError);
    expect(await sessions.of(person.id)).toEqual([]);
    expect(await passkeys.of(person.id)).toEqual([]);
    const noted = await events.before(Number.MAX_SAFE_INTEGER, 100, person.accountId);
    expect(noted.map(({ action }) => action)).toEqual([
      ...['removed', 'passkey_added', 'passkey_removed', 'passkey_added', 'passkey_removed'],
      ...['signed_in', 'passkey_added', 'signed_up'],
    ]);
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

  test('a sign-in does not wait for the link that it has mailed again', async () => {
    const { signUp } = test_.accounts;
    await signUp.begin(EMAIL, PASSWORD, 'Carol', NEWCOMER.scope);
    const { make } = Links.prototype;
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = spyOn(Links.prototype, 'make').mockImplementation(async function (
      this: Links,
      ...given
    ) {
      await promise;
      return make.apply(this, given);
    });
    try {
      await expect(test_.signIn(EMAIL)).rejects.toThrow(WrongCredentialsError);
      expect(test_.mails).toHaveLength(1);
      resolve();
      await signUp.idle();
      expect(test_.mails).toHaveLength(2);
    } finally {
      slow.mockRestore();
    }
  });

  test('mailed links stay good whatever strangers ask for, and are few for each person', async () => {
    const { accounts, mails } = test_;
    const { signUp } = accounts;
    const person = await test_.addPerson(EMAIL);
    const links = new Links(test_.database);
    mails.length = 0;
    const tokens = () => mails.map(({ text }) => /#token=(\S+)/.exec(text)![1]!);
    const good = () => {
      const looks = tokens().map((token) => links.look('password', token, test_.now));
      return Promise.all(looks.map((look) => look.catch(() => 'gone')));
    };
    const flood = async () => {
      for (let i = 0; i < 12; i++) {
        test_.now += 1000;
        await signUp.forgotPassword(EMAIL);
        await signUp.begin(EMAIL, 'the password of a stranger', 'Mallory', '198.51.100.1');
        await signUp.forgotPassword(`nobody${i}@example.com`);
      }
    };
    await accounts.invite(person.accountId, EMAIL, person.permissions);
    await flood();
    expect(mails.map(({ to }) => to)).toEqual(Array(6).fill(EMAIL));
    test_.now += 1_800_000;
    await flood();
    await flood();
    await accounts.invite(person.accountId, EMAIL, person.permissions);
    expect(await good()).toEqual(Array(12).fill(person.id));
    const stored = 'SELECT COUNT(*) AS count FROM links WHERE purpose = $1';
    expect(Number((await test_.database.query(stored, 'password'))[0]!.count)).toBe(32);
    const own = tokens()[3]!;
    await accounts.resetPassword(own, 'a field full of poppies');
    mails.pop();
    expect(await good()).toEqual(Array(12).fill('gone'));
    await signUp.forgotPassword(EMAIL);
    expect((await good()).at(-1)).toBe(person.id);
    test_.now += 3_600_000;
    expect((await good()).at(-1)).toBe('gone');
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
