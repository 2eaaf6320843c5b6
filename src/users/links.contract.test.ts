import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import { CLIENT, DATABASES, empty, PASSWORD, TestUsers } from '../testing/test-users.ts';
import { Database } from './database.ts';
import { GuessesSlowedError, WrongCredentialsError } from './errors.ts';
import { Links } from './links.ts';

/** Mailed links, on every database. */

const EMAIL = 'carol@example.com';

describe.each(DATABASES)('on %s', (_, url) => {
  let test_: TestUsers;
  beforeEach(async () => {
    await empty(url);
    test_ = await TestUsers.open(url);
  });
  afterEach(() => test_.accounts.close());

  test('a link works once, in time, and for nothing else', async () => {
    const { signUp } = test_.accounts;
    await signUp.begin(EMAIL, PASSWORD, 'Carol', CLIENT.scope);
    const { token } = test_;
    await expect(signUp.setPassword(token, PASSWORD)).rejects.toThrow('ask for a new one');
    await signUp.verify(token);
    await expect(signUp.verify(token)).rejects.toThrow('ask for a new one');
    await signUp.forgotPassword(EMAIL);
    const reset = test_.token;
    await expect(signUp.verify(reset)).rejects.toThrow('ask for a new one');
    test_.now += 3_600_000;
    await expect(signUp.setPassword(reset, PASSWORD)).rejects.toThrow('ask for a new one');
  });

  test('a node whose clock is hours ahead forgets no link that is good, and one of days ago it does', async () => {
    const { signUp } = test_.accounts;
    await test_.addUser(EMAIL);
    const tidyAhead = async (ms: number) => {
      test_.now += ms;
      await signUp.tidy();
      test_.now -= ms;
    };
    await signUp.forgotPassword(EMAIL);
    await tidyAhead(2 * 3_600_000);
    await signUp.setPassword(test_.token, PASSWORD);
    await signUp.forgotPassword(EMAIL);
    await tidyAhead(3 * 86_400_000);
    await expect(signUp.setPassword(test_.token, PASSWORD)).rejects.toThrow('ask for a new one');
  });

  test('of two uses of a link at once one is refused', async () => {
    const user = await test_.addUser(EMAIL);
    await test_.accounts.signUp.forgotPassword(EMAIL);
    const uses = ['a first new password', 'a second new password'].map((password) =>
      test_.accounts.resetPassword(test_.token, password),
    );
    const outcomes = (await Promise.allSettled(uses)).map(({ status }) => status);
    expect(outcomes.sort()).toEqual(['fulfilled', 'rejected']);
    expect((await test_.accounts.store.byId(user.id))!.password).not.toBe(user.password);
  });

  test('whoever opens the link first gets the address, with the password of that very sign-up', async () => {
    const { signUp } = test_.accounts;
    await signUp.begin(EMAIL, 'the password of a stranger', 'Mallory', CLIENT.scope);
    const strangers = test_.token;
    await signUp.begin(EMAIL, PASSWORD, 'Carol', CLIENT.scope);
    await signUp.verify(test_.token);
    await expect(signUp.verify(strangers)).rejects.toThrow('good any more');
    await test_.signIn(EMAIL);
    await expect(test_.signIn(EMAIL, 'the password of a stranger')).rejects.toThrow();
  });

  test('a stranger’s sign-up opens nothing for who has the link and not its password', async () => {
    const { signUp, signIn, store } = test_.accounts;
    await signUp.begin(EMAIL, PASSWORD, 'Carol', CLIENT.scope);
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
    const open = signIn.byLink(link, PASSWORD, CLIENT);
    await expect(open).rejects.toThrow(WrongCredentialsError);
    expect(await store.byEmail(EMAIL)).toBeUndefined();
    for (let i = 0; i < 4; i++) {
      await expect(signIn.byLink(own, 'wrong', CLIENT)).rejects.toThrow(WrongCredentialsError);
    }
    await signIn.byLink(own, PASSWORD, CLIENT);
    expect(await store.byEmail(EMAIL)).toMatchObject({ name: 'Carol' });
    await expect(signUp.look(link)).rejects.toThrow('good any more');
    await signUp.begin('dave@example.com', PASSWORD, 'Dave', CLIENT.scope);
    const daves = test_.token;
    const guess = () => signIn.byLink(daves, 'wrong', CLIENT);
    for (let i = 0; i < 5; i++) await expect(guess()).rejects.toThrow(WrongCredentialsError);
    await expect(guess()).rejects.toThrow(GuessesSlowedError);
  });

  test('a sign-in does not wait for the link that it has mailed again', async () => {
    const { signUp } = test_.accounts;
    await signUp.begin(EMAIL, PASSWORD, 'Carol', CLIENT.scope);
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
    const user = await test_.addUser(EMAIL);
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
    await accounts.invite(user.accountId, EMAIL, user.permissions);
    await flood();
    expect(mails.map(({ to }) => to)).toEqual(Array(6).fill(EMAIL));
    test_.now += 1_800_000;
    await flood();
    await flood();
    await accounts.invite(user.accountId, EMAIL, user.permissions);
    expect(await good()).toEqual(Array(12).fill(user.id));
    const stored = 'SELECT COUNT(*) AS count FROM links WHERE purpose = $1';
    expect(Number((await test_.database.query(stored, 'password'))[0]!.count)).toBe(32);
    const own = tokens()[3]!;
    await accounts.resetPassword(own, 'a field full of poppies');
    mails.pop();
    expect(await good()).toEqual(Array(12).fill('gone'));
    await signUp.forgotPassword(EMAIL);
    expect((await good()).at(-1)).toBe(user.id);
    test_.now += 3_600_000;
    expect((await good()).at(-1)).toBe('gone');
  });

  test('who forgot a password costs one commit, and so does nobody, old links to go or not', async () => {
    const { signUp } = test_.accounts;
    await test_.addUser(EMAIL);
    const alone = spyOn(Database.prototype, 'run');
    const together = spyOn(Database.prototype, 'transaction');
    try {
      for (let i = 0; i < 25; i++) {
        test_.now += 600_000;
        await signUp.forgotPassword(EMAIL);
        await signUp.forgotPassword('nobody@example.com');
      }
      expect([alone.mock.calls.length, together.mock.calls.length]).toEqual([0, 50]);
    } finally {
      alone.mockRestore();
      together.mockRestore();
    }
  });
});
