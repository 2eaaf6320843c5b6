import type { Config } from '../config/config.ts';
import type { State } from '../engine/state.ts';
import { Permission } from '../engine/terms.ts';
import { applyApprovedGrants } from '../gateway/approved-grants.ts';
import type { KeyUseTimes } from '../gateway/services.ts';
import { logMail, smtpMail, Users } from '../users/users.ts';
import type { NodeCore } from './node-core.ts';
import { openAccount } from './open-account.ts';

/** Twice the interval of cleanups, plus a difference between clocks. */
const KEY_USES_MS = 300_000;

/** Opens the users' database. Mail is sent by SMTP, or in the sandbox written to this process's output. */
export async function openUsers(
  { isSandbox, mail, database }: Config,
  path: string,
  { replica, bus }: NodeCore,
  now: () => number,
  baseUrl: () => string,
): Promise<Users> {
  const send = mail === undefined ? undefined : await smtpMail(mail.smtpUrl, mail.from);
  return Users.open({
    url: database.kind === 'sqlite' ? `sqlite://${path}` : database.url,
    sendMail: send ?? (isSandbox ? logMail : undefined),
    baseUrl,
    now,
    bus,
    permissions: Permission.read | Permission.trade,
    openAccount: (accountId) => openAccount(replica, accountId),
  });
}

/**
 * Loads the times at which keys were last used. Every cleanup of the users' database saves them, and applies grants that
 * were approved.
 */
export async function keepKeyUses(
  users: Users,
  keyUses: KeyUseTimes,
  state: State,
  now: () => number,
): Promise<void> {
  for (const [apiKey, at] of await users.keyUses.load()) {
    const key = state.keysByApiKey.get(apiKey);
    if (key !== undefined) keyUses.note(key, at);
  }
  users.onCleanup = async () => {
    await applyApprovedGrants(users, state);
    await users.keyUses.save(keyUses.takeNew(state.keysByApiKey.values(), now()));
    // Uses seen by other nodes, which save theirs about once a minute.
    for (const [apiKey, at] of await users.keyUses.load(now() - KEY_USES_MS)) {
      const key = state.keysByApiKey.get(apiKey);
      if (key !== undefined && keyUses.get(key) < at) keyUses.note(key, at);
    }
  };
}
