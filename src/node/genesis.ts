import type { Archivist } from '../archivist/archivist.ts';
import { type Command, CommandKind, SYSTEM_ACTOR } from '../engine/command.ts';
import { ENGINE_VERSION } from '../engine/exchange.ts';
import { ByteWriter } from '../engine/numbers/bytes.ts';
import { State } from '../engine/state.ts';
import type { SealedSecrets } from '../gateway/auth/sealed-secrets.ts';
import { encodeCommand } from '../log/codec.ts';
import type { Log } from '../log/log.ts';
import type { Replica } from '../replica/replica.ts';
import { executeTransfer } from '../replica/transfers.ts';
import {
  completeCredentials,
  OPERATOR_KEYS,
  readCredentials,
  SANDBOX_KEYS,
  writeCredentials,
} from '../sandbox/credentials-file.ts';
import { completeHmacKeys } from '../sandbox/hmac-credentials.ts';
import { recordedGenesis } from '../sandbox/recorded/recorded-genesis.ts';
import type { Recording } from '../sandbox/recorded/recording.ts';
import { missingAccounts, OPERATOR, sandboxGenesis } from '../sandbox/sandbox.ts';
import type { RandomBytes } from '../sandbox/seeded-bytes.ts';
import type { Storage } from '../storage/storage.ts';
import type { NodeCore } from './node-core.ts';

/** The first commands of a real exchange. The operator creates everything else. */
const GENESIS: readonly Command[] = [
  { kind: CommandKind.open, version: ENGINE_VERSION, sandbox: false },
  { kind: CommandKind.createAccount, ...SYSTEM_ACTOR, accountId: OPERATOR, limitClass: 1 },
];

/** Creates an exchange in an empty log, atomically in one batch. */
export async function createExchange(
  log: Log,
  now: number,
  ...options: Parameters<typeof genesisCommands>
): Promise<void> {
  const commands = await genesisCommands(...options);
  const writer = new ByteWriter();
  for (const command of commands) encodeCommand(writer, command);
  await log.append(now, commands.length, writer.bytes());
}

/**
 * Returns the first commands of an exchange. The credentials file at `path` is durable before its keys are in the log, so
 * that no crash loses their secrets.
 * @param recording What the sandbox plays.
 */
export async function genesisCommands(
  storage: Storage,
  isSandbox: boolean,
  path: string,
  baseUrl: string,
  randomBytes: RandomBytes,
  recording?: Recording,
): Promise<readonly Command[]> {
  const sandbox = () => (recording === undefined ? sandboxGenesis() : recordedGenesis(recording));
  const genesis = isSandbox ? sandbox() : GENESIS;
  const accounts = genesis.flatMap((command) =>
    command.kind === CommandKind.createAccount ? [command.accountId] : [],
  );
  const keys = isSandbox ? SANDBOX_KEYS : OPERATOR_KEYS;
  const { file, commands } = completeCredentials(
    undefined,
    keys,
    baseUrl,
    new State(),
    (name) => accounts.indexOf(name),
    randomBytes,
  );
  await writeCredentials(storage, path, file);
  return [...genesis, ...commands];
}

/**
 * Opens the sandbox's accounts that are missing, as in a fork of a real exchange, creates its keys again if its
 * credentials file was lost, and writes the address into the file.
 * @param secrets Of the HMAC keys; undefined for none.
 */
export async function restoreSandboxKeys(
  storage: Storage,
  { replica, archivist }: Pick<NodeCore, 'replica' | 'archivist'>,
  { path, baseUrl }: { readonly path: string; readonly baseUrl: string },
  secrets: SealedSecrets | undefined,
  randomBytes: RandomBytes,
): Promise<void> {
  await executeAll(replica, missingAccounts(replica.exchange.state), archivist);
  await restoreKeys(storage, replica, path, baseUrl, randomBytes);
  const { state } = replica.exchange;
  if (secrets === undefined || state.version < 2) return;
  const { file, commands } = completeHmacKeys(readCredentials(path)!, state, secrets, randomBytes);
  if (commands.length === 0) return;
  await writeCredentials(storage, path, file);
  await executeAll(replica, commands);
}

/** Creates the sandbox's keys that are missing from the credentials file, or no longer valid, and writes them there. */
async function restoreKeys(
  storage: Storage,
  replica: Replica,
  path: string,
  baseUrl: string,
  randomBytes: RandomBytes,
): Promise<void> {
  const { state } = replica.exchange;
  const { file, commands } = completeCredentials(
    readCredentials(path),
    SANDBOX_KEYS,
    baseUrl,
    state,
    (name) => state.accountsById.get(name)!.index,
    randomBytes,
  );
  await writeCredentials(storage, path, file);
  await executeAll(replica, commands);
}

/** Executes commands in order. @throws Error if one is rejected */
export async function executeAll(
  replica: Replica,
  commands: readonly Command[],
  archivist?: Archivist,
): Promise<void> {
  for (const command of commands) {
    const outcome =
      command.kind === CommandKind.transfer && archivist !== undefined
        ? await executeTransfer({ replica, archivist }, command)
        : await replica.execute(command);
    if (outcome.kind === 'rejected') {
      throw new Error(
        `a command that the node submits at start was rejected: ${outcome.rule ?? outcome.code}`,
      );
    }
  }
}
