import type { Bus } from '../cluster/bus/bus.ts';
import * as logger from '../monitoring/logger.ts';
import { AddressLabels } from './address-labels.ts';
import { AntiPhishingCodes } from './credentials/anti-phishing-codes.ts';
import { Passkeys } from './credentials/passkeys.ts';
import { type Cost, checkPassword, Passwords } from './credentials/passwords.ts';
import { SecondFactor } from './credentials/second-factor.ts';
import { Database, type Queries } from './database.ts';
import { DatabaseDownError, NotFoundError, WrongCredentialsError } from './errors.ts';
import { KeyUses } from './key-uses.ts';
import { Mails, type SendMail } from './mail.ts';
import { type Lease, takeLease } from './notifications/leases.ts';
import { lastNoticeId, Notices } from './notifications/notices.ts';
import { PriceAlerts, type ReachedAlert, triggerAlerts } from './notifications/price-alerts.ts';
import { Subscriptions } from './notifications/subscriptions.ts';
import { upgrade } from './schema.ts';
import { loadSeal, Seals } from './seals.ts';
import { EmailChanges } from './sign-in/email-changes.ts';
import { Links } from './sign-in/links.ts';
import {
  deleteUserSessions,
  lockSession,
  rotateSecret,
  type Session,
  Sessions,
} from './sign-in/sessions.ts';
import { SignIn } from './sign-in/sign-in.ts';
import { SignUp } from './sign-in/sign-up.ts';
import { type Actor, EXCHANGE_ACTOR, UserEvents } from './user-events.ts';
import { type User, UserStore } from './user-store.ts';

export type { BookAddress } from './address-labels.ts';
export { loadLibraries } from './credentials/load-libraries.ts';
export { type Passkey, requireHostname, type Site } from './credentials/passkeys.ts';
export { checkUsersFile } from './database.ts';
export { normalizeEmail } from './email.ts';
export { logMail, smtpMail } from './mail.ts';
export type { SealCipher } from './seals.ts';
export { guessCounters } from './sign-in/guesses.ts';
export type { Session, Sessions } from './sign-in/sessions.ts';
export type { SignedIn, SignInClient } from './sign-in/sign-in.ts';
export type { User } from './user-store.ts';

const CLEAN_UP_EVERY_MS = 60_000;

export interface UsersOptions {
  /** `sqlite://PATH` or `postgres://…` */
  readonly url: string;
  /** Undefined if no mail can be sent, which turns off sign-ups and password resets. */
  readonly sendMail: SendMail | undefined;
  /** Returns the public URL of the exchange. */
  readonly baseUrl: () => string;
  readonly now: () => number;
  /** Permissions of new users, the sum of their bits. */
  readonly permissions: number;
  /** Opens the trading account with this id unless it exists. */
  readonly openAccount: (accountId: string) => Promise<void>;
  /** Messages between the nodes of a cluster; undefined on a single node. */
  readonly bus?: Bus | undefined;
  /** Cost of password hashes; low in tests. */
  readonly cost?: Cost;
}

/** Permissions of a user that a second operator has approved. */
export interface ApprovedGrant {
  readonly userId: string;
  readonly accountId: string;
  /** The sum of their bits. */
  readonly permissions: number;
  /** Identifies the approval, for all time. */
  readonly approval: string;
}

/** The users of the exchange and their credentials. They are stored in their own database, not in the log. */
export class Users {
  readonly store: UserStore;
  readonly sessions: Sessions;
  readonly signUp: SignUp;
  readonly signIn: SignIn;
  readonly emailChanges: EmailChanges;
  readonly secondFactor: SecondFactor;
  readonly passkeys: Passkeys;
  readonly antiPhishingCodes: AntiPhishingCodes;
  readonly keyUses: KeyUses;
  readonly events: UserEvents;
  readonly subscriptions: Subscriptions;
  readonly priceAlerts: PriceAlerts;
  readonly addressLabels: AddressLabels;
  readonly notices: Notices;
  readonly seals: Seals;
  readonly canMail: boolean;
  private readonly passwords: Passwords;
  readonly mails: Mails;
  private readonly now: () => number;
  private readonly timer: ReturnType<typeof setInterval>;
  private cleanup: Promise<void> = Promise.resolve();
  private readonly appliedGrants = new Set<string>();
  /** Called by every cleanup. */
  onCleanup: () => Promise<void> = async () => {};

  private constructor(
    private readonly database: Database,
    options: UsersOptions,
    /** The secret behind the public ids of orders, shared by all nodes. */
    readonly orderIdSecret: Uint8Array,
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
    this.antiPhishingCodes = new AntiPhishingCodes(database, mails, now);
    this.keyUses = new KeyUses(database);
    this.events = new UserEvents(database, now);
    this.subscriptions = new Subscriptions(database);
    this.priceAlerts = new PriceAlerts(database);
    this.addressLabels = new AddressLabels(database, now);
    this.notices = new Notices(database);
    this.seals = new Seals(database);
    this.signUp = new SignUp({ database, passwords, mails, now, permissions });
    const { sessions, secondFactor, signUp } = this;
    this.signIn = new SignIn({
      database,
      passwords,
      sessions,
      secondFactor,
      signUp,
      now,
      openAccount,
      bus,
    });
    this.emailChanges = new EmailChanges({ database, mails, sessions, signIn: this.signIn, now });
    this.timer = setInterval(() => this.cleanUpLater(), CLEAN_UP_EVERY_MS);
    this.timer.unref();
  }

  /** @throws UsersVersionError, DatabaseDownError, DatabaseRefusedError */
  static async open(options: UsersOptions): Promise<Users> {
    const database = await Database.open(options.url);
    await upgrade(database);
    return new Users(database, options, await loadSeal(database, 'order ids'));
  }

  /** Returns a secret of the exchange that all nodes share: see `loadSeal`. */
  loadSeal(name: string): Promise<Uint8Array> {
    return this.seals.load(name);
  }

  /**
   * Adds a user with a password, for the sandbox. Returns false if the address is taken.
   */
  async addUser(
    user: Pick<User, 'id' | 'accountId' | 'email' | 'name' | 'permissions' | 'createdAt'>,
    password: string,
  ): Promise<boolean> {
    return this.store.add({ ...user, password: await this.passwords.hash(password, user.id) });
  }

  /** Returns whether the user with this address has this password. */
  async hasPassword(email: string, password: string): Promise<boolean> {
    const user = await this.store.findByEmail(email);
    return this.passwords.verify(password, user?.password ?? '', email);
  }

  /** Sets the password of an existing user, for the sandbox. */
  async setPassword(email: string, password: string): Promise<void> {
    const user = (await this.store.findByEmail(email))!;
    await this.store.setPassword(user.id, await this.passwords.hash(password, user.id));
  }

  /**
   * Changes the password of a signed-in user, ends the other sessions and returns a new secret for this one.
   * @throws InvalidInputError, HashingOverloadedError, WrongCredentialsError if the session has ended or the
   * password has changed since it was confirmed
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
      await new Links(queries).deleteBySubject(user.id);
      const isChanged = await new UserStore(queries).changePassword(user.id, user.password, hash);
      if (!isChanged) throw new WrongCredentialsError();
      await lockSession(queries, session);
      const events = new UserEvents(queries, this.now);
      await events.add(user, 'password_changed', { by: user.email, address });
      return endOtherSessions(queries, session);
    });
    this.sessions.notifyEnded(ended);
    this.mails.passwordChanged(user);
    return secret;
  }

  /**
   * Sets a password with a mailed link and ends all sessions. Returns the secret of the browser's device.
   * @throws InvalidInputError, HashingOverloadedError
   */
  async resetPassword(token: string, password: string, address = ''): Promise<string> {
    let ended: string[] = [];
    const user = await this.signUp.setPassword(
      token,
      password,
      address,
      async (queries, { id }) => {
        ended = await deleteUserSessions(queries, id);
      },
    );
    this.sessions.notifyEnded(ended);
    return this.signIn.replaceDevices(user.id);
  }

  /**
   * Turns two-factor authentication on, ends the other sessions and returns a new secret for this one.
   * @throws WrongCredentialsError, GuessesSlowedError, InvalidInputError
   */
  async confirmSecondFactor(session: Session, user: User, code: string, address = '') {
    let recoveryCodes: readonly string[] = [];
    let renewed: Renewed = { secret: '', ended: [] };
    // The other sessions were started without a code.
    const endOthers = async (queries: Queries) => {
      renewed = await endOtherSessions(queries, session);
    };
    await this.signIn.confirmBy(session, async () => {
      const codes = await this.secondFactor.confirm(session, user, code, address, endOthers);
      recoveryCodes = codes ?? [];
      return codes !== undefined;
    });
    this.sessions.notifyEnded(renewed.ended);
    this.mails.secondFactorOn(user);
    return { recoveryCodes, secret: renewed.secret };
  }

  /** Turns two-factor authentication off. Returns a new secret for the session. @throws WrongCredentialsError */
  async removeSecondFactor(session: Session, user: User, address: string): Promise<string> {
    let secret = '';
    await this.secondFactor.remove(session, user, address, async (queries) => {
      secret = await rotateSecret(queries, session);
    });
    this.sessions.notifyEnded([session.id]);
    this.mails.secondFactorOff(user);
    return secret;
  }

  /**
   * Invites a user to an account and returns the link. For an existing user it sets the permissions and ends the
   * sessions. @throws InvalidInputError
   */
  async invite(
    accountId: string,
    email: string,
    permissions: number,
    actor: Actor = EXCHANGE_ACTOR,
  ): Promise<string> {
    let ended: string[] = [];
    const endSessions = async (queries: Queries, { id }: User) => {
      ended = await deleteUserSessions(queries, id);
    };
    const { link } = await this.signUp.invite(accountId, email, permissions, actor, endSessions);
    this.sessions.notifyEnded(ended);
    return link;
  }

  /** Returns whether this process knows that a grant has been applied. */
  hasApplied(approval: string): boolean {
    return this.appliedGrants.has(approval);
  }

  /**
   * Sets the permissions of a user, which a second operator has approved, and ends the sessions. An approval is applied
   * once, so that it does not undo later changes. @throws DatabaseDownError
   */
  async grant(
    { userId, accountId, permissions, approval }: ApprovedGrant,
    actor: Actor,
  ): Promise<'applied' | 'repeated' | 'unknownUser'> {
    let ended: string[] = [];
    const outcome = await this.database.transaction(async (queries) => {
      const insert =
        'INSERT INTO applied_grants (approval) VALUES ($1) ON CONFLICT (approval) DO NOTHING';
      if ((await queries.run(insert, approval)) === 0) return 'repeated';
      const store = new UserStore(queries);
      const user = await store.findById(userId);
      if (user === undefined || user.accountId !== accountId) return 'unknownUser';
      await store.setPermissions(userId, permissions);
      const details = String(permissions);
      await new UserEvents(queries, this.now).add(user, 'permissions_changed', actor, details);
      ended = await deleteUserSessions(queries, userId);
      return 'applied';
    });
    this.appliedGrants.add(approval);
    this.sessions.notifyEnded(ended);
    return outcome;
  }

  /** Removes a user from an account, with all credentials, and notifies them by mail. @throws NotFoundError */
  async remove(accountId: string, email: string, actor: Actor): Promise<void> {
    const user = await this.store.findByEmail(email);
    if (user === undefined || user.accountId !== accountId) throw new NotFoundError();
    const ended = await this.database.transaction(async (queries) => {
      if (!(await new UserStore(queries).remove(user.id))) throw new NotFoundError();
      await new UserEvents(queries, this.now).add(user, 'removed', actor);
      return deleteUserSessions(queries, user.id);
    });
    this.sessions.notifyEnded(ended);
    this.mails.userRemoved(user);
  }

  /** Ends sessions on behalf of their user. */
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

  /** Ends sessions of a user on behalf of an operator. */
  async endSessionsBy(user: User, ids: readonly string[], actor: Actor): Promise<void> {
    await this.sessions.end(ids, (queries) =>
      new UserEvents(queries, this.now).add(user, 'sessions_ended', actor),
    );
  }

  /** Takes or extends a lease on work that one node does for all. See `takeLease`. */
  takeLease(name: string, owner: string, until: number): Promise<Lease> {
    return this.database.transaction((queries) =>
      takeLease(queries, name, owner, this.now(), until),
    );
  }

  /** Marks price alerts as triggered and adds their notices. Returns the accounts of those that had not triggered before. */
  triggerAlerts(reached: readonly ReachedAlert[]): Promise<ReadonlySet<string>> {
    return this.database.transaction((queries) => triggerAlerts(queries, reached));
  }

  /** Returns the id of the newest notice of any account, 0 if there is none. Notices that are added later have greater ones. */
  lastNoticeId(): Promise<number> {
    return lastNoticeId(this.database);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.cleanup;
    await Promise.all([this.signUp.whenIdle(), this.signIn.failures.write()]);
    this.cleanUpLater();
    await this.cleanup;
    await this.database.close();
  }

  private cleanUpLater(): void {
    this.cleanup = this.cleanup
      .then(() => this.cleanUp())
      .catch((error) => {
        const message = 'The cleanup of the user database failed';
        if (error instanceof DatabaseDownError) logger.warn(`${message}: ${error.message}`);
        else logger.error(message, error);
      });
  }

  private async cleanUp(): Promise<void> {
    await this.sessions.deleteExpired();
    await this.signUp.deleteExpired();
    await this.passkeys.challenges.deleteExpired();
    await this.onCleanup();
  }
}

interface Renewed {
  readonly secret: string;
  /** Sessions for `notifyEnded` after the commit. */
  readonly ended: string[];
}

/** Deletes all other sessions of the user, and gives this one a new secret. */
async function endOtherSessions(queries: Queries, session: Session): Promise<Renewed> {
  const others = await deleteUserSessions(queries, session.userId, session.id);
  return { secret: await rotateSecret(queries, session), ended: [...others, session.id] };
}
