import { type ChangeKey, CommandKind } from '../../engine/command.ts';
import type { Outcome } from '../../engine/event.ts';
import type { ApiKey } from '../../engine/ledger/accounts.ts';
import { checkAddresses } from '../auth/key-terms.ts';
import type { Call } from '../http/request/call.ts';
import { invalid } from '../http/request/query.ts';
import { optional } from '../openapi/body-schema.ts';
import { any, present, toKeywords } from '../openapi/conditions.ts';
import { expectOutcome } from './admin/outcome.ts';
import { addressList } from './create-key.ts';
import { proof } from './user/body-fields.ts';

/** Fields of a body that changes a key, without its label. */
export const keyChangeFields = {
  addresses: optional(
    addressList,
    'The only IP addresses and networks (CIDR) that may use the key from now on; empty for any. A key that may withdraw ' +
      'can only lose addresses. Default: unchanged.',
  ),
  ...proof,
};

export const LABEL_CHANGE = 'A new name by which you recognize the key. Default: unchanged.';

/** A body changes the label, the addresses or both; for the OpenAPI document. */
export const KEY_CHANGE_CONDITION = toKeywords(any(present('label'), present('addresses')));

/** Returns the command that changes a key. @throws ApiError INVALID_REQUEST */
export function toKeyChange(
  call: Call,
  { apiKey, permissions }: ApiKey,
  {
    label = null,
    addresses = null,
  }: {
    readonly label?: string | null | undefined;
    readonly addresses?: readonly string[] | null | undefined;
  },
): ChangeKey {
  if (label === null && addresses === null) {
    throw invalid('label', 'oneOf', 'Send label, addresses or both.');
  }
  return {
    kind: CommandKind.changeKey,
    ...call.actor,
    ...{ apiKey, label },
    addresses: addresses === null ? null : checkAddresses(addresses, permissions),
  };
}

/** Changes a key and notifies its users by mail. @param execute Sends the command; by default to the replica */
export async function changeAccountKey(
  call: Call,
  key: ApiKey,
  command: ChangeKey,
  execute = (each: ChangeKey): Promise<Outcome> => call.services.replica.execute(each),
): Promise<ApiKey> {
  const notify = await prepareKeyMail(call, key);
  const outcome = expectOutcome(await execute(command), 'key', call.exchange.state);
  notify();
  return outcome.key;
}

/**
 * Reads the users of a key, for the mail about its change: before the change, so that an unreachable database leaves the
 * key as it is. @returns a function that sends the mails
 */
export async function prepareKeyMail(call: Call, key: ApiKey): Promise<() => void> {
  const { store, mails } = call.services.users;
  // Users belong to main accounts.
  const users = await store.listByAccount(key.account.owner.id);
  return () => {
    for (const user of users) mails.keyChanged(user, key);
  };
}
