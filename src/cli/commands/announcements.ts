import type { ExactClient } from '../../client/exact-client.ts';
import type { AnnounceParameters } from '../../client/index.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Result } from '../command.ts';
import { online } from '../connection.ts';
import { FORMS } from '../forms.ts';
import { printable, table } from '../text.ts';

type Announcements = Awaited<ReturnType<ExactClient['announce']>>['announcements'];

export const announcementCommands: readonly Command[] = [
  online({
    name: 'announcements list',
    positionals: [],
    options: [],
    summary: 'list what operators have announced to all clients, newest first',
    run: async (_args, client) => show((await client.getStatus()).announcements),
  }),
  online({
    name: 'announcements add',
    positionals: ['TITLE'],
    options: [
      { name: 'text', value: 'TEXT', help: 'more about it', form: FORMS.announcement },
      {
        name: 'severity',
        value: 'SEVERITY',
        help: 'info (default), or warning for what clients must know before they trade',
        form: FORMS.severity,
      },
      {
        name: 'until',
        value: 'TIME',
        help: 'when it is removed (default: when it is withdrawn)',
        form: FORMS.time,
      },
    ],
    summary: 'announce something to all clients; it restricts nothing',
    run: add,
  }),
  online({
    name: 'announcements withdraw',
    positionals: ['ID'],
    options: [],
    summary: 'withdraw an announcement, which stays in the audit',
    run: async (args, client) =>
      show((await client.withdrawAnnouncement({ id: args.positional('ID') })).announcements),
  }),
];

async function add(args: Arguments, client: ExactClient): Promise<Result> {
  const severity = (args.option('severity') ?? 'info') as AnnounceParameters['severity'];
  const data = await client.announce({
    severity,
    title: args.positional('TITLE'),
    text: args.option('text'),
    until: args.option('until'),
  });
  return show(data.announcements);
}

function show(announcements: Announcements): Result {
  const data = { announcements };
  if (announcements.length === 0) return { data, text: 'Nothing is announced.' };
  const rows = announcements.map(({ id, timestamp, until, severity, title }) => {
    return [id, timestamp, until ?? '', severity, printable(title)];
  });
  return { data, text: table(['ID', 'TIME', 'UNTIL', 'SEVERITY', 'TITLE'], rows) };
}
