import type { ExactClient } from '../../client/exact-client.ts';
import { numberText } from '../../client/exact-number.ts';
import type { ResolveDepositParameters } from '../../client/index.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Result } from '../command.ts';
import { online } from '../connection.ts';
import { FORMS } from '../forms.ts';
import { printable, table } from '../text.ts';

/** Networks, and the decisions of operators on deposits and withdrawals. */
export const custodyCommands: readonly Command[] = [
  online({
    name: 'networks list',
    positionals: [],
    options: [],
    summary: 'list the networks on which assets are deposited and withdrawn',
    run: listNetworks,
  }),
  online({
    name: 'deposits list',
    positionals: [],
    options: [],
    summary: 'list the deposits that wait for a decision',
    run: listDeposits,
  }),
  online({
    name: 'deposits resolve',
    positionals: ['DEPOSIT', 'RESOLUTION'],
    options: [
      {
        name: 'account',
        value: 'ID',
        help: 'the account to credit, if the address belongs to none',
        form: FORMS.accountId,
      },
    ],
    summary: 'credit or dismiss a deposit in review, debit or release a frozen one',
    run: resolveDeposit,
  }),
  online({
    name: 'withdrawals list',
    positionals: [],
    options: [],
    summary: 'list the withdrawals that wait for two operators',
    run: listWithdrawals,
  }),
  online({
    name: 'withdrawals approve',
    positionals: ['WITHDRAWAL'],
    options: [],
    summary: 'approve a withdrawal; the second approval sends it',
    run: approveWithdrawal,
  }),
  online({
    name: 'withdrawals reject',
    positionals: ['WITHDRAWAL'],
    options: [
      {
        name: 'reason',
        value: 'TEXT',
        help: 'the reason, which the user sees',
        form: FORMS.reason,
        isRequired: true,
      },
    ],
    summary: 'reject a withdrawal and release its hold',
    run: rejectWithdrawal,
  }),
];

async function listNetworks(_args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.getNetworks();
  if (data.networks.length === 0) return { data, text: 'No asset has a network.' };
  const rows = data.networks.map((each) => [
    each.asset,
    each.network,
    each.deposits ? 'on' : 'off',
    each.withdrawals ? 'on' : 'off',
    numberText(each.minDeposit),
    numberText(each.minWithdrawal),
    numberText(each.withdrawalFee),
    `${each.confirmations}`,
  ]);
  const headings = [
    ...['ASSET', 'NETWORK', 'DEPOSITS', 'WITHDRAWALS', 'MIN DEPOSIT', 'MIN WITHDRAWAL', 'FEE'],
    'CONFIRMATIONS',
  ];
  return { data, text: table(headings, rows) };
}

async function listDeposits(_args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.listDepositsInReview();
  if (data.deposits.length === 0) return { data, text: 'No deposit waits for a decision.' };
  const rows = data.deposits.map((each) => [
    each.id,
    each.status,
    each.account ?? '',
    `${numberText(each.amount)} ${each.asset}`,
    each.network,
    printable(each.transaction),
    each.updatedAt,
  ]);
  const headings = ['DEPOSIT', 'STATUS', 'ACCOUNT', 'AMOUNT', 'NETWORK', 'TRANSACTION', 'UPDATED'];
  return { data, text: table(headings, rows) };
}

async function resolveDeposit(args: Arguments, client: ExactClient): Promise<Result> {
  const account = args.option('account');
  const data = await client.resolveDeposit({
    id: args.positional('DEPOSIT'),
    resolution: args.positional('RESOLUTION') as ResolveDepositParameters['resolution'],
    ...(account === undefined ? {} : { account }),
  });
  const { id, status, amount, asset } = data.deposit;
  return { data, text: `Deposit ${id} of ${numberText(amount)} ${asset} is ${status}.` };
}

async function listWithdrawals(_args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.listWithdrawalsToApprove();
  if (data.withdrawals.length === 0) return { data, text: 'No withdrawal waits for approval.' };
  const rows = data.withdrawals.map((each) => [
    each.id,
    each.account,
    `${numberText(each.amount)} ${each.asset}`,
    each.network,
    printable(each.address),
    each.approvals.join(', '),
    each.createdAt,
  ]);
  const headings = ['WITHDRAWAL', 'ACCOUNT', 'AMOUNT', 'NETWORK', 'ADDRESS', 'APPROVED', 'CREATED'];
  return { data, text: table(headings, rows) };
}

async function approveWithdrawal(args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.approveWithdrawal({ id: args.positional('WITHDRAWAL') });
  const { id, status } = data.withdrawal;
  const text =
    status === 'awaiting_approval'
      ? `Withdrawal ${id} needs the approval of a second operator.`
      : `Withdrawal ${id} is approved and goes to the custodian.`;
  return { data, text };
}

async function rejectWithdrawal(args: Arguments, client: ExactClient): Promise<Result> {
  const reason = args.option('reason')!;
  const data = await client.rejectWithdrawal({ id: args.positional('WITHDRAWAL'), reason });
  return { data, text: `Withdrawal ${data.withdrawal.id} is rejected; its hold is released.` };
}
