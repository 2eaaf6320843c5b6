import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Database, Row } from './database.ts';
import { InvalidInputError, NotThereError, WrongCredentialsError } from './errors.ts';
import type { Person } from './people.ts';
import { holdSession, type Session } from './sessions.ts';

const CHALLENGE_LIFETIME_MS = 5 * 60_000;
/** Challenges that wait for their answer; of more the oldest is forgotten. */
const MAX_CHALLENGES = 10_000;
const MAX_PASSKEYS_PER_PERSON = 20;
/** A passkey stands for password and second factor: who holds it must show themselves to it. */
const SELECTION = { residentKey: 'required', userVerification: 'required' } as const;
const NO_CHALLENGE_OF = '';
/** Loaded with the first passkey: it takes a tenth of a second, and no command needs it. */
const webauthn = () => import('@simplewebauthn/server');

/** The site that a browser shows: passkeys belong to its name. */
export interface Site {
  readonly origin: string;
  readonly hostname: string;
}

export interface Passkey {
  readonly id: string;
  readonly personId: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: string;
  readonly label: string;
  readonly createdAt: number;
  /** 0 before the first use. */
  readonly lastUsedAt: number;
}

/** Passkeys (WebAuthn), in SQL; the challenges that are out, in memory. */
export class Passkeys {
  private readonly challenges = new Map<string, { personId: string; expiresAt: number }>();

  constructor(
    private readonly database: Database,
    private readonly now: () => number,
  ) {}

  /** What `navigator.credentials.create` takes. @throws InvalidInputError */
  async registration(person: Person, site: Site): Promise<PublicKeyCredentialCreationOptionsJSON> {
    demandName(site);
    const own = await this.of(person.id);
    if (own.length >= MAX_PASSKEYS_PER_PERSON) {
      const message = `Remove a passkey first: there are ${MAX_PASSKEYS_PER_PERSON}.`;
      throw new InvalidInputError('label', 'atMost', message);
    }
    const { generateRegistrationOptions } = await webauthn();
    const options = await generateRegistrationOptions({
      rpName: 'Buttonwood',
      rpID: site.hostname,
      userName: person.email,
      userDisplayName: person.name,
      userID: new TextEncoder().encode(person.id),
      excludeCredentials: own.map(({ id, transports }) => ({
        id,
        transports: wordsOf(transports),
      })),
      authenticatorSelection: SELECTION,
    });
    this.remember(options.challenge, person.id);
    return options;
  }

  /** Keeps what the browser made. @throws InvalidInputError, WrongCredentialsError */
  async add(
    session: Session,
    person: Person,
    site: Site,
    response: unknown,
    label: string,
  ): Promise<Passkey> {
    const { verifyRegistrationResponse } = await webauthn();
    const made = await verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      expectedChallenge: (challenge) => this.take(challenge, person.id),
      expectedOrigin: site.origin,
      expectedRPID: site.hostname,
      requireUserVerification: true,
    }).catch(() => undefined);
    if (made?.registrationInfo === undefined) {
      const message = 'The passkey was not made for this request: ask for options again.';
      throw new InvalidInputError('response', 'valid', message);
    }
    const { credential } = made.registrationInfo;
    const now = this.now();
    const added = await this.database.transaction(async (queries) => {
      await holdSession(queries, session);
      return queries.run(
        `INSERT INTO passkeys
         (id, person_id, public_key, counter, transports, label, created_at, last_used_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, 0) ON CONFLICT DO NOTHING`,
        ...[credential.id, person.id, Buffer.from(credential.publicKey).toString('base64url')],
        ...[credential.counter, (credential.transports ?? []).join(' '), label, now],
      );
    });
    if (added !== 1)
      throw new InvalidInputError('response', 'new', 'The passkey is there already.');
    return (await this.byId(credential.id))!;
  }

  /** What `navigator.credentials.get` takes. @throws InvalidInputError */
  async request(site: Site): Promise<PublicKeyCredentialRequestOptionsJSON> {
    demandName(site);
    const { generateAuthenticationOptions } = await webauthn();
    const options = await generateAuthenticationOptions({
      rpID: site.hostname,
      userVerification: SELECTION.userVerification,
    });
    this.remember(options.challenge, NO_CHALLENGE_OF);
    return options;
  }

  /** Whose passkey answers a challenge. @throws WrongCredentialsError */
  async holder(site: Site, response: unknown): Promise<string> {
    const { id } = response as AuthenticationResponseJSON;
    const passkey = typeof id === 'string' ? await this.byId(id) : undefined;
    if (passkey === undefined) throw new WrongCredentialsError();
    const { verifyAuthenticationResponse } = await webauthn();
    const shown = await verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge: (challenge) => this.take(challenge, NO_CHALLENGE_OF),
      expectedOrigin: site.origin,
      expectedRPID: site.hostname,
      requireUserVerification: true,
      credential: {
        id: passkey.id,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        counter: passkey.counter,
        transports: wordsOf(passkey.transports),
      },
    }).catch(() => undefined);
    if (shown?.verified !== true) throw new WrongCredentialsError();
    const text = 'UPDATE passkeys SET counter = $2, last_used_at = $3 WHERE id = $1';
    await this.database.run(text, passkey.id, shown.authenticationInfo.newCounter, this.now());
    return passkey.personId;
  }

  async of(personId: string): Promise<Passkey[]> {
    const text = 'SELECT * FROM passkeys WHERE person_id = $1 ORDER BY created_at, id';
    return (await this.database.query(text, personId)).map(passkeyOf);
  }

  /** @throws NotThereError */
  async remove(personId: string, id: string): Promise<void> {
    const text = 'DELETE FROM passkeys WHERE id = $1 AND person_id = $2';
    if ((await this.database.run(text, id, personId)) !== 1) throw new NotThereError();
  }

  private async byId(id: string): Promise<Passkey | undefined> {
    const [row] = await this.database.query('SELECT * FROM passkeys WHERE id = $1', id);
    return row === undefined ? undefined : passkeyOf(row);
  }

  private remember(challenge: string, personId: string): void {
    if (this.challenges.size >= MAX_CHALLENGES) {
      this.challenges.delete(this.challenges.keys().next().value!);
    }
    this.challenges.set(challenge, { personId, expiresAt: this.now() + CHALLENGE_LIFETIME_MS });
  }

  /** Each challenge is answered once, by whom it was given to. */
  private take(challenge: string, personId: string): boolean {
    const given = this.challenges.get(challenge);
    this.challenges.delete(challenge);
    return given !== undefined && given.personId === personId && this.now() < given.expiresAt;
  }
}

/** WebAuthn knows no addresses, and needs a secure page: HTTPS, or localhost. @throws InvalidInputError */
export function demandName({ hostname }: Site): void {
  if (!/^\[|^[\d.]+$/.test(hostname)) return;
  const message =
    'Passkeys belong to a name: open the exchange by its own, such as localhost, not by an address.';
  throw new InvalidInputError('Host', 'name', message);
}

type Transports = NonNullable<RegistrationResponseJSON['response']['transports']>;

function wordsOf(transports: string): Transports {
  return transports.split(' ').filter((word) => word !== '') as Transports;
}

function passkeyOf(row: Row): Passkey {
  return {
    id: String(row.id),
    personId: String(row.person_id),
    publicKey: String(row.public_key),
    counter: Number(row.counter),
    transports: String(row.transports),
    label: String(row.label),
    createdAt: Number(row.created_at),
    lastUsedAt: Number(row.last_used_at),
  };
}
