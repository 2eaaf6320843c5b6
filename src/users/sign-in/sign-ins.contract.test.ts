import { describe, expect, test } from 'bun:test';
import { generate } from 'otplib';
import { CLIENT, DATABASES, PASSWORD } from '../../testing/test-users.ts';
import { usersOfEachTest } from '../../testing/users-of-each-test.ts';
import { WrongCredentialsError } from '../errors.ts';

/** The sign-ins that users see, on every supported database. */

const EMAIL = 'carol@example.com';

describe.each(DATABASES)('on %s', (_, url) => {
  const test_ = usersOfEachTest(url);

  const list = async (userId: string, before = 1e9, limit = 100) => {
    const found = await test_.users.events.listSignIns(userId, before, limit);
    return found.map(({ action, details }) => [action, details]);
  };
  const fail = (email: string, password: string, code?: string) =>
    expect(test_.signIn(email, password, code)).rejects.toThrow(WrongCredentialsError);

  test('sign-ins are listed with their methods, and failures of known users too', async () => {
    const { signUp, signIn, secondFactor, store, events } = test_.users;
    await signUp.begin(EMAIL, PASSWORD, 'Carol', CLIENT.scope);
    const { session } = await signIn.withLink(test_.token, PASSWORD, CLIENT);
    const user = (await store.findByEmail(EMAIL))!;
    await fail(EMAIL, 'wrong');
    await fail('unknown@example.com', 'wrong');
    await test_.signIn(EMAIL);

    const { secret } = await secondFactor.offer(session, user);
    const totp = async () => generate({ secret, epoch: Math.floor(test_.now / 1000) });
    const offered = (await store.findById(user.id))!;
    const [recovery] = (await secondFactor.confirm(session, offered, await totp()))!;
    test_.now += 60_000;
    await expect(test_.signIn(EMAIL)).rejects.toThrow('second_factor_required');
    await fail(EMAIL, PASSWORD, '000000');
    await fail(EMAIL, PASSWORD, 'not a recovery code');
    await test_.signIn(EMAIL, PASSWORD, await totp());
    await test_.signIn(EMAIL, PASSWORD, recovery, { userAgent: 'another browser' });
    await signIn.failures.write();

    // Failures are written after what has happened in the meantime.
    expect((await list(user.id)).sort()).toEqual([
      ['sign_in_failed', 'password'],
      ['sign_in_failed', 'password_recovery_code'],
      ['sign_in_failed', 'password_totp'],
      ['signed_in', 'email_link'],
      ['signed_in', 'password'],
      ['signed_in', 'password_recovery_code'],
      ['signed_in', 'password_totp'],
    ]);
    const all = await events.listSignIns(user.id, 1e9, 100);
    expect(all.filter(({ userAgent }) => userAgent === 'another browser')).toMatchObject([
      { action: 'signed_in', details: 'password_recovery_code', address: CLIENT.address },
    ]);
    expect((await events.listBefore(1e9, 100)).some(({ email }) => email !== EMAIL)).toBe(false);
  });

  test('a failure has its own time, is written without a request, and belongs to one user', async () => {
    const user = await test_.addUser(EMAIL);
    const other = await test_.addUser('dave@example.com');
    const failedAt = test_.now;
    await fail(EMAIL, 'wrong');
    expect(await list(user.id)).toEqual([]);
    test_.now += 5000;
    const deadline = Date.now() + 10_000;
    while ((await list(user.id)).length === 0 && Date.now() < deadline) await Bun.sleep(50);
    const [event] = await test_.users.events.listSignIns(user.id, 1e9, 1);
    expect(event).toMatchObject({ time: failedAt, email: EMAIL, userAgent: CLIENT.userAgent });
    expect(await list(other.id)).toEqual([]);
  });

  test('sign-ins are read in pages, without other events', async () => {
    const user = await test_.addUser(EMAIL);
    for (let i = 0; i < 3; i++) await test_.signIn(EMAIL);
    const first = await test_.users.events.listSignIns(user.id, 1e9, 2);
    const rest = await test_.users.events.listSignIns(user.id, first.at(-1)!.id, 10);
    expect([first.length, rest.length]).toEqual([2, 1]);
    expect(new Set([...first, ...rest].map(({ id }) => id)).size).toBe(3);
  });
});
