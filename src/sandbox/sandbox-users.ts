import { randomInt } from 'node:crypto';
import { Permission } from '../engine/terms.ts';
import type { Storage } from '../storage/storage.ts';
import type { Users } from '../users/users.ts';
import { readCredentials, writeCredentials } from './credentials-file.ts';
import { OPERATOR, TRADERS } from './sandbox.ts';

const DOMAIN = 'buttonwood.test';
const WORDS = 5;

/** The sandbox's users. Each signs in to the account of the same name. */
const SANDBOX_USERS = [
  ...TRADERS.map((name) => ({ name, permissions: Permission.read | Permission.trade })),
  { name: OPERATOR, permissions: Permission.read | Permission.operate },
];

/**
 * Makes sure that the sandbox's users exist with the passwords in the credentials file, and generates missing
 * passwords. A password is written to the file once it works. Passwords that users have changed stay.
 */
export async function ensureSandboxUsers(
  users: Users,
  storage: Storage,
  path: string,
  now: number,
): Promise<void> {
  const file = readCredentials(path)!;
  const known = new Map(file.users?.map(({ email, password }) => [email, password]));
  const credentials = await Promise.all(
    SANDBOX_USERS.map(async ({ name, permissions }) => {
      const email = `${name}@${DOMAIN}`;
      const kept = known.get(email);
      const user = await users.store.findByEmail(email);
      const password = kept ?? (await readablePassword());
      if (user === undefined) {
        const shownName = name[0]!.toUpperCase() + name.slice(1);
        // Not the account's id, because the account may get other users.
        const id = `sandbox-${name}`;
        const newUser = {
          id,
          accountId: name,
          email,
          name: shownName,
          permissions,
          createdAt: now,
        };
        await users.addUser(newUser, password);
      } else if (kept === undefined) await users.setPassword(email, password);
      return { email, password };
    }),
  );
  if (credentials.every(({ email }) => known.has(email))) return;
  await writeCredentials(storage, path, { ...file, users: credentials });
}

/** Returns five random words, easy to read aloud and type; 64 random bits. */
async function readablePassword(): Promise<string> {
  const { default: words } = await import('@zxcvbn-ts/language-common/src/diceware.json', {
    with: { type: 'json' },
  });
  return Array.from({ length: WORDS }, () => words[randomInt(words.length)]!).join('-');
}
