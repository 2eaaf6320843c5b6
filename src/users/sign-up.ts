import { DAY_MS } from '../config/durations.ts';
import * as logger from '../monitoring/logger.ts';
import type { Database, Queries, Row } from './database.ts';
import { InvalidInputError } from './errors.ts';
import { networkOf } from './guesses.ts';
import { Links } from './links.ts';
import type { Mails } from './mail.ts';
import { checkPassword, type Passwords } from './passwords.ts';
import { newId } from './secrets.ts';
import { type Doer, EXCHANGE, UserEvents } from './user-events.ts';
import { type User, UserStore } from './user-store.ts';

/** What is over is kept for longer than the clocks of two nodes may ever differ. */
const KEEP_OVER_MS = DAY_MS;
/** Sign-ups of one e-mail address that wait for their link. */
const MAX_WAITING_PER_EMAIL = 20;

interface Parts {
  readonly database: Database;
  readonly passwords: Passwords;
  readonly mails: Mails;
  readonly now: () => number;
  /** Sum of the permissions of whoever signs up. */
  readonly permissions: number;
}

/**
 * Signing up, being invited, and choosing a password by a link. Someone who signs up is nobody yet:
 * name and password wait beside the link. Who opens it shows that the address is theirs, and by the
 * password that the sign-up was: else a stranger would sign up with the address of a victim, who opens
 * the link, and the stranger would have the password of the victim's account.
 */
export class SignUp {
  private readonly users: UserStore;
  private readonly links: Links;
  private mailing: Promise<void> = Promise.resolve();

  constructor(private readonly parts: Parts) {
    this.users = new UserStore(parts.database);
    this.links = new Links(parts.database);
  }

  /**
   * The same answer after the same work, whoever has the address. Of too many that wait, the oldest of
   * the network address with the most of them is forgotten: nobody pushes out another's by a flood.
   * @param scope The network address, as guesses are counted by it.
   * @throws InvalidInputError, HashingOverloadedError
   */
  async begin(email: string, password: string, name: string, scope: string): Promise<void> {
    checkPassword(password, email);
    const { database, passwords, mails, now } = this.parts;
    const hash = await passwords.hash(password, networkOf(scope));
    const id = newId('p');
    const createdAt = now();
    const user = await this.users.byEmail(email);
    const token = await database.transaction(async (queries) => {
      const links = new Links(queries);
      if (user !== undefined) return links.makeReset(user.id, createdAt);
      await queries.run(
        `INSERT INTO sign_ups (id, email, name, password, created_at, scope)
         VALUES ($1, $2, $3, $4, $5, $6)`,
        ...[id, email, name, hash, createdAt, scope],
      );
      await queries.run(
        `DELETE FROM sign_ups WHERE id =
           (SELECT s.id FROM sign_ups s WHERE s.email = $1 ORDER BY
             (SELECT COUNT(*) FROM sign_ups o WHERE o.email = $1 AND o.scope = s.scope) DESC,
             s.created_at, s.id LIMIT 1)
         AND (SELECT COUNT(*) FROM sign_ups WHERE email = $1) > $2`,
        ...[email, MAX_WAITING_PER_EMAIL],
      );
      return links.make('verify', id, createdAt + DAY_MS);
    });
    if (token === undefined) return;
    if (user === undefined) mails.verify(email, token);
    else mails.alreadyKnown(email, token);
  }

  /** The sign-up that a link is for, without using it up. @throws InvalidInputError */
  async look(token: string): Promise<SignedUp> {
    const { database, now } = this.parts;
    const id = await this.links.look('verify', token, now());
    const [row] = await database.query('SELECT * FROM sign_ups WHERE id = $1', id);
    if (row === undefined) throw overtaken();
    return signUpOf(row);
  }

  /**
   * Makes a person of a sign-up whose password was shown; the id is the account's too.
   * @throws InvalidInputError
   */
  async verify(token: string, address = ''): Promise<User> {
    const { database, now, permissions } = this.parts;
    return database.transaction(async (queries) => {
      const id = await new Links(queries).take('verify', token, now());
      const [row] = await queries.query('SELECT * FROM sign_ups WHERE id = $1', id);
      if (row === undefined) throw overtaken();
      const { email, name, password } = signUpOf(row);
      const users = new UserStore(queries);
      const terms = { id, accountId: id, email, name, password, permissions, createdAt: now() };
      if (!(await users.add(terms))) throw overtaken();
      await queries.run('DELETE FROM sign_ups WHERE email = $1', email);
      await new UserEvents(queries, now).add(terms, 'signed_up', { by: email, address });
      return (await users.byId(id))!;
    });
  }

  /** The newest sign-up of an e-mail address that waits, before all others one from that network address. */
  async waiting(email: string, scope: string): Promise<SignedUp | undefined> {
    const text = `SELECT * FROM sign_ups WHERE email = $1
      ORDER BY CASE WHEN scope = $2 THEN 0 ELSE 1 END, created_at DESC, id LIMIT 1`;
    const [row] = await this.parts.database.query(text, email, scope);
    return row === undefined ? undefined : signUpOf(row);
  }

  /** Mails another link. Nobody waits for it: the time would tell that the password was right. */
  mailAgainSoon(signedUp: SignedUp): void {
    this.mailing = Promise.all([this.mailing, this.mailAgain(signedUp)]).then(
      () => {},
      (error) =>
        logger.error('A link was not mailed again: look at the database of people.', error),
    );
  }

  /** Until all that is mailed again has its link. */
  idle(): Promise<void> {
    return this.mailing;
  }

  private async mailAgain({ id, email }: SignedUp): Promise<void> {
    const { mails, now } = this.parts;
    mails.verify(email, await this.links.make('verify', id, now() + DAY_MS));
  }

  /** Mails a link for a new password to whoever is there, unless five that are good have been. */
  async forgotPassword(email: string): Promise<void> {
    const { database, now } = this.parts;
    const user = await this.users.byEmail(email);
    // One commit for whoever it is: another, where an old link has to go, would be seen from outside.
    const token = await database.transaction((queries) =>
      new Links(queries).makeReset(user?.id, now()),
    );
    if (token !== undefined) this.parts.mails.resetPassword(email, token);
  }

  /**
   * Sets the password of a link's person. @throws InvalidInputError, HashingOverloadedError
   * @param also Is done in the same transaction.
   */
  async setPassword(
    token: string,
    password: string,
    address = '',
    also: (queries: Queries, user: User) => Promise<void> = async () => {},
  ): Promise<User> {
    const { database, passwords, mails, now } = this.parts;
    const user = await this.users.byId(await this.links.look('password', token, now()));
    checkPassword(password, user?.email ?? '');
    const hash = await passwords.hash(password, user?.id ?? '');
    const holder = await database.transaction(async (queries) => {
      const id = await new Links(queries).take('password', token, now());
      const users = new UserStore(queries);
      await users.setPassword(id, hash);
      const holder = await users.byId(id);
      if (holder !== undefined) {
        const doer = { by: holder.email, address };
        await new UserEvents(queries, now).add(holder, 'password_reset', doer);
        await also(queries, holder);
      }
      return holder;
    });
    if (holder === undefined) throw overtaken();
    mails.passwordReset(holder.email);
    return holder;
  }

  /**
   * Lets someone sign in to an account that there is; again, it changes what they may do there.
   * @returns The link that sets their password, and who they are.
   * @param also Is done in the same transaction.
   * @throws InvalidInputError where the address belongs to someone of another account
   */
  async invite(
    accountId: string,
    email: string,
    permissions: number,
    doer: Doer = EXCHANGE,
    also: (queries: Queries, user: User) => Promise<void> = async () => {},
  ): Promise<{ link: string; user: User }> {
    const { database, mails, now } = this.parts;
    const { token, user, told } = await database.transaction(async (queries) => {
      const users = new UserStore(queries);
      const [name] = email.split('@') as [string];
      const id = newId('p');
      const terms = { id, accountId, email, name, password: '', permissions, createdAt: now() };
      const isNew = await users.add(terms);
      const user = (await users.byEmail(email))!;
      if (user.accountId !== accountId) {
        const message = 'Somebody of another account has this address.';
        throw new InvalidInputError('email', 'unused', message);
      }
      const isChanged = user.permissions !== permissions;
      if (isChanged) await users.setPermissions(user.id, permissions);
      const action = isChanged ? 'permissions_changed' : 'invited';
      await new UserEvents(queries, now).add(user, action, doer, String(permissions));
      await also(queries, user);
      const token = await new Links(queries).make('password', user.id, now() + DAY_MS);
      const all = isNew || isChanged ? await users.ofAccount(accountId) : [];
      return { token, user, told: all.filter(({ id }) => id !== user.id) };
    });
    for (const { email: to } of told) mails.letIn(to, email);
    mails.invite(email, token);
    return { link: mails.passwordLink(token), user };
  }

  /** Forgets links and sign-ups whose time is over, by the clock of any node that may be. */
  async tidy(): Promise<void> {
    const { database, now } = this.parts;
    await database.run('DELETE FROM links WHERE expires_at <= $1', now() - KEEP_OVER_MS);
    await database.run('DELETE FROM sign_ups WHERE created_at <= $1', now() - 7 * DAY_MS);
  }
}

export interface SignedUp {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly password: string;
}

function signUpOf(row: Row): SignedUp {
  const { id, email, name, password } = row;
  return {
    id: String(id),
    email: String(email),
    name: String(name),
    password: String(password),
  };
}

/** Another link for the same address was opened first. */
function overtaken(): InvalidInputError {
  const message = 'The link is not good any more: sign in, or sign up again.';
  return new InvalidInputError('token', 'valid', message);
}
