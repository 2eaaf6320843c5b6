import type { Archivist } from '../archivist/archivist.ts';
import type { Account } from '../engine/ledger/accounts.ts';
import { CLIENT_ORDER_ID_LIFETIME_MS } from '../engine/limits.ts';
import { findPlaced } from '../engine/orders/placement.ts';
import type { State } from '../engine/state.ts';
import type { PlacedOrder } from '../history/history.ts';
import { DroppedIds, type IdSource } from './dropped-ids.ts';
import { AccountBacklogError } from './errors.ts';
import type { Replica } from './replica.ts';
import { SearchQueue } from './search-queue.ts';

export { DroppedIds } from './dropped-ids.ts';

/** Maximum client order ids in one query. */
const MAX_IDS = 500;

/** The order of a client order id, as far as history has it. */
export interface Searched {
  readonly placed: PlacedOrder | undefined;
  /** For the command: there is no such order with an id below this. Undefined if the engine knows the id. */
  readonly searchedBelow: number | undefined;
}

interface Waiting {
  readonly account: Account;
  readonly clientOrderId: string;
  readonly resolve: (searched: Searched) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Looks up orders whose client order ids the engine has dropped. Ids that certainly were not used need no query.
 * The others wait while a query is under way, and accounts take turns in the next one.
 *
 * An answer stays valid until the command is applied: it covers all orders that had ended when it was
 * requested. Orders that were open then, or were placed since, are in the engine's memory, and if the
 * engine has dropped one of them too, it rejects the command because of `searchedBelow`.
 */
export class OrderSearch {
  private readonly waiting = new SearchQueue<Account, Waiting>();
  private isQuerying = false;

  constructor(
    private readonly replica: Pick<Replica, 'exchange' | 'position'>,
    private readonly archivist: Pick<Archivist, 'query'> & IdSource,
    private readonly droppedIds = new DroppedIds(replica, archivist),
  ) {}

  /** Whether the engine would reject a command under this id because only history may know it. */
  isNeeded(account: Account, clientOrderId: string | null): clientOrderId is string {
    if (clientOrderId === null || this.state.version < 2) return false;
    return (
      this.state.clientOrderIds.needsHistory(account) &&
      findPlaced(this.state, account, clientOrderId) === undefined
    );
  }

  /**
   * Returns the order of an id that the engine does not know; a promise only if history must be queried. It
   * rejects with HistoryUnavailableError, or AccountBacklogError if too many ids of the account are waiting.
   */
  search(account: Account, clientOrderId: string): Searched | Promise<Searched> {
    const known = this.searchHere({ account, clientOrderId });
    if (known !== undefined) return known;
    return new Promise((resolve, reject) => {
      const item = { account, clientOrderId, resolve, reject };
      if (this.waiting.add(account, item)) this.querySoon();
      else reject(new AccountBacklogError());
    });
  }

  /** The answer without a query: the engine knows the id, or history certainly does not. */
  private searchHere({
    account,
    clientOrderId,
  }: Pick<Waiting, 'account' | 'clientOrderId'>): Searched | undefined {
    const { state } = this;
    if (findPlaced(state, account, clientOrderId) !== undefined) {
      return { placed: undefined, searchedBelow: undefined };
    }
    return this.droppedIds.isSurelyNew(account, clientOrderId)
      ? { placed: undefined, searchedBelow: state.nextOrderId }
      : undefined;
  }

  private querySoon(): void {
    if (this.isQuerying || this.waiting.isEmpty) return;
    this.isQuerying = true;
    // The ids of one request go into one query.
    queueMicrotask(() => {
      this.query(this.waiting.take(MAX_IDS)).finally(() => {
        this.isQuerying = false;
        this.querySoon();
      });
    });
  }

  private async query(waiting: readonly Waiting[]): Promise<void> {
    const { state, replica } = this;
    const searchedBelow = state.nextOrderId;
    const since = state.time - CLIENT_ORDER_ID_LIFETIME_MS;
    const unknown = waiting.filter((item) => {
      const known = this.searchHere(item);
      if (known !== undefined) item.resolve(known);
      return known === undefined;
    });
    if (unknown.length === 0) return;
    const ids = unknown.map(({ account, clientOrderId }) => ({
      account: account.index,
      clientOrderId,
    }));
    try {
      const query = { kind: 'placed', filter: { ids, since } } as const;
      const answer = await this.archivist.query(query, replica.position);
      const placed = answer as (PlacedOrder | undefined)[];
      unknown.forEach(({ resolve }, index) => {
        resolve({ placed: placed[index], searchedBelow });
      });
    } catch (error) {
      for (const { reject } of unknown) reject(error);
    }
  }

  private get state(): State {
    return this.replica.exchange.state;
  }
}
