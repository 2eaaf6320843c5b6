import { readConfig } from '../../config/config.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Environment, Option } from '../command.ts';
import { usageError } from '../failure.ts';
import type { ConfiguredPlaces } from '../offline/backup.ts';
import { readSettings, selectFlags, settingOptions } from '../run-options.ts';

const PLACES = ['config', 'log', 'log-stream', 'log-credentials', 'database'];

/** Commands that back up a cluster and restore it. */
export const backupCommands: readonly Command[] = [
  {
    name: 'backup',
    positionals: [],
    options: [
      ...selectOptions(PLACES),
      {
        name: 'to',
        value: 'DIR',
        help: 'directory for the backup; must be new or empty',
        isRequired: true,
      },
    ],
    summary: 'back up a cluster: log, snapshots and database',
    run: async (args, env) => {
      const places = readPlaces(args, env);
      const { runBackup } = await import('../offline/backup.ts');
      return runBackup(places, args.required('to'));
    },
  },
  {
    name: 'restore',
    positionals: [],
    options: [
      ...selectOptions([...PLACES, 'log-replicas']),
      { name: 'from', value: 'DIR', help: 'directory of the backup', isRequired: true },
    ],
    summary: 'restore a backup into empty NATS servers and an empty database',
    run: async (args, env) => {
      const places = readPlaces(args, env);
      const { runRestore } = await import('../offline/backup.ts');
      return runRestore(places, args.required('from'));
    },
  },
];

/** Reads them like the settings of a node, so that a node's configuration file can be used. */
function readPlaces(args: Arguments, env: Environment): ConfiguredPlaces {
  const { log, database } = readSettings(() => readConfig(env, true, selectFlags(args)));
  if (log.kind === 'jetstream' && database.kind === 'postgres') {
    return { log, databaseUrl: database.url };
  }
  throw usageError(
    'Name the NATS servers: --log nats://host:4222,… A log in files is copied with its directory, see docs/operating/backup-and-restore.md.',
  );
}

function selectOptions(names: readonly string[]): Option[] {
  return settingOptions(true).filter(({ name }) => names.includes(name));
}
