import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { z } from 'zod';
import { type Command, CommandKind, SYSTEM_ACTOR } from '../engine/command.ts';
import { type ApiKey, isInForce } from '../engine/ledger/accounts.ts';
import type { State } from '../engine/state.ts';
import { Permission, permissionNames } from '../engine/terms.ts';
import * as logger from '../monitoring/logger.ts';
import { type Storage, writeAll } from '../storage/storage.ts';
import { generateCredentials, hashSecret, verifySecret } from '../users/credentials/api-keys.ts';
import { OPERATOR, TRADERS } from './sandbox.ts';
import type { RandomBytes } from './seeded-bytes.ts';

const userList = z.array(z.object({ email: z.string(), password: z.string() }));

/** The content of `<data>/sandbox.json` and `<data>/operator.json`: keys with their secrets. */
const fileSchema = z.object({
  baseUrl: z.string(),
  accounts: z.array(
    z.object({
      name: z.string(),
      apiKey: z.string(),
      apiSecret: z.string(),
      permissions: z.array(z.enum(permissionNames)),
      /** A key that signs with HMAC, as programs for Binance do; only in a sandbox. */
      binance: z.object({ apiKey: z.string(), apiSecret: z.string() }).optional(),
    }),
  ),
  /** The sandbox's users. On a real exchange the operator invites users. */
  users: userList.optional(),
  /** The name of `users` in files of older releases. */
  people: userList.optional(),
});
export type CredentialsFile = Omit<z.infer<typeof fileSchema>, 'people'>;
export type Credential = CredentialsFile['accounts'][number];

/** The keys of the sandbox. Alice's second key can only read. */
export const SANDBOX_KEYS: readonly Pick<Credential, 'name' | 'permissions'>[] = [
  ...TRADERS.map((name) => ({ name, permissions: ['read', 'trade'] satisfies Permissions })),
  { name: 'alice', permissions: ['read'] },
  { name: OPERATOR, permissions: ['operate'] },
];
export const OPERATOR_KEYS: readonly Pick<Credential, 'name' | 'permissions'>[] = [
  { name: OPERATOR, permissions: ['operate'] },
];
type Permissions = Credential['permissions'];

/**
 * Returns the credentials in a file, undefined if there is none or it is not valid.
 * @param consequence Last sentence of the warning about a file that cannot be read.
 */
export function readCredentials(
  path: string,
  consequence = 'It is rewritten with new keys.',
): CredentialsFile | undefined {
  if (!existsSync(path)) return undefined;
  try {
    const text = readFileSync(path, 'utf8');
    const { people, users = people, ...file } = fileSchema.parse(JSON.parse(text));
    return users === undefined ? file : { ...file, users };
  } catch {
    logger.warn(`${path} cannot be read. ${consequence}`);
    return undefined;
  }
}

/** Writes the file atomically, readable only by its owner. Resolves once it is durable. */
export async function writeCredentials(
  storage: Storage,
  path: string,
  content: CredentialsFile,
): Promise<void> {
  await replaceFile(storage, path, `${JSON.stringify(content, null, 2)}\n`);
}

/**
 * Writes `<data>/sandbox.env`, which a shell sources: the address of the sandbox and alice's trading keys. Does nothing
 * if the file is up to date.
 */
export async function writeShellVariables(
  storage: Storage,
  path: string,
  { baseUrl, accounts }: CredentialsFile,
): Promise<void> {
  const alice = accounts.find(
    ({ name, permissions }) => name === 'alice' && permissions.includes('trade'),
  );
  if (alice === undefined) return;
  const text =
    `export BUTTONWOOD_URL=${baseUrl}\n` +
    `export API_KEY=${alice.apiKey}\n` +
    `export API_SECRET=${alice.apiSecret}\n` +
    (alice.binance === undefined
      ? ''
      : `export BINANCE_API_KEY=${alice.binance.apiKey}\n` +
        `export BINANCE_API_SECRET=${alice.binance.apiSecret}\n`);
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  await replaceFile(storage, path, text);
}

/** Replaces a file atomically; resolves once the new content is durable. */
async function replaceFile(storage: Storage, path: string, text: string): Promise<void> {
  const directory = dirname(path);
  const temporary = `${path}.part`;
  if (storage.list(directory).includes(basename(temporary))) storage.remove(temporary);
  const file = storage.create(temporary);
  try {
    writeAll(file, Buffer.from(text), 0);
    await file.sync();
  } finally {
    file.close();
  }
  storage.rename(temporary, path);
  await storage.syncDirectory(directory);
}

/**
 * Keeps the credentials of a file that still work, and generates keys for the rest. Returns the new content of
 * the file, and the commands that create its new keys. The file must be durable before the commands are
 * executed, or a crash between the two would lose the secrets.
 * @param randomBytes The source of new keys.
 * @param time Time at which a key must be in force to be kept; the state's time by default.
 */
export function completeCredentials(
  known: CredentialsFile | undefined,
  wanted: readonly Pick<Credential, 'name' | 'permissions'>[],
  baseUrl: string,
  state: State,
  accountIndex: (name: string) => number,
  randomBytes: RandomBytes,
  label = 'Created at startup',
  time = state.time,
): { file: CredentialsFile; commands: Command[] } {
  const commands: Command[] = [];
  const accounts = wanted.map(({ name, permissions }) => {
    const kept = known?.accounts.find(
      (credential) =>
        credential.name === name &&
        credential.permissions.join() === permissions.join() &&
        isValid(credential, state, time),
    );
    if (kept !== undefined) return kept;
    const credentials = generateCredentials(randomBytes);
    commands.push({
      kind: CommandKind.createKey,
      ...SYSTEM_ACTOR,
      owner: accountIndex(name),
      apiKey: credentials.apiKey,
      secretHash: hashSecret(credentials.apiSecret),
      permissions: permissions.reduce((sum, permission) => sum + Permission[permission], 0),
      label,
      addresses: [],
      expiresAt: 0,
    });
    return { name, ...credentials, permissions: [...permissions] };
  });
  const users = known?.users === undefined ? {} : { users: known.users };
  return { file: { baseUrl, accounts, ...users }, commands };
}

function isValid(credential: Credential, state: State, time: number): boolean {
  const key: ApiKey | undefined = state.keysByApiKey.get(credential.apiKey);
  return (
    key !== undefined &&
    key.account.id === credential.name &&
    isInForce(key, time) &&
    verifySecret(credential.apiSecret, key.secretHash)
  );
}
