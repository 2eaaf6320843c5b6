import type { Config } from '../config/config.ts';
import { CommandKind, SYSTEM_ACTOR } from '../engine/command.ts';
import { type ApiKey, isInForce } from '../engine/ledger/accounts.ts';
import type { State } from '../engine/state.ts';
import { SealedSecrets, sealingKeyId } from '../gateway/auth/sealed-secrets.ts';
import * as logger from '../monitoring/logger.ts';
import type { Replica } from '../replica/replica.ts';
import { seededBytes } from '../sandbox/seeded-bytes.ts';
import type { Users } from '../users/users.ts';
import { WrongDataError } from './check-kind.ts';
import { executeAll } from './genesis.ts';
import type { NodeContext } from './node-core.ts';
import { isVirtual } from './sandbox-parts.ts';

/** Id of the sandbox's own sealing key. Ids in the setting have no dot. */
const SANDBOX_KEY_ID = 'sandbox.key';
const SEALING_KEY_BYTES = 32;

/**
 * Returns the secrets of HMAC keys, all encrypted under the current sealing key; undefined if the operator refuses such
 * keys.
 * @throws WrongDataError if a secret cannot be decrypted, unless it is a sandbox
 */
export async function openSealedSecrets(
  config: Config,
  users: Users,
  replica: Replica,
  { now, randomBytes }: Pick<NodeContext, 'now' | 'randomBytes'>,
): Promise<SealedSecrets | undefined> {
  const { hasHmacKeys, sealKeys, isSandbox } = config;
  const keys = keysInForce(replica.exchange.state, now());
  if (!hasHmacKeys) {
    if (keys.length > 0) logger.warn(refusedMessage(keys));
    return undefined;
  }
  const own = isSandbox ? [{ id: SANDBOX_KEY_ID, key: await loadOwnKey(config, users) }] : [];
  const secrets = new SealedSecrets([...sealKeys, ...own], randomBytes);
  const lost = keys.filter((key) => secrets.open(key) === undefined);
  if (lost.length > 0) {
    if (!isSandbox) throw new WrongDataError(lostMessage(lost, secrets));
    warnSandbox(lost, secrets);
  }
  await resealAll(secrets, keys, replica);
  return secrets;
}

/** Returns the sandbox's own sealing key: its seed's if the clock is virtual, because it determines bytes of the log. */
function loadOwnKey(config: Config, users: Users): Promise<Uint8Array> | Uint8Array {
  if (!isVirtual(config)) return users.loadSeal('hmac keys');
  return seededBytes(config.seed, () => 0)(SEALING_KEY_BYTES);
}

/** A fork, or a sandbox without its database of users, has another sealing key of its own. */
function warnSandbox(lost: readonly ApiKey[], secrets: SealedSecrets): void {
  const isOwn = ({ sealedSecret }: ApiKey) => sealingKeyId(sealedSecret!) === SANDBOX_KEY_ID;
  const own = lost.filter(isOwn);
  const others = lost.filter((key) => !isOwn(key));
  if (own.length > 0) {
    logger.warn(
      `${own.length} HMAC keys do not work here: their secrets are encrypted with the users' database of another sandbox, ` +
        'or of this one before it was deleted. Use those in sandbox.json.',
    );
  }
  if (others.length === 0) return;
  logger.warn(`${lostMessage(others, secrets)} Until then these keys do not work.`);
}

/** Returns the HMAC keys that may be used. */
function keysInForce(state: State, now: number): ApiKey[] {
  const time = Math.max(state.time, now);
  const isHmac = (key: ApiKey | undefined): key is ApiKey => key?.sealedSecret !== undefined;
  return state.keys.filter(isHmac).filter((key) => isInForce(key, time));
}

/** Encrypts under the current sealing key the secrets that are still encrypted under an earlier one. */
async function resealAll(
  secrets: SealedSecrets,
  keys: readonly ApiKey[],
  replica: Replica,
): Promise<void> {
  const commands = keys.flatMap((key) => {
    const secret = secrets.isCurrent(key) ? undefined : secrets.open(key);
    if (secret === undefined) return [];
    const { apiKey, account } = key;
    const sealedSecret = secrets.seal(apiKey, account.id, secret);
    return { kind: CommandKind.resealKey, ...SYSTEM_ACTOR, apiKey, sealedSecret };
  });
  if (commands.length === 0) return;
  await executeAll(replica, commands);
  logger.info(`Encrypted the secrets of ${commands.length} HMAC keys under the first sealing key.`);
}

function refusedMessage({ length }: readonly ApiKey[]): string {
  return `HMAC keys are off (BUTTONWOOD_HMAC_KEYS): requests of ${length} such keys are rejected.`;
}

function lostMessage([first, ...others]: readonly ApiKey[], secrets: SealedSecrets): string {
  const id = sealingKeyId(first!.sealedSecret!);
  const more = others.length === 0 ? '' : ` (and those of ${others.length} more)`;
  const problem = secrets.has(id)
    ? `cannot be decrypted with the sealing key ${JSON.stringify(id)}: BUTTONWOOD_SEAL_KEYS has another key under this id.`
    : `is encrypted under the sealing key ${JSON.stringify(id)}, which BUTTONWOOD_SEAL_KEYS does not have.`;
  return (
    `The secret of the HMAC key ${first!.apiKey} of the account ${first!.account.id}${more} ${problem} ` +
    'Add that key at the end of BUTTONWOOD_SEAL_KEYS, from its backup. If it is lost, start with BUTTONWOOD_HMAC_KEYS=off, ' +
    'revoke these API keys, and have their users create new ones.'
  );
}
