import { z } from 'zod';
import { CommandKind, type Transfer } from '../../../engine/command.ts';
import { formatUnits } from '../../../engine/numbers/units.ts';
import { executeTransfer } from '../../../replica/transfers.ts';
import type { Call } from '../../http/request/call.ts';
import { ApiError, quoteSender } from '../../http/response/errors.ts';
import { checkBody, decimal, toUnits } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { boolean, fromZod, number, record } from '../../openapi/json-schema.ts';
import { recordRef } from '../../openapi/record-schemas.ts';
import { timeText } from '../records.ts';
import { proof } from '../user/body-fields.ts';
import { findAccount } from './accounts.ts';
import { executeConfirmed } from './execute.ts';
import { expectOutcome } from './outcome.ts';

const transfer = z.strictObject({
  account: z.string(),
  asset: z.string(),
  /** Positive credits the account, negative debits it. */
  amount: decimal,
  reference: z.string().regex(/^[A-Za-z0-9_.:-]{1,64}$/, 'must be 1 to 64 of A-Z a-z 0-9 _ . : -'),
  reason: z.string().min(1, 'must not be empty').max(200, 'must be at most 200 characters'),
  ...proof,
});

/**
 * POST /api/admin/transfers: credits or debits an account against `external`. A repeated reference returns
 * the first transfer and moves nothing. A caller with a session must confirm it.
 */
export async function createTransfer(call: Call): Promise<string> {
  const body = checkBody(transfer, call.body());
  const { state } = call.exchange;
  const account = findAccount(body.account, state);
  const asset = state.assetsByName.get(body.asset);
  if (asset === undefined) {
    throw new ApiError('NOT_FOUND', `Unknown asset ${quoteSender(body.asset)}.`, {
      field: 'asset',
    });
  }
  const amount = toUnits(body.amount, asset.decimals, 'amount');
  if (amount === 0) {
    throw new ApiError('INVALID_AMOUNT', 'amount must not be zero.', {
      field: 'amount',
      rule: 'notZero',
    });
  }
  const command: Transfer = {
    kind: CommandKind.transfer,
    ...call.actor,
    owner: account.index,
    asset: asset.index,
    amount,
    reference: body.reference,
    reason: body.reason,
  };
  const outcome = await executeConfirmed(call, command, body, (each) =>
    executeTransfer(call.services, each),
  );
  const result = expectOutcome(outcome, 'transfer', state);
  const { id, reference, time } = result.transfer;
  const balance = account.balances[asset.index];
  const available = formatUnits(balance?.available ?? 0, asset.decimals);
  return (
    `{"transfer":{"id":"${id}","account":"${account.id}","asset":"${asset.asset}",` +
    `"amount":${formatUnits(result.transfer.amount, asset.decimals)},"reference":"${reference}",` +
    `"timestamp":${timeText(time)}},"created":${result.created},"available":${available}}`
  );
}
createTransfer.description = describe({
  operationId: 'createTransfer',
  tag: 'Operator',
  summary: 'Credit or debit an account (external deposit or withdrawal)',
  notes:
    'A repeated `reference` returns the first transfer and moves nothing, however old it is. `OVERLOADED` means ' +
    'that the reference could not be looked up; nothing was moved.',
  body: {
    schema: fromZod(transfer),
    examples: {
      credit: {
        account: 'alice',
        asset: 'USDT',
        amount: 250.5,
        reference: 'deposit-1',
        reason: 'deposit',
      },
    },
  },
  data: record({
    transfer: recordRef('Transfer'),
    created: boolean('False if the reference already existed.', true),
    available: number('The available balance afterwards.', 1250.5),
  }),
  errors: [
    'INVALID_AMOUNT',
    'INSUFFICIENT_BALANCE',
    'DUPLICATE_REFERENCE',
    'NOT_FOUND',
    'OVERLOADED',
  ],
  mayNeedApproval: true,
});
