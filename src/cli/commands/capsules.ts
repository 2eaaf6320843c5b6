import { withProgress } from '../../monitoring/progress.ts';
import type { Command, Option } from '../command.ts';
import type { ExportInterval } from '../form-values.ts';
import { FORMS } from '../forms.ts';
import { FILE_LOG, readArchive, readDataDirectory } from './offline.ts';

const AT: Option = {
  name: 'at',
  value: 'MOMENT',
  help: 'log position or time at which it ends (default: the end of the log)',
  form: FORMS.moment,
};

/** Forks, capsules and exports. All read the log of a node that may run. Their modules are loaded when they run. */
export const capsuleCommands: readonly Command[] = [
  {
    name: 'fork',
    positionals: [],
    options: [
      ...FILE_LOG,
      AT,
      {
        name: 'to',
        value: 'DIR',
        help: 'data directory of the sandbox; must be new or empty',
        isRequired: true,
        form: FORMS.path,
      },
    ],
    summary: 'make a sandbox that begins at a moment of an exchange; its node may run',
    run: async (args, env) => {
      const directory = readDataDirectory(args, env, 'fork');
      const { fork } = await import('../offline/fork.ts');
      const { parseMoment } = await import('../offline/source.ts');
      const at = parseMoment(args.option('at'));
      const source = { path: directory, archive: readArchive(args, env) };
      return withProgress((progress) => fork(source, at, args.required('to'), progress));
    },
  },
  {
    name: 'capsule',
    positionals: ['FILE'],
    options: [
      ...FILE_LOG,
      AT,
      { name: 'title', value: 'TEXT', help: 'a note: what it shows', form: FORMS.reason },
      {
        name: 'seed',
        value: 'N',
        help: 'a note: seed of the sandbox, which is not in its log',
        form: FORMS.seed,
      },
    ],
    summary: 'write all commands and the expected state into one file; the node may run',
    run: async (args, env) => {
      const data = readDataDirectory(args, env, 'capsule');
      const { createCapsule } = await import('../offline/capsule.ts');
      const { parseMoment } = await import('../offline/source.ts');
      const about = { title: args.option('title') ?? null, seed: args.integer('seed') ?? null };
      const archive = readArchive(args, env);
      const options = { data, archive, at: parseMoment(args.option('at')), about };
      return withProgress((progress) => createCapsule(args.positional('FILE'), options, progress));
    },
  },
  {
    name: 'capsule run',
    positionals: ['FILE'],
    options: [],
    summary: 'replay a capsule: equal, or the first command that differs',
    run: async (args) => {
      const { runCapsule } = await import('../offline/capsule.ts');
      return withProgress((progress) => runCapsule(args.positional('FILE'), progress));
    },
  },
  {
    name: 'capsule show',
    positionals: ['FILE'],
    options: [],
    summary: 'print the header of a capsule and its commands as lines of JSON',
    run: async (args) => {
      const { showCapsule } = await import('../offline/capsule.ts');
      return showCapsule(args.positional('FILE'));
    },
  },
  {
    name: 'export',
    positionals: [],
    options: [
      ...FILE_LOG,
      {
        name: 'to',
        value: 'DIR',
        help: 'directory of the files; those that exist are kept',
        isRequired: true,
        form: FORMS.path,
      },
      { name: 'symbol', value: 'SYMBOL', help: 'only this market', form: FORMS.symbol },
      {
        name: 'interval',
        value: 'I',
        help: 'interval of candles (default: 1m); repeat for several',
        isRepeatable: true,
        form: FORMS.exportInterval,
      },
      { name: 'l3', help: 'also write orders and cancels, which a sandbox can play' },
    ],
    summary: 'write trades, candles and orders per day as Binance publishes them; the node may run',
    run: async (args, env) => {
      const data = readDataDirectory(args, env, 'export');
      const { exportHistory } = await import('../offline/export/export.ts');
      const intervals = args.all('interval') as readonly ExportInterval[];
      const options = {
        source: { path: data, archive: readArchive(args, env) },
        out: args.required('to'),
        symbol: args.option('symbol'),
        hasOrders: args.has('l3'),
        intervals: intervals.length === 0 ? (['1m'] as const) : intervals,
      };
      return withProgress((progress) => exportHistory(options, progress));
    },
  },
];
