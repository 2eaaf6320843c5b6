import { z } from 'zod';
import { type ChangeKey, CommandKind } from '../../engine/command.ts';
import type { Outcome } from '../../engine/event.ts';
import type { ApiKey } from '../../engine/ledger/accounts.ts';
import { checkAddresses } from '../auth/key-terms.ts';
import type { Call } from '../http/request/call.ts';
import { invalid } from '../http/request/query.ts';
import { optional } from '../openapi/body-schema.ts';
import { any, present, toKeywords } from '../openapi/conditions.ts';
import { expectOutcome } from './admin/outcome.ts';
import { proof } from './user/body-fields.ts';

/** Fields of a body that changes a key, without its label. */
export const keyChangeFields = {
  addresses: optional(
    z.array(z.string()).max(20, 'must be at most 20'),
    'The only IP addresses and networks (CIDR) that may use the key from now on; empty for any. Default: unchanged.',
  ),
  ...proof,
};

export const LABEL_CHANGE = 'A new name by which you recognize the key. Default: unchanged.';

/** A body changes the label, the addresses or both; for the OpenAPI document. */
export const KEY_CHANGE_CONDITION = toKeywords(any(present('label'), present('addresses')));

/** Returns the command that changes a key, with the terms that stay. @throws ApiError INVALID_REQUEST */
export function toKeyChange(
  call: Call,
  key: ApiKey,
  {
    label,
    addresses,
  }: {
    readonly label?: string | null | undefined;
    readonly addresses?: readonly string[] | null | undefined;
  },
): ChangeKey {
  if (label == null && addresses == null) {
    throw invalid('label', 'oneOf', 'Send label, addresses or both.');
  }
  return {
    kind: CommandKind.changeKey,
    ...call.actor,
    apiKey: key.apiKey,
    label: label ?? key.label,
    addresses: addresses == null ? key.addresses : checkAddresses(addresses, key.permissions),
  };
}

/** Changes a key and notifies the users of its account by mail. @param execute Sends the command; by default to the replica */
export async function changeAccountKey(
  call: Call,
  { account }: ApiKey,
  command: ChangeKey,
  execute = (each: ChangeKey): Promise<Outcome> => call.services.replica.execute(each),
): Promise<ApiKey> {
  const { store, mails } = call.services.users;
  // Before the change, so that an unreachable database leaves the key as it is.
  const users = await store.listByAccount(account.id);
  const { key } = expectOutcome(await execute(command), 'key', call.exchange.state);
  for (const user of users) mails.keyChanged(user, key);
  return key;
}

/** Notifies the users of a key that an approval has changed. */
export async function notifyKeyChange(call: Call, apiKey: string): Promise<void> {
  const { store, mails } = call.services.users;
  const key = call.exchange.state.keysByApiKey.get(apiKey)!;
  for (const user of await store.listByAccount(key.account.id)) mails.keyChanged(user, key);
}
