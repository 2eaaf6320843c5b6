import type { Command } from '../src/engine/command.ts';

/** A command that waits to be seen in the log, and its bytes there. */
interface Waiting {
  readonly command: Command;
  readonly bytes: Uint8Array;
}

/**
 * Takes the submission that the next command of a batch is out of those that wait, the oldest first.
 * @param isDivided More waited than one batch holds: commands of other accounts may have been chosen before it, but
 * none of its own.
 * @returns Undefined if no submission with these bytes may come next.
 */
export function takeSubmission<Submission extends Waiting>(
  waiting: Submission[],
  bytes: Uint8Array,
  isDivided: boolean,
): Submission | undefined {
  const isSame = (each: Submission) => Buffer.compare(each.bytes, bytes) === 0;
  const place = isDivided ? waiting.findIndex(isSame) : 0;
  const found = waiting[place];
  if (found === undefined || !isSame(found)) return undefined;
  const account = accountOf(found.command);
  if (waiting.slice(0, place).some((each) => accountOf(each.command) === account)) return undefined;
  waiting.splice(place, 1);
  return found;
}

export function bytesOf(waiting: readonly Waiting[]): number {
  return waiting.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

function accountOf(command: Command): number | undefined {
  if ('order' in command) return command.order.account;
  return 'account' in command ? command.account : undefined;
}
