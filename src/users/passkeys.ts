import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { Challenges } from './challenges.ts';
import type { Database, Queries, Row } from './database.ts';
import { InvalidInputError, NotThereError, WrongCredentialsError } from './errors.ts';
import { library } from './libraries.ts';
import { holdSession, type Session } from './sessions.ts';
import { UserEvents } from './user-events.ts';
import type { User } from './user-store.ts';

const MAX_PASSKEYS_PER_USER = 20;
/** A passkey stands for password and second factor: who holds it must show themselves to it. */
const SELECTION = { residentKey: 'required', userVerification: 'required' } as const;
/** For whom a challenge is that anybody may answer. */
const ANYBODY = '';
export const webauthn = library(() => ({
  ...(require('@simplewebauthn/server') as typeof import('@simplewebauthn/server')),
  ...(require('@simplewebauthn/server/helpers') as typeof import('@simplewebauthn/server/helpers')),
}));

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

/** Passkeys (WebAuthn), in SQL. */
export class Passkeys {
  readonly challenges: Challenges;

  constructor(
    private readonly database: Database,
    private readonly now: () => number,
  ) {
    this.challenges = new Challenges(database, now);
  }

  /** What `navigator.credentials.create` takes. @throws InvalidInputError */
  async registration(user: User, site: Site): Promise<PublicKeyCredentialCreationOptionsJSON> {
    demandName(site);
    const own = await this.of(user.id);
    if (own.length >= MAX_PASSKEYS_PER_USER) {
      const message = `Remove a passkey first: there are ${MAX_PASSKEYS_PER_USER}.`;
      throw new InvalidInputError('label', 'atMost', message);
    }
    const { generateRegistrationOptions } = webauthn();
    return generateRegistrationOptions({
      challenge: await this.challenges.make(user.id),
      rpName: 'Buttonwood',
      rpID: site.hostname,
      userName: user.email,
      userDisplayName: user.name,
      userID: new TextEncoder().encode(user.id),
      excludeCredentials: own.map(({ id, transports }) => ({
        id,
        transports: wordsOf(transports),
      })),
      authenticatorSelection: SELECTION,
    });
  }

  /** Keeps what the browser made. @throws InvalidInputError, WrongCredentialsError */
  async add(
    session: Session,
    user: User,
    site: Site,
    response: unknown,
    label: string,
    address = '',
  ): Promise<Passkey> {
    let answered = '';
    const made = await verifyRegistration({
      response: response as RegistrationResponseJSON,
      expectedChallenge: (challenge) => {
        answered = challenge;
        return this.challenges.isGood(challenge, user.id);
      },
      expectedOrigin: site.origin,
      expectedRPID: site.hostname,
      requireUserVerification: true,
    }).catch(() => undefined);
    const isMade = made?.registrationInfo !== undefined;
    if (!isMade || !(await this.challenges.use(answered, user.id))) {
      const message = 'The passkey was not made for this request: ask for options again.';
      throw new InvalidInputError('response', 'valid', message);
    }
    const { credential } = made.registrationInfo;
    const now = this.now();
    await this.database.transaction(async (queries) => {
      await holdSession(queries, session);
      const added = await queries.run(
        `INSERT INTO passkeys
         (id, person_id, public_key, counter, transports, label, created_at, last_used_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, 0) ON CONFLICT DO NOTHING`,
        ...[credential.id, user.id, Buffer.from(credential.publicKey).toString('base64url')],
        ...[credential.counter, (credential.transports ?? []).join(' '), label, now],
      );
      if (added !== 1)
        throw new InvalidInputError('response', 'new', 'The passkey is there already.');
      const actor = { by: user.email, address };
      await new UserEvents(queries, this.now).add(user, 'passkey_added', actor, label);
    });
    return (await this.byId(credential.id))!;
  }

  /** What `navigator.credentials.get` takes. @throws InvalidInputError */
  async request(site: Site): Promise<PublicKeyCredentialRequestOptionsJSON> {
    demandName(site);
    const { generateAuthenticationOptions } = webauthn();
    return generateAuthenticationOptions({
      challenge: await this.challenges.make(ANYBODY),
      rpID: site.hostname,
      userVerification: SELECTION.userVerification,
    });
  }

  /** The passkey that answers a challenge. @throws WrongCredentialsError */
  async shown(site: Site, response: unknown): Promise<Passkey> {
    const { id } = response as AuthenticationResponseJSON;
    const passkey = typeof id === 'string' ? await this.byId(id) : undefined;
    if (passkey === undefined) throw new WrongCredentialsError();
    const { verifyAuthenticationResponse } = webauthn();
    let answered = '';
    const shown = await verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge: (challenge) => {
        answered = challenge;
        return this.challenges.isGood(challenge, ANYBODY);
      },
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
    if (!(await this.challenges.use(answered, ANYBODY))) throw new WrongCredentialsError();
    const text = 'UPDATE passkeys SET counter = $2, last_used_at = $3 WHERE id = $1';
    const { newCounter } = shown.authenticationInfo;
    // It may have been removed during the check.
    const used = await this.database.run(text, passkey.id, newCounter, this.now());
    if (used !== 1) throw new WrongCredentialsError();
    return passkey;
  }

  async of(personId: string): Promise<Passkey[]> {
    const text = 'SELECT * FROM passkeys WHERE person_id = $1 ORDER BY created_at, id';
    return (await this.database.query(text, personId)).map(passkeyOf);
  }

  /** @throws NotThereError */
  async remove(user: User, id: string, address = ''): Promise<void> {
    const label = (await this.byId(id))?.label;
    await this.database.transaction(async (queries) => {
      const text = 'DELETE FROM passkeys WHERE id = $1 AND person_id = $2';
      if ((await queries.run(text, id, user.id)) !== 1) throw new NotThereError();
      const actor = { by: user.email, address };
      await new UserEvents(queries, this.now).add(user, 'passkey_removed', actor, label);
    });
  }

  private async byId(id: string): Promise<Passkey | undefined> {
    const [row] = await this.database.query('SELECT * FROM passkeys WHERE id = $1', id);
    return row === undefined ? undefined : passkeyOf(row);
  }
}

/**
 * Nobody is asked who made their authenticator, and browsers leave that out then, but for a signature of the passkey's
 * own. An answer that has certificates all the same is refused before the library looks at it: it would ask the
 * addresses for revocation lists in them, which are whatever the sender wrote there.
 * @throws Error where it is not what was asked for
 */
async function verifyRegistration(
  options: Parameters<ReturnType<typeof webauthn>['verifyRegistrationResponse']>[0],
) {
  const { decodeAttestationObject, isoBase64URL, verifyRegistrationResponse } = webauthn();
  const sent = isoBase64URL.toBuffer(options.response.response.attestationObject);
  const attestation = decodeAttestationObject(sent);
  const format = attestation.get('fmt');
  const isOwn = format === 'packed' && attestation.get('attStmt').get('x5c') === undefined;
  if (format !== 'none' && !isOwn) throw new Error(`attested as ${format}`);
  return verifyRegistrationResponse(options);
}

/**
 * Holds a passkey's row until the transaction ends: what is done in it was shown by a passkey that is
 * there. @throws WrongCredentialsError where it was removed meanwhile
 */
export async function holdPasskey(queries: Queries, { id, personId }: Passkey): Promise<void> {
  const text = 'UPDATE passkeys SET id = id WHERE id = $1 AND person_id = $2';
  if ((await queries.run(text, id, personId)) !== 1) throw new WrongCredentialsError();
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
