import type { ExactClient } from '../../client/exact-client.ts';
import { numberText } from '../../client/exact-number.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Result } from '../command.ts';
import { online } from '../connection.ts';
import { printable, table } from '../text.ts';

export const searchCommand: Command = online({
  name: 'search',
  positionals: ['TEXT'],
  options: [],
  summary:
    'find accounts, orders, transfers, deposits and withdrawals by any id, email or reference',
  run: search,
});

async function search(args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.searchAll({ search: args.positional('TEXT') });
  const rows = data.results.map((found) => {
    const { kind, id, account, ownerEmail, status, side, symbol, asset, amount } = found;
    const what = [side, amount === null ? '' : numberText(amount), symbol ?? asset];
    const details = what.filter((part) => part != null && part !== '').join(' ');
    const cells = [kind, id, account ?? '-', ownerEmail ?? '-', status ?? '-', details];
    return [...cells, found.reference ?? '', found.timestamp].map(printable);
  });
  const headings = ['KIND', 'ID', 'ACCOUNT', 'EMAIL', 'STATUS', 'DETAILS', 'REFERENCE', 'TIME'];
  return { data, text: rows.length > 0 ? table(headings, rows) : 'Nothing found.' };
}
