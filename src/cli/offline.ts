import { DEFAULT_DATA_DIRECTORY } from '../data-paths.ts';
import type { Arguments } from './arguments.ts';
import type { Command, Environment, Option } from './command.ts';
import { usageError } from './failure.ts';

const DATA: Option = {
  name: 'data',
  value: 'DIR',
  help: `the data directory; else BUTTONWOOD_DATA, else ${DEFAULT_DATA_DIRECTORY}`,
};
const MAX_REASON_CHARACTERS = 200;

/** Commands that work on a data directory itself. What they need is loaded when they run. */
export const offlineCommands: readonly Command[] = [
  {
    name: 'verify',
    positionals: [],
    options: [DATA],
    summary: 'replay the whole log and prove that the books balance',
    run: async (args, env) => {
      const { verify } = await import('./offline/verify.ts');
      return verify(directoryOf(args, env));
    },
  },
  {
    name: 'skip',
    positionals: [],
    options: [
      DATA,
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
      const { skip } = await import('./offline/skip.ts');
      return skip(directoryOf(args, env), { sequence, index, reason });
    },
  },
];

function directoryOf(args: Arguments, env: Environment): string {
  return args.option('data') ?? (env.BUTTONWOOD_DATA || DEFAULT_DATA_DIRECTORY);
}
