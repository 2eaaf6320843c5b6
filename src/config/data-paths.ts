import { join } from 'node:path';

/** Returns the paths in a data directory. */
export function dataPaths(directory: string) {
  return {
    log: join(directory, 'log'),
    snapshots: join(directory, 'snapshots'),
    history: join(directory, 'history.sqlite'),
    /** The history that replaces a missing or damaged one, while it is rebuilt from the log. */
    rebuiltHistory: join(directory, 'history.sqlite.rebuild'),
    accounts: join(directory, 'accounts.sqlite'),
    sandbox: join(directory, 'sandbox.json'),
    /** The sandbox's address and alice's key, for a shell to source. */
    sandboxVariables: join(directory, 'sandbox.env'),
    operator: join(directory, 'operator.json'),
    /** Keys of the sandbox's market makers. */
    makers: join(directory, 'house.json'),
    /** Exists while a sandbox is being created; the directory is incomplete until it is removed. */
    beginning: join(directory, 'beginning'),
  };
}

/** The databases of history, each with its `-wal` and `-shm` files. */
export function historyFiles({ history, rebuiltHistory }: ReturnType<typeof dataPaths>): string[] {
  return [history, rebuiltHistory];
}

/** The data directory unless BUTTONWOOD_DATA is set. */
export const DEFAULT_DATA_DIRECTORY = './data';
