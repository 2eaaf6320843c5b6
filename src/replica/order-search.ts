import { type Archivist, HistoryUnavailableError } from '../archivist/archivist.ts';
import type { Account } from '../engine/ledger/accounts.ts';
import { CLIENT_ORDER_ID_LIFETIME_MS } from '../engine/limits.ts';
import { findPlaced } from '../engine/orders/placement.ts';
import type { State } from '../engine/state.ts';
import type { PlacedOrder } from '../history/history.ts';
import type { Replica } from './replica.ts';

/** Client order ids in one question. */
const MAX_IDS = 500;
/** Beyond it requests are refused: history answers more slowly than they come. */
const MAX_WAITING = 2_000;

/** What history knows of a client order id. */
export interface Searched {
  readonly placed: PlacedOrder | undefined;
  /** For the command: there is no such order with an id below this. Undefined where the engine knows the id. */
  readonly searchedBelow: number | undefined;
}

interface Waiting {
  readonly account: Account;
  readonly clientOrderId: string;
  readonly resolve: (searched: Searched) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Asks history for orders whose client order ids the engine has dropped. While one question is under way
 * the ids for the next one gather.
 *
 * Nothing comes between the answer and the command: the answer holds all orders that had ended when the
 * question was put. Orders that were open then, or were placed since, are in the engine's memory, and
 * if it has dropped one of them too, it rejects the command because of `searchedBelow`.
 */
export class OrderSearch {
  private waiting: Waiting[] = [];
  private isAsking = false;

  constructor(
    private readonly replica: Pick<Replica, 'exchange' | 'position'>,
    private readonly archivist: Pick<Archivist, 'ask'>,
  ) {}

  /** Whether the engine would reject a command under this id because only history may know it. */
  isNeeded(account: Account, clientOrderId: string | null): clientOrderId is string {
    if (clientOrderId === null || this.state.version < 2) return false;
    return (
      this.state.clientOrderIds.mustAskHistory(account) &&
      findPlaced(this.state, account, clientOrderId) === undefined
    );
  }

  /** @throws HistoryUnavailableError */
  search(account: Account, clientOrderId: string): Promise<Searched> {
    if (this.waiting.length >= MAX_WAITING) {
      return Promise.reject(new HistoryUnavailableError('too many client order ids wait for it'));
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ account, clientOrderId, resolve, reject });
      this.askSoon();
    });
  }

  private askSoon(): void {
    if (this.isAsking || this.waiting.length === 0) return;
    this.isAsking = true;
    // The ids of one request go into one question.
    queueMicrotask(() => {
      this.ask(this.waiting.splice(0, MAX_IDS)).finally(() => {
        this.isAsking = false;
        this.askSoon();
      });
    });
  }

  private async ask(waiting: readonly Waiting[]): Promise<void> {
    const { state, replica } = this;
    const searchedBelow = state.nextOrderId;
    const since = state.time - CLIENT_ORDER_ID_LIFETIME_MS;
    const unknown = waiting.filter(({ account, clientOrderId, resolve }) => {
      const isKnown = findPlaced(state, account, clientOrderId) !== undefined;
      if (isKnown) resolve({ placed: undefined, searchedBelow: undefined });
      return !isKnown;
    });
    if (unknown.length === 0) return;
    const ids = unknown.map(({ account, clientOrderId }) => ({
      account: account.index,
      clientOrderId,
    }));
    try {
      const query = { kind: 'placed', filter: { ids, since } } as const;
      const answer = await this.archivist.ask(query, replica.position);
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
