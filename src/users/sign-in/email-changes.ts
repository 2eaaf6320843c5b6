import { DAY_MS } from '../../config/durations.ts';
import type { Database, Queries } from '../database.ts';
import { InvalidInputError, WrongCredentialsError } from '../errors.ts';
import type { Mails } from '../mail.ts';
import { UserEvents } from '../user-events.ts';
import { type User, UserStore } from '../user-store.ts';
import { invalidLink, Links } from './links.ts';
import { deleteUserSessions, lockSession, type Session, type Sessions } from './sessions.ts';
import type { SignIn } from './sign-in.ts';

/** SQLSTATE of PostgreSQL: another user got the address at the same time. */
const UNIQUE_VIOLATION = '23505';

interface Parts {
  readonly database: Database;
  readonly mails: Mails;
  readonly sessions: Sessions;
  readonly signIn: SignIn;
  readonly now: () => number;
}

/**
 * Changes of email addresses. The address changes only when the link that was mailed to the new one is opened, with the
 * password: without it, a stranger who got the link because of a typing error could take over the account.
 */
export class EmailChanges {
  constructor(private readonly parts: Parts) {}

  /**
   * Mails a link to the new address and a notice to the old one. Result and work do not depend on whether the new address
   * belongs to a user, who gets a mail instead of the link.
   * @throws InvalidInputError; WrongCredentialsError if the session has ended
   */
  async begin(session: Session, user: User, email: string, address = ''): Promise<void> {
    if (email === user.email) {
      throw new InvalidInputError('email', 'different', 'This already is your email address.');
    }
    const { database, mails, now } = this.parts;
    const owner = await new UserStore(database).findByEmail(email);
    const token = await database.transaction(async (queries) => {
      const expiresAt = now() + DAY_MS;
      const token = await new Links(queries).create('email', toSubject(user.id, email), expiresAt);
      await new UserStore(queries).setPendingEmail(user.id, email);
      await lockSession(queries, session);
      const actor = { by: user.email, address };
      await new UserEvents(queries, now).add(user, 'email_change_requested', actor, email);
      return token;
    });
    mails.emailChanging(user, email);
    if (owner === undefined) mails.confirmEmail(email, token);
    else mails.emailInUse(owner);
  }

  /** Cancels a change whose link was not opened. @throws WrongCredentialsError if the session has ended */
  async cancel(session: Session, user: User, address = ''): Promise<void> {
    if (user.pendingEmail === '') return;
    const { database, now } = this.parts;
    await database.transaction(async (queries) => {
      await new UserStore(queries).setPendingEmail(user.id, '');
      await lockSession(queries, session);
      const actor = { by: user.email, address };
      const { pendingEmail } = user;
      await new UserEvents(queries, now).add(user, 'email_change_canceled', actor, pendingEmail);
    });
  }

  /**
   * Changes the address with a mailed link and ends all sessions. Returns the secret of the browser's device, because no
   * other browser is known any more: withdrawals wait. A wrong password leaves the link valid.
   * @param scope The network address by which guesses are counted.
   * @throws InvalidInputError, WrongCredentialsError, GuessesSlowedError, HashingOverloadedError
   */
  async confirm(token: string, password: string, scope: string, address = ''): Promise<string> {
    const { database, mails, sessions, signIn, now } = this.parts;
    const { userId, email } = fromSubject(await new Links(database).find('email', token, now()));
    const user = await new UserStore(database).findById(userId);
    if (user === undefined || user.pendingEmail !== email) throw invalidLink();
    await signIn.checkLinkPassword(user, password, scope);
    const ended = await database
      .transaction((queries) => this.change(queries, token, user, address))
      .catch((error) => {
        throw error.errno === UNIQUE_VIOLATION ? invalidLink() : error;
      });
    sessions.notifyEnded(ended);
    mails.emailChanged(user, email);
    return signIn.replaceDevices(user.id);
  }

  /** Returns the sessions for `notifyEnded` after the commit. */
  private async change(
    queries: Queries,
    token: string,
    user: User,
    address: string,
  ): Promise<string[]> {
    const { now } = this.parts;
    const links = new Links(queries);
    await links.use('email', token, now());
    // Also the links for a new password, which the old address got.
    await links.deleteBySubject(user.id);
    const store = new UserStore(queries);
    const outcome = await store.confirmEmail(user);
    if (outcome === 'taken') throw invalidLink();
    if (outcome === 'changed') throw new WrongCredentialsError();
    await queries.run('DELETE FROM sign_ups WHERE email = $1', user.pendingEmail);
    const actor = { by: user.email, address };
    await new UserEvents(queries, now).add(user, 'email_changed', actor, user.pendingEmail);
    return deleteUserSessions(queries, user.id);
  }
}

/** Binds a link to the address that it proves, whatever change the user begins later. */
function toSubject(userId: string, email: string): string {
  return `${userId} ${email}`;
}

function fromSubject(subject: string): { userId: string; email: string } {
  const end = subject.lastIndexOf(' ');
  return { userId: subject.slice(0, end), email: subject.slice(end + 1) };
}
