import { randomUUID } from 'node:crypto';
import type { ExactClient } from '../../client/exact-client.ts';
import { numberText } from '../../client/exact-number.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Result } from '../command.ts';
import { online } from '../connection.ts';
import { FORMS } from '../forms.ts';
import { fields, printable, table } from '../text.ts';
import { withRetryHint } from './retry-hint.ts';

const PAGE = {
  name: 'limit',
  value: 'N',
  help: 'number of records, newest first (default 100)',
  form: FORMS.pageSize,
} as const;

/** Deposits and withdrawals of a user, with a key of their own in the environment. */
export const walletCommands: readonly Command[] = [
  online({
    name: 'wallet deposits',
    positionals: [],
    options: [PAGE],
    summary: 'list the deposits of your account',
    run: listDeposits,
  }),
  online({
    name: 'wallet deposit-address',
    positionals: ['ASSET', 'NETWORK'],
    options: [],
    summary: 'show the address to which you deposit an asset',
    run: showDepositAddress,
  }),
  online({
    name: 'wallet withdrawals',
    positionals: [],
    options: [PAGE],
    summary: 'list the withdrawals of your account',
    run: listWithdrawals,
  }),
  online({
    name: 'wallet withdraw',
    positionals: ['ENTRY', 'AMOUNT'],
    options: [
      {
        name: 'client-id',
        value: 'REF',
        help: 'repeating an id withdraws nothing; generated and printed if omitted',
        form: FORMS.reference,
      },
    ],
    summary: 'withdraw to an address of your address book',
    run: requestWithdrawal,
  }),
  online({
    name: 'wallet cancel',
    positionals: ['WITHDRAWAL'],
    options: [],
    summary: 'cancel a withdrawal that was not approved yet',
    run: cancelWithdrawal,
  }),
  online({
    name: 'wallet address-book',
    positionals: [],
    options: [],
    summary: 'list the addresses to which your account may withdraw',
    run: listAddressBook,
  }),
  online({
    name: 'wallet add-address',
    positionals: ['ASSET', 'NETWORK', 'DESTINATION'],
    options: [
      { name: 'memo', value: 'TEXT', help: 'memo or tag of the address', form: FORMS.memo },
      {
        name: 'label',
        value: 'NAME',
        help: 'your name of the address; renames one that is in the address book already',
        form: FORMS.label,
      },
    ],
    summary: 'add an address to your address book',
    run: addAddress,
  }),
  online({
    name: 'wallet remove-address',
    positionals: ['ENTRY'],
    options: [],
    summary: 'remove an address, and cancel the withdrawals to it that were not approved yet',
    run: removeAddress,
  }),
];

const OLDER = 'There are older ones. Use --limit to see more.';

async function listDeposits(args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.listDeposits({ limit: args.integer('limit') });
  if (data.deposits.length === 0) return { data, text: 'No deposits.' };
  const rows = data.deposits.map((each) => [
    each.id,
    each.status,
    `${numberText(each.amount)} ${each.asset}`,
    each.network,
    `${each.confirmations} of ${each.requiredConfirmations}`,
    printable(each.transaction),
    each.updatedAt,
  ]);
  const headings = [
    'DEPOSIT',
    'STATUS',
    'AMOUNT',
    'NETWORK',
    'CONFIRMED',
    'TRANSACTION',
    'UPDATED',
  ];
  const list = table(headings, rows);
  return { data, text: data.nextCursor === null ? list : `${list}\n\n${OLDER}` };
}

async function showDepositAddress(args: Arguments, client: ExactClient): Promise<Result> {
  const [asset, network] = [args.positional('ASSET'), args.positional('NETWORK')];
  const data = await client.requestDepositAddress({ asset, network });
  if (data.address === null) {
    const text = 'The custodian has been asked for an address. Repeat the command to see it.';
    return { data, text };
  }
  const { address, memo } = data.address;
  const text = fields([
    ['Address', printable(address)],
    ...(memo === null ? [] : ([['Memo', printable(memo)]] as const)),
    ['Network', network],
    ['Asset', asset],
  ]);
  return { data, text };
}

async function listWithdrawals(args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.listWithdrawals({ limit: args.integer('limit') });
  if (data.withdrawals.length === 0) return { data, text: 'No withdrawals.' };
  const rows = data.withdrawals.map((each) => [
    each.id,
    each.status,
    `${numberText(each.amount)} ${each.asset}`,
    numberText(each.fee),
    each.network,
    printable(each.address),
    printable(each.reason ?? each.transaction ?? ''),
    each.updatedAt,
  ]);
  const headings = [
    ...['WITHDRAWAL', 'STATUS', 'AMOUNT', 'FEE', 'NETWORK', 'ADDRESS'],
    ...['TRANSACTION OR REASON', 'UPDATED'],
  ];
  const list = table(headings, rows);
  return { data, text: data.nextCursor === null ? list : `${list}\n\n${OLDER}` };
}

async function requestWithdrawal(args: Arguments, client: ExactClient): Promise<Result> {
  const clientId = args.option('client-id') ?? `cli-${randomUUID()}`;
  const terms = { addressId: args.positional('ENTRY'), amount: args.positional('AMOUNT') };
  const request = client.requestWithdrawal({ ...terms, clientId });
  const data = await withRetryHint(request, `--client-id ${clientId}`);
  const { id, amount, fee, asset, network, address, status, waitsUntil } = data.withdrawal;
  const text = fields([
    ['Withdrawal', id],
    ['Amount', `${numberText(amount)} ${asset}`],
    ['Fee', `${numberText(fee)} ${asset}`],
    ['To', `${printable(address)} on ${network}`],
    ['Status', waitsUntil === null ? status : `${status} until ${waitsUntil}`],
    ['Client ID', clientId],
  ]);
  const repeated =
    'This client ID was already used for the same withdrawal. Nothing more is withdrawn.\n\n';
  return { data, text: data.created ? text : repeated + text };
}

async function cancelWithdrawal(args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.cancelWithdrawal({ id: args.positional('WITHDRAWAL') });
  return { data, text: `Withdrawal ${data.withdrawal.id} is canceled; its hold is released.` };
}

async function listAddressBook(_args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.listWithdrawalAddresses();
  if (data.addresses.length === 0) return { data, text: 'The address book is empty.' };
  const rows = data.addresses.map((each) => [
    each.id,
    each.asset,
    each.network,
    printable(each.label ?? ''),
    printable(each.address),
    printable(each.memo ?? ''),
    each.usableAt,
  ]);
  const headings = ['ENTRY', 'ASSET', 'NETWORK', 'LABEL', 'ADDRESS', 'MEMO', 'USABLE FROM'];
  return { data, text: table(headings, rows) };
}

async function addAddress(args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.addWithdrawalAddress({
    asset: args.positional('ASSET'),
    network: args.positional('NETWORK'),
    address: args.positional('DESTINATION'),
    memo: args.option('memo') ?? null,
    label: args.option('label') ?? null,
  });
  const { id, usableAt } = data.address;
  const text = data.created
    ? `Added entry ${id} of the address book, usable from ${usableAt} on.`
    : `Entry ${id} of the address book is this address already, usable from ${usableAt} on.`;
  return { data, text };
}

async function removeAddress(args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.removeWithdrawalAddress({ id: args.positional('ENTRY') });
  return { data, text: `Removed entry ${data.address.id} of the address book.` };
}
