import type { Command } from '../src/engine/command.ts';

/** A command that is not in the log yet, and its bytes there. */
interface Pending {
  readonly command: Command;
  readonly bytes: Uint8Array;
}

/**
 * Removes the submission of the next command of a batch from those pending, oldest first.
 * @param isDivided Whether more commands were pending than one batch holds. Then commands of other accounts may
 * overtake it, but none of its own account.
 * @returns Undefined if no submission with these bytes may come next.
 */
export function takeSubmission<Submission extends Pending>(
  pending: Submission[],
  bytes: Uint8Array,
  isDivided: boolean,
): Submission | undefined {
  const isSame = (each: Submission) => Buffer.compare(each.bytes, bytes) === 0;
  const place = isDivided ? pending.findIndex(isSame) : 0;
  const found = pending[place];
  if (found === undefined || !isSame(found)) return undefined;
  const account = commandAccount(found.command);
  if (pending.slice(0, place).some((each) => commandAccount(each.command) === account))
    return undefined;
  pending.splice(place, 1);
  return found;
}

export function countBytes(pending: readonly Pending[]): number {
  return pending.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

function commandAccount(command: Command): number | undefined {
  // A request for approval, which has an account of its own, contains a command too.
  if ('account' in command) return command.account;
  if ('command' in command) return commandAccount(command.command);
  return 'order' in command ? command.order.account : undefined;
}
