import type { ArchiveQuery } from './archive.ts';
import { queriedAccount } from './history-answers.ts';
import { isPastQuery } from './past/past.ts';

/** A query that waits for its answer. */
export interface PendingQuery {
  readonly id: number;
  readonly query: ArchiveQuery;
  /** The answer holds every batch up to this one. */
  readonly position: number;
  /** The answer in the making, once its first step has begun. */
  steps?: AsyncGenerator<void, unknown>;
}

/**
 * Queries share the archivist's thread by group: each account's reads, reads of public data, those of the past, and
 * queries of the node itself, which orders and transfers may wait for.
 */
export type QueryGroup = number | 'public' | 'past' | 'node';

const PUBLIC_KINDS: ReadonlySet<ArchiveQuery['kind']> = new Set([
  'trades',
  'aggregatedTrades',
  'candles',
  'totalCandle',
  'proofs',
]);

export function queryGroup(query: ArchiveQuery): QueryGroup {
  // One after the other: they share one engine.
  if (isPastQuery(query)) return 'past';
  return queriedAccount(query) ?? (PUBLIC_KINDS.has(query.kind) ? 'public' : 'node');
}

/** Returns whether queries of a group wait while batches do: they have no account's limits, or much work. */
export function isPatient(group: QueryGroup): boolean {
  return group === 'public' || group === 'past';
}

/** Takes one query of each group in turn; queries of one group in order of arrival. */
export class QueryQueue {
  /** The group whose turn is next comes first. */
  private readonly groups = new Map<QueryGroup, PendingQuery[]>();

  add(pending: PendingQuery): void {
    this.group(pending).push(pending);
  }

  /** Puts a query that needs more steps back in front of the others of its group. */
  requeue(pending: PendingQuery): void {
    this.group(pending).unshift(pending);
  }

  /**
   * Removes and returns the next query that a state at `position` can answer.
   * @param takesPatient Whether it may be one of public data or of the past.
   */
  take(position: number, takesPatient = true): PendingQuery | undefined {
    for (const [group, queries] of this.groups) {
      if (queries[0]!.position > position || (isPatient(group) && !takesPatient)) continue;
      const pending = queries.shift()!;
      this.groups.delete(group);
      if (queries.length > 0) this.groups.set(group, queries);
      return pending;
    }
    return undefined;
  }

  /** Whether a state at `position` can answer a query. */
  isDue(position: number): boolean {
    return this.groups.values().some(([first]) => first!.position <= position);
  }

  private group({ query }: PendingQuery): PendingQuery[] {
    const key = queryGroup(query);
    const queries = this.groups.get(key) ?? [];
    this.groups.set(key, queries);
    return queries;
  }
}
