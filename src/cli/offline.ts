import { type JetStreamConfig, readLogConfig } from '../config/config.ts';
import { withProgress } from '../monitoring/progress.ts';
import type { Arguments } from './arguments.ts';
import type { Command, Environment, Option } from './command.ts';
import { usageError } from './failure.ts';
import { flagsOf, readSettings, settingOptions } from './run-options.ts';

const OF_STREAM = ['log', 'log-stream', 'log-credentials'];
/** Where the log is: read as a node reads its settings, so that a node's own configuration will do. */
const LOG: readonly Option[] = settingOptions(true).filter(({ name }) =>
  ['config', 'data', ...OF_STREAM].includes(name),
);
const MAX_REASON_CHARACTERS = 200;

/** Commands that work on a log itself. What they need is loaded when they run. */
export const offlineCommands: readonly Command[] = [
  {
    name: 'verify',
    positionals: [],
    options: LOG,
    summary: 'replay the whole log and prove that the books balance; over NATS nodes may run',
    run: async (args, env) => {
      const place = placeOf(args, env);
      if (typeof place === 'string') {
        const { verify } = await import('./offline/verify.ts');
        return withProgress((progress) => verify(place, progress));
      }
      const { verifyStream } = await import('./offline/verify-stream.ts');
      return withProgress((progress) => verifyStream(place, progress));
    },
  },
  {
    name: 'key recover',
    positionals: [],
    options: LOG,
    summary: 'make an operator key on a stopped node, where no one has one that works',
    run: async (args, env) => {
      const place = placeOf(args, env);
      if (typeof place === 'string') {
        const { recoverKey } = await import('./offline/recover-key.ts');
        return recoverKey(place);
      }
      const { recoverKeyInStream } = await import('./offline/recover-key-in-stream.ts');
      const { dataDirectory } = readSettings(() => readLogConfig(env, flagsOf(args)));
      return recoverKeyInStream(place, dataDirectory);
    },
  },
  {
    name: 'skip',
    positionals: [],
    options: [
      ...LOG,
      { name: 'sequence', value: 'N', help: 'the batch', isRequired: true },
      { name: 'index', value: 'I', help: 'the command in it, from 0 on', isRequired: true },
      { name: 'reason', value: 'TEXT', help: 'why, for the audit', isRequired: true },
    ],
    summary: 'pass over a command that breaks an invariant and stops every start',
    run: async (args, env) => {
      const sequence = args.whole('sequence', 1);
      const index = args.whole('index', 0);
      const reason = args.required('reason');
      if (reason.length > MAX_REASON_CHARACTERS) {
        throw usageError(`--reason has at most ${MAX_REASON_CHARACTERS} characters.`);
      }
      const place = placeOf(args, env);
      if (typeof place === 'string') {
        const { skip } = await import('./offline/skip.ts');
        return skip(place, { sequence, index, reason });
      }
      const { skipInStream } = await import('./offline/skip-stream.ts');
      return skipInStream(place, { sequence, index, reason });
    },
  },
  {
    name: 'readmit',
    positionals: ['NODE'],
    options: LOG,
    summary: 'let a cluster node start again that held another state than most nodes',
    run: async (args, env) => {
      const place = placeOf(args, env);
      if (typeof place === 'string') {
        throw usageError('readmit is for a cluster: name its log with --log or BUTTONWOOD_LOG.');
      }
      const { readmit } = await import('./offline/readmit.ts');
      return readmit(place, args.positional('NODE'));
    },
  },
];

/** The log on NATS, or the data directory, that is named. */
function placeOf(args: Arguments, env: Environment): JetStreamConfig | string {
  const directory = args.option('data');
  const flag = OF_STREAM.find((name) => args.has(name));
  if (directory !== undefined) {
    if (flag === undefined) return directory;
    throw usageError(`Give --data, of a log in files, or --${flag}, of one on NATS, not both.`);
  }
  const { log, dataDirectory } = readSettings(() => readLogConfig(env, flagsOf(args)));
  return log.kind === 'file' ? dataDirectory : log;
}
