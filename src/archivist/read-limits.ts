import { HistoryBacklogError, isStoreUnavailable } from '../history/errors.ts';
import { type ArchiveQuery, mayBeInState, queriedAccount } from './history-answers.ts';
import { isPastQuery } from './past/past.ts';

/** Maximum unanswered queries per account or address, and lane. A walk or a replay takes some tenths of a second. */
export const MAX_UNANSWERED = { walks: 8, past: 8, pages: 256, open: 256 };
/**
 * Maximum queries per account or address, and lane that the archivist has at a time. Receiving an answer of a thousand records
 * takes the serving thread some milliseconds; it serves other requests between two of them.
 */
const MAX_SENT = 2;

type LaneName = keyof typeof MAX_UNANSWERED;

/** Unanswered queries of one account or address and kind, which do not wait for those of another kind. */
interface Lane {
  sent: number;
  readonly waiting: PromiseWithResolvers<void>[];
}

/**
 * Limits the queries per account, and those of public data per address, so that no client uses up the archivist's thread
 * or the serving thread. Queries of the node itself are sent at once.
 */
export class ReadLimits {
  private readonly lanes = new Map<string, Lane>();

  /**
   * Sends a query when its turn has come. If history's store is unavailable, waiting queries fail too.
   * @param address The scope of the address that reads public data; undefined if the node itself does.
   * @throws HistoryBacklogError
   */
  async run(query: ArchiveQuery, send: () => Promise<unknown>, address?: string): Promise<unknown> {
    const reader = queriedAccount(query) ?? address;
    if (reader === undefined) return send();
    const name = chooseLane(query);
    // An account is a number, and an address never looks like one.
    const key = `${name} ${reader}`;
    const lane = this.lanes.get(key) ?? { sent: 0, waiting: [] };
    if (lane.sent + lane.waiting.length >= MAX_UNANSWERED[name]) throw new HistoryBacklogError();
    this.lanes.set(key, lane);
    if (lane.sent < MAX_SENT) lane.sent++;
    else await enqueue(lane);
    try {
      return await send();
    } catch (error) {
      if (isStoreUnavailable(error)) for (const { reject } of lane.waiting.splice(0)) reject(error);
      throw error;
    } finally {
      const next = lane.waiting.shift();
      // Not at once, so that events which arrived during this answer are handled first.
      if (next !== undefined) setImmediate(next.resolve);
      else if (--lane.sent === 0) this.lanes.delete(key);
    }
  }
}

function chooseLane(query: ArchiveQuery): LaneName {
  if (query.kind === 'totals' || query.kind === 'profitAndLoss') return 'walks';
  if (isPastQuery(query)) return 'past';
  return mayBeInState(query) ? 'open' : 'pages';
}

function enqueue({ waiting }: Lane): Promise<void> {
  const turn = Promise.withResolvers<void>();
  waiting.push(turn);
  return turn.promise;
}
