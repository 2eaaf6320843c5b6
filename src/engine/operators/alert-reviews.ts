import type { ReviewAlert } from '../command.ts';
import type { Outcome } from '../event.ts';
import type { Account } from '../ledger/accounts.ts';
import { MAX_ALERT_ID_LENGTH, MAX_NOTE_LENGTH } from '../limits.ts';
import { RejectionCode, rejected } from '../rejection.ts';
import { NONE } from '../terms.ts';

/** The state, as far as reviews need it. */
interface ReviewState {
  readonly version: number;
  readonly accounts: readonly Account[];
}

/** Checks a review of an alert. It changes no state: history stores it and the case of the alert. */
export function reviewAlert(state: ReviewState, command: ReviewAlert): Outcome {
  const { alert, assignee, isClosed, note } = command;
  if (state.version < 2) return rejected(RejectionCode.invalidRules, 'engine version 2');
  if (alert.length < 1 || alert.length > MAX_ALERT_ID_LENGTH) {
    const rule = `the id of an alert has 1 to ${MAX_ALERT_ID_LENGTH} characters`;
    return rejected(RejectionCode.invalidRules, rule);
  }
  if (assignee !== NONE && state.accounts[assignee] === undefined) {
    return rejected(RejectionCode.unknownAccount);
  }
  if (note.length > MAX_NOTE_LENGTH) {
    return rejected(RejectionCode.invalidRules, `a note has at most ${MAX_NOTE_LENGTH} characters`);
  }
  if (isClosed && note.trim() === '') {
    return rejected(RejectionCode.invalidRules, 'a case is closed with a note');
  }
  return { kind: 'done' };
}
