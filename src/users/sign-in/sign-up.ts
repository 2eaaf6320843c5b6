import { DAY_MS } from '../../config/durations.ts';
import * as logger from '../../monitoring/logger.ts';
import { checkPassword, type Passwords } from '../credentials/passwords.ts';
import { newId } from '../credentials/secrets.ts';
import type { Database, Queries, Row } from '../database.ts';
import { InvalidInputError } from '../errors.ts';
import type { Mails } from '../mail.ts';
import { type Actor, EXCHANGE_ACTOR, UserEvents } from '../user-events.ts';
import { type User, UserStore } from '../user-store.ts';
import { toNetwork } from './guesses.ts';
import { Links } from './links.ts';

/** Expired links are kept for longer than the clocks of two nodes can differ. */
const KEEP_EXPIRED_MS = DAY_MS;
const SIGN_UP_LIFETIME_MS = 7 * DAY_MS;
/** Maximum pending sign-ups per email address. */
const MAX_PENDING_PER_EMAIL = 20;

interface Parts {
  readonly database: Database;
  readonly passwords: Passwords;
  readonly mails: Mails;
  readonly now: () => number;
  /** Sum of the permissions of new users. */
  readonly permissions: number;
}

/**
 * Sign-ups, invitations and password resets, all by mailed links. A sign-up becomes a user only when its link is
 * opened, which proves the address, with the password of the sign-up. Without the password, someone else could
 * sign up with a victim's address; a victim who opened the link would get an account whose password the
 * stranger knows.
 */
export class SignUp {
  private readonly store: UserStore;
  private readonly links: Links;
  /** Links being resent in the background. */
  private resending: Promise<void> = Promise.resolve();

  constructor(private readonly parts: Parts) {
    this.store = new UserStore(parts.database);
    this.links = new Links(parts.database);
  }

  /**
   * Starts a sign-up and mails its link. Result and work do not depend on whether the address has an account.
   * Beyond the maximum, the oldest pending sign-up of the network address with the most of them is deleted,
   * so that a flood cannot evict those of others.
   * @param scope The network address by which guesses are counted.
   * @throws InvalidInputError, HashingOverloadedError
   */
  async begin(email: string, password: string, name: string, scope: string): Promise<void> {
    checkPassword(password, email);
    const { database, passwords, mails, now } = this.parts;
    const hash = await passwords.hash(password, toNetwork(scope));
    const id = newId('p');
    const createdAt = now();
    const user = await this.store.findByEmail(email);
    const token = await database.transaction(async (queries) => {
      const links = new Links(queries);
      if (user !== undefined) return links.createReset(user.id, createdAt);
      await queries.run(
        `INSERT INTO sign_ups (id, email, name, password, created_at, scope)
         VALUES ($1, $2, $3, $4, $5, $6)`,
        id,
        email,
        name,
        hash,
        createdAt,
        scope,
      );
      await limitPending(queries, email);
      return links.create('verify', id, createdAt + DAY_MS);
    });
    if (token === undefined) return;
    if (user === undefined) mails.verify(email, token);
    else mails.alreadySignedUp(user, token);
  }

  /** Returns the pending sign-up of a link. @throws InvalidInputError */
  async find(token: string): Promise<PendingSignUp> {
    const { database, now } = this.parts;
    const id = await this.links.find('verify', token, now());
    const [row] = await database.query('SELECT * FROM sign_ups WHERE id = $1', id);
    if (row === undefined) throw superseded();
    return toSignUp(row);
  }

  /**
   * Creates the user of a sign-up whose password has been checked. Its id is also the account's id.
   * @throws InvalidInputError
   */
  async verify(token: string, address = ''): Promise<User> {
    const { database, now, permissions } = this.parts;
    return database.transaction(async (queries) => {
      const id = await new Links(queries).use('verify', token, now());
      const [row] = await queries.query('SELECT * FROM sign_ups WHERE id = $1', id);
      if (row === undefined) throw superseded();
      const { email, name, password } = toSignUp(row);
      const store = new UserStore(queries);
      const user = { id, accountId: id, email, name, password, permissions, createdAt: now() };
      if (!(await store.add(user))) throw superseded();
      await queries.run('DELETE FROM sign_ups WHERE email = $1', email);
      await new UserEvents(queries, now).add(user, 'signed_up', { by: email, address });
      return (await store.findById(id))!;
    });
  }

  /** Returns the newest pending sign-up of an email address, preferring those from that network address. */
  async findPending(email: string, scope: string): Promise<PendingSignUp | undefined> {
    const text = `SELECT * FROM sign_ups WHERE email = $1
      ORDER BY CASE WHEN scope = $2 THEN 0 ELSE 1 END, created_at DESC, id LIMIT 1`;
    const [row] = await this.parts.database.query(text, email, scope);
    return row === undefined ? undefined : toSignUp(row);
  }

  /** Sends a new link in the background, so that response time does not reveal whether the password was correct. */
  resendLink(pending: PendingSignUp): void {
    this.resending = Promise.all([this.resending, this.sendNewLink(pending)]).then(
      () => {},
      (error) => logger.error('A sign-up link was not sent again. Check the user database.', error),
    );
  }

  /** Resolves when all links being resent have been sent. */
  whenIdle(): Promise<void> {
    return this.resending;
  }

  private async sendNewLink({ id, email }: PendingSignUp): Promise<void> {
    const { mails, now } = this.parts;
    mails.verify(email, await this.links.create('verify', id, now() + DAY_MS));
  }

  /** Mails a password reset link, unless the address has no user or got five in the last half hour. */
  async requestReset(email: string): Promise<void> {
    const { database, now } = this.parts;
    const user = await this.store.findByEmail(email);
    // Always one commit: a second one, when an old link is deleted, would be measurable from outside.
    const token = await database.transaction((queries) =>
      new Links(queries).createReset(user?.id, now()),
    );
    if (user !== undefined && token !== undefined) this.parts.mails.resetPassword(user, token);
  }

  /**
   * Sets the password of a link's user. @throws InvalidInputError, HashingOverloadedError
   * @param also Runs in the same transaction.
   */
  async setPassword(
    token: string,
    password: string,
    address = '',
    also: (queries: Queries, user: User) => Promise<void> = async () => {},
  ): Promise<User> {
    const { database, passwords, mails, now } = this.parts;
    const owner = await this.store.findById(await this.links.find('password', token, now()));
    checkPassword(password, owner?.email ?? '');
    const hash = await passwords.hash(password, owner?.id ?? '');
    const user = await database.transaction(async (queries) => {
      const id = await new Links(queries).use('password', token, now());
      const store = new UserStore(queries);
      await store.setPassword(id, hash);
      const user = await store.findById(id);
      if (user !== undefined) {
        const actor = { by: user.email, address };
        await new UserEvents(queries, now).add(user, 'password_reset', actor);
        await also(queries, user);
      }
      return user;
    });
    if (user === undefined) throw superseded();
    mails.passwordReset(user);
    return user;
  }

  /**
   * Invites a user to an existing account, or changes the permissions of one who was invited before. Returns
   * the user and the link that sets their password.
   * @param also Runs in the same transaction.
   * @throws InvalidInputError if the address belongs to a user of another account
   */
  async invite(
    accountId: string,
    email: string,
    permissions: number,
    actor: Actor = EXCHANGE_ACTOR,
    also: (queries: Queries, user: User) => Promise<void> = async () => {},
  ): Promise<{ link: string; user: User }> {
    const { database, mails, now } = this.parts;
    const { token, user, others } = await database.transaction(async (queries) => {
      const store = new UserStore(queries);
      const [name] = email.split('@') as [string];
      const id = newId('p');
      const newUser = { id, accountId, email, name, password: '', permissions, createdAt: now() };
      const isNew = await store.add(newUser);
      const user = (await store.findByEmail(email))!;
      if (user.accountId !== accountId) {
        const message = 'This email address belongs to a user of another account.';
        throw new InvalidInputError('email', 'unused', message);
      }
      const isChanged = user.permissions !== permissions;
      if (isChanged) await store.setPermissions(user.id, permissions);
      const action = isChanged ? 'permissions_changed' : 'invited';
      await new UserEvents(queries, now).add(user, action, actor, String(permissions));
      await also(queries, user);
      const token = await new Links(queries).create('password', user.id, now() + DAY_MS);
      const all = isNew || isChanged ? await store.listByAccount(accountId) : [];
      return { token, user, others: all.filter(({ id }) => id !== user.id) };
    });
    for (const other of others) mails.userInvited(other, email);
    mails.invite(user, token);
    return { link: mails.passwordLink(token), user };
  }

  /** Deletes links and sign-ups that have expired by the clock of every node. */
  async deleteExpired(): Promise<void> {
    const { database, now } = this.parts;
    await database.run('DELETE FROM links WHERE expires_at <= $1', now() - KEEP_EXPIRED_MS);
    await database.run('DELETE FROM sign_ups WHERE created_at <= $1', now() - SIGN_UP_LIFETIME_MS);
  }
}

/** Deletes a pending sign-up of an address if there are too many: the oldest of the busiest network address. */
async function limitPending(queries: Queries, email: string): Promise<void> {
  await queries.run(
    `DELETE FROM sign_ups WHERE id =
       (SELECT s.id FROM sign_ups s WHERE s.email = $1 ORDER BY
         (SELECT COUNT(*) FROM sign_ups o WHERE o.email = $1 AND o.scope = s.scope) DESC,
         s.created_at, s.id LIMIT 1)
     AND (SELECT COUNT(*) FROM sign_ups WHERE email = $1) > $2`,
    email,
    MAX_PENDING_PER_EMAIL,
  );
}

export interface PendingSignUp {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly password: string;
}

function toSignUp(row: Row): PendingSignUp {
  const { id, email, name, password } = row;
  return {
    id: String(id),
    email: String(email),
    name: String(name),
    password: String(password),
  };
}

/** Another sign-up of the same address was confirmed first, or this one was deleted. */
function superseded(): InvalidInputError {
  const message = 'This link is no longer valid. Sign in, or sign up again.';
  return new InvalidInputError('token', 'valid', message);
}
