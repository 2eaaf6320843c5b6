import { randomUUID } from 'node:crypto';
import type { ExactClient } from '../../client/exact-client.ts';
import { numberText } from '../../client/exact-number.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Option, Result } from '../command.ts';
import { online } from '../connection.ts';
import { FORMS } from '../forms.ts';
import { fields } from '../text.ts';
import { withRetryHint } from './retry-hint.ts';

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
  const request = client.createTransfer({
    account: args.positional('ACCOUNT'),
    asset: args.positional('ASSET'),
    amount: sign + amount,
    reference,
    reason: args.required('reason'),
  });
  const data = await withRetryHint(request, `--reference ${reference}`);
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
