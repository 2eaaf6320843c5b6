import { existsSync } from 'node:fs';
import {
  completeCredentials,
  OPERATOR_KEYS,
  readCredentials,
  writeCredentials,
} from '../../credentials-file.ts';
import { dataPaths } from '../../data-paths.ts';
import { ByteWriter } from '../../engine/bytes.ts';
import type { Command } from '../../engine/command.ts';
import { Exchange } from '../../engine/exchange.ts';
import type { State } from '../../engine/state.ts';
import { encodeBatch } from '../../log/codec.ts';
import { FileLog } from '../../log/file-log.ts';
import { GENESIS, loadNewest, replay } from '../../replica/recovery.ts';
import { DiskStorage } from '../../storage/disk-storage.ts';
import type { Result } from '../command.ts';
import { fields } from '../text.ts';
import { withDataDirectory } from './data-directory.ts';
import { refusal } from './finding.ts';

/** Of the account that every real exchange begins with. */
const OPERATOR = OPERATOR_KEYS[0]!.name;
const LABEL = 'recovered';
const DEFAULT_URL = 'http://127.0.0.1:3000';

/**
 * Makes an operator key for an exchange that no one can operate any more, by the right of who can write to its
 * data directory. The key's command is in the log, and so in the audit.
 * @throws CliError while a node runs there, for a sandbox, and where the key in `operator.json` works
 */
export function recoverKey(path: string): Promise<Result> {
  return withDataDirectory(path, async ({ storage, logDirectory, log, snapshots }) => {
    const from = existsSync(dataPaths(path).snapshots)
      ? loadNewest(snapshots)
      : { exchange: new Exchange(), position: GENESIS };
    replay(log, from);
    return withNewKey(path, from.exchange.state, async (command) => {
      const open = await FileLog.open({ storage, directory: logDirectory });
      const payload = encodeBatch(new ByteWriter(), [command]);
      const { sequence } = await open.append(Date.now(), 1, payload);
      await open.close();
      return sequence;
    });
  });
}

/** Writes a new operator key to the directory's `operator.json`, then has `append` put it into the log. */
export async function withNewKey(
  directory: string,
  state: State,
  append: (command: Command) => Promise<number>,
): Promise<Result> {
  if (state.sandbox) {
    throw refusal('SANDBOX', 'This is a sandbox: "buttonwood start" restores its keys by itself.');
  }
  const path = dataPaths(directory).operator;
  const known = readCredentials(path);
  const { file, commands } = completeCredentials(
    known,
    OPERATOR_KEYS,
    known?.baseUrl ?? DEFAULT_URL,
    state,
    (name) => state.accountsById.get(name)!.index,
    LABEL,
  );
  const [command] = commands;
  if (command === undefined) {
    throw refusal('NOT_NEEDED', `The operator key in ${path} works: nothing was changed.`);
  }
  // Durable before the log knows the key: a crash in between must not lose the secret.
  await writeCredentials(new DiskStorage(), path, file);
  const sequence = await append(command);
  const { apiKey } = file.accounts[0]!;
  const shown = fields([
    ['Account', OPERATOR],
    ['API key', apiKey],
    ['Secret in', path],
    ['Recorded as', `batch ${sequence}`],
  ]);
  return {
    data: { accountId: OPERATOR, apiKey, credentials: path, logPosition: sequence },
    text: `${shown}\n\nStart the node; "buttonwood key revoke" ends keys that were lost.`,
  };
}
