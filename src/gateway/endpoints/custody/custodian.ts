import { z } from 'zod';
import { CommandKind, SYSTEM_ACTOR } from '../../../engine/command.ts';
import { WithdrawalStatus } from '../../../engine/custody/statuses.ts';
import { executeDeposit } from '../../../replica/deposits.ts';
import type { Call } from '../../http/request/call.ts';
import { invalid } from '../../http/request/query.ts';
import { checkBody, decimal, integer, optional, toUnits } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { boolean, fromZod, record } from '../../openapi/json-schema.ts';
import { recordRef } from '../../openapi/record-schemas.ts';
import { findAccount } from '../admin/accounts.ts';
import { expectOutcome } from '../admin/outcome.ts';
import {
  depositAddressText,
  depositText,
  findNetwork,
  holdingText,
  withdrawalText,
} from './custody-records.ts';

/** The reports of the custodian: signed requests, which are idempotent by the numbers of their reports. */

const MAX_COUNT = 1_000_000_000;
/** The longest memo: the sender of a coin chooses it. */
const MAX_MEMO_LENGTH = 128;
const asset = z.string().meta({ description: 'An asset with networks.' });
const network = z.string().meta({ description: 'A network of the asset.' });
const address = z.string().meta({ description: 'Address on the network.' });
const memo = optional(
  z.string().max(MAX_MEMO_LENGTH, `must be at most ${MAX_MEMO_LENGTH} characters`),
  'Memo or tag that belongs to the address. Cut a longer one.',
);
const report = integer(1, Number.MAX_SAFE_INTEGER).meta({
  description: 'Number of the report, increasing for each payment. An older one changes nothing.',
});

const deposit = z.strictObject({
  asset,
  network,
  transaction: z.string().meta({ description: 'Transaction id.' }),
  index: integer(0, 2 ** 32 - 1).meta({ description: 'Place of the payment in the transaction.' }),
  address,
  memo,
  amount: decimal.meta({ description: 'Amount of the payment.' }),
  confirmations: integer(0, MAX_COUNT).meta({ description: 'Confirmations so far.' }),
  report,
  reorganized: optional(z.boolean(), 'The transaction is no longer in the chain. Default: false.'),
});

/** POST /api/custody/deposits: reports a payment to an address. */
export async function reportDeposit(call: Call): Promise<string> {
  const body = checkBody(deposit, call.body());
  const { state } = call.exchange;
  const { id, asset: index } = findNetwork(state, body.asset, body.network);
  const outcome = await executeDeposit(call.services, {
    kind: CommandKind.reportDeposit,
    ...SYSTEM_ACTOR,
    keyNumber: call.custodianKey,
    network: id,
    transaction: body.transaction,
    index: body.index,
    address: body.address,
    memo: body.memo ?? '',
    amount: toUnits(body.amount, state.assets[index]!.decimals, 'amount'),
    confirmations: body.confirmations,
    report: body.report,
    reorganized: body.reorganized ?? false,
  });
  const { deposit: found, changed } = expectOutcome(outcome, 'deposit', state);
  return `{"deposit":${depositText(found, state)},"changed":${changed}}`;
}
reportDeposit.description = describe({
  operationId: 'reportDeposit',
  tag: 'Custodian',
  summary: 'Report an incoming payment',
  notes:
    'A payment is identified by network, transaction and index. Repeat a report until it is accepted: one whose number is ' +
    'not above the last one changes nothing, and `changed` is false.',
  body: {
    schema: fromZod(deposit),
    examples: {
      confirmed: {
        ...{ asset: 'BTC', network: 'bitcoin', transaction: '4a5e1e4baab89f3a', index: 0 },
        ...{ address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', amount: 0.5 },
        ...{ confirmations: 3, report: 2 },
      },
    },
  },
  data: record({
    deposit: recordRef('Deposit'),
    changed: boolean('False if the report changed nothing.', true),
  }),
  errors: ['NOT_FOUND', 'INVALID_AMOUNT', 'INVALID_ADDRESS', 'DEPOSIT_CONFLICT'],
});

const assignment = z.strictObject({
  asset,
  network,
  account: z.string().meta({ description: 'Id of the account.' }),
  address,
  memo,
});

/** POST /api/custody/addresses: gives an account its deposit address. */
export async function assignAddress(call: Call): Promise<string> {
  const body = checkBody(assignment, call.body());
  const { state } = call.exchange;
  const outcome = await call.services.replica.execute({
    kind: CommandKind.assignAddress,
    ...SYSTEM_ACTOR,
    keyNumber: call.custodianKey,
    owner: findAccount(body.account, state).index,
    network: findNetwork(state, body.asset, body.network).id,
    address: body.address,
    memo: body.memo ?? '',
  });
  const found = expectOutcome(outcome, 'depositAddress', state).address!;
  return `{"address":${depositAddressText(found, state)}}`;
}
assignAddress.description = describe({
  operationId: 'assignDepositAddress',
  tag: 'Custodian',
  summary: 'Give an account its deposit address',
  notes:
    'An account has one address per network, which never changes. Repeating the request returns it.',
  body: {
    schema: fromZod(assignment),
    examples: {
      address: {
        ...{ asset: 'BTC', network: 'bitcoin', account: 'alice' },
        address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
      },
    },
  },
  data: record({ address: recordRef('DepositAddress') }),
  errors: ['NOT_FOUND', 'INVALID_ADDRESS'],
});

const REACHED = {
  broadcast: WithdrawalStatus.broadcast,
  confirmed: WithdrawalStatus.confirmed,
  failed: WithdrawalStatus.failed,
} as const;

const progress = z.strictObject({
  withdrawal: integer(1, Number.MAX_SAFE_INTEGER).meta({ description: 'Withdrawal id.' }),
  status: z.enum(['broadcast', 'confirmed', 'failed']).meta({ description: 'Its new status.' }),
  transaction: optional(
    z.string().max(128, 'must be at most 128 characters'),
    'Transaction id; required unless it failed.',
  ),
  reason: optional(
    z.string().max(200, 'must be at most 200 characters'),
    'The reason why it failed, shown to the user.',
  ),
  report,
});

/** POST /api/custody/withdrawals: reports the progress of a withdrawal. */
export async function reportWithdrawal(call: Call): Promise<string> {
  const body = checkBody(progress, call.body());
  const { state } = call.exchange;
  if (body.status !== 'failed' && !body.transaction) {
    throw invalid('transaction', 'required', 'transaction is required unless status is failed.');
  }
  const outcome = await call.services.replica.execute({
    kind: CommandKind.reportWithdrawal,
    ...SYSTEM_ACTOR,
    keyNumber: call.custodianKey,
    withdrawal: body.withdrawal,
    reached: REACHED[body.status],
    transaction: body.transaction ?? '',
    reason: body.reason ?? '',
    report: body.report,
  });
  const { withdrawal, changed } = expectOutcome(outcome, 'withdrawal', state);
  return `{"withdrawal":${withdrawalText(withdrawal, state)},"changed":${changed}}`;
}
reportWithdrawal.description = describe({
  operationId: 'reportWithdrawal',
  tag: 'Custodian',
  summary: 'Report the progress of a withdrawal',
  notes:
    'Repeat a report until it is accepted. `failed` means that the payment will never be confirmed: its hold is released.',
  body: {
    schema: fromZod(progress),
    examples: {
      broadcast: { withdrawal: 9, status: 'broadcast', transaction: '9b0fc92260312ce4', report: 1 },
    },
  },
  data: record({
    withdrawal: recordRef('Withdrawal'),
    changed: boolean('False if the report changed nothing.', true),
  }),
  errors: ['NOT_FOUND', 'INVALID_ADDRESS', 'WITHDRAWAL_NOT_PENDING'],
});

const holdings = z.strictObject({
  asset,
  network,
  amount: decimal.meta({
    description: 'All coins that the custodian holds for the exchange on the network.',
  }),
  report: integer(1, Number.MAX_SAFE_INTEGER).meta({
    description:
      'Number of the report, increasing for each network, such as the time of the count in milliseconds. An older one changes ' +
      'nothing. Each key of the custodian starts its numbers again.',
  }),
});

/** POST /api/custody/holdings: reports the coins that the custodian holds on a network. */
export async function reportHoldings(call: Call): Promise<string> {
  const body = checkBody(holdings, call.body());
  const { state } = call.exchange;
  const { id, asset: index } = findNetwork(state, body.asset, body.network);
  const outcome = await call.services.replica.execute({
    kind: CommandKind.reportHoldings,
    ...SYSTEM_ACTOR,
    keyNumber: call.custodianKey,
    network: id,
    amount: toUnits(body.amount, state.assets[index]!.decimals, 'amount'),
    report: body.report,
  });
  const { holding, changed } = expectOutcome(outcome, 'holding', state);
  return `{"holding":${holdingText(holding, state)},"changed":${changed}}`;
}
reportHoldings.description = describe({
  operationId: 'reportHoldings',
  tag: 'Custodian',
  summary: 'Report the coins on a network',
  notes:
    'GET /api/admin/state compares them with what the exchange owes. Report each network at least every hour: operators see ' +
    'the age of the oldest report.',
  body: {
    schema: fromZod(holdings),
    examples: {
      bitcoin: { asset: 'BTC', network: 'bitcoin', amount: 1520.5, report: 1767225600000 },
    },
  },
  data: record({
    holding: recordRef('Holding'),
    changed: boolean('False if the report changed nothing.', true),
  }),
  errors: ['NOT_FOUND', 'INVALID_AMOUNT'],
});
