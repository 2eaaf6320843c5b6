import { readLogConfig } from '../../config/config.ts';
import { withProgress } from '../../monitoring/progress.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Environment } from '../command.ts';
import { usageError } from '../failure.ts';
import { FORMS } from '../forms.ts';
import type { ArchivePlace } from '../offline/archive.ts';
import { readSettings, selectFlags } from '../run-options.ts';
import { FILE_LOG } from './offline.ts';

/** Commands on the archive of a log. Their modules are loaded when they run. */
export const archiveCommands: readonly Command[] = [
  {
    name: 'archive status',
    positionals: [],
    options: FILE_LOG,
    summary: 'show what the archive of the log has; the node may run',
    run: async (args, env) => {
      const { archiveStatus } = await import('../offline/archive.ts');
      return archiveStatus(readPlace(args, env));
    },
  },
  {
    name: 'archive verify',
    positionals: [],
    options: FILE_LOG,
    summary: 'read the archive of the log and verify every batch; the node may run',
    run: async (args, env) => {
      const { archiveVerify } = await import('../offline/archive.ts');
      return withProgress((progress) => archiveVerify(readPlace(args, env), progress));
    },
  },
  {
    name: 'archive restore',
    positionals: [],
    options: [
      ...FILE_LOG,
      {
        name: 'to',
        value: 'DIR',
        help: 'data directory to which the whole log is written; must be new or empty',
        isRequired: true,
        form: FORMS.path,
      },
    ],
    summary: 'write the whole log, archived and local, to a new directory',
    run: async (args, env) => {
      const { archiveRestore } = await import('../offline/archive.ts');
      const to = args.required('to');
      return withProgress((progress) => archiveRestore(readPlace(args, env), to, progress));
    },
  },
];

/** @throws CliError if no archive is named */
function readPlace(args: Arguments, env: Environment): ArchivePlace {
  const { archive, dataDirectory } = readSettings(() => readLogConfig(env, selectFlags(args)));
  if (archive !== undefined) return { archive, directory: dataDirectory };
  throw usageError('Name the archive with --archive or BUTTONWOOD_ARCHIVE.');
}
