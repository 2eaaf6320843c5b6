import type { ExactClient } from '../../client/exact-client.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Result } from '../command.ts';
import { online } from '../connection.ts';
import { FORMS } from '../forms.ts';
import { printable, table } from '../text.ts';

const ORDER = {
  ...{ name: 'order', value: 'ORDER', help: 'only those of this order', form: FORMS.orderIds },
};
const LIMIT = {
  name: 'limit',
  value: 'N',
  help: 'number of rows, newest first (default 100)',
  form: FORMS.pageSize,
};

/** The fills and the ledger of any account. */
export const accountHistoryCommands: readonly Command[] = [
  online({
    name: 'account fills',
    positionals: ['ID'],
    options: [
      { name: 'symbol', value: 'S', help: 'only fills in this market', form: FORMS.symbol },
      ORDER,
      LIMIT,
    ],
    summary: 'list the fills of an account',
    run: listFills,
  }),
  online({
    name: 'account ledger',
    positionals: ['ID'],
    options: [
      { name: 'asset', value: 'A', help: 'only entries of this asset', form: FORMS.asset },
      ORDER,
      LIMIT,
    ],
    summary: 'list the changes of the available balances of an account',
    run: listEntries,
  }),
];

async function listFills(args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.getAccountFills({
    id: args.positional('ID'),
    symbol: args.option('symbol'),
    orderId: args.option('order'),
    limit: args.integer('limit'),
  });
  const rows = data.fills.map((fill) => [
    fill.timestamp,
    fill.id,
    fill.orderId,
    fill.symbol,
    fill.side,
    fill.price,
    fill.amount,
    fill.fee.cost,
    fill.fee.asset,
    fill.liquidity,
  ]);
  const headings = ['TIME', 'TRADE', 'ORDER', 'MARKET', 'SIDE', 'PRICE', 'AMOUNT'];
  const all = [...headings, 'FEE', 'ASSET', 'ROLE'];
  return { data, text: describeRows(args, 'fills', all, rows, data.nextCursor) };
}

async function listEntries(args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.getAccountLedger({
    id: args.positional('ID'),
    asset: args.option('asset'),
    orderId: args.option('order'),
    limit: args.integer('limit'),
  });
  const rows = data.entries.map((entry) => [
    entry.timestamp,
    entry.id,
    entry.type,
    entry.asset,
    entry.amount,
    entry.after,
    entry.reference,
  ]);
  const headings = ['TIME', 'ENTRY', 'TYPE', 'ASSET', 'AMOUNT', 'AFTER', 'REFERENCE'];
  return { data, text: describeRows(args, 'ledger entries', headings, rows, data.nextCursor) };
}

function describeRows(
  args: Arguments,
  what: string,
  headings: readonly string[],
  rows: Parameters<typeof table>[1],
  nextCursor: string | null,
): string {
  if (rows.length === 0) return `${printable(args.positional('ID'))} has no ${what}.`;
  const more = nextCursor === null ? '' : '\n\nThere are older rows. Use --limit to see more.';
  return table(headings, rows) + more;
}
