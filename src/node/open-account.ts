import { CommandKind, SYSTEM_ACTOR } from '../engine/command.ts';
import type { Replica } from '../replica/replica.ts';

/**
 * Opens the trading account of a user through the log, unless it exists. It can be called again after a crash,
 * and keeps all settings that an operator has changed since.
 */
export async function openAccount(replica: Replica, accountId: string): Promise<void> {
  if (replica.exchange.state.accountsById.has(accountId)) return;
  const outcome = await replica.execute({
    kind: CommandKind.createAccount,
    ...SYSTEM_ACTOR,
    accountId,
    limitClass: 1,
  });
  if (outcome.kind !== 'account')
    throw new Error(`opening account ${accountId} failed: ${outcome.kind}`);
}
