import type { Database, Row } from './database.ts';
import { InvalidInputError } from './errors.ts';
import { Links } from './links.ts';
import type { Mails } from './mail.ts';
import { checkPassword, type Passwords } from './passwords.ts';
import { People, type Person } from './people.ts';
import { newId } from './secrets.ts';

const DAY_MS = 24 * 3_600_000;
const RESET_LIFETIME_MS = 3_600_000;
/** Sign-ups of one address that wait for their link; an older one is forgotten. */
const MAX_WAITING_PER_EMAIL = 5;

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
 * name and password wait beside the link, so that a stranger who signs up with an address first has
 * no part in the account that its owner opens later.
 */
export class SignUp {
  private readonly people: People;
  private readonly links: Links;

  constructor(private readonly parts: Parts) {
    this.people = new People(parts.database);
    this.links = new Links(parts.database);
  }

  /** The same answer after the same work, whoever has the address. @throws InvalidInputError, HashingOverloadedError */
  async begin(email: string, password: string, name: string): Promise<void> {
    await checkPassword(password, email);
    const { database, passwords, mails, now } = this.parts;
    const hash = await passwords.hash(password);
    const id = newId('p');
    const createdAt = now();
    const person = await this.people.byEmail(email);
    const token = await database.transaction(async (queries) => {
      const links = new Links(queries);
      if (person !== undefined) {
        return links.make('password', person.id, createdAt + RESET_LIFETIME_MS);
      }
      await queries.run(
        'INSERT INTO sign_ups (id, email, name, password, created_at) VALUES ($1, $2, $3, $4, $5)',
        ...[id, email, name, hash, createdAt],
      );
      await queries.run(
        `DELETE FROM sign_ups WHERE email = $1 AND id NOT IN
           (SELECT id FROM sign_ups WHERE email = $1 ORDER BY created_at DESC, id LIMIT $2)`,
        ...[email, MAX_WAITING_PER_EMAIL],
      );
      return links.make('verify', id, createdAt + DAY_MS);
    });
    if (person === undefined) mails.verify(email, token);
    else mails.alreadyKnown(email, token);
  }

  /** Makes a person of a sign-up; the id is the account's too. @throws InvalidInputError */
  async verify(token: string): Promise<Person> {
    const { database, now, permissions } = this.parts;
    return database.transaction(async (queries) => {
      const id = await new Links(queries).take('verify', token, now());
      const [row] = await queries.query('SELECT * FROM sign_ups WHERE id = $1', id);
      if (row === undefined) throw overtaken();
      const { email, name, password } = signUpOf(row);
      const people = new People(queries);
      const terms = { id, accountId: id, email, name, password, permissions, createdAt: now() };
      if (!(await people.add(terms))) throw overtaken();
      await queries.run('DELETE FROM sign_ups WHERE email = $1', email);
      return (await people.byId(id))!;
    });
  }

  /** Those sign-ups of an address that wait, the newest first. */
  async waiting(email: string): Promise<SignedUp[]> {
    const text = 'SELECT * FROM sign_ups WHERE email = $1 ORDER BY created_at DESC, id';
    return (await this.parts.database.query(text, email)).map(signUpOf);
  }

  async mailAgain({ id, email }: SignedUp): Promise<void> {
    this.parts.mails.verify(email, await this.links.make('verify', id, this.parts.now() + DAY_MS));
  }

  /** Mails a link for a new password, to whoever is there. */
  async forgotPassword(email: string): Promise<void> {
    const person = await this.people.byEmail(email);
    // Nobody's link is written too, and found by nobody: the same work.
    const subject = person?.id ?? 'nobody';
    const token = await this.links.make('password', subject, this.parts.now() + RESET_LIFETIME_MS);
    if (person !== undefined) this.parts.mails.resetPassword(email, token);
  }

  /** Sets the password of a link's person. @throws InvalidInputError, HashingOverloadedError */
  async setPassword(token: string, password: string): Promise<Person> {
    const { database, passwords, mails, now } = this.parts;
    const person = await this.people.byId(await this.links.look('password', token, now()));
    await checkPassword(password, person?.email ?? '');
    const hash = await passwords.hash(password);
    const holder = await database.transaction(async (queries) => {
      const id = await new Links(queries).take('password', token, now());
      const people = new People(queries);
      await people.setPassword(id, hash);
      return people.byId(id);
    });
    if (holder === undefined) throw overtaken();
    mails.passwordChanged(holder.email);
    return holder;
  }

  /**
   * Lets someone sign in to an account that there is; again, it changes what they may do there.
   * @returns The link that sets their password, and whose permissions it has changed.
   * @throws InvalidInputError where the address belongs to someone of another account
   */
  async invite(
    accountId: string,
    email: string,
    permissions: number,
  ): Promise<{ link: string; person: Person; isChanged: boolean }> {
    const { database, mails, now } = this.parts;
    const { token, person, isChanged } = await database.transaction(async (queries) => {
      const people = new People(queries);
      const [name] = email.split('@') as [string];
      const id = newId('p');
      const terms = { id, accountId, email, name, password: '', permissions, createdAt: now() };
      await people.add(terms);
      const person = (await people.byEmail(email))!;
      if (person.accountId !== accountId) {
        const message = 'Somebody of another account has this address.';
        throw new InvalidInputError('email', 'unused', message);
      }
      const isChanged = person.permissions !== permissions;
      if (isChanged) await people.setPermissions(person.id, permissions);
      const token = await new Links(queries).make('password', person.id, now() + DAY_MS);
      return { token, person, isChanged };
    });
    mails.invite(email, token);
    return { link: mails.passwordLink(token), person, isChanged };
  }

  /** Forgets links and sign-ups whose time is over. */
  async tidy(): Promise<void> {
    const { database, now } = this.parts;
    await database.run('DELETE FROM links WHERE expires_at <= $1', now());
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
