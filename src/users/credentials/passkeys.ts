import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Database, Queries, Row } from '../database.ts';
import { InvalidInputError, NotFoundError, WrongCredentialsError } from '../errors.ts';
import { lockSession, type Session } from '../sign-in/sessions.ts';
import { UserEvents } from '../user-events.ts';
import type { User } from '../user-store.ts';
import { Challenges } from './challenges.ts';
import { library } from './libraries.ts';

const MAX_PASSKEYS_PER_USER = 20;
/** A passkey replaces password and 2FA code, so the authenticator must verify the user. */
const SELECTION = { residentKey: 'required', userVerification: 'required' } as const;
/** The subject of challenges that any user may answer. */
const ANY_USER = '';
export const webauthn = library(() => ({
  ...(require('@simplewebauthn/server') as typeof import('@simplewebauthn/server')),
  ...(require('@simplewebauthn/server/helpers') as typeof import('@simplewebauthn/server/helpers')),
}));

/** The site that the browser opened. Passkeys belong to its host name. */
export interface Site {
  readonly origin: string;
  readonly hostname: string;
}

export interface Passkey {
  readonly id: string;
  readonly userId: string;
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

  /** Returns the options for `navigator.credentials.create`. @throws InvalidInputError */
  async registrationOptions(
    user: User,
    site: Site,
  ): Promise<PublicKeyCredentialCreationOptionsJSON> {
    requireHostname(site);
    const own = await this.listByUser(user.id);
    if (own.length >= MAX_PASSKEYS_PER_USER) {
      const message = `You have the maximum of ${MAX_PASSKEYS_PER_USER} passkeys. Remove one first.`;
      throw new InvalidInputError('label', 'atMost', message);
    }
    const { generateRegistrationOptions } = webauthn();
    return generateRegistrationOptions({
      challenge: await this.challenges.create(user.id),
      rpName: 'Buttonwood',
      rpID: site.hostname,
      userName: user.email,
      userDisplayName: user.name,
      userID: new TextEncoder().encode(user.id),
      excludeCredentials: own.map(({ id, transports }) => ({
        id,
        transports: readTransports(transports),
      })),
      authenticatorSelection: SELECTION,
    });
  }

  /** Adds the passkey that the browser created. @throws InvalidInputError, WrongCredentialsError */
  async add(
    session: Session,
    user: User,
    site: Site,
    response: unknown,
    label: string,
    address = '',
  ): Promise<Passkey> {
    let challenge = '';
    const verified = await verifyRegistration({
      response: response as RegistrationResponseJSON,
      expectedChallenge: (answered) => {
        challenge = answered;
        return this.challenges.isValid(answered, user.id);
      },
      expectedOrigin: site.origin,
      expectedRPID: site.hostname,
      requireUserVerification: true,
    }).catch(() => undefined);
    const isVerified = verified?.registrationInfo !== undefined;
    if (!isVerified || !(await this.challenges.use(challenge, user.id))) {
      const message = 'The passkey was not created for this request. Request new options.';
      throw new InvalidInputError('response', 'valid', message);
    }
    const { credential } = verified.registrationInfo;
    const now = this.now();
    await this.database.transaction(async (queries) => {
      await lockSession(queries, session);
      const added = await queries.run(
        `INSERT INTO passkeys
         (id, person_id, public_key, counter, transports, label, created_at, last_used_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, 0) ON CONFLICT DO NOTHING`,
        credential.id,
        user.id,
        Buffer.from(credential.publicKey).toString('base64url'),
        credential.counter,
        (credential.transports ?? []).join(' '),
        label,
        now,
      );
      if (added !== 1)
        throw new InvalidInputError('response', 'new', 'This passkey already exists.');
      const actor = { by: user.email, address };
      await new UserEvents(queries, this.now).add(user, 'passkey_added', actor, label);
    });
    return (await this.findById(credential.id))!;
  }

  /** Returns the options for `navigator.credentials.get`. @throws InvalidInputError */
  async signInOptions(site: Site): Promise<PublicKeyCredentialRequestOptionsJSON> {
    requireHostname(site);
    const { generateAuthenticationOptions } = webauthn();
    return generateAuthenticationOptions({
      challenge: await this.challenges.create(ANY_USER),
      rpID: site.hostname,
      userVerification: SELECTION.userVerification,
    });
  }

  /** Verifies a sign-in response and returns its passkey. @throws WrongCredentialsError */
  async verify(site: Site, response: unknown): Promise<Passkey> {
    const { id } = response as AuthenticationResponseJSON;
    const passkey = typeof id === 'string' ? await this.findById(id) : undefined;
    if (passkey === undefined) throw new WrongCredentialsError();
    const { verifyAuthenticationResponse } = webauthn();
    let challenge = '';
    const result = await verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge: (answered) => {
        challenge = answered;
        return this.challenges.isValid(answered, ANY_USER);
      },
      expectedOrigin: site.origin,
      expectedRPID: site.hostname,
      requireUserVerification: true,
      credential: {
        id: passkey.id,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        counter: passkey.counter,
        transports: readTransports(passkey.transports),
      },
    }).catch(() => undefined);
    if (result?.verified !== true) throw new WrongCredentialsError();
    if (!(await this.challenges.use(challenge, ANY_USER))) throw new WrongCredentialsError();
    const text = 'UPDATE passkeys SET counter = $2, last_used_at = $3 WHERE id = $1';
    const { newCounter } = result.authenticationInfo;
    // The passkey may have been removed during the check.
    const used = await this.database.run(text, passkey.id, newCounter, this.now());
    if (used !== 1) throw new WrongCredentialsError();
    return passkey;
  }

  async listByUser(userId: string): Promise<Passkey[]> {
    const text = 'SELECT * FROM passkeys WHERE person_id = $1 ORDER BY created_at, id';
    return (await this.database.query(text, userId)).map(toPasskey);
  }

  /** @throws NotFoundError */
  async remove(user: User, id: string, address = ''): Promise<void> {
    const label = (await this.findById(id))?.label;
    await this.database.transaction(async (queries) => {
      const text = 'DELETE FROM passkeys WHERE id = $1 AND person_id = $2';
      if ((await queries.run(text, id, user.id)) !== 1) throw new NotFoundError();
      const actor = { by: user.email, address };
      await new UserEvents(queries, this.now).add(user, 'passkey_removed', actor, label);
    });
  }

  private async findById(id: string): Promise<Passkey | undefined> {
    const [row] = await this.database.query('SELECT * FROM passkeys WHERE id = $1', id);
    return row === undefined ? undefined : toPasskey(row);
  }
}

/**
 * Verifies a registration. Rejects attestation certificates, which were not requested, before the library sees
 * them: it would fetch the revocation lists named in them, from URLs that the sender chose.
 * @throws Error if the response is not valid
 */
async function verifyRegistration(
  options: Parameters<ReturnType<typeof webauthn>['verifyRegistrationResponse']>[0],
) {
  const { decodeAttestationObject, isoBase64URL, verifyRegistrationResponse } = webauthn();
  const sent = isoBase64URL.toBuffer(options.response.response.attestationObject);
  const attestation = decodeAttestationObject(sent);
  const format = attestation.get('fmt');
  const isSelfSigned = format === 'packed' && attestation.get('attStmt').get('x5c') === undefined;
  if (format !== 'none' && !isSelfSigned)
    throw new Error(`unexpected attestation format ${format}`);
  return verifyRegistrationResponse(options);
}

/**
 * Locks a passkey's row until the transaction ends, so that it cannot be removed during it.
 * @throws WrongCredentialsError if it was removed before
 */
export async function lockPasskey(queries: Queries, { id, userId }: Passkey): Promise<void> {
  const text = 'UPDATE passkeys SET id = id WHERE id = $1 AND person_id = $2';
  if ((await queries.run(text, id, userId)) !== 1) throw new WrongCredentialsError();
}

/** Rejects IP addresses, which WebAuthn does not support. @throws InvalidInputError */
export function requireHostname({ hostname }: Site): void {
  if (!/^\[|^[\d.]+$/.test(hostname)) return;
  const message =
    'Passkeys need a host name. Open the exchange by its name, such as localhost, instead of an IP address.';
  throw new InvalidInputError('Host', 'name', message);
}

type Transports = NonNullable<RegistrationResponseJSON['response']['transports']>;

function readTransports(transports: string): Transports {
  return transports.split(' ').filter((transport) => transport !== '') as Transports;
}

function toPasskey(row: Row): Passkey {
  return {
    id: String(row.id),
    userId: String(row.person_id),
    publicKey: String(row.public_key),
    counter: Number(row.counter),
    transports: String(row.transports),
    label: String(row.label),
    createdAt: Number(row.created_at),
    lastUsedAt: Number(row.last_used_at),
  };
}
