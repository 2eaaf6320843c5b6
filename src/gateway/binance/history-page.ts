import type { ArchiveQuery } from '../../archivist/archivist.ts';
import { DAY_MS, HOUR_MS } from '../../config/durations.ts';
import type { PageTerms } from '../../history/history.ts';
import type { BinanceCall } from './call.ts';
import { BinanceError } from './errors.ts';
import type { Parameters } from './parameters.ts';

const DEFAULT_LIMIT = 500;
const MAX_LIMIT = 1000;

/** A part of a list of history, and whether it must be reversed to be in chronological order. */
export interface HistoryPage {
  readonly terms: PageTerms;
  readonly isReversed: boolean;
}

/**
 * Reads the part of a list that a request means: from an id, from a time, or the most recent items (rest-api.md, "General
 * API Information").
 * @param idName The parameter with the first id; undefined if the list has none.
 * @throws BinanceError -1127 if the times are further apart than `maxSpanMs`
 */
export function readHistoryPage(
  given: Parameters,
  idName: string | undefined,
  maxSpanMs = DAY_MS,
): HistoryPage {
  const since = given.time('startTime');
  const until = given.time('endTime');
  const fromId = idName === undefined ? undefined : given.integer(idName);
  const limit = given.limit(DEFAULT_LIMIT, MAX_LIMIT);
  if (since !== undefined && until !== undefined && until - since > maxSpanMs) {
    const hours = maxSpanMs / HOUR_MS;
    throw new BinanceError(-1127, `More than ${hours} hours between startTime and endTime.`);
  }
  const isReversed = fromId === undefined && since === undefined;
  const terms = {
    since,
    until,
    limit,
    descending: isReversed,
    beforeId: undefined,
    afterId: fromId === undefined ? undefined : fromId - 1,
  };
  return { terms, isReversed };
}

/** Returns items in chronological order, as JSON. @param items In the order of the page. */
export function listText<Item>(
  items: readonly Item[],
  { isReversed }: HistoryPage,
  format: (item: Item) => string,
): string {
  const texts = items.map(format);
  return `[${(isReversed ? texts.reverse() : texts).join(',')}]`;
}

/** Queries history as of everything acknowledged before the request. */
export function queryHistory<Result>(
  { services, scope }: BinanceCall,
  query: ArchiveQuery,
): Promise<Result> {
  const { archivist, replica } = services;
  return archivist.query(query, replica.position, scope) as Promise<Result>;
}
