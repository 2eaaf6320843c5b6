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
import { OPERATOR, sandboxGenesis } from '../sandbox/sandbox.ts';
import type { Storage } from '../storage/storage.ts';

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
 */
export async function genesisCommands(
  storage: Storage,
  isSandbox: boolean,
  path: string,
  baseUrl: string,
): Promise<readonly Command[]> {
  const genesis = isSandbox ? sandboxGenesis() : GENESIS;
  const accounts = genesis.flatMap((command) =>
    command.kind === CommandKind.createAccount ? [command.accountId] : [],
  );
  const keys = isSandbox ? SANDBOX_KEYS : OPERATOR_KEYS;
  const { file, commands } = completeCredentials(undefined, keys, baseUrl, new State(), (name) =>
    accounts.indexOf(name),
  );
  await writeCredentials(storage, path, file);
  return [...genesis, ...commands];
}

/**
 * Creates the sandbox's keys again if its credentials file was lost, and writes the address into the file.
 * @param secrets Of the HMAC keys; undefined for none.
 */
export async function restoreSandboxKeys(
  storage: Storage,
  replica: Replica,
  path: string,
  baseUrl: string,
  secrets: SealedSecrets | undefined,
): Promise<void> {
  await restoreKeys(storage, replica, path, baseUrl, SANDBOX_KEYS);
  const { state } = replica.exchange;
  if (secrets === undefined || state.version < 2) return;
  const { file, commands } = completeHmacKeys(readCredentials(path)!, state, secrets);
  if (commands.length === 0) return;
  await writeCredentials(storage, path, file);
  await executeAll(replica, commands);
}

/** Creates the wanted keys that are missing from the credentials file, or no longer valid, and writes them there. */
export async function restoreKeys(
  storage: Storage,
  replica: Replica,
  path: string,
  baseUrl: string,
  wanted: Parameters<typeof completeCredentials>[1],
): Promise<void> {
  const { state } = replica.exchange;
  const { file, commands } = completeCredentials(
    readCredentials(path),
    wanted,
    baseUrl,
    state,
    (name) => state.accountsById.get(name)!.index,
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
