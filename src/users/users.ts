import type { Bus } from '../cluster/bus/bus.ts';
import * as logger from '../monitoring/logger.ts';
import { Database, type Queries } from './database.ts';
import {
  DatabaseDownError,
  InvalidInputError,
  NotThereError,
  WrongCredentialsError,
} from './errors.ts';
import { KeyUses } from './key-uses.ts';
import { Links } from './links.ts';
import { Mails, type SendMail } from './mail.ts';
import { Passkeys } from './passkeys.ts';
import { type Cost, checkPassword, Passwords } from './passwords.ts';
import { upgrade } from './schema.ts';
import { SecondFactor } from './second-factor.ts';
import { endAllIn, holdSession, rotateIn, type Session, Sessions } from './sessions.ts';
import { SignIn } from './sign-in.ts';
import { SignUp } from './sign-up.ts';
import { type Actor, EXCHANGE_ACTOR, UserEvents } from './user-events.ts';
import { type User, UserStore } from './user-store.ts';

const TIDY_EVERY_MS = 60_000;

export interface UsersOptions {
  /** `sqlite://PATH` or `postgres://…` */
  readonly url: string;
  /** Undefined where nothing can be mailed: then nobody signs up, and no password is reset by mail. */
  readonly sendMail: SendMail | undefined;
  /** The address that people open in their browser. */
  readonly baseUrl: () => string;
  readonly now: () => number;
  /** Sum of the permissions of whoever signs up. */
  readonly permissions: number;
  /** Opens the trading account of that id, unless it is open. */
  readonly openAccount: (accountId: string) => Promise<void>;
  /** To the other nodes, where there are any. */
  readonly bus?: Bus | undefined;
  /** Of a password's hash; cheap in tests. */
  readonly cost?: Cost;
}

/** The people of the exchange: who they are and how they show it. None of it is in the log. */
export class Users {
  readonly store: UserStore;
  readonly sessions: Sessions;
  readonly signUp: SignUp;
  readonly signIn: SignIn;
  readonly secondFactor: SecondFactor;
  readonly passkeys: Passkeys;
  readonly keyUses: KeyUses;
  readonly events: UserEvents;
  readonly canMail: boolean;
  private readonly passwords: Passwords;
  readonly mails: Mails;
  private readonly now: () => number;
  private readonly timer: ReturnType<typeof setInterval>;
  private tidying: Promise<void> = Promise.resolve();
  /** Done from time to time with the rest. */
  onTidy: () => Promise<void> = async () => {};

  private constructor(
    private readonly database: Database,
    options: UsersOptions,
  ) {
    const { now, sendMail, baseUrl, permissions, openAccount, bus, cost } = options;
    this.now = now;
    this.canMail = sendMail !== undefined;
    this.mails = new Mails(sendMail ?? (async () => {}), baseUrl, now);
    const { mails } = this;
    const passwords = new Passwords(cost);
    this.passwords = passwords;
    this.store = new UserStore(database);
    this.sessions = new Sessions(database, now, bus);
    this.secondFactor = new SecondFactor(database, now);
    this.passkeys = new Passkeys(database, now);
    this.keyUses = new KeyUses(database);
    this.events = new UserEvents(database, now);
    this.signUp = new SignUp({ database, passwords, mails, now, permissions });
    const { sessions, secondFactor, signUp } = this;
    this.signIn = new SignIn({
      ...{ database, passwords, sessions, secondFactor, signUp, now, openAccount, bus },
    });
    this.timer = setInterval(() => this.tidySoon(), TIDY_EVERY_MS);
    this.timer.unref();
  }

  /** @throws UsersVersionError, DatabaseDownError, DatabaseRefusedError */
  static async open(options: UsersOptions): Promise<Users> {
    const database = await Database.open(options.url);
    await upgrade(database);
    return new Users(database, options);
  }

  /**
   * Makes a person with a password, unless somebody has the address. For the sandbox's own.
   * @returns Whether there was none.
   */
  async addUser(
    user: Pick<User, 'id' | 'accountId' | 'email' | 'name' | 'permissions' | 'createdAt'>,
    password: string,
  ): Promise<boolean> {
    return this.store.add({ ...user, password: await this.passwords.hash(password, user.id) });
  }

  /** Whether somebody of that address has that password. */
  async hasPassword(email: string, password: string): Promise<boolean> {
    const user = await this.store.byEmail(email);
    return this.passwords.verify(password, user?.password ?? '', email);
  }

  /** Sets a password unasked. For the sandbox's own people. */
  async setPassword(email: string, password: string): Promise<void> {
    const user = (await this.store.byEmail(email))!;
    await this.store.setPassword(user.id, await this.passwords.hash(password, user.id));
  }

  /**
   * Changes the password of who is signed in, ends all their other sessions and gives this one a new
   * secret. @throws InvalidInputError, HashingOverloadedError, WrongCredentialsError where the session or
   * the password is not any more what was confirmed
   */
  async changePassword(
    session: Session,
    user: User,
    password: string,
    address = '',
  ): Promise<string> {
    checkPassword(password, user.email, 'newPassword');
    const hash = await this.passwords.hash(password, user.id);
    const { secret, ended } = await this.database.transaction(async (queries) => {
      await new Links(queries).forgetOf(user.id);
      const isChanged = await new UserStore(queries).changePassword(user.id, user.password, hash);
      if (!isChanged) throw new WrongCredentialsError();
      await holdSession(queries, session);
      const events = new UserEvents(queries, this.now);
      await events.add(user, 'password_changed', { by: user.email, address });
      return renewAlone(queries, session);
    });
    this.sessions.ended(ended);
    this.mails.passwordChanged(user.email);
    return secret;
  }

  /**
   * Sets a password by a mailed link; ends all sessions. @returns The secret of the browser's device.
   * @throws InvalidInputError, HashingOverloadedError
   */
  async resetPassword(token: string, password: string, address = ''): Promise<string> {
    let ended: string[] = [];
    const user = await this.signUp.setPassword(
      token,
      password,
      address,
      async (queries, { id }) => {
        ended = await endAllIn(queries, id);
      },
    );
    this.sessions.ended(ended);
    return this.signIn.trustOnly(user.id);
  }

  /**
   * Puts the offered second factor in force, ends all other sessions and gives this one a new secret.
   * @throws WrongCredentialsError, GuessesSlowedError, InvalidInputError
   */
  async confirmSecondFactor(session: Session, user: User, code: string, address = '') {
    let recoveryCodes: readonly string[] = [];
    let renewed: Renewed = { secret: '', ended: [] };
    // The others were begun by the password alone.
    const alone = async (queries: Queries) => {
      renewed = await renewAlone(queries, session);
    };
    await this.signIn.confirmBy(session, async () => {
      const made = await this.secondFactor.confirm(session, user, code, address, alone);
      recoveryCodes = made ?? [];
      return made !== undefined;
    });
    this.sessions.ended(renewed.ended);
    this.mails.secondFactorOn(user.email);
    return { recoveryCodes, secret: renewed.secret };
  }

  /** Removes the second factor, and gives this session a new secret. @throws WrongCredentialsError */
  async removeSecondFactor(session: Session, user: User, address: string): Promise<string> {
    let secret = '';
    await this.secondFactor.remove(session, user, address, async (queries) => {
      secret = await rotateIn(queries, session);
    });
    this.sessions.ended([session.id]);
    this.mails.secondFactorOff(user.email);
    return secret;
  }

  /** Lets someone sign in to an account; what they may do changes at once, and their sessions end. @throws InvalidInputError */
  async invite(
    accountId: string,
    email: string,
    permissions: number,
    actor: Actor = EXCHANGE_ACTOR,
  ): Promise<string> {
    let ended: string[] = [];
    const also = async (queries: Queries, { id }: User) => {
      ended = await endAllIn(queries, id);
    };
    const { link } = await this.signUp.invite(accountId, email, permissions, actor, also);
    this.sessions.ended(ended);
    return link;
  }

  /** Takes a person away from an account, with all that they sign in by, and mails them. @throws NotThereError */
  async remove(accountId: string, email: string, actor: Actor): Promise<void> {
    const user = await this.store.byEmail(email);
    if (user === undefined || user.accountId !== accountId) throw new NotThereError();
    const ended = await this.database.transaction(async (queries) => {
      if (!(await new UserStore(queries).remove(user.id))) throw new NotThereError();
      await new UserEvents(queries, this.now).add(user, 'removed', actor);
      return endAllIn(queries, user.id);
    });
    this.sessions.ended(ended);
    this.mails.removed(email);
  }

  /** Ends sessions of a person at their own wish. */
  async endSessions(
    user: User,
    ids: readonly string[],
    action: 'signed_out' | 'sessions_ended',
    address: string,
  ): Promise<void> {
    await this.sessions.end(ids, (queries) =>
      new UserEvents(queries, this.now).add(user, action, { by: user.email, address }),
    );
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.tidying;
    await this.signUp.idle();
    this.tidySoon();
    await this.tidying;
    await this.database.close();
  }

  private tidySoon(): void {
    this.tidying = this.tidying
      .then(() => this.tidy())
      .catch((error) => {
        const message = 'The database of people could not be tidied up';
        if (error instanceof DatabaseDownError) logger.warn(`${message}: ${error.message}`);
        else logger.error(message, error);
      });
  }

  private async tidy(): Promise<void> {
    await this.sessions.tidy();
    await this.signUp.tidy();
    await this.passkeys.challenges.tidy();
    await this.onTidy();
  }
}

interface Renewed {
  readonly secret: string;
  /** Sessions to tell of, once the transaction is done. */
  readonly ended: string[];
}

/** Ends all other sessions of the person of a session, and gives this one a new secret. */
async function renewAlone(queries: Queries, session: Session): Promise<Renewed> {
  const others = await endAllIn(queries, session.personId, session.id);
  return { secret: await rotateIn(queries, session), ended: [...others, session.id] };
}

/** An e-mail address in small letters. @throws InvalidInputError */
export function normalizeEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (email.length <= 254 && EMAIL.test(email)) return email;
  throw new InvalidInputError('email', 'email', 'Send an e-mail address, such as you@example.com.');
}

/** What mail systems deliver in practice: no quotes, no comments, no spaces, plain letters. */
const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;
