import { z } from 'zod';
import { CommandKind } from '../../../engine/command.ts';
import type { Account } from '../../../engine/ledger/accounts.ts';
import type { Call } from '../../http/request/call.ts';
import { checkBody, optional } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { boolean, fromZod, nullableReference, record } from '../../openapi/json-schema.ts';
import { recordList, recordRef } from '../../openapi/record-schemas.ts';
import { readAccount } from '../admin/accounts.ts';
import { expectOutcome } from '../admin/outcome.ts';
import { proof } from '../user/body-fields.ts';
import { confirm } from '../user/confirmation.ts';
import { addressLabel, forgetRemoved, readLabels, setLabel } from './address-labels.ts';
import { depositAddressText, findNetwork, withdrawalAddressText } from './custody-records.ts';
import { readId } from './reviews.ts';

/** Deposit addresses and the address book of an account. */

const place = {
  asset: z.string().meta({ description: 'An asset with networks.' }),
  network: z.string().meta({ description: 'A network of the asset, from GET /api/networks.' }),
};

/** GET /api/deposit-addresses: `{addresses}` of the account. */
export function listDepositAddresses(call: Call): string {
  call.query([]);
  const { state } = call.exchange;
  const { store } = state.parts.custody;
  const texts: string[] = [];
  for (const { id } of store.networks.values()) {
    const address = store.addressFor(call.account.index, id);
    if (address !== undefined) texts.push(depositAddressText(address, state));
  }
  return `{"addresses":[${texts.join(',')}]}`;
}
listDepositAddresses.description = describe({
  operationId: 'listDepositAddresses',
  tag: 'Account',
  summary: 'Deposit addresses of the account',
  data: record({ addresses: recordList('DepositAddress') }),
});

const request = z.strictObject(place);

/** POST /api/deposit-addresses: asks for the deposit address of a network. */
export async function requestDepositAddress(call: Call): Promise<string> {
  const body = checkBody(request, call.body());
  const { state } = call.exchange;
  const outcome = await call.services.replica.execute({
    kind: CommandKind.requestAddress,
    ...call.actor,
    network: findNetwork(state, body.asset, body.network).id,
  });
  const { address } = expectOutcome(outcome, 'depositAddress', state);
  return `{"address":${address === null ? 'null' : depositAddressText(address, state)}}`;
}
requestDepositAddress.description = describe({
  operationId: 'requestDepositAddress',
  tag: 'Account',
  summary: 'Ask for a deposit address',
  notes:
    'The custodian is asked for an address unless the account has one: `address` is null until it has answered. Repeat the ' +
    'request, or read GET /api/deposit-addresses.',
  body: {
    schema: fromZod(request),
    examples: { bitcoin: { asset: 'BTC', network: 'bitcoin' } },
  },
  data: record({
    address: nullableReference('DepositAddress', 'The address; null while the custodian is asked.'),
  }),
  errors: ['NOT_FOUND', 'NETWORK_UNAVAILABLE'],
});

/** GET /api/withdrawal-addresses: `{addresses}` of the address book. */
export async function listWithdrawalAddresses(call: Call): Promise<string> {
  call.query([]);
  return addressBookText(call, call.account);
}

async function addressBookText(call: Call, account: Account): Promise<string> {
  const { state } = call.exchange;
  const labels = await readLabels(call, account);
  const entries = state.parts.custody.store.bookEntries(account.index);
  const texts = entries.map((each) => withdrawalAddressText(each, state, labels(each)));
  return `{"addresses":[${texts.join(',')}]}`;
}
listWithdrawalAddresses.description = describe({
  operationId: 'listWithdrawalAddresses',
  tag: 'Account',
  summary: 'Address book: the addresses to which the account may withdraw',
  data: record({ addresses: recordList('WithdrawalAddress') }),
});

/** GET /api/admin/accounts/:id/withdrawal-addresses: `{addresses}` of an account. */
export async function listAccountWithdrawalAddresses(call: Call): Promise<string> {
  call.query([]);
  return addressBookText(call, readAccount(call));
}
listAccountWithdrawalAddresses.description = describe({
  operationId: 'listAccountWithdrawalAddresses',
  tag: 'Operator',
  summary: 'The address book of an account',
  notes: 'As `GET /api/withdrawal-addresses` of the account.',
  path: { id: 'accountId' },
  data: record({ addresses: recordList('WithdrawalAddress') }),
  errors: ['NOT_FOUND'],
});

const newAddress = z.strictObject({
  ...place,
  address: z.string().max(128, 'must be at most 128 characters').meta({
    description: 'Address on the network.',
  }),
  memo: optional(
    z.string().max(100, 'must be at most 100 characters'),
    'Memo or tag; see the memo rule of the network.',
  ),
  label: optional(addressLabel, 'A name for the address. Also names a known address.'),
  ...proof,
});

/** POST /api/withdrawal-addresses: adds an address to the address book. */
export async function addWithdrawalAddress(call: Call): Promise<string> {
  const body = checkBody(newAddress, call.body());
  const { state } = call.exchange;
  const network = findNetwork(state, body.asset, body.network).id;
  await confirm(call, body);
  const outcome = await call.services.replica.execute({
    kind: CommandKind.addWithdrawalAddress,
    ...call.actor,
    network,
    address: body.address,
    memo: body.memo ?? '',
  });
  const { entry, created } = expectOutcome(outcome, 'withdrawalAddress', state);
  if (created) call.services.notifications.custody.addressAdded(entry);
  if (body.label) await setLabel(call, entry, body.label);
  const label = body.label || (await readLabels(call, call.account))(entry);
  return `{"address":${withdrawalAddressText(entry, state, label)},"created":${created}}`;
}
addWithdrawalAddress.description = describe({
  operationId: 'addWithdrawalAddress',
  tag: 'Account',
  summary: 'Add an address to the address book',
  notes:
    "Withdrawals to it are possible from `usableAt` on, after the network's cooling period. A known address is returned as it is. " +
    'The users of the account are notified of a new one.',
  body: {
    schema: fromZod(newAddress),
    examples: {
      cold: {
        ...{ asset: 'BTC', network: 'bitcoin' },
        address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
        label: 'Cold wallet',
      },
    },
  },
  data: record({
    address: recordRef('WithdrawalAddress'),
    created: boolean('False if the address was known.', true),
  }),
  errors: ['NOT_FOUND', 'INVALID_ADDRESS', 'ACCOUNT_FROZEN'],
});

/** DELETE /api/withdrawal-addresses/:id: removes an address from the address book. */
export async function removeWithdrawalAddress(call: Call): Promise<string> {
  call.query([]);
  const { state } = call.exchange;
  const outcome = await call.services.replica.execute({
    kind: CommandKind.removeWithdrawalAddress,
    ...call.actor,
    addressId: readId(call, 'address'),
  });
  const { entry } = expectOutcome(outcome, 'withdrawalAddress', state);
  const label = (await readLabels(call, call.account))(entry);
  await forgetRemoved(call);
  return `{"address":${withdrawalAddressText(entry, state, label)}}`;
}
removeWithdrawalAddress.description = describe({
  operationId: 'removeWithdrawalAddress',
  tag: 'Account',
  summary: 'Remove an address from the address book',
  path: { id: 'addressId' },
  data: record({ address: recordRef('WithdrawalAddress') }),
  errors: ['NOT_FOUND'],
});
