import { z } from 'zod';
import { CommandKind, type ResolveDeposit } from '../../../engine/command.ts';
import type { DepositRecord, WithdrawalRecord } from '../../../engine/custody/custody-records.ts';
import {
  DepositStatus,
  REQUIRED_APPROVALS,
  Resolution,
  resolutions,
  WithdrawalStatus,
} from '../../../engine/custody/statuses.ts';
import { NONE } from '../../../engine/terms.ts';
import type { Call } from '../../http/request/call.ts';
import { invalid } from '../../http/request/query.ts';
import { ApiError } from '../../http/response/errors.ts';
import { checkBody, optional } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { fromZod, integer, record } from '../../openapi/json-schema.ts';
import { recordList, recordRef } from '../../openapi/record-schemas.ts';
import { findAccount } from '../admin/accounts.ts';
import { executeAsOperator, executeConfirmed } from '../admin/execute.ts';
import { expectOutcome } from '../admin/outcome.ts';
import { approvalReason, proof } from '../user/body-fields.ts';
import { depositText, withdrawalText } from './custody-records.ts';

/** Decisions of operators on deposits and withdrawals. */

/** GET /api/admin/deposits: `{deposits}` that wait for a decision, oldest first. */
export function listDepositsInReview(call: Call): string {
  call.query([]);
  const { state } = call.exchange;
  const waiting = [...state.parts.custody.store.openDeposits.values()].filter(isWaiting);
  return `{"deposits":[${waiting.map((each) => depositText(each, state)).join(',')}]}`;
}
listDepositsInReview.description = describe({
  operationId: 'listDepositsInReview',
  tag: 'Operator',
  summary: 'Deposits that wait for a decision',
  notes:
    'Those in `review` are to an address of no account; those `frozen` were reorganized after their credit.',
  data: record({ deposits: recordList('Deposit') }),
});

function isWaiting({ status }: DepositRecord): boolean {
  return status === DepositStatus.review || status === DepositStatus.frozen;
}

const decision = z.strictObject({
  resolution: z.enum(resolutions).meta({
    description:
      'For a deposit in `review`: `credit` or `dismiss`. For a `frozen` one: `debit` takes it back, `release` leaves it ' +
      'with the account.',
  }),
  account: optional(
    z.string(),
    'The account to credit, if the address belongs to none. Only with `credit`.',
  ),
  reason: approvalReason,
  ...proof,
});

/** POST /api/admin/deposits/:id/resolve: decides on a deposit. A caller with a session must confirm it. */
export async function resolveDeposit(call: Call): Promise<string> {
  const body = checkBody(decision, call.body());
  const { state } = call.exchange;
  if (body.resolution !== 'credit' && body.account != null) {
    throw invalid('account', 'creditOnly', 'account is only for the resolution credit.');
  }
  const command: ResolveDeposit = {
    kind: CommandKind.resolveDeposit,
    ...call.actor,
    deposit: readId(call, 'deposit'),
    resolution: Resolution[body.resolution],
    owner: body.account == null ? NONE : findAccount(body.account, state).index,
  };
  const outcome = await executeConfirmed(call, command, body);
  const { deposit } = expectOutcome(outcome, 'deposit', state);
  return `{"deposit":${depositText(deposit, state)}}`;
}
resolveDeposit.description = describe({
  operationId: 'resolveDeposit',
  tag: 'Operator',
  summary: 'Decide on a deposit',
  path: { id: 'depositId' },
  body: { schema: fromZod(decision), examples: { debit: { resolution: 'debit' } } },
  data: record({ deposit: recordRef('Deposit') }),
  errors: ['NOT_FOUND', 'INVALID_AMOUNT', 'INSUFFICIENT_BALANCE', 'DEPOSIT_NOT_IN_REVIEW'],
  mayNeedApproval: true,
});

/** GET /api/admin/withdrawals: `{withdrawals, requiredApprovals}`, those that wait for operators, oldest first. */
export function listWithdrawalsToApprove(call: Call): string {
  call.query([]);
  const { state } = call.exchange;
  const waiting = [...state.parts.custody.store.withdrawals.values()].filter(
    ({ status }) => status === WithdrawalStatus.awaitingApproval,
  );
  const texts = waiting.map((each) => withdrawalText(each, state));
  return `{"withdrawals":[${texts.join(',')}],"requiredApprovals":${REQUIRED_APPROVALS}}`;
}
listWithdrawalsToApprove.description = describe({
  operationId: 'listWithdrawalsToApprove',
  tag: 'Operator',
  summary: 'Withdrawals that wait for approval',
  data: record({
    withdrawals: recordList('Withdrawal'),
    requiredApprovals: integer('Number of operators who must approve each of them.', 2),
  }),
});

const confirmation = z.strictObject(proof);

/** POST /api/admin/withdrawals/:id/approve: one of two approvals. A caller with a session must confirm it. */
export async function approveWithdrawal(call: Call): Promise<string> {
  const body = checkBody(confirmation, call.body());
  const withdrawal = readId(call, 'withdrawal');
  const command = { kind: CommandKind.approveWithdrawal, ...call.actor, withdrawal } as const;
  return answer(call, await executeConfirmed(call, command, body));
}
approveWithdrawal.description = describe({
  operationId: 'approveWithdrawal',
  tag: 'Operator',
  summary: 'Approve a withdrawal',
  notes:
    'Two operators with different accounts must approve it, neither of them with the account of the withdrawal. The second ' +
    'approval sends it. With a session send `code` if two-factor authentication is on, else `password`.',
  path: { id: 'withdrawalId' },
  body: { schema: fromZod(confirmation), examples: { approve: {} } },
  data: record({ withdrawal: recordRef('Withdrawal') }),
  errors: [
    'NOT_FOUND',
    'APPROVAL_NOT_ALLOWED',
    'WITHDRAWAL_NOT_PENDING',
    'WITHDRAWALS_BLOCKED',
    'NETWORK_UNAVAILABLE',
    'ACCOUNT_FROZEN',
  ],
});

const rejection = z.strictObject({
  reason: z
    .string()
    .min(1, 'must not be empty')
    .max(200, 'must be at most 200 characters')
    .meta({ description: 'The reason, shown to the user.' }),
});

/** POST /api/admin/withdrawals/:id/reject: ends a withdrawal that was not approved yet. */
export async function rejectWithdrawal(call: Call): Promise<string> {
  const { reason } = checkBody(rejection, call.body());
  const withdrawal = readId(call, 'withdrawal');
  const command = {
    kind: CommandKind.rejectWithdrawal,
    ...call.actor,
    withdrawal,
    reason,
  } as const;
  return answer(call, await executeAsOperator(call, command));
}
rejectWithdrawal.description = describe({
  operationId: 'rejectWithdrawal',
  tag: 'Operator',
  summary: 'Reject a withdrawal',
  notes: 'Its hold is released. Only before its second approval.',
  path: { id: 'withdrawalId' },
  body: { schema: fromZod(rejection), examples: { risk: { reason: 'unusual activity' } } },
  data: record({ withdrawal: recordRef('Withdrawal') }),
  errors: ['NOT_FOUND', 'WITHDRAWAL_NOT_PENDING'],
});

function answer(call: Call, outcome: Parameters<typeof expectOutcome>[0]): string {
  const { state } = call.exchange;
  const result: { readonly withdrawal: WithdrawalRecord } = expectOutcome(
    outcome,
    'withdrawal',
    state,
  );
  return `{"withdrawal":${withdrawalText(result.withdrawal, state)}}`;
}

/** Returns the id in the path. @throws ApiError NOT_FOUND if it has another form */
export function readId(call: Call, what: string): number {
  const text = call.parameters.id!;
  if (/^[1-9]\d{0,15}$/.test(text)) return Number(text);
  throw new ApiError('NOT_FOUND', `No such ${what}.`, { field: 'id' });
}
