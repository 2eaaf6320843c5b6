import { z } from 'zod';
import type { WithdrawalAddress } from '../../../engine/custody/custody-records.ts';
import type { Account } from '../../../engine/ledger/accounts.ts';
import type { State } from '../../../engine/state.ts';
import type { BookAddress } from '../../../users/users.ts';
import type { Call } from '../../http/request/call.ts';
import { ApiError } from '../../http/response/errors.ts';
import { checkBody, label } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { fromZod, record } from '../../openapi/json-schema.ts';
import { recordRef } from '../../openapi/record-schemas.ts';
import { signedIn } from '../user/browser.ts';
import { readActor } from '../user/confirmation.ts';
import { readNetwork, withdrawalAddressText } from './custody-records.ts';
import { readId } from './reviews.ts';

/** The names of the addresses to which an account withdraws, which are not in the log. */

/** A name, without spaces around it; blank for none. */
export const addressLabel = label.transform((text) => text.trim());

/** Returns a function that gives the name of an entry; '' without one, or while the database does not respond. */
export async function readLabels(
  call: Call,
  account: Account,
): Promise<(entry: WithdrawalAddress) => string> {
  const { state } = call.exchange;
  const rows = await call.services.users.addressLabels.list(account.id);
  const labels = new Map(rows.map((row) => [bookKey(row), row.label]));
  return (entry) => labels.get(bookKey(toBookAddress(entry, state))) ?? '';
}

/** Names an entry of the caller's address book. @param label '' removes the name @throws DatabaseDownError */
export async function setLabel(call: Call, entry: WithdrawalAddress, text: string): Promise<void> {
  const { services, account, exchange } = call;
  const named = { id: entry.id, ...toBookAddress(entry, exchange.state) };
  const user = call.session === undefined ? undefined : (await signedIn(call)).user;
  await services.users.addressLabels.set(account.id, named, text, user, await readActor(call));
}

/** Deletes the names of all entries that were removed. */
export async function forgetRemoved(call: Call): Promise<void> {
  const { services, account, exchange } = call;
  const { addressLabels } = services.users;
  const named = await addressLabels.list(account.id);
  // Read last: an address may have been added and named in the meantime.
  const entries = exchange.state.parts.custody.store.bookEntries(account.index);
  const kept = new Set(entries.map((each) => bookKey(toBookAddress(each, exchange.state))));
  const removed = named.filter((row) => !kept.has(bookKey(row)));
  await addressLabels.remove(account.id, removed);
}

const rename = z.strictObject({
  label: addressLabel.meta({ description: 'The new name; blank to remove it.' }),
});

/** PATCH /api/withdrawal-addresses/:id: names an address of the address book. */
export async function renameWithdrawalAddress(call: Call): Promise<string> {
  const body = checkBody(rename, call.body());
  const { state } = call.exchange;
  const entry = state.parts.custody.store.book.get(readId(call, 'address'));
  if (entry?.account !== call.account.index) {
    throw new ApiError('NOT_FOUND', 'No such address in the address book.', { field: 'id' });
  }
  await setLabel(call, entry, body.label);
  return `{"address":${withdrawalAddressText(entry, state, body.label)}}`;
}
renameWithdrawalAddress.description = describe({
  operationId: 'renameWithdrawalAddress',
  tag: 'Account',
  summary: 'Name an address of the address book',
  notes:
    'The name is for the users of the account, who see it with the address. It changes nothing about withdrawals to the address, and is ' +
    'deleted with it.',
  path: { id: 'addressId' },
  body: { schema: fromZod(rename), examples: { cold: { label: 'Cold wallet' } } },
  data: record({ address: recordRef('WithdrawalAddress') }),
  errors: ['NOT_FOUND', 'OVERLOADED'],
});

function toBookAddress({ network, address, memo }: WithdrawalAddress, state: State): BookAddress {
  const { asset, name } = readNetwork(network, state);
  return { asset: state.assets[asset]!.asset, network: name, address, memo };
}

function bookKey({ asset, network, address, memo }: BookAddress): string {
  return JSON.stringify([asset, network, address, memo]);
}
