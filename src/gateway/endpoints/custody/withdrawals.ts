import { z } from 'zod';
import { CommandKind } from '../../../engine/command.ts';
import type { Network } from '../../../engine/custody/networks.ts';
import type { Call } from '../../http/request/call.ts';
import { ApiError } from '../../http/response/errors.ts';
import { checkBody, decimal, optional, toUnits } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { boolean, fromZod, record } from '../../openapi/json-schema.ts';
import { recordRef } from '../../openapi/record-schemas.ts';
import { expectOutcome } from '../admin/outcome.ts';
import { proof } from '../user/body-fields.ts';
import { readBrowser, signedIn } from '../user/browser.ts';
import { confirm } from '../user/confirmation.ts';
import { withdrawalText } from './custody-records.ts';
import { readId } from './reviews.ts';

const withdrawal = z.strictObject({
  addressId: z
    .string()
    .regex(/^[1-9]\d{0,15}$/, 'must be the id of an address')
    .meta({ description: 'The `id` of an address of the address book.' }),
  amount: decimal.meta({ description: 'The amount that arrives; the fee is paid in addition.' }),
  clientId: optional(
    z.string().regex(/^[A-Za-z0-9_.:-]{1,64}$/, 'must be 1 to 64 of A-Z a-z 0-9 _ . : -'),
    'Your id of the withdrawal: repeating the request returns the first one.',
  ),
  ...proof,
});

/** POST /api/withdrawals: holds the amount and the fee, and sends the withdrawal unless it must wait. */
export async function requestWithdrawal(call: Call): Promise<string> {
  const body = checkBody(withdrawal, call.body());
  const { state } = call.exchange;
  const { store } = state.parts.custody;
  const addressId = Number(body.addressId);
  const entry = store.book.get(addressId);
  const clientId = body.clientId ?? null;
  const known = clientId === null ? undefined : store.findWithdrawal(call.account.index, clientId);
  const place = entry?.account === call.account.index ? entry.network : known?.network;
  if (place === undefined) {
    throw new ApiError('NOT_FOUND', 'No such address in the address book.', { field: 'addressId' });
  }
  const network = store.networks.get(place)!;
  const amount = toUnits(body.amount, state.assets[network.asset]!.decimals, 'amount');
  await confirm(call, body);
  const outcome = await call.services.replica.execute({
    kind: CommandKind.requestWithdrawal,
    ...call.actor,
    ...{ addressId, amount, clientId },
    isNewDevice: await isNewDevice(call, network),
  });
  const result = expectOutcome(outcome, 'withdrawal', state);
  if (result.changed) call.services.notifications.custody.withdrawalRequested(result.withdrawal);
  return `{"withdrawal":${withdrawalText(result.withdrawal, state)},"created":${result.changed}}`;
}
requestWithdrawal.description = describe({
  operationId: 'requestWithdrawal',
  tag: 'Account',
  summary: 'Withdraw to an address of the address book',
  notes:
    'The amount and the fee are held until the withdrawal ends. With a session send `code` if two-factor authentication is ' +
    'on, else `password`; an API key needs the permission `withdraw`. A `clientId` is remembered for at least 24 hours ' +
    'after the withdrawal has ended.',
  body: {
    schema: fromZod(withdrawal),
    examples: { small: { addressId: '12', amount: 0.2, clientId: 'w-1' } },
  },
  data: record({
    withdrawal: recordRef('Withdrawal'),
    created: boolean('False if the `clientId` was known.', true),
  }),
  errors: [
    ...(['NOT_FOUND', 'INVALID_AMOUNT', 'INSUFFICIENT_BALANCE', 'ACCOUNT_FROZEN'] as const),
    ...(['NETWORK_UNAVAILABLE', 'ADDRESS_COOLING', 'WITHDRAWAL_LIMIT'] as const),
    ...(['WITHDRAWALS_BLOCKED', 'DUPLICATE_WITHDRAWAL'] as const),
  ],
});

/** Returns whether the browser or the key is new to the user, for as long as the network delays withdrawals for it. */
async function isNewDevice(call: Call, { newDeviceDelayMs }: Network): Promise<boolean> {
  if (newDeviceDelayMs === 0) return false;
  if (call.key !== undefined) return call.services.now() < call.key.createdAt + newDeviceDelayMs;
  const { user } = await signedIn(call);
  const { device } = readBrowser(call);
  return call.services.users.signIn.isNewDevice(user, device, newDeviceDelayMs);
}

/** DELETE /api/withdrawals/:id: cancels a withdrawal that was not approved yet. */
export async function cancelWithdrawal(call: Call): Promise<string> {
  call.query([]);
  const { state } = call.exchange;
  const outcome = await call.services.replica.execute({
    kind: CommandKind.cancelWithdrawal,
    ...call.actor,
    withdrawal: readId(call, 'withdrawal'),
  });
  const result = expectOutcome(outcome, 'withdrawal', state);
  return `{"withdrawal":${withdrawalText(result.withdrawal, state)}}`;
}
cancelWithdrawal.description = describe({
  operationId: 'cancelWithdrawal',
  tag: 'Account',
  summary: 'Cancel a withdrawal',
  notes: 'Possible until it is approved. What was held is released.',
  path: { id: 'withdrawalId' },
  data: record({ withdrawal: recordRef('Withdrawal') }),
  errors: ['NOT_FOUND', 'WITHDRAWAL_NOT_PENDING'],
});
