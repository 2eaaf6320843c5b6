import { withProgress } from '../../monitoring/progress.ts';
import type { Command } from '../command.ts';
import { FORMS } from '../forms.ts';
import { FILE_LOG, readArchive, readDataDirectory } from './offline.ts';

/** Market surveillance over the log. */
export const surveillanceCommands: readonly Command[] = [
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
