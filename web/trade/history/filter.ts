/** Filters of the order history and the fills. An empty text selects everything. */
export interface HistoryFilter {
  readonly symbol: string;
  readonly side: '' | 'buy' | 'sell';
  readonly type: string;
  readonly status: '' | 'filled' | 'canceled' | 'expired' | 'rejected';
  /** First and last day, as `2026-01-31`, in the time zone of the page. */
  readonly from: string;
  readonly to: string;
}

export const NO_FILTER: HistoryFilter = {
  symbol: '',
  side: '',
  type: '',
  status: '',
  from: '',
  to: '',
};

/** Milliseconds since 1970; both ends are included. */
export interface Period {
  readonly since?: number;
  readonly until?: number;
}

interface Filterable {
  readonly symbol: string;
  readonly side: string;
  readonly timestamp: string;
  readonly type?: string;
  readonly status?: string;
}

export function countFilters(filter: object): number {
  return Object.values(filter).filter((value) => value !== '').length;
}

/** Returns the period from the start of one day to the end of another. */
export function findPeriod(
  { from, to }: Pick<HistoryFilter, 'from' | 'to'>,
  isUtc: boolean,
): Period {
  return {
    ...(from === '' ? {} : { since: startOfDay(from, 0, isUtc) }),
    // The day after starts 23 or 25 hours later where the clocks change.
    ...(to === '' ? {} : { until: startOfDay(to, 1, isUtc) - 1 }),
  };
}

function startOfDay(date: string, later: number, isUtc: boolean): number {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return isUtc
    ? Date.UTC(year, month - 1, day + later)
    : new Date(year, month - 1, day + later).getTime();
}

/** Returns whether a filter selects a row; fills have no type and no status. */
export function selects(filter: HistoryFilter, row: Filterable, isUtc: boolean): boolean {
  const { since = 0, until = Number.POSITIVE_INFINITY } = findPeriod(filter, isUtc);
  const time = Date.parse(row.timestamp);
  const isWanted = (name: 'symbol' | 'side' | 'type' | 'status') =>
    filter[name] === '' || row[name] === undefined || row[name] === filter[name];
  return (
    isWanted('symbol') &&
    isWanted('side') &&
    isWanted('type') &&
    isWanted('status') &&
    time >= since &&
    time <= until
  );
}
