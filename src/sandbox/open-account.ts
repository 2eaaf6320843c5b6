import { CommandKind, SYSTEM_ACTOR } from '../engine/command.ts';
import type { Replica } from '../replica/replica.ts';

/**
 * Opens the trading account of a person, through the log, unless it is open: it may be called again
 * after a crash between the two, and changes nothing of what an operator has set since.
 */
export async function openAccount(replica: Replica, accountId: string): Promise<void> {
  if (replica.exchange.state.accountsById.has(accountId)) return;
  const terms = { accountId, limitClass: 1 };
  const outcome = await replica.execute({
    kind: CommandKind.createAccount,
    ...SYSTEM_ACTOR,
    ...terms,
  });
  if (outcome.kind !== 'account') throw new Error(`the account ${accountId} was not opened`);
}
