import type { ExactClient } from '../../client/exact-client.ts';
import { numberText } from '../../client/exact-number.ts';
import type { GetAccountTimelineParameters } from '../../client/index.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Result } from '../command.ts';
import { online } from '../connection.ts';
import { FORMS } from '../forms.ts';
import { printable, table } from '../text.ts';

type Timeline = Awaited<ReturnType<ExactClient['getAccountTimeline']>>;
type Entry = Timeline['entries'][number];

export const timelineCommand: Command = online({
  name: 'account timeline',
  positionals: ['ID'],
  options: [
    {
      name: 'kind',
      value: 'KIND',
      help: 'only entries of this kind',
      form: FORMS.timelineKind,
    },
    {
      name: 'limit',
      value: 'N',
      help: 'number of entries, newest first (default 100)',
      form: FORMS.pageSize,
    },
  ],
  summary: 'show everything about the user of an account, sub-accounts included',
  run: timeline,
});

async function timeline(args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.getAccountTimeline({
    id: args.positional('ID'),
    timelineKind: args.option('kind') as GetAccountTimelineParameters['timelineKind'],
    limit: args.integer('limit'),
  });
  const rows = data.entries.map((entry) => [
    entry.timestamp,
    `${entry.logPosition}.${entry.index}`,
    entry.kind,
    ...describeEntry(entry).map(printable),
  ]);
  const more =
    data.nextCursor === null ? '' : '\n\nThere are older entries. Use --limit to see more.';
  const headings = ['TIME', 'POSITION', 'KIND', 'ACTOR', 'ACTION', 'ACCOUNT', 'DETAILS'];
  return { data, text: rows.length > 0 ? table(headings, rows) + more : 'No entries yet.' };
}

/** Returns actor, action, account and details of an entry. */
function describeEntry({ command, deposit, withdrawal }: Entry): string[] {
  if (command != null) {
    const { account, action, subject, outcome, details } = command;
    const shown = outcome === 'done' ? action : `${action} (${outcome})`;
    return [account ?? 'system', shown, subject ?? '-', JSON.stringify(details)];
  }
  const payment = deposit ?? withdrawal!;
  const { id, account, status, asset, network, amount } = payment;
  const name = deposit == null ? 'withdrawal' : 'deposit';
  const text = `${numberText(amount)} ${asset}, ${network}`;
  return ['-', `${name} ${id}: ${status}`, account ?? '-', text];
}
