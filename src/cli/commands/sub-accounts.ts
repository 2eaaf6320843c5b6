import { randomUUID } from 'node:crypto';
import type { ExactClient } from '../../client/exact-client.ts';
import { numberText } from '../../client/exact-number.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Result } from '../command.ts';
import { online } from '../connection.ts';
import { FORMS } from '../forms.ts';
import { accountStatus, fields, printable, table } from '../text.ts';
import { withRetryHint } from './retry-hint.ts';

/** Commands of users, with a key of their own in the environment. */
export const subAccountCommands: readonly Command[] = [
  online({
    name: 'sub-account list',
    positionals: [],
    options: [],
    summary: 'list your main account and its sub-accounts',
    run: listGroup,
  }),
  online({
    name: 'sub-account create',
    positionals: ['TITLE'],
    options: [],
    summary: 'open a sub-account of your account',
    run: createSubAccount,
  }),
  online({
    name: 'sub-account rename',
    positionals: ['ID', 'TITLE'],
    options: [],
    summary: 'rename a sub-account of your account',
    run: renameSubAccount,
  }),
  online({
    name: 'sub-account close',
    positionals: ['ID'],
    options: [],
    summary: 'close a sub-account without balances and orders; revokes its keys',
    run: (args, client) => setClosed(args, client, true),
  }),
  online({
    name: 'sub-account reopen',
    positionals: ['ID'],
    options: [],
    summary: 'reopen a closed sub-account',
    run: (args, client) => setClosed(args, client, false),
  }),
  online({
    name: 'transfer',
    positionals: ['RECIPIENT', 'ASSET', 'AMOUNT'],
    options: [
      {
        name: 'from',
        value: 'ID',
        help: 'one of your sub-accounts as the sender (default: the account of the key)',
        form: FORMS.accountId,
      },
      {
        name: 'client-id',
        value: 'REF',
        help: 'repeating an id moves nothing; generated and printed if omitted',
        form: FORMS.reference,
      },
    ],
    summary: 'move money to another account of yours, or to another user',
    run: transfer,
  }),
];

async function listGroup(_args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.listGroup();
  const rows = data.accounts.map((account) => [
    account.accountId,
    account.name === null ? 'main account' : printable(account.name),
    accountStatus(account),
    account.openOrders,
    account.balances.map(({ asset, total }) => `${numberText(total)} ${asset}`).join(', '),
  ]);
  return { data, text: table(['ACCOUNT', 'NAME', 'STATUS', 'OPEN ORDERS', 'BALANCES'], rows) };
}

async function createSubAccount(args: Arguments, client: ExactClient): Promise<Result> {
  const name = args.positional('TITLE');
  const data = await client.createSubAccount({ name });
  const { accountId } = data.account;
  const text = data.created
    ? `Opened sub-account ${accountId}.`
    : `Sub-account ${accountId} has this name already.`;
  return { data, text };
}

async function renameSubAccount(args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.changeSubAccount({
    id: args.positional('ID'),
    name: args.positional('TITLE'),
  });
  const { accountId, name } = data.account;
  return { data, text: `Sub-account ${accountId} is called ${printable(name ?? '')}.` };
}

async function setClosed(args: Arguments, client: ExactClient, closed: boolean): Promise<Result> {
  const data = await client.changeSubAccount({ id: args.positional('ID'), closed });
  const { accountId } = data.account;
  const text = closed
    ? `Sub-account ${accountId} is closed, and its keys are revoked.`
    : `Sub-account ${accountId} is open.`;
  return { data, text };
}

async function transfer(args: Arguments, client: ExactClient): Promise<Result> {
  const clientId = args.option('client-id') ?? `cli-${randomUUID()}`;
  const request = client.transferInternally({
    from: args.option('from') ?? null,
    to: args.positional('RECIPIENT'),
    asset: args.positional('ASSET'),
    amount: args.positional('AMOUNT'),
    clientId,
  });
  const data = await withRetryHint(request, `--client-id ${clientId}`);
  const { id, from, to, asset, amount, timestamp } = data.transfer;
  const text = fields([
    ['Sent', `${numberText(amount)} ${asset}`],
    ['From', from],
    ['To', to],
    ['Transfer', id],
    ['Client ID', clientId],
    ['Time', timestamp],
  ]);
  const repeated = 'This client ID was already used for the same transfer. Nothing was moved.\n\n';
  return { data, text: data.created ? text : repeated + text };
}
