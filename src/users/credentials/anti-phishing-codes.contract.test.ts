import { describe, expect, test } from 'bun:test';
import { CLIENT, DATABASES } from '../../testing/test-users.ts';
import { usersOfEachTest } from '../../testing/users-of-each-test.ts';
import { WrongCredentialsError } from '../errors.ts';
import { EXCHANGE_ACTOR } from '../user-events.ts';

/** Tests for every supported database: see DATABASES. */

const EMAIL = 'carol@example.com';
const OLD = 'Your anti-phishing code: Clover42\n\n';
const NEW = 'Your anti-phishing code: Poppy77\n\n';

describe.each(DATABASES)('on %s', (_, url) => {
  const test_ = usersOfEachTest(url);

  test('all mails to a user show the code from its change until its removal', async () => {
    const { users } = test_;
    const { antiPhishingCodes, events, sessions, signUp, store } = users;
    const { id } = await test_.addUser(EMAIL);
    const load = async () => (await store.findById(id))!;
    const { session } = await sessions.begin(await load(), CLIENT);
    expect((await load()).antiPhishingCode).toBe('');
    await antiPhishingCodes.set(session, await load(), 'Clover42', '192.0.2.1');
    expect(test_.mails.at(-1)).toMatchObject({
      to: EMAIL,
      subject: 'Your anti-phishing code was changed',
    });
    expect(test_.mails.at(-1)!.text).toStartWith(OLD);
    await antiPhishingCodes.set(session, await load(), 'Poppy77');
    await signUp.requestReset(EMAIL);
    await signUp.begin(EMAIL, 'a field full of poppies', 'Mallory', CLIENT.scope);
    await users.invite(id, EMAIL, 3);
    for (const { to, text } of test_.mails.slice(-4)) {
      expect(to).toBe(EMAIL);
      expect(text).toStartWith(NEW);
    }
    const again = await sessions.begin(await load(), CLIENT);
    await antiPhishingCodes.remove(again.session, await load());
    expect(test_.mails.at(-1)!.subject).toBe('Your anti-phishing code was removed');
    expect(test_.mails.at(-1)!.text).toStartWith(NEW);
    const count = test_.mails.length;
    await antiPhishingCodes.remove(again.session, await load());
    expect(test_.mails).toHaveLength(count);
    await signUp.requestReset(EMAIL);
    expect(test_.mails.at(-1)!.text).not.toContain('anti-phishing');

    const recorded = (await events.listBefore(Number.MAX_SAFE_INTEGER, 10)).reverse();
    expect(recorded.map(({ action, by, details }) => [action, by, details])).toEqual([
      ['signed_up', EMAIL, ''],
      ['anti_phishing_code_set', EMAIL, ''],
      ['anti_phishing_code_set', EMAIL, ''],
      ['invited', '', '3'],
      ['anti_phishing_code_removed', EMAIL, ''],
    ]);
    expect(recorded[1]!.address).toBe('192.0.2.1');
  });

  test('the mail about the removal of a user shows the code, too', async () => {
    const { users } = test_;
    const user = await test_.addUser(EMAIL);
    await users.store.setAntiPhishingCode(user.id, 'Clover42');
    await users.remove(user.accountId, EMAIL, EXCHANGE_ACTOR);
    expect(test_.mails.at(-1)!.text).toStartWith(OLD);
  });

  test('a session that ended during the request changes nothing', async () => {
    const { antiPhishingCodes, sessions, store } = test_.users;
    const user = await test_.addUser(EMAIL);
    const { session } = await sessions.begin(user, CLIENT);
    await sessions.end([session.id]);
    const count = test_.mails.length;
    const change = antiPhishingCodes.set(session, user, 'Mallory1');
    await expect(change).rejects.toThrow(WrongCredentialsError);
    await store.setAntiPhishingCode(user.id, 'Clover42');
    const removal = antiPhishingCodes.remove(session, (await store.findById(user.id))!);
    await expect(removal).rejects.toThrow(WrongCredentialsError);
    expect((await store.findById(user.id))!.antiPhishingCode).toBe('Clover42');
    expect(test_.mails).toHaveLength(count);
  });
});
