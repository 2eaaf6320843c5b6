import { join } from 'node:path';

/** Where things lie in a data directory. */
export function dataPaths(directory: string) {
  return {
    log: join(directory, 'log'),
    snapshots: join(directory, 'snapshots'),
    history: join(directory, 'history.sqlite'),
    accounts: join(directory, 'accounts.sqlite'),
    sandbox: join(directory, 'sandbox.json'),
    operator: join(directory, 'operator.json'),
  };
}

/** Where a node keeps its data unless BUTTONWOOD_DATA says otherwise. */
export const DEFAULT_DATA_DIRECTORY = './data';
