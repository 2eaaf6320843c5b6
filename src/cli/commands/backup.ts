import { readConfig } from '../../config/config.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Environment, Option } from '../command.ts';
import { usageError } from '../failure.ts';
import type { ConfiguredPlaces } from '../offline/backup.ts';
import { flagsOf, readSettings, settingOptions } from '../run-options.ts';

const PLACES = ['config', 'log', 'log-stream', 'log-credentials', 'database'];

/** Commands that back up a cluster and restore it. */
export const backupCommands: readonly Command[] = [
  {
    name: 'backup',
    positionals: [],
    options: [
      ...optionsOf(PLACES),
      {
        name: 'to',
        value: 'DIR',
        help: 'directory for the backup; must be new or empty',
        isRequired: true,
      },
    ],
    summary: 'back up a cluster: log, snapshots and database',
    run: async (args, env) => {
      const places = placesOf(args, env);
      const { runBackup } = await import('../offline/backup.ts');
      return runBackup(places, args.required('to'));
    },
  },
  {
    name: 'restore',
    positionals: [],
    options: [
      ...optionsOf([...PLACES, 'log-replicas']),
      { name: 'from', value: 'DIR', help: 'directory of the backup', isRequired: true },
    ],
    summary: 'restore a backup into empty NATS servers and an empty database',
    run: async (args, env) => {
      const places = placesOf(args, env);
      const { runRestore } = await import('../offline/backup.ts');
      return runRestore(places, args.required('from'));
    },
  },
];

/** Reads them like the settings of a node, so that a node's configuration file can be used. */
function placesOf(args: Arguments, env: Environment): ConfiguredPlaces {
  const { log, database } = readSettings(() => readConfig(env, true, flagsOf(args)));
  if (log.kind === 'jetstream' && database.kind === 'postgres') {
    return { log, databaseUrl: database.url };
  }
  throw usageError(
    'Name the NATS servers: --log nats://host:4222,… A log in files is copied with its directory, see docs/operating/backup-and-restore.md.',
  );
}

function optionsOf(names: readonly string[]): Option[] {
  return settingOptions(true).filter(({ name }) => names.includes(name));
}
