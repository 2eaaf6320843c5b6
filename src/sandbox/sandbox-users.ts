import { randomInt } from 'node:crypto';
import { Permission } from '../engine/terms.ts';
import type { Storage } from '../storage/storage.ts';
import type { Users } from '../users/users.ts';
import { readCredentials, writeCredentials } from './credentials-file.ts';
import { OPERATOR, TRADERS } from './sandbox.ts';

const DOMAIN = 'buttonwood.test';
const WORDS = 5;

/** Who can sign in to the sandbox, each to the account of that name. */
const PEOPLE = [
  ...TRADERS.map((name) => ({ name, permissions: Permission.read | Permission.trade })),
  { name: OPERATOR, permissions: Permission.read | Permission.operate },
];

/**
 * Sees to it that the sandbox's people can sign in, with passwords that the credentials file knows: it
 * makes those anew that it lacks. A password stands in the file once it works; who has changed theirs
 * keeps it.
 */
export async function keepSandboxUsers(
  accounts: Users,
  storage: Storage,
  path: string,
  now: number,
): Promise<void> {
  const file = readCredentials(path)!;
  const known = new Map(file.people?.map(({ email, password }) => [email, password]));
  const users = await Promise.all(
    PEOPLE.map(async ({ name, permissions }) => {
      const email = `${name}@${DOMAIN}`;
      const kept = known.get(email);
      const user = await accounts.store.byEmail(email);
      const password = kept ?? (await readablePassword());
      if (user === undefined) {
        const shownName = name[0]!.toUpperCase() + name.slice(1);
        // Its id is not that of its account, which may have other people.
        const terms = { id: `sandbox-${name}`, accountId: name, email, name: shownName };
        await accounts.addUser({ ...terms, permissions, createdAt: now }, password);
      } else if (kept === undefined) await accounts.setPassword(email, password);
      return { email, password };
    }),
  );
  if (users.every(({ email }) => known.has(email))) return;
  await writeCredentials(storage, path, { ...file, people: users });
}

/** Words that can be read aloud and typed; 64 random bits. */
async function readablePassword(): Promise<string> {
  const { default: words } = await import('@zxcvbn-ts/language-common/src/diceware.json', {
    with: { type: 'json' },
  });
  return Array.from({ length: WORDS }, () => words[randomInt(words.length)]!).join('-');
}
