import { type Command, CommandKind, SYSTEM_ACTOR } from '../engine/command.ts';
import { type ApiKey, isInForce } from '../engine/ledger/accounts.ts';
import type { State } from '../engine/state.ts';
import { Permission } from '../engine/terms.ts';
import { generateCredentials } from '../users/credentials/api-keys.ts';
import type { Credential, CredentialsFile } from './credentials-file.ts';
import type { RandomBytes } from './seeded-bytes.ts';

const LABEL = 'Created at startup (HMAC)';

/** Encrypts and decrypts the secrets of HMAC keys. */
interface SealedSecrets {
  seal(apiKey: string, accountId: string, secret: string): Uint8Array;
  open(key: ApiKey): Buffer | undefined;
}

/**
 * Gives each entry of a credentials file that may read or trade an HMAC key of the same permissions, and keeps those that
 * still work. Returns the new content of the file, and the commands that create its new keys. Like with
 * `completeCredentials`, the file must be durable before the commands are executed.
 */
export function completeHmacKeys(
  file: CredentialsFile,
  state: State,
  secrets: SealedSecrets,
  randomBytes: RandomBytes,
): { file: CredentialsFile; commands: Command[] } {
  const commands: Command[] = [];
  const accounts = file.accounts.map((entry) => {
    const { name, permissions, binance: known } = entry;
    if (permissions.includes('operate') || isValid(name, known, state, secrets)) return entry;
    const binance = generateCredentials(randomBytes);
    const { apiKey, apiSecret } = binance;
    commands.push({
      kind: CommandKind.createHmacKey,
      ...SYSTEM_ACTOR,
      owner: state.accountsById.get(name)!.index,
      apiKey,
      sealedSecret: secrets.seal(apiKey, name, apiSecret),
      permissions: permissions.reduce((sum, permission) => sum + Permission[permission], 0),
      label: LABEL,
      addresses: [],
      expiresAt: 0,
    });
    return { ...entry, binance };
  });
  return { file: { ...file, accounts }, commands };
}

function isValid(
  name: string,
  known: Credential['binance'],
  state: State,
  secrets: SealedSecrets,
): boolean {
  const key = known === undefined ? undefined : state.keysByApiKey.get(known.apiKey);
  return (
    key !== undefined &&
    key.account.id === name &&
    isInForce(key, state.time) &&
    secrets.open(key)?.toString() === known!.apiSecret
  );
}
