import type { Bus } from '../../cluster/bus/bus.ts';
import { lockPasskey, type Passkey } from '../credentials/passkeys.ts';
import type { Passwords } from '../credentials/passwords.ts';
import { isTotpCode, type SecondFactor } from '../credentials/second-factor.ts';
import type { Database } from '../database.ts';
import { WrongCredentialsError } from '../errors.ts';
import { type SignInMethod, UserEvents } from '../user-events.ts';
import { type User, UserStore } from '../user-store.ts';
import { Devices } from './devices.ts';
import { FailedSignIns } from './failed-sign-ins.ts';
import { type GuessCounter, Guesses, guessCounters, toNetwork } from './guesses.ts';
import { type ClientInfo, lockSession, type Session, type Sessions } from './sessions.ts';
import type { SignUp } from './sign-up.ts';

/** A client that is signing in, with its cookies. */
export interface SignInClient extends ClientInfo {
  /** The address by which guesses are counted: IPv6 addresses by /64. */
  readonly scope: string;
  /** The secret in its device cookie. */
  readonly device: string | undefined;
  /** The secret of its existing session. */
  readonly session: string | undefined;
}

/** A new session, and the secrets for the browser's cookies. */
export interface SignedIn {
  readonly session: Session;
  readonly secret: string;
  /** The secret of a new device, undefined if the browser is already known for this user. */
  readonly device: string | undefined;
}

interface Parts {
  readonly database: Database;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  readonly secondFactor: SecondFactor;
  readonly signUp: SignUp;
  readonly now: () => number;
  /** Opens the trading account with this id unless it exists. */
  readonly openAccount: (accountId: string) => Promise<void>;
  readonly bus: Bus | undefined;
}

/** Signs users in, and lets signed-in users confirm their identity again. */
export class SignIn {
  private readonly store: UserStore;
  private readonly devices: Devices;
  readonly guesses: Guesses;
  readonly failures: FailedSignIns;

  constructor(private readonly parts: Parts) {
    this.failures = new FailedSignIns(parts.database, parts.now);
    this.store = new UserStore(parts.database);
    this.devices = new Devices(parts.database);
    this.guesses = new Guesses(parts.bus, parts.now);
  }

  /**
   * Signs in with a password, and a code if two-factor authentication is on.
   * @throws WrongCredentialsError, GuessesSlowedError, HashingOverloadedError
   */
  async withPassword(
    email: string,
    password: string,
    code: string | undefined,
    client: SignInClient,
  ): Promise<SignedIn | 'second_factor_required'> {
    const { passwords, secondFactor, signUp } = this.parts;
    const user = await this.store.findByEmail(email);
    const pending = await signUp.findPending(email, client.scope);
    const counters = await this.countersFor(user, email, client);
    const hash = user?.password ?? pending?.password ?? '';
    const isCorrect = await this.guess(counters, () =>
      passwords.verify(password, hash, toNetwork(client.scope)),
    );
    if (isCorrect && user === undefined && pending !== undefined) signUp.resendLink(pending);
    if (user === undefined) throw new WrongCredentialsError();
    if (!isCorrect) throw this.failed(user, 'password', client);
    let method: SignInMethod = 'password';
    if (user.totpSecret !== '') {
      if (code === undefined) {
        this.guesses.retract(counters);
        return 'second_factor_required';
      }
      method = isTotpCode(code) ? 'password_totp' : 'password_recovery_code';
      if (!(await secondFactor.accept(user, code))) throw this.failed(user, method, client);
    }
    this.guesses.clear(counters);
    return this.startSession(user, client, method);
  }

  private failed(user: User, method: SignInMethod, client: ClientInfo): WrongCredentialsError {
    this.failures.add(user, method, client);
    return new WrongCredentialsError();
  }

  /**
   * Opens the account that a mailed link confirms and signs the user in. A wrong password leaves the link valid.
   * @param password The password of the sign-up. It protects the owner of an address against sign-ups by someone
   * else, who knows the password but has no link, while the owner has the link but not the password.
   * @throws InvalidInputError, WrongCredentialsError, GuessesSlowedError, HashingOverloadedError
   */
  async withLink(token: string, password: string, client: SignInClient): Promise<SignedIn> {
    const { signUp } = this.parts;
    await this.checkLinkPassword(await signUp.find(token), password, client.scope);
    return this.startSession(await signUp.verify(token, client.address), client, 'email_link');
  }

  /**
   * Checks the password of the sign-up or user of a mailed link. Guesses are counted by it: only the owner of the link
   * can guess.
   * @param scope The network address of the client.
   * @throws WrongCredentialsError, GuessesSlowedError, HashingOverloadedError
   */
  async checkLinkPassword(
    { id, password: hash }: Pick<User, 'id' | 'password'>,
    password: string,
    scope: string,
  ): Promise<void> {
    const counters = guessCounters.session(id);
    const check = () => this.parts.passwords.verify(password, hash, toNetwork(scope));
    if (!(await this.guess(counters, check))) throw new WrongCredentialsError();
    this.guesses.clear(counters);
  }

  /**
   * Starts a session for a user whose credentials have been checked.
   * @param by The method, or the passkey if it is one.
   * @throws WrongCredentialsError if they have changed since
   */
  async startSession(
    user: User,
    client: SignInClient,
    by: Exclude<SignInMethod, 'passkey'> | Passkey,
  ): Promise<SignedIn> {
    const { sessions, now, openAccount } = this.parts;
    // After a crash between the creation of user and account, the account is opened now.
    await openAccount(user.accountId);
    const { secret, session } = await sessions.begin(user, client, async (queries) => {
      if (typeof by !== 'string') await lockPasskey(queries, by);
      const actor = { by: user.email, address: client.address, userAgent: client.userAgent };
      const method = typeof by === 'string' ? by : 'passkey';
      await new UserEvents(queries, now).add(user, 'signed_in', actor, method);
    });
    if (client.session !== undefined) {
      const old = await sessions.find(client.session);
      if (old !== undefined) await sessions.end([old.id]);
    }
    const isKnown = await this.isKnownDevice(user, client);
    if (isKnown) await this.devices.touch(client.device!, now());
    const device = isKnown ? undefined : await this.devices.add(user.id, now());
    return { session, secret, device };
  }

  /** Replaces all known devices of a user with a new one, and returns its secret. */
  async replaceDevices(userId: string): Promise<string> {
    await this.devices.deleteByUser(userId);
    return this.devices.add(userId, this.parts.now());
  }

  /** Returns whether a browser was first seen within `windowMs`, or is not known at all. */
  async isNewDevice(user: User, device: string | undefined, windowMs: number): Promise<boolean> {
    const addedAt =
      device === undefined ? undefined : await this.devices.findAddedAt(user.id, device);
    return addedAt === undefined || this.parts.now() < addedAt + windowMs;
  }

  /**
   * Confirms the identity of a signed-in user: by code if two-factor authentication is on, else by password.
   * @throws WrongCredentialsError, GuessesSlowedError, HashingOverloadedError
   */
  confirm(session: Session, user: User, proof: Proof): Promise<void> {
    return user.totpSecret === ''
      ? this.confirmPassword(session, user, proof.password)
      : this.confirmCode(session, user, proof.code);
  }

  async confirmPassword(session: Session, user: User, password: string | undefined): Promise<void> {
    const { passwords } = this.parts;
    await this.confirmBy(session, () => passwords.verify(password ?? '', user.password, user.id));
  }

  /** Confirms password and 2FA code as one guess, so that neither can be guessed on its own. */
  async confirmBoth(session: Session, user: User, proof: Proof): Promise<void> {
    const { passwords, secondFactor } = this.parts;
    const { password = '', code = '' } = proof;
    await this.confirmBy(session, async () => {
      if (!(await passwords.verify(password, user.password, user.id))) return false;
      return user.totpSecret === '' || (await secondFactor.accept(user, code));
    });
  }

  async confirmCode(session: Session, user: User, code: string | undefined): Promise<void> {
    const { secondFactor } = this.parts;
    await this.confirmBy(session, async () => {
      return user.totpSecret !== '' && (await secondFactor.accept(user, code ?? ''));
    });
  }

  /**
   * Counts and checks one guess of a signed-in user.
   * @throws GuessesSlowedError, WrongCredentialsError also if the session ended during the check
   */
  async confirmBy(session: Session, check: () => Promise<boolean>): Promise<void> {
    const counters = guessCounters.session(session.id);
    if (!(await this.guess(counters, check))) throw new WrongCredentialsError();
    this.guesses.clear(counters);
    await lockSession(this.parts.database, session);
  }

  /** Checks a guess, which counts as wrong during the check and does not count if the check throws. */
  private async guess(
    counters: readonly GuessCounter[],
    check: () => Promise<boolean>,
  ): Promise<boolean> {
    this.guesses.begin(counters, this.parts.now());
    try {
      return await check();
    } catch (error) {
      this.guesses.retract(counters);
      throw error;
    }
  }

  private async countersFor(
    user: User | undefined,
    email: string,
    client: SignInClient,
  ): Promise<readonly GuessCounter[]> {
    return (await this.isKnownDevice(user, client))
      ? guessCounters.known(client.device!)
      : guessCounters.unknown(email, client.scope);
  }

  private async isKnownDevice(user: User | undefined, { device }: SignInClient): Promise<boolean> {
    const owner = device === undefined ? undefined : await this.devices.findUser(device);
    return owner !== undefined && owner === user?.id;
  }
}

/** The password or 2FA code with which a signed-in user confirms their identity. */
export interface Proof {
  readonly password?: string | undefined;
  readonly code?: string | undefined;
}
