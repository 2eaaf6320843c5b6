import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { CommandKind } from '../../engine/command.ts';
import type { Account, ApiKey } from '../../engine/ledger/accounts.ts';
import { generateCredentials, hashSecret } from '../auth/credentials.ts';
import { checkAddresses, checkExpiry } from '../auth/key-terms.ts';
import { permissionList, permissionsOf } from '../auth/permissions.ts';
import type { Call } from '../http/call.ts';
import { time } from '../openapi/body-schema.ts';
import { done } from './admin/outcome.ts';
import { proof } from './user/body-fields.ts';

/** What a body says of a new key beside its label, whoever makes it. */
export const keyTerms = {
  permissions: permissionList,
  addresses: z.array(z.string()).max(20, 'must be at most 20').nullish(),
  expiresAt: time.nullish(),
  ...proof,
};

/** The same, checked. */
export interface KeyTerms {
  readonly addresses: readonly string[];
  /** 0 for never. */
  readonly expiresAt: number;
  /** Sum of Permission values. */
  readonly permissions: number;
}

/** @throws ApiError INVALID_REQUEST */
export function keyTermsOf(
  call: Call,
  body: z.output<z.ZodObject<Omit<typeof keyTerms, keyof typeof proof>>>,
): KeyTerms {
  return {
    addresses: checkAddresses(body.addresses ?? []),
    expiresAt: checkExpiry(body.expiresAt ?? 0, call.services.clock),
    permissions: permissionsOf(body.permissions),
  };
}

/** Makes a key of `owner` and mails its people so; the secret is told here and never again. */
export async function makeKey(
  call: Call,
  owner: Account,
  label: string,
  terms: KeyTerms,
): Promise<{ key: ApiKey; apiSecret: string }> {
  const { store, mails } = call.services.accounts;
  const holders = await store.ofAccount(owner.id);
  const { apiKey, apiSecret } = generateCredentials(randomBytes);
  const outcome = await call.services.replica.execute({
    kind: CommandKind.createKey,
    ...call.actor,
    owner: owner.index,
    apiKey,
    secretHash: hashSecret(apiSecret),
    label,
    ...terms,
  });
  const { key } = done(outcome, 'key', call.exchange.state);
  for (const { email } of holders) mails.keyMade(email);
  return { key, apiSecret };
}
