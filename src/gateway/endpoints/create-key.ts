import { z } from 'zod';
import {
  CommandKind,
  type CreateHmacKey,
  type CreateKey,
  type CreateSignedKey,
} from '../../engine/command.ts';
import type { Outcome } from '../../engine/event.ts';
import type { Account, ApiKey } from '../../engine/ledger/accounts.ts';
import { OPERATOR_PERMISSIONS } from '../../engine/terms.ts';
import { generateCredentials, hashSecret } from '../../users/credentials/api-keys.ts';
import { checkAddresses, checkExpiry } from '../auth/key-terms.ts';
import { permissionList, toPermissions } from '../auth/permissions.ts';
import { readPublicKey } from '../auth/public-key.ts';
import type { Call } from '../http/request/call.ts';
import { invalid } from '../http/request/query.ts';
import type { ApiError } from '../http/response/errors.ts';
import { expiry, optional } from '../openapi/body-schema.ts';
import { among, present, toKeywords, when } from '../openapi/conditions.ts';
import { nullable, text } from '../openapi/json-schema.ts';
import { expectOutcome } from './admin/outcome.ts';
import { proof } from './user/body-fields.ts';

/** Longer than the PEM of any Ed25519 public key. */
const MAX_PUBLIC_KEY = 512;

/**
 * The credential of a key: a secret that it sends, an Ed25519 key pair with which it signs its requests, or, for dialects
 * that need it, a secret with which it signs payloads by HMAC-SHA256.
 */
export const keyTypes = ['secret', 'ed25519', 'hmac'] as const;
type KeyType = (typeof keyTypes)[number];

export const addressList = z.array(z.string()).max(20, 'must be at most 20');

/** Fields of a body that creates a key, without its label. */
export const keyFields = {
  type: optional(
    z.enum(keyTypes),
    'The credential of the key: a secret that it sends, an Ed25519 key pair with which it signs requests, or a secret ' +
      'with which it signs payloads by HMAC-SHA256. Default `ed25519` with a `publicKey`, else `secret`.',
  ),
  permissions: permissionList.meta({
    description:
      'Permissions of the key. An `hmac` key cannot have permissions of operators, such as `operate`.',
  }),
  addresses: optional(
    addressList,
    'The only IP addresses and networks (CIDR) that may use the key. Default: any address.',
  ),
  expiresAt: optional(
    expiry,
    'Expiry, in the future: ISO 8601 with a zone, or milliseconds since 1970. Default: never.',
  ),
  publicKey: optional(
    z.string().max(MAX_PUBLIC_KEY, `must be at most ${MAX_PUBLIC_KEY} characters`),
    'Ed25519 public key that checks the signatures of requests: PEM, or base64 of its 32 bytes. Only for the type ' +
      '`ed25519`, which needs it.',
  ),
  ...proof,
};

/** A key has a public key if and only if its type is ed25519; for the OpenAPI document. */
export const KEY_CONDITION = toKeywords(
  when(present('publicKey'), among('type', 'ed25519', null), among('type', 'secret', 'hmac', null)),
);

/** The field of a response with a new key's secret. */
export const SECRET = nullable(
  text(
    'The secret. The exchange keeps only its hash, or of an HMAC key the encrypted secret. Null if the key has a public key.',
    `bws_${'0'.repeat(72)}`,
  ),
);

/** An example of a key that signs with HMAC. */
export const HMAC_EXAMPLE = { permissions: ['read', 'trade'], type: 'hmac' };

/** An example of a key that signs with Ed25519: the public key of RFC 8032, 7.1, test 1. */
export const SIGNED_EXAMPLE = {
  permissions: ['read', 'trade'],
  publicKey: '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
};

/** Validated settings of a new key. */
export interface KeySettings {
  readonly addresses: readonly string[];
  /** Milliseconds since 1970, 0 for never. */
  readonly expiresAt: number;
  /** Sum of Permission values. */
  readonly permissions: number;
  readonly type: KeyType;
  /** Undefined unless the type is `ed25519`. */
  readonly publicKey: Uint8Array | undefined;
}

export type NewKeyCommand = CreateKey | CreateSignedKey | CreateHmacKey;

/** A new key, with its secret unless it has a public key. */
export interface NewKey {
  readonly key: ApiKey;
  readonly apiSecret: string | null;
}

/** Validates the settings of a new key. @throws ApiError INVALID_REQUEST, CLOCK_OFF */
export function readKeySettings(
  call: Call,
  body: z.output<z.ZodObject<Omit<typeof keyFields, keyof typeof proof>>>,
): KeySettings {
  const hasPublicKey = body.publicKey != null;
  const type = body.type ?? (hasPublicKey ? 'ed25519' : 'secret');
  if (hasPublicKey !== (type === 'ed25519')) {
    const message = 'publicKey goes with the type ed25519, and only with it.';
    throw invalid('publicKey', 'type', message);
  }
  const permissions = toPermissions(body.permissions);
  if (type === 'hmac') checkHmac(call, permissions);
  return {
    addresses: checkAddresses(body.addresses ?? [], permissions),
    expiresAt: checkExpiry(body.expiresAt, call.services.clock),
    permissions,
    type,
    publicKey: body.publicKey == null ? undefined : readPublicKey(body.publicKey),
  };
}

/** @throws ApiError INVALID_REQUEST */
function checkHmac({ services }: Call, permissions: number): void {
  if (services.sealedSecrets === undefined) {
    const message = 'This exchange does not accept HMAC keys. Use the type ed25519 or secret.';
    throw invalid('type', 'hmacKeys', message);
  }
  if ((permissions & OPERATOR_PERMISSIONS) !== 0) {
    const message =
      'An HMAC key cannot have permissions of operators, such as operate. Use the type ed25519 or secret.';
    throw invalid('permissions', 'hmac', message);
  }
}

/** Creates a key of `owner` and notifies its users by mail. The secret, if it has one, is returned only this once. */
export async function createAccountKey(
  call: Call,
  owner: Account,
  label: string,
  { type, publicKey, ...terms }: KeySettings,
  execute = (command: NewKeyCommand): Promise<Outcome> => call.services.replica.execute(command),
): Promise<NewKey> {
  const { store, mails } = call.services.users;
  if (type !== 'secret' && call.exchange.state.version < 2) throw notUpgraded(type);
  // Users belong to main accounts.
  const users = await store.listByAccount(owner.owner.id);
  const { apiKey, apiSecret } = generateCredentials(call.services.randomBytes);
  const shared = { ...call.actor, owner: owner.index, apiKey, label, ...terms };
  const seal = () => call.services.sealedSecrets!.seal(apiKey, owner.id, apiSecret);
  const command: NewKeyCommand =
    publicKey !== undefined
      ? { kind: CommandKind.createSignedKey, ...shared, publicKey }
      : type === 'hmac'
        ? { kind: CommandKind.createHmacKey, ...shared, sealedSecret: seal() }
        : { kind: CommandKind.createKey, ...shared, secretHash: hashSecret(apiSecret) };
  const outcome = await execute(command);
  const { key } = expectOutcome(outcome, 'key', call.exchange.state);
  for (const user of users) mails.keyCreated(user);
  return { key, apiSecret: type === 'ed25519' ? null : apiSecret };
}

/** Returns the type of a key and its public key as fields of JSON. */
export function credentialText({ publicKey, sealedSecret }: ApiKey): string {
  if (publicKey !== undefined) return `"type":"ed25519","publicKey":"${publicKey.toBase64()}"`;
  return `"type":"${sealedSecret === undefined ? 'secret' : 'hmac'}","publicKey":null`;
}

function notUpgraded(type: KeyType): ApiError {
  const message =
    'This exchange does not accept keys that sign yet: its operator must upgrade the engine first. Use the type secret.';
  return invalid(type === 'hmac' ? 'type' : 'publicKey', 'engineVersion', message);
}
