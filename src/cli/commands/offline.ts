import type { ArchiveConfig } from '../../config/archive.ts';
import { type JetStreamConfig, readLogConfig } from '../../config/config.ts';
import { withProgress } from '../../monitoring/progress.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Environment, Option } from '../command.ts';
import { usageError } from '../failure.ts';
import { FORMS } from '../forms.ts';
import { readSettings, selectFlags, settingOptions } from '../run-options.ts';

const ARCHIVE_OPTIONS = ['archive', 'archive-endpoint', 'archive-region', 'archive-credentials'];
const STREAM_OPTIONS = ['log', 'log-stream', 'log-credentials'];
/** The location of the log, read like the settings of a node, so that its configuration file can be used. */
const LOG: readonly Option[] = settingOptions(true).filter(({ name }) =>
  ['config', 'data', ...STREAM_OPTIONS, ...ARCHIVE_OPTIONS].includes(name),
);

/** The location of a log in files. */
export const FILE_LOG = LOG.filter(({ name }) => !STREAM_OPTIONS.includes(name));

/** Commands that work on the log of a stopped node. Their modules are loaded when they run. */
export const offlineCommands: readonly Command[] = [
  {
    name: 'verify',
    positionals: [],
    options: LOG,
    summary: 'replay the whole log and check that the books balance; cluster nodes may run',
    run: async (args, env) => {
      const place = readPlace(args, env);
      if (typeof place === 'string') {
        const { verify } = await import('../offline/verify.ts');
        const archive = readArchive(args, env);
        return withProgress((progress) => verify(place, archive, progress));
      }
      const { verifyStream } = await import('../offline/verify-stream.ts');
      return withProgress((progress) => verifyStream(place, progress));
    },
  },
  {
    name: 'key recover',
    positionals: [],
    options: LOG,
    summary: 'create an operator key on a stopped node if none works any more',
    run: async (args, env) => {
      const place = readPlace(args, env);
      if (typeof place === 'string') {
        const { recoverKey } = await import('../offline/recover-key.ts');
        return recoverKey(place);
      }
      const { recoverKeyInStream } = await import('../offline/recover-key-in-stream.ts');
      const { dataDirectory } = readSettings(() => readLogConfig(env, selectFlags(args)));
      return recoverKeyInStream(place, dataDirectory);
    },
  },
  {
    name: 'skip',
    positionals: [],
    options: [
      ...LOG,
      {
        name: 'sequence',
        value: 'N',
        help: 'sequence of the batch',
        isRequired: true,
        form: FORMS.sequence,
      },
      {
        name: 'index',
        value: 'I',
        help: 'index of the command in the batch, from 0',
        isRequired: true,
        form: FORMS.index,
      },
      {
        name: 'reason',
        value: 'TEXT',
        help: 'the reason, recorded in the audit',
        isRequired: true,
        form: FORMS.reason,
      },
    ],
    summary: 'skip a command that breaks an invariant and stops every start',
    run: async (args, env) => {
      const sequence = Number(args.required('sequence'));
      const index = Number(args.required('index'));
      const reason = args.required('reason');
      const place = readPlace(args, env);
      if (typeof place === 'string') {
        const { skip } = await import('../offline/skip.ts');
        return skip(place, { sequence, index, reason });
      }
      const { skipInStream } = await import('../offline/skip-stream.ts');
      return skipInStream(place, { sequence, index, reason });
    },
  },
  {
    name: 'readmit',
    positionals: ['NODE'],
    options: LOG,
    summary: 'let a cluster node start again after its state differed from most nodes',
    run: async (args, env) => {
      const place = readPlace(args, env);
      if (typeof place === 'string') {
        throw usageError('readmit needs a cluster. Name its log with --log or BUTTONWOOD_LOG.');
      }
      const { readmit } = await import('../offline/readmit.ts');
      return readmit(place, args.positional('NODE'));
    },
  },
];

/** Returns the log on NATS or the data directory that the options name. @throws CliError */
function readPlace(args: Arguments, env: Environment): JetStreamConfig | string {
  const directory = args.option('data');
  const flag = STREAM_OPTIONS.find((name) => args.has(name));
  if (directory !== undefined) {
    if (flag === undefined) return directory;
    throw usageError(`Give --data for a file log or --${flag} for a clustered log, not both.`);
  }
  const { log, dataDirectory } = readSettings(() => readLogConfig(env, selectFlags(args)));
  return log.kind === 'file' ? dataDirectory : log;
}

/** Returns the archive that the options name; undefined if there is none. @throws CliError */
export function readArchive(args: Arguments, env: Environment): ArchiveConfig | undefined {
  return readSettings(() => readLogConfig(env, selectFlags(args))).archive;
}

/** Returns the data directory that the options name. @throws CliError if they name a cluster */
export function readDataDirectory(args: Arguments, env: Environment, command: string): string {
  const place = readPlace(args, env);
  if (typeof place === 'string') return place;
  throw usageError(
    `${command} needs a log in files. The log of a cluster is trimmed, so it does not begin with the first batch. Name the data directory of a single node with --data.`,
  );
}
