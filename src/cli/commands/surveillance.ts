import type { ExactClient } from '../../client/exact-client.ts';
import { withProgress } from '../../monitoring/progress.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Result } from '../command.ts';
import { online } from '../connection.ts';
import { ExitCode } from '../failure.ts';
import { FORMS } from '../forms.ts';
import { printable, table } from '../text.ts';
import { alertsToCsv, caseCommands, figuresText, statusText } from './alert-cases.ts';
import { FILE_LOG, readArchive, readDataDirectory } from './offline.ts';

type Filter = NonNullable<Parameters<ExactClient['listSurveillanceAlerts']>[0]>;

/** Market surveillance: alerts of the running node, and detection over the whole log. */
export const surveillanceCommands: readonly Command[] = [
  online({
    name: 'surveillance alerts',
    positionals: [],
    options: [
      {
        name: 'detector',
        value: 'NAME',
        help: 'only alerts of this detector',
        form: FORMS.detector,
      },
      { name: 'market', value: 'SYMBOL', help: 'only alerts of this market', form: FORMS.symbol },
      {
        name: 'account',
        value: 'ID',
        help: "only alerts that concern this account's user",
        form: FORMS.accountId,
      },
      {
        name: 'case',
        value: 'STATUS',
        help: 'only alerts whose case is open, assigned or closed',
        form: FORMS.caseStatus,
      },
      {
        name: 'assignee',
        value: 'ACCOUNT',
        help: 'only alerts assigned to this account',
        form: FORMS.accountId,
      },
      {
        name: 'limit',
        value: 'N',
        help: 'number of alerts, newest first (default 100)',
        form: FORMS.pageSize,
      },
      { name: 'csv', help: 'print CSV' },
    ],
    summary: 'list what market surveillance has found on the running node',
    run: list,
  }),
  ...caseCommands,
  {
    name: 'surveillance run',
    positionals: [],
    options: [
      ...FILE_LOG,
      {
        name: 'detector',
        value: 'NAME',
        help: 'run only this detector',
        form: FORMS.detector,
      },
      {
        name: 'exclude',
        value: 'ACCOUNT',
        help: 'leave out alerts that concern only such accounts, as of own market makers',
        form: FORMS.accountId,
        isRepeatable: true,
      },
      {
        name: 'at',
        value: 'MOMENT',
        help: 'the end, a log position or time (default: the end of the log)',
        form: FORMS.moment,
      },
      { name: 'csv', help: 'print CSV' },
    ],
    summary: 'look for market abuse in the whole log; the node may run',
    run: async (args, env) => {
      const path = readDataDirectory(args, env, 'surveillance run');
      const place = { path, archive: readArchive(args, env) };
      const { runSurveillance } = await import('../offline/surveillance.ts');
      const { parseMoment } = await import('../offline/source.ts');
      const terms = {
        detector: args.option('detector'),
        excluded: args.all('exclude'),
        at: parseMoment(args.option('at')),
        isCsv: args.has('csv'),
      };
      return withProgress((progress) => runSurveillance(place, terms, progress));
    },
  },
];

async function list(args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.listSurveillanceAlerts({
    detector: args.option('detector') as Filter['detector'],
    symbol: args.option('market'),
    account: args.option('account'),
    caseStatus: args.option('case') as Filter['caseStatus'],
    assignee: args.option('assignee'),
    limit: args.integer('limit'),
  });
  if (args.has('csv')) return { data, text: alertsToCsv(data.alerts) };
  const rows = data.alerts.map(({ from, to, figures, ...alert }) => [
    printable(alert.id),
    to.timestamp,
    statusText(alert),
    alert.detector,
    alert.symbol,
    alert.accounts.map(printable).join(', '),
    `${from.logPosition}–${to.logPosition}`,
    figuresText(figures),
  ]);
  const headings = [
    'ALERT',
    'TIME',
    'CASE',
    'DETECTOR',
    'MARKET',
    'ACCOUNTS',
    'POSITIONS',
    'FIGURES',
  ];
  const failed = data.failedDetectors.map(
    ({ detector, logPosition, error }) =>
      `The detector ${detector} failed at batch ${logPosition} and is off: ${printable(error)}`,
  );
  const parts = [rows.length === 0 ? 'No alerts.' : table(headings, rows), ...failed];
  if (data.nextCursor !== null) parts.push('There are older alerts. Use --limit to see more.');
  const exitCode = failed.length > 0 ? ExitCode.failed : ExitCode.done;
  return { data, text: parts.join('\n\n'), exitCode };
}
