import type { Bus } from '../cluster/bus/bus.ts';
import type { Database } from './database.ts';
import { Devices } from './devices.ts';
import { WrongCredentialsError } from './errors.ts';
import { Guesses, networkOf, type Suspect, suspects } from './guesses.ts';
import { holdPasskey, type Passkey } from './passkeys.ts';
import type { Passwords } from './passwords.ts';
import type { SecondFactor } from './second-factor.ts';
import { type ClientInfo, holdSession, type Session, type Sessions } from './sessions.ts';
import type { SignUp } from './sign-up.ts';
import { UserEvents } from './user-events.ts';
import { type User, UserStore } from './user-store.ts';

/** A browser at the door, and the cookies that it shows. */
export interface SignInClient extends ClientInfo {
  /** The address as guesses are counted by it: an IPv6 /64 is one. */
  readonly scope: string;
  readonly device: string | undefined;
  /** The secret of a session that it has already. */
  readonly session: string | undefined;
}

/** What a browser is given to keep. */
export interface SignedIn {
  readonly session: Session;
  readonly secret: string;
  /** A new one, where it had none of this person. */
  readonly device: string | undefined;
}

interface Parts {
  readonly database: Database;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  readonly secondFactor: SecondFactor;
  readonly signUp: SignUp;
  readonly now: () => number;
  /** Opens the trading account of that id, unless it is open. */
  readonly openAccount: (accountId: string) => Promise<void>;
  readonly bus: Bus | undefined;
}

/** Who shows that they are a person: at the door, or once more for what matters. */
export class SignIn {
  private readonly store: UserStore;
  private readonly devices: Devices;
  readonly guesses: Guesses;

  constructor(private readonly parts: Parts) {
    this.store = new UserStore(parts.database);
    this.devices = new Devices(parts.database);
    this.guesses = new Guesses(parts.bus, parts.now);
  }

  /**
   * @returns What the browser gets, or that a code is needed.
   * @throws WrongCredentialsError, GuessesSlowedError, HashingOverloadedError
   */
  async withPassword(
    email: string,
    password: string,
    code: string | undefined,
    client: SignInClient,
  ): Promise<SignedIn | 'second_factor_required'> {
    const { passwords, secondFactor, signUp } = this.parts;
    const user = await this.store.byEmail(email);
    const waiting = await signUp.waiting(email, client.scope);
    const all = await this.suspectsOf(user, email, client);
    const hash = user?.password ?? waiting?.password ?? '';
    const isRight = await this.guess(all, () =>
      passwords.verify(password, hash, networkOf(client.scope)),
    );
    if (isRight && user === undefined && waiting !== undefined) signUp.mailAgainSoon(waiting);
    if (!isRight || user === undefined) throw new WrongCredentialsError();
    if (user.totpSecret !== '') {
      if (code === undefined) {
        this.guesses.takeBack(all);
        return 'second_factor_required';
      }
      if (!(await secondFactor.accept(user, code))) throw new WrongCredentialsError();
    }
    this.guesses.clear(all);
    return this.admit(user, client);
  }

  /**
   * Opens the account of a mailed link, and signs its holder in. A wrong password uses no link up.
   * @param password That of the sign-up: a stranger who signed up with this address knows it, and has
   * not the link; the owner of the address has the link, and knows no stranger's password.
   * @throws InvalidInputError, WrongCredentialsError, GuessesSlowedError, HashingOverloadedError
   */
  async byLink(token: string, password: string, client: SignInClient): Promise<SignedIn> {
    const { passwords, signUp } = this.parts;
    const waiting = await signUp.look(token);
    // Counted by the sign-up: only who has its link can guess.
    const all = suspects.session(waiting.id);
    const isRight = await this.guess(all, () =>
      passwords.verify(password, waiting.password, networkOf(client.scope)),
    );
    if (!isRight) throw new WrongCredentialsError();
    this.guesses.clear(all);
    return this.admit(await signUp.verify(token, client.address), client);
  }

  /**
   * Signs in who has shown a passkey, or a password and what else their account asks for.
   * @throws WrongCredentialsError where that has changed or was removed meanwhile
   */
  async admit(user: User, client: SignInClient, passkey?: Passkey): Promise<SignedIn> {
    const { sessions, now, openAccount } = this.parts;
    // A crash may have come between the person and the account: then it is opened now.
    await openAccount(user.accountId);
    const { secret, session } = await sessions.begin(user, client, async (queries) => {
      if (passkey !== undefined) await holdPasskey(queries, passkey);
    });
    if (client.session !== undefined) {
      const old = await sessions.find(client.session);
      if (old !== undefined) await sessions.end([old.id]);
    }
    const isKnown = await this.isDeviceOf(user, client);
    if (isKnown) await this.devices.seen(client.device!, now());
    const device = isKnown ? undefined : await this.devices.add(user.id, now());
    const actor = { by: user.email, address: client.address };
    await new UserEvents(this.parts.database, now).add(user, 'signed_in', actor);
    return { session, secret, device };
  }

  /** The browser in which a mailed link set the password is trusted, and none of those before. */
  async trustOnly(personId: string): Promise<string> {
    await this.devices.forgetOf(personId);
    return this.devices.add(personId, this.parts.now());
  }

  /**
   * Asks a person who is signed in once more: for a code where there is a second factor, else for the
   * password. @throws WrongCredentialsError, GuessesSlowedError, HashingOverloadedError
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

  /** The password and, where there is a second factor, a code: one guess, or a right half helped with the other. */
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
   * One guess of who is signed in, and still is after it.
   * @throws WrongCredentialsError, GuessesSlowedError
   */
  async confirmBy(session: Session, check: () => Promise<boolean>): Promise<void> {
    const all = suspects.session(session.id);
    if (!(await this.guess(all, check))) throw new WrongCredentialsError();
    this.guesses.clear(all);
    await holdSession(this.parts.database, session);
  }

  /** Looks at a guess that counts as wrong meanwhile; what fails by our fault is taken back. */
  private async guess(all: readonly Suspect[], check: () => Promise<boolean>): Promise<boolean> {
    this.guesses.begin(all, this.parts.now());
    try {
      return await check();
    } catch (error) {
      this.guesses.takeBack(all);
      throw error;
    }
  }

  private async suspectsOf(
    user: User | undefined,
    email: string,
    client: SignInClient,
  ): Promise<readonly Suspect[]> {
    return (await this.isDeviceOf(user, client))
      ? suspects.known(client.device!)
      : suspects.unknown(email, client.scope);
  }

  private async isDeviceOf(user: User | undefined, { device }: SignInClient): Promise<boolean> {
    const holder = device === undefined ? undefined : await this.devices.holder(device);
    return holder !== undefined && holder === user?.id;
  }
}

/** What shows that it is still the same person. */
export interface Proof {
  readonly password?: string | undefined;
  readonly code?: string | undefined;
}
