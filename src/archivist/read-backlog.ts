import { HistoryBacklogError } from '../history/errors.ts';
import { type ArchiveQuery, accountOf } from './history-answers.ts';

/** Maximum units of unanswered queries per account. A query is one unit. */
export const MAX_UNITS = 256;
/** A walk back through an account's ledger takes dozens of steps. */
export const TOTALS_UNITS = 32;

/** Bounds the unanswered queries of each account. Queries that belong to no account are not bounded. */
export class ReadBacklog {
  private readonly units = new Map<number, number>();

  /** @throws HistoryBacklogError */
  add(query: ArchiveQuery): void {
    const account = accountOf(query);
    if (account === undefined) return;
    const units = (this.units.get(account) ?? 0) + unitsOf(query);
    if (units > MAX_UNITS) throw new HistoryBacklogError();
    this.units.set(account, units);
  }

  remove(query: ArchiveQuery): void {
    const account = accountOf(query);
    if (account === undefined) return;
    const units = this.units.get(account)! - unitsOf(query);
    if (units === 0) this.units.delete(account);
    else this.units.set(account, units);
  }
}

function unitsOf({ kind }: ArchiveQuery): number {
  return kind === 'totals' ? TOTALS_UNITS : 1;
}
