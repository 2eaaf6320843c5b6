import type { ExactClient } from '../../client/exact-client.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Result } from '../command.ts';
import { online } from '../connection.ts';
import { FORMS } from '../forms.ts';
import { accountStatus, printable, table } from '../text.ts';

const REASON = {
  name: 'reason',
  value: 'TEXT',
  help: 'the reason, recorded in the audit',
  form: FORMS.reason,
} as const;

export const accountCommands: readonly Command[] = [
  online({
    name: 'account create',
    positionals: ['ID'],
    options: [
      {
        name: 'limit-class',
        value: 'N',
        help: 'rate-limit multiplier, 1 to 1000 (default 1)',
        form: FORMS.limitClass,
      },
    ],
    summary: 'open a trading account',
    run: create,
  }),
  online({
    name: 'account list',
    positionals: [],
    options: [
      {
        name: 'search',
        value: 'TEXT',
        help: 'a part of an account id, or of the name or email address of a user',
        form: FORMS.searchText,
      },
    ],
    summary: 'list the accounts',
    run: list,
  }),
  online({
    name: 'account freeze',
    positionals: ['ID'],
    options: [REASON],
    summary: 'freeze an account: it can neither place nor cancel orders',
    run: (args, client) => setFrozen(args, client, true),
  }),
  online({
    name: 'account unfreeze',
    positionals: ['ID'],
    options: [REASON],
    summary: 'unfreeze an account',
    run: (args, client) => setFrozen(args, client, false),
  }),
  online({
    name: 'account limit-class',
    positionals: ['ID', 'N'],
    options: [],
    summary: "set an account's rate-limit multiplier to N",
    run: setLimitClass,
  }),
  online({
    name: 'balances',
    positionals: ['ACCOUNT'],
    options: [],
    summary: 'show the balances of an account',
    run: balances,
  }),
];

async function create(args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.createAccount({
    accountId: args.positional('ID'),
    limitClass: args.integer('limit-class'),
  });
  const { account, created } = data;
  const text = created
    ? `Opened account ${account.accountId}.`
    : `Account ${account.accountId} exists already.`;
  return { data, text };
}

async function list(args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.listAccounts({ search: args.option('search') });
  const rows = data.accounts.map((account) => [
    account.accountId,
    account.main ?? '-',
    accountStatus(account),
    account.limitClass,
    account.openOrders,
    account.createdAt,
  ]);
  return {
    data,
    text: table(
      ['ACCOUNT', 'MAIN ACCOUNT', 'STATUS', 'LIMIT CLASS', 'OPEN ORDERS', 'CREATED'],
      rows,
    ),
  };
}

async function setFrozen(args: Arguments, client: ExactClient, frozen: boolean): Promise<Result> {
  const data = await client.changeAccount({
    id: args.positional('ID'),
    frozen,
    reason: args.option('reason'),
  });
  const { accountId } = data.account;
  const text = frozen
    ? `Account ${accountId} is frozen.`
    : `Account ${accountId} is no longer frozen.`;
  return { data, text };
}

async function setLimitClass(args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.changeAccount({
    id: args.positional('ID'),
    limitClass: Number(args.positional('N')),
  });
  const { accountId, limitClass } = data.account;
  return { data, text: `The rate-limit multiplier of ${accountId} is ${limitClass}.` };
}

async function balances(args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.getAccountBalances({ id: args.positional('ACCOUNT') });
  const rows = data.balances.map((balance) => [
    balance.asset,
    balance.total,
    balance.available,
    balance.held,
  ]);
  const text =
    rows.length > 0
      ? table(['ASSET', 'TOTAL', 'AVAILABLE', 'HELD'], rows)
      : `${printable(args.positional('ACCOUNT'))} has no balances.`;
  return { data, text };
}
