import { randomUUID } from 'node:crypto';
import { ApiRequestError, UnreachableError } from '../../client/errors.ts';
import type { ExactClient } from '../../client/exact-client.ts';
import { numberText } from '../../client/exact-number.ts';
import type { CreateTransferParameters } from '../../client/index.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Option, Result } from '../command.ts';
import { online } from '../connection.ts';
import { FORMS } from '../forms.ts';
import { fields } from '../text.ts';

const OPTIONS: readonly Option[] = [
  {
    name: 'reason',
    value: 'R',
    help: 'the reason, recorded in the audit',
    isRequired: true,
    form: FORMS.reason,
  },
  {
    name: 'reference',
    value: 'REF',
    help: 'repeating a reference moves nothing; generated and printed if omitted',
    form: FORMS.reference,
  },
];

export const transferCommands: readonly Command[] = [
  online({
    name: 'credit',
    positionals: ['ACCOUNT', 'ASSET', 'AMOUNT'],
    options: OPTIONS,
    summary: 'credit an account with an external deposit',
    run: (args, client) => transfer(args, client, ''),
  }),
  online({
    name: 'debit',
    positionals: ['ACCOUNT', 'ASSET', 'AMOUNT'],
    options: OPTIONS,
    summary: 'debit an account for an external withdrawal',
    run: (args, client) => transfer(args, client, '-'),
  }),
];

async function transfer(args: Arguments, client: ExactClient, sign: '' | '-'): Promise<Result> {
  const amount = args.positional('AMOUNT');
  const reference = args.option('reference') ?? `cli-${randomUUID()}`;
  const data = await send(client, {
    account: args.positional('ACCOUNT'),
    asset: args.positional('ASSET'),
    amount: sign + amount,
    reference,
    reason: args.required('reason'),
  });
  const { account, asset, id, timestamp } = data.transfer;
  const text = fields([
    [sign === '' ? 'Credited' : 'Debited', `${amount} ${asset}`],
    ['Account', account],
    ['Available', `${numberText(data.available)} ${asset}`],
    ['Transfer', id],
    ['Reference', data.transfer.reference],
    ['Time', timestamp],
  ]);
  const repeated = 'This reference was already used for the same transfer. Nothing was moved.\n\n';
  return { data, text: data.created ? text : repeated + text };
}

/** Adds the reference to an error without a known outcome: with it, repeating the transfer is safe. */
async function send(client: ExactClient, transfer: CreateTransferParameters) {
  try {
    return await client.createTransfer(transfer);
  } catch (error) {
    const isUnknown =
      error instanceof UnreachableError ||
      (error instanceof ApiRequestError && error.status >= 500);
    if (isUnknown) error.message += ` To retry safely, add --reference ${transfer.reference}.`;
    throw error;
  }
}
