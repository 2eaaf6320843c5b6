import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { CommandKind } from '../../engine/command.ts';
import type { Account, ApiKey } from '../../engine/ledger/accounts.ts';
import { generateCredentials, hashSecret } from '../auth/credentials.ts';
import { checkAddresses, checkExpiry } from '../auth/key-terms.ts';
import { permissionList, toPermissions } from '../auth/permissions.ts';
import type { Call } from '../http/request/call.ts';
import { time } from '../openapi/body-schema.ts';
import { expectOutcome } from './admin/outcome.ts';
import { proof } from './user/body-fields.ts';

/** Fields of a body that creates a key, without its label. */
export const keyFields = {
  permissions: permissionList,
  addresses: z.array(z.string()).max(20, 'must be at most 20').nullish(),
  expiresAt: time.nullish(),
  ...proof,
};

/** Validated settings of a new key. */
export interface KeySettings {
  readonly addresses: readonly string[];
  /** Milliseconds since 1970, 0 for never. */
  readonly expiresAt: number;
  /** Sum of Permission values. */
  readonly permissions: number;
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
  };
}

/** Creates a key of `owner` and notifies its users by mail. The secret is returned only this once. */
export async function createAccountKey(
  call: Call,
  owner: Account,
  label: string,
  settings: KeySettings,
): Promise<{ key: ApiKey; apiSecret: string }> {
  const { store, mails } = call.services.users;
  const users = await store.listByAccount(owner.id);
  const { apiKey, apiSecret } = generateCredentials(randomBytes);
  const outcome = await call.services.replica.execute({
    kind: CommandKind.createKey,
    ...call.actor,
    owner: owner.index,
    apiKey,
    secretHash: hashSecret(apiSecret),
    label,
    ...settings,
  });
  const { key } = expectOutcome(outcome, 'key', call.exchange.state);
  for (const { email } of users) mails.keyCreated(email);
  return { key, apiSecret };
}
