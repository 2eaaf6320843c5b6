import { describe, expect, test } from 'bun:test';
import { CLIENT, DATABASES, PASSWORD } from '../../testing/test-users.ts';
import { usersOfEachTest } from '../../testing/users-of-each-test.ts';
import { GuessesSlowedError, WrongCredentialsError } from '../errors.ts';

/** Tests for every supported database: see DATABASES. */

const OLD = 'carol@example.com';
const NEW = 'caroline@example.com';
const { scope } = CLIENT;
const BAD_LINK = 'Request a new one';

describe.each(DATABASES)('on %s', (_, url) => {
  const test_ = usersOfEachTest(url);
  const load = async (id: string) => (await test_.users.store.findById(id))!;

  /** Begins a change of a new user; returns the user's id and session, and the token of the link. */
  async function begin(email = NEW, from = OLD) {
    const user = await test_.addUser(from);
    const { session } = await test_.users.sessions.begin(user, CLIENT);
    await test_.users.emailChanges.begin(session, user, email, '192.0.2.1');
    return { id: user.id, session, token: test_.token };
  }

  test('the address changes when the link is opened with the password, and sessions and devices end', async () => {
    const { emailChanges, events, sessions, signIn } = test_.users;
    const user = await test_.addUser(OLD);
    const { session, device } = await test_.signIn(OLD);
    await emailChanges.begin(session, user, NEW, '192.0.2.1');
    const { token } = test_;
    const [notice, link] = test_.mails.slice(-2);
    expect([notice!.to, notice!.subject]).toEqual([OLD, 'Your email address is being changed']);
    expect([link!.to, link!.subject]).toEqual([NEW, 'Confirm your new email address']);
    expect(await load(user.id)).toEqual({ ...user, pendingEmail: NEW });
    await expect(emailChanges.confirm(token, 'wrong', scope)).rejects.toThrow(
      WrongCredentialsError,
    );
    const added = await emailChanges.confirm(token, PASSWORD, scope, '192.0.2.9');
    expect(await load(user.id)).toEqual({ ...user, email: NEW });
    expect([test_.mails.at(-1)!.to, test_.mails.at(-1)!.subject]).toEqual([
      OLD,
      'Your email address was changed',
    ]);
    expect(await sessions.listByUser(user.id)).toEqual([]);
    expect(await signIn.isNewDevice(user, device, 1)).toBe(true);
    test_.now += 2;
    expect(await signIn.isNewDevice(user, added, 1)).toBe(false);
    await test_.signIn(NEW);
    await expect(test_.signIn(OLD)).rejects.toThrow(WrongCredentialsError);
    await expect(emailChanges.confirm(token, PASSWORD, scope)).rejects.toThrow(BAD_LINK);
    const recorded = await events.listBefore(Number.MAX_SAFE_INTEGER, 10);
    const changes = recorded.filter(({ action }) => action.startsWith('email'));
    expect(
      changes.map(({ action, email, by, address, details }) => [
        action,
        email,
        by,
        address,
        details,
      ]),
    ).toEqual([
      ['email_changed', OLD, OLD, '192.0.2.9', NEW],
      ['email_change_requested', OLD, OLD, '192.0.2.1', NEW],
    ]);
  });

  test('an address in use is treated as a free one, except that its owner gets a mail without a link', async () => {
    const { emailChanges, store } = test_.users;
    const owner = await test_.addUser(NEW);
    await store.setAntiPhishingCode(owner.id, 'Clover42');
    const user = await test_.addUser(OLD);
    const { session } = await test_.users.sessions.begin(user, CLIENT);
    await emailChanges.begin(session, user, NEW);
    const mail = test_.mails.at(-1)!;
    expect([mail.to, mail.subject]).toEqual([NEW, 'This address already has an account']);
    expect(mail.text).toStartWith('Your anti-phishing code: Clover42');
    expect(mail.text).not.toContain('token=');
    expect((await load(user.id)).pendingEmail).toBe(NEW);
    expect((await load(owner.id)).email).toBe(NEW);
  });

  test('a link proves only its own address, whatever change is begun later', async () => {
    const { emailChanges } = test_.users;
    const { id, session, token } = await begin('own@example.com');
    await emailChanges.begin(session, await load(id), 'victim@example.com');
    const victims = test_.token;
    await expect(emailChanges.confirm(token, PASSWORD, scope)).rejects.toThrow(BAD_LINK);
    expect((await load(id)).email).toBe(OLD);
    await emailChanges.confirm(victims, PASSWORD, scope);
    expect((await load(id)).email).toBe('victim@example.com');
  });

  test('a cancellation, a new password, a reset and time end a change', async () => {
    const { users } = test_;
    const { emailChanges, sessions, signUp } = users;
    const { id, session } = await begin();
    const again = async () => {
      const next = await sessions.begin(await load(id), CLIENT);
      await emailChanges.begin(next.session, await load(id), NEW);
      return { session: next.session, token: test_.token };
    };
    const expectEnded = async (token: string, password = PASSWORD) => {
      await expect(emailChanges.confirm(token, password, scope)).rejects.toThrow(BAD_LINK);
      expect((await load(id)).email).toBe(OLD);
    };
    const first = test_.token;
    await emailChanges.cancel(session, await load(id));
    expect((await load(id)).pendingEmail).toBe('');
    await expectEnded(first);

    const second = await again();
    await users.changePassword(second.session, await load(id), 'a field full of poppies');
    await expectEnded(second.token, 'a field full of poppies');

    const third = await again();
    await signUp.requestReset(OLD);
    await users.resetPassword(test_.token, PASSWORD);
    await expectEnded(third.token);

    const fourth = await again();
    test_.now += 86_400_000;
    await expectEnded(fourth.token);
  });

  test('links for a new password that the old address got stop working', async () => {
    const { emailChanges, signUp } = test_.users;
    const { token } = await begin();
    await signUp.requestReset(OLD);
    const reset = test_.token;
    await emailChanges.confirm(token, PASSWORD, scope);
    await expect(test_.users.resetPassword(reset, 'the password of a thief')).rejects.toThrow(
      BAD_LINK,
    );
  });

  test('the first user who confirms an address gets it, whether by a change or a sign-up', async () => {
    const { emailChanges, signUp, store } = test_.users;
    const carol = await begin();
    const dave = await begin(NEW, 'dave@example.com');
    const outcomes = await Promise.allSettled([
      emailChanges.confirm(carol.token, PASSWORD, scope),
      emailChanges.confirm(dave.token, PASSWORD, scope),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const failed = outcomes.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
    expect(failed.reason.message).toContain(BAD_LINK);
    await signUp.begin('free@example.com', PASSWORD, 'Erin', scope);
    const signsUp = test_.token;
    const { id, token } = await begin('free@example.com', 'frank@example.com');
    await emailChanges.confirm(token, PASSWORD, scope);
    await expect(signUp.verify(signsUp)).rejects.toThrow('no longer valid');
    expect((await store.findByEmail('free@example.com'))!.id).toBe(id);
  });

  test('a stranger who gets the link cannot guess the password, and other links do not work', async () => {
    const { emailChanges, signUp } = test_.users;
    const { id, session, token } = await begin();
    const guess = () => emailChanges.confirm(token, 'a guess', scope);
    for (let count = 0; count < 5; count++) {
      await expect(guess()).rejects.toThrow(WrongCredentialsError);
    }
    await expect(guess()).rejects.toThrow(GuessesSlowedError);
    await expect(signUp.setPassword(token, 'the password of a thief')).rejects.toThrow(BAD_LINK);
    await expect(signUp.verify(token)).rejects.toThrow(BAD_LINK);
    await signUp.requestReset(OLD);
    await expect(emailChanges.confirm(test_.token, PASSWORD, scope)).rejects.toThrow(BAD_LINK);
    await expect(emailChanges.begin(session, await load(id), OLD)).rejects.toThrow('already is');
    await test_.users.sessions.end([session.id]);
    const ended = emailChanges.begin(session, await load(id), 'mallory@example.com');
    await expect(ended).rejects.toThrow(WrongCredentialsError);
    await expect(emailChanges.cancel(session, await load(id))).rejects.toThrow(
      WrongCredentialsError,
    );
    expect((await load(id)).pendingEmail).toBe(NEW);
  });
});
