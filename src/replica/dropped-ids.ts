import type { Archivist, ArchivistProgress } from '../archivist/archivist.ts';
import { hashClientOrderId, type IdHash } from '../engine/client-order-ids/hash.ts';
import type { Account } from '../engine/ledger/accounts.ts';
import { CLIENT_ORDER_ID_LIFETIME_MS } from '../engine/limits.ts';
import type { State } from '../engine/state.ts';
import type { PlacedIdsPage } from '../history/history.ts';
import { DroppedIdFilter } from './dropped-id-filter.ts';
import type { Replica } from './replica.ts';

/** Orders in one page: some 6 ms of the archivist's time. */
const PAGE_ORDERS = 2_000;
/** After each page the archivist has this time for other requests. */
const PAUSE_MS = 20;
/** History that is unavailable is requested again after this time, which doubles with every failure in a row. */
const RETRY_MS = 2_000;
const MAX_RETRY_MS = 60_000;

/** The archivist's part that is needed here. `damageFound` is missing in tests without damage. */
export type IdSource = Pick<Archivist, 'query'> & Partial<Pick<ArchivistProgress, 'damageFound'>>;

export interface DroppedIdsOptions {
  readonly filter?: DroppedIdFilter;
  /** Whether history is rebuilt after damage; true by default. A history restored by hand needs a restart. */
  readonly isHistoryRebuilt?: boolean;
  readonly pageOrders?: number;
  readonly sleep?: (ms: number) => Promise<void>;
}

/**
 * The client order ids that the engine has dropped and that have not expired, so that most new ids need no
 * look-up in history. It is complete for an account if the account is not in `unloaded`:
 *
 * - Ids that the engine drops from now on are added while the command that drops them is applied, in every
 *   node of a cluster, so before the next request is read.
 * - Accounts that had dropped ids before are in `unloaded` until all their ended orders of the last 25 hours have
 *   been read from history. An order whose id was dropped has ended, and history answers as of the last
 *   batch that this node has applied, or later. After 25 hours those ids have expired.
 * - If damage to history is found, an index may have hidden rows: these accounts are read again once history has
 *   been rebuilt.
 */
export class DroppedIds {
  private readonly filter: DroppedIdFilter;
  private readonly hash: IdHash = { a: 0, b: 0, c: 0 };
  /** Accounts that had dropped ids before this object existed. */
  private readonly droppedBefore: readonly number[];
  private unloaded: Set<number>;
  /** Accounts of `unloaded` whose requests wait for history: they are loaded first. */
  private readonly preferred = new Set<number>();
  private damageFound: number;
  private readonly startedAt: number;
  private isLoading = false;
  private failures = 0;

  constructor(
    private readonly replica: Pick<Replica, 'exchange' | 'position'>,
    private readonly archivist: IdSource,
    private readonly options: DroppedIdsOptions = {},
  ) {
    const { state } = this;
    const { filter = new DroppedIdFilter({ lifetimeMs: CLIENT_ORDER_ID_LIFETIME_MS }) } = options;
    this.filter = filter;
    this.startedAt = state.time;
    this.damageFound = this.currentDamage;
    // The next command is applied after both, so no dropped id is in neither.
    state.clientOrderIds.onDropped = (hash) => filter.add(hash, state.time);
    this.droppedBefore = state.accounts
      .filter((account) => state.clientOrderIds.needsHistory(account))
      .map(({ index }) => index);
    this.unloaded = new Set(this.droppedBefore);
    this.loadSoon();
  }

  /**
   * Whether history certainly holds no order of the last 25 hours under an id that the engine does not
   * remember.
   */
  isSurelyNew({ index }: Account, clientOrderId: string): boolean {
    this.updateUnloaded();
    if (this.unloaded.has(index)) {
      this.preferred.add(index);
      return false;
    }
    return !this.filter.mayHave(this.hashId(index, clientOrderId));
  }

  /** Number of accounts whose ids are still to be read from history. */
  get unloadedAccounts(): number {
    return this.unloaded.size;
  }

  private updateUnloaded(): void {
    if (this.state.time - this.startedAt >= CLIENT_ORDER_ID_LIFETIME_MS) {
      this.unloaded.clear();
      return;
    }
    if (this.damageFound === this.currentDamage) return;
    this.damageFound = this.currentDamage;
    this.unloaded = new Set(this.droppedBefore);
    this.loadSoon();
  }

  private loadSoon(): void {
    if (this.isLoading || this.unloaded.size === 0) return;
    this.isLoading = true;
    void this.load();
  }

  private async load(): Promise<void> {
    while (this.unloaded.size > 0) {
      const [index = NaN] = this.preferred.size > 0 ? this.preferred : this.unloaded;
      try {
        await this.loadAccount(index);
        this.failures = 0;
      } catch {
        // The archivist has reported why. Damage to one account's rows must not delay the others.
        this.unloaded.delete(index);
        this.unloaded.add(index);
        await this.sleep(Math.min(MAX_RETRY_MS, RETRY_MS * 2 ** this.failures++));
      }
      this.preferred.delete(index);
      this.updateUnloaded();
    }
    this.isLoading = false;
  }

  private async loadAccount(account: number): Promise<void> {
    const { filter, state, damageFound } = this;
    const { pageOrders: limit = PAGE_ORDERS } = this.options;
    const since = state.time - CLIENT_ORDER_ID_LIFETIME_MS;
    let before: number | undefined;
    do {
      const query = { kind: 'placedIds', filter: { account, before, since, limit } } as const;
      const page = (await this.archivist.query(query, this.replica.position)) as PlacedIdsPage;
      for (const id of page.clientOrderIds) filter.add(this.hashId(account, id), state.time);
      before = page.next;
      if (before !== undefined) await this.sleep(PAUSE_MS);
    } while (before !== undefined);
    if (damageFound === this.currentDamage) this.unloaded.delete(account);
  }

  private hashId(account: number, clientOrderId: string): IdHash {
    hashClientOrderId(account, clientOrderId, this.hash);
    return this.hash;
  }

  private sleep(ms: number): Promise<void> {
    const { sleep = pause } = this.options;
    return sleep(ms);
  }

  private get currentDamage(): number {
    const { isHistoryRebuilt = true } = this.options;
    return isHistoryRebuilt ? (this.archivist.damageFound ?? 0) : 0;
  }

  private get state(): State {
    return this.replica.exchange.state;
  }
}

/** Does not keep the process running. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
