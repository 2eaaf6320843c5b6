import { join } from 'node:path';

/** Returns the paths in a data directory. */
export function dataPaths(directory: string) {
  return {
    log: join(directory, 'log'),
    snapshots: join(directory, 'snapshots'),
    /** Proofs of liabilities, and the secret from which their nonces are derived. */
    proofs: join(directory, 'proofs'),
    history: join(directory, 'history.sqlite'),
    /** The history that replaces a missing or damaged one, while it is rebuilt from the log. */
    rebuiltHistory: join(directory, 'history.sqlite.rebuild'),
    accounts: join(directory, 'accounts.sqlite'),
    /** Reports of accounts and operators, which can be made again. */
    reports: join(directory, 'reports'),
    sandbox: join(directory, 'sandbox.json'),
    /** The sandbox's address and alice's key, for a shell to source. */
    sandboxVariables: join(directory, 'sandbox.env'),
    operator: join(directory, 'operator.json'),
    /** Keys of the sandbox's market makers in releases that ran them as clients. */
    makers: join(directory, 'house.json'),
    /** Copies of a sandbox to which it can return, and the name of the one that is being restored. */
    checkpoints: join(directory, 'checkpoints'),
    restoring: join(directory, 'restoring'),
    /** Checked rows of the recorded markets that the sandbox plays; written at each start. */
    recording: join(directory, 'recording'),
    /** Exists while a sandbox is being created; the directory is incomplete until it is removed. */
    beginning: join(directory, 'beginning'),
    /** Exists while `buttonwood fork` writes the directory, which is incomplete until it is removed. */
    forking: join(directory, 'forking'),
  };
}

/** The databases of history, each with its `-wal` and `-shm` files. */
export function historyFiles({ history, rebuiltHistory }: ReturnType<typeof dataPaths>): string[] {
  return [history, rebuiltHistory];
}

/** The data directory unless BUTTONWOOD_DATA is set. */
export const DEFAULT_DATA_DIRECTORY = './data';
