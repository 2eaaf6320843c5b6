import type { NaiveDeposit, NaiveWithdrawal } from './naive-custody.ts';
import { isReady, settleDue } from './naive-deposits.ts';
import type { NaiveState } from './naive-state.ts';
import { runDueWithdrawal, withdrawalDueAt } from './naive-withdrawals.ts';

/** A deposit or withdrawal to which something happens by itself. */
export interface NaiveDue {
  readonly record: NaiveDeposit | NaiveWithdrawal;
  /** 0 for at once. */
  readonly dueAt: number;
}

/** Returns everything that will happen by itself, in the order in which it will. */
export function listDueCustody(state: NaiveState): NaiveDue[] {
  const { openDeposits, withdrawals } = state.custody;
  const ready = openDeposits.filter((each) => isReady(state, each));
  return [
    ...ready.map((record) => ({ record, dueAt: 0 })),
    ...withdrawals.map((record) => ({ record, dueAt: withdrawalDueAt(record) })),
  ].sort((a, b) => a.dueAt - b.dueAt || a.record.id - b.record.id);
}

export function runDueCustody(state: NaiveState, { record }: NaiveDue): void {
  if (record.kind === 'deposit') settleDue(state, record);
  else runDueWithdrawal(state, record);
}
