import { join } from 'node:path';

/** Where things lie in a data directory. */
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
    /** Keys of the sandbox's own traders. */
    house: join(directory, 'house.json'),
    /** Is there while a sandbox is made: what is beside it then is not whole. */
    beginning: join(directory, 'beginning'),
  };
}

/** The databases of history, each with `-wal` and `-shm` beside it. */
export function historyFiles({ history, rebuiltHistory }: ReturnType<typeof dataPaths>): string[] {
  return [history, rebuiltHistory];
}

/** Where a node keeps its data unless BUTTONWOOD_DATA says otherwise. */
export const DEFAULT_DATA_DIRECTORY = './data';
