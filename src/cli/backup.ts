import { type JetStreamConfig, readConfig } from '../config/config.ts';
import type { Arguments } from './arguments.ts';
import type { Command, Environment, Option } from './command.ts';
import { usageError } from './failure.ts';
import { flagsOf, readSettings, settingOptions } from './run-options.ts';

const PLACES = ['config', 'log', 'log-stream', 'log-credentials', 'database'];

/** Commands that copy what an exchange of many nodes has, and put it back. */
export const backupCommands: readonly Command[] = [
  {
    name: 'backup',
    positionals: [],
    options: [
      ...optionsOf(PLACES),
      { name: 'to', value: 'DIR', help: 'a new or empty directory', isRequired: true },
    ],
    summary: 'copy the log, its snapshots and the database of an exchange of many nodes',
    run: async (args, env) => {
      const places = placesOf(args, env);
      const { runBackup } = await import('./offline/backup.ts');
      return runBackup(places, args.required('to'));
    },
  },
  {
    name: 'restore',
    positionals: [],
    options: [
      ...optionsOf([...PLACES, 'log-replicas']),
      { name: 'from', value: 'DIR', help: 'what backup wrote', isRequired: true },
    ],
    summary: 'put a backup into NATS servers and a database that have nothing of it',
    run: async (args, env) => {
      const places = placesOf(args, env);
      const { runRestore } = await import('./offline/backup.ts');
      return runRestore(places, args.required('from'));
    },
  },
];

/** Where an exchange of many nodes keeps what it has. */
export interface ConfiguredPlaces {
  readonly log: JetStreamConfig;
  readonly databaseUrl: string;
}

/** Read as a node reads its settings, so that a node's own configuration will do. */
function placesOf(args: Arguments, env: Environment): ConfiguredPlaces {
  const { log, database } = readSettings(() => readConfig(env, true, flagsOf(args)));
  if (log.kind === 'jetstream' && database.kind === 'postgres') {
    return { log, databaseUrl: database.url };
  }
  throw usageError(
    'Name the NATS servers: --log nats://host:4222,… A log in files is copied with its directory, see docs/operating.md.',
  );
}

function optionsOf(names: readonly string[]): Option[] {
  return settingOptions(true).filter(({ name }) => names.includes(name));
}
