import { randomBytes } from 'node:crypto';
import { constants, copyFileSync, existsSync } from 'node:fs';
import { GENESIS, loadNewest, replay } from '../../archivist/recovery.ts';
import { dataPaths } from '../../config/data-paths.ts';
import { type Command, CommandKind } from '../../engine/command.ts';
import { Exchange } from '../../engine/exchange.ts';
import { type Account, type ApiKey, isInForce } from '../../engine/ledger/accounts.ts';
import { MAX_KEYS_PER_ACCOUNT } from '../../engine/limits.ts';
import { ByteWriter } from '../../engine/numbers/bytes.ts';
import type { State } from '../../engine/state.ts';
import { NONE, Permission } from '../../engine/terms.ts';
import { encodeBatch } from '../../log/codec.ts';
import { FileLog } from '../../log/file-log.ts';
import {
  completeCredentials,
  OPERATOR_KEYS,
  readCredentials,
  writeCredentials,
} from '../../sandbox/credentials-file.ts';
import { DiskStorage } from '../../storage/disk-storage.ts';
import type { Result } from '../command.ts';
import { fields } from '../text.ts';
import { refuseOtherUser, withDataDirectory } from './data-directory.ts';
import { cliError } from './finding.ts';

/** Account of the first operator of every real exchange. */
const OPERATOR = OPERATOR_KEYS[0]!.name;
const LABEL = 'recovered';
const DEFAULT_URL = 'http://127.0.0.1:3000';

/**
 * Creates an operator key for an exchange that no one can operate, authorized by write access to its data directory.
 * The key's command is in the log, and so in the audit.
 * @throws CliError while a node runs there, as another user than the node's, for a sandbox, and if the key in
 * `operator.json` works
 */
export function recoverKey(path: string): Promise<Result> {
  refuseOtherUser(path);
  return withDataDirectory(path, async ({ storage, logDirectory, log, snapshots }) => {
    const from = existsSync(dataPaths(path).snapshots)
      ? loadNewest(snapshots)
      : { exchange: new Exchange(), position: GENESIS };
    replay(log, from);
    return withNewKey(path, from.exchange.state, async (commands) => {
      const open = await FileLog.open({ storage, directory: logDirectory });
      const payload = encodeBatch(new ByteWriter(), commands);
      const { sequence } = await open.append(Date.now(), commands.length, payload);
      await open.close();
      return sequence;
    });
  });
}

/**
 * Writes a new operator key to the directory's `operator.json`, then appends it to the log by `append`. The previous
 * file is kept under another name.
 */
export async function withNewKey(
  directory: string,
  state: State,
  append: (commands: readonly Command[]) => Promise<number>,
): Promise<Result> {
  if (state.sandbox) {
    throw cliError('SANDBOX', 'This is a sandbox: "buttonwood start" restores its keys by itself.');
  }
  const owner = state.accountsById.get(OPERATOR);
  if (owner === undefined) {
    throw cliError('NO_DATA', 'The log is empty. Use "buttonwood serve" to create an exchange.');
  }
  const path = dataPaths(directory).operator;
  const known = readCredentials(path);
  const { file, commands } = completeCredentials(
    known,
    OPERATOR_KEYS,
    known?.baseUrl ?? DEFAULT_URL,
    state,
    () => owner.index,
    randomBytes,
    LABEL,
    Math.max(state.time, Date.now()),
  );
  if (commands.length === 0) {
    throw cliError('NOT_NEEDED', `The operator key in ${path} works. Nothing was changed.`);
  }
  const replaced = keyToReplace(owner, state);
  const kept = moveAside(path);
  // Durable before the log knows the key: a crash in between must not lose the secret.
  await writeCredentials(new DiskStorage(), path, file);
  const sequence = await append([...replaced.map(revocation), ...commands]);
  const { apiKey } = file.accounts[0]!;
  const shown = fields([
    ['Account', OPERATOR],
    ['API key', apiKey],
    ['Secret in file', path],
    ...kept.map((file): [string, string] => ['Previous file', file]),
    ...replaced.map((key): [string, string] => ['Revoked to free a slot', key.apiKey]),
    ['Recorded as', `batch ${sequence}`],
  ]);
  return {
    data: { accountId: OPERATOR, apiKey, credentials: path, logPosition: sequence },
    text: `${shown}\n\nStart the node. Revoke lost keys with "buttonwood key revoke".`,
  };
}

/**
 * Returns the key to revoke if the operator account has the maximum number of keys: an expired key, else one without
 * the operate permission, else the operator key that expires first.
 */
function keyToReplace({ keys }: Account, state: State): ApiKey[] {
  const candidates = keys.filter(
    (key) => key.revokedAt === 0 && (state.version < 2 || isInForce(key, state.time)),
  );
  if (candidates.length < MAX_KEYS_PER_ACCOUNT) return [];
  const rank = (key: ApiKey) => {
    if (!isInForce(key, state.time)) return -1;
    if ((key.permissions & Permission.operate) === 0) return 0;
    return key.expiresAt === 0 ? Number.POSITIVE_INFINITY : key.expiresAt;
  };
  return [candidates.reduce((a, b) => (rank(b) < rank(a) ? b : a))];
}

function revocation({ apiKey }: ApiKey): Command {
  return { kind: CommandKind.revokeKey, account: NONE, key: NONE, apiKey };
}

/** Renames the file to be replaced, which may have the keys of another exchange. @returns Its new path. */
function moveAside(path: string): string[] {
  if (!existsSync(path)) return [];
  let number = 1;
  while (existsSync(`${path}.${number}`)) number++;
  const aside = `${path}.${number}`;
  copyFileSync(path, aside, constants.COPYFILE_EXCL);
  return [aside];
}
