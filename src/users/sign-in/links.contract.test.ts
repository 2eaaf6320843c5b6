import { describe, expect, spyOn, test } from 'bun:test';
import { CLIENT, DATABASES, PASSWORD } from '../../testing/test-users.ts';
import { usersOfEachTest } from '../../testing/users-of-each-test.ts';
import { Database } from '../database.ts';
import { GuessesSlowedError, WrongCredentialsError } from '../errors.ts';
import { Links } from './links.ts';

/** Mailed links, on every supported database. */

const EMAIL = 'carol@example.com';

describe.each(DATABASES)('on %s', (_, url) => {
  const test_ = usersOfEachTest(url);

  test('a link works once, until it expires, and only for its purpose', async () => {
    const { signUp } = test_.users;
    await signUp.begin(EMAIL, PASSWORD, 'Carol', CLIENT.scope);
    const { token } = test_;
    await expect(signUp.setPassword(token, PASSWORD)).rejects.toThrow('Request a new one');
    await signUp.verify(token);
    await expect(signUp.verify(token)).rejects.toThrow('Request a new one');
    await signUp.requestReset(EMAIL);
    const reset = test_.token;
    await expect(signUp.verify(reset)).rejects.toThrow('Request a new one');
    test_.now += 3_600_000;
    await expect(signUp.setPassword(reset, PASSWORD)).rejects.toThrow('Request a new one');
  });

  test('a node whose clock is hours ahead deletes no valid link', async () => {
    const { signUp } = test_.users;
    await test_.addUser(EMAIL);
    const deleteExpiredAhead = async (ms: number) => {
      test_.now += ms;
      await signUp.deleteExpired();
      test_.now -= ms;
    };
    await signUp.requestReset(EMAIL);
    await deleteExpiredAhead(2 * 3_600_000);
    await signUp.setPassword(test_.token, PASSWORD);
    await signUp.requestReset(EMAIL);
    await deleteExpiredAhead(3 * 86_400_000);
    await expect(signUp.setPassword(test_.token, PASSWORD)).rejects.toThrow('Request a new one');
  });

  test('one of two concurrent uses of a link is rejected', async () => {
    const user = await test_.addUser(EMAIL);
    await test_.users.signUp.requestReset(EMAIL);
    const uses = ['a first new password', 'a second new password'].map((password) =>
      test_.users.resetPassword(test_.token, password),
    );
    const outcomes = (await Promise.allSettled(uses)).map(({ status }) => status);
    expect(outcomes.sort()).toEqual(['fulfilled', 'rejected']);
    expect((await test_.users.store.findById(user.id))!.password).not.toBe(user.password);
  });

  test('the first link opened gets the address, with the password of its own sign-up', async () => {
    const { signUp } = test_.users;
    await signUp.begin(EMAIL, 'the password of a stranger', 'Mallory', CLIENT.scope);
    const strangers = test_.token;
    await signUp.begin(EMAIL, PASSWORD, 'Carol', CLIENT.scope);
    await signUp.verify(test_.token);
    await expect(signUp.verify(strangers)).rejects.toThrow('no longer valid');
    await test_.signIn(EMAIL);
    await expect(test_.signIn(EMAIL, 'the password of a stranger')).rejects.toThrow();
  });

  test('the link of a stranger’s sign-up is useless without its password', async () => {
    const { signUp, signIn, store } = test_.users;
    await signUp.begin(EMAIL, PASSWORD, 'Carol', CLIENT.scope);
    const own = test_.token;
    const strangers: string[] = [];
    for (let i = 0; i < 30; i++) {
      test_.now += 3_600_000 / 10;
      await signUp.begin(EMAIL, 'the password of a stranger', 'Mallory', '198.51.100.1');
      strangers.push(test_.token);
    }
    const [gone, link] = [strangers[0]!, strangers.at(-1)!];
    await expect(signUp.find(gone)).rejects.toThrow('no longer valid');
    expect(await signUp.find(link)).toMatchObject({ email: EMAIL, name: 'Mallory' });
    const open = signIn.withLink(link, PASSWORD, CLIENT);
    await expect(open).rejects.toThrow(WrongCredentialsError);
    expect(await store.findByEmail(EMAIL)).toBeUndefined();
    for (let i = 0; i < 4; i++) {
      await expect(signIn.withLink(own, 'wrong', CLIENT)).rejects.toThrow(WrongCredentialsError);
    }
    await signIn.withLink(own, PASSWORD, CLIENT);
    expect(await store.findByEmail(EMAIL)).toMatchObject({ name: 'Carol' });
    await expect(signUp.find(link)).rejects.toThrow('no longer valid');
    await signUp.begin('dave@example.com', PASSWORD, 'Dave', CLIENT.scope);
    const daves = test_.token;
    const guess = () => signIn.withLink(daves, 'wrong', CLIENT);
    for (let i = 0; i < 5; i++) await expect(guess()).rejects.toThrow(WrongCredentialsError);
    await expect(guess()).rejects.toThrow(GuessesSlowedError);
  });

  test('a sign-in does not wait for the link that it resends', async () => {
    const { signUp } = test_.users;
    await signUp.begin(EMAIL, PASSWORD, 'Carol', CLIENT.scope);
    const { create } = Links.prototype;
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = spyOn(Links.prototype, 'create').mockImplementation(async function (
      this: Links,
      ...given
    ) {
      await promise;
      return create.apply(this, given);
    });
    try {
      await expect(test_.signIn(EMAIL)).rejects.toThrow(WrongCredentialsError);
      expect(test_.mails).toHaveLength(1);
      resolve();
      await signUp.whenIdle();
      expect(test_.mails).toHaveLength(2);
    } finally {
      slow.mockRestore();
    }
  });

  test('mailed links stay valid whatever strangers request, and are limited per user', async () => {
    const { users, mails } = test_;
    const { signUp } = users;
    const user = await test_.addUser(EMAIL);
    const links = new Links(test_.database);
    mails.length = 0;
    const tokens = () => mails.map(({ text }) => /#token=(\S+)/.exec(text)![1]!);
    const subjects = () => {
      const finds = tokens().map((token) => links.find('password', token, test_.now));
      return Promise.all(finds.map((find) => find.catch(() => 'gone')));
    };
    const flood = async () => {
      for (let i = 0; i < 12; i++) {
        test_.now += 1000;
        await signUp.requestReset(EMAIL);
        await signUp.begin(EMAIL, 'the password of a stranger', 'Mallory', '198.51.100.1');
        await signUp.requestReset(`nobody${i}@example.com`);
      }
    };
    await users.invite(user.accountId, EMAIL, user.permissions);
    await flood();
    expect(mails.map(({ to }) => to)).toEqual(Array(6).fill(EMAIL));
    test_.now += 1_800_000;
    await flood();
    await flood();
    await users.invite(user.accountId, EMAIL, user.permissions);
    expect(await subjects()).toEqual(Array(12).fill(user.id));
    const stored = 'SELECT COUNT(*) AS count FROM links WHERE purpose = $1';
    expect(Number((await test_.database.query(stored, 'password'))[0]!.count)).toBe(32);
    const own = tokens()[3]!;
    await users.resetPassword(own, 'a field full of poppies');
    mails.pop();
    expect(await subjects()).toEqual(Array(12).fill('gone'));
    await signUp.requestReset(EMAIL);
    expect((await subjects()).at(-1)).toBe(user.id);
    test_.now += 3_600_000;
    expect((await subjects()).at(-1)).toBe('gone');
  });

  test('a password reset takes one commit, whether the user exists or old links are deleted', async () => {
    const { signUp } = test_.users;
    await test_.addUser(EMAIL);
    const alone = spyOn(Database.prototype, 'run');
    const together = spyOn(Database.prototype, 'transaction');
    try {
      for (let i = 0; i < 25; i++) {
        test_.now += 600_000;
        await signUp.requestReset(EMAIL);
        await signUp.requestReset('nobody@example.com');
      }
      expect([alone.mock.calls.length, together.mock.calls.length]).toEqual([0, 50]);
    } finally {
      alone.mockRestore();
      together.mockRestore();
    }
  });
});
