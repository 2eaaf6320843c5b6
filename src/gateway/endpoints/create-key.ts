import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { CommandKind, type CreateKey, type CreateSignedKey } from '../../engine/command.ts';
import type { Account, ApiKey } from '../../engine/ledger/accounts.ts';
import { generateCredentials, hashSecret } from '../auth/credentials.ts';
import { checkAddresses, checkExpiry } from '../auth/key-terms.ts';
import { permissionList, toPermissions } from '../auth/permissions.ts';
import { readPublicKey } from '../auth/public-key.ts';
import type { Call } from '../http/request/call.ts';
import { invalid } from '../http/request/query.ts';
import type { ApiError } from '../http/response/errors.ts';
import { time } from '../openapi/body-schema.ts';
import { nullable, text } from '../openapi/json-schema.ts';
import { expectOutcome } from './admin/outcome.ts';
import { proof } from './user/body-fields.ts';

/** Longer than the PEM of any Ed25519 public key. */
const MAX_PUBLIC_KEY = 512;

/** Fields of a body that creates a key, without its label. */
export const keyFields = {
  permissions: permissionList,
  addresses: z.array(z.string()).max(20, 'must be at most 20').nullish(),
  expiresAt: time.nullish(),
  publicKey: z
    .string()
    .max(MAX_PUBLIC_KEY, `must be at most ${MAX_PUBLIC_KEY} characters`)
    .nullish(),
  ...proof,
};

/** The field of a response with a new key's secret. */
export const SECRET = nullable(
  text(
    'The secret. The exchange keeps only its hash. Null if the key has a public key.',
    `bws_${'0'.repeat(72)}`,
  ),
);

/** An example of a key that signs: the public key of RFC 8032, 7.1, test 1. */
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
  /** Undefined for a key with a secret. */
  readonly publicKey: Uint8Array | undefined;
}

/** A new key, with its secret unless it signs. */
export interface NewKey {
  readonly key: ApiKey;
  readonly apiSecret: string | null;
}

/** Validates the settings of a new key. @throws ApiError INVALID_REQUEST, CLOCK_OFF */
export function readKeySettings(
  call: Call,
  body: z.output<z.ZodObject<Omit<typeof keyFields, keyof typeof proof>>>,
): KeySettings {
  return {
    addresses: checkAddresses(body.addresses ?? []),
    expiresAt: checkExpiry(body.expiresAt ?? 0, call.services.clock),
    permissions: toPermissions(body.permissions),
    publicKey: body.publicKey == null ? undefined : readPublicKey(body.publicKey),
  };
}

/** Creates a key of `owner` and notifies its users by mail. The secret, if it has one, is returned only this once. */
export async function createAccountKey(
  call: Call,
  owner: Account,
  label: string,
  { publicKey, ...terms }: KeySettings,
): Promise<NewKey> {
  const { store, mails } = call.services.users;
  if (publicKey !== undefined && call.exchange.state.version < 2) throw notUpgraded();
  const users = await store.listByAccount(owner.id);
  const { apiKey, apiSecret } = generateCredentials(randomBytes);
  const shared = { ...call.actor, owner: owner.index, apiKey, label, ...terms };
  const command: CreateKey | CreateSignedKey =
    publicKey === undefined
      ? { kind: CommandKind.createKey, ...shared, secretHash: hashSecret(apiSecret) }
      : { kind: CommandKind.createSignedKey, ...shared, publicKey };
  const outcome = await call.services.replica.execute(command);
  const { key } = expectOutcome(outcome, 'key', call.exchange.state);
  for (const { email } of users) mails.keyCreated(email);
  return { key, apiSecret: publicKey === undefined ? apiSecret : null };
}

/** Returns a key's public key as JSON, null if it has a secret. */
export function publicKeyText({ publicKey }: ApiKey): string {
  return publicKey === undefined ? 'null' : `"${publicKey.toBase64()}"`;
}

function notUpgraded(): ApiError {
  const message =
    'This exchange does not accept public keys yet: its operator must upgrade the engine first. Omit publicKey to get a secret.';
  return invalid('publicKey', 'engineVersion', message);
}
