import { difference, type Exact, sum } from '../../engine/numbers/exact.ts';
import { isHoldEntry } from '../../engine/terms.ts';
import { AccountRecords, type ReportSource } from '../reports/report-source.ts';
import { AccountGains } from './account-gains.ts';
import { type BalanceChange, ChangeCollector } from './balance-changes.ts';
import type { CostMethod } from './cost-basis.ts';
import type { Disposal } from './method-gains.ts';
import { PastPrices, Routes } from './prices.ts';

/** The type of a flow that stands for everything before the ledger that is kept. */
export const OPENING_BALANCE = -1;

export interface GainsTerms {
  readonly account: number;
  /** Index of the asset in which values are. */
  readonly quote: number;
}

/**
 * Computes the gains of an account from its ledger, a page at a time. It can be continued later, when there are more
 * entries.
 */
export class GainsWalk {
  readonly gains: AccountGains;
  /** The time from which the ledger was kept at the beginning, milliseconds since 1970; 0 if all of it was. */
  keptSince = 0;
  /** The log's time up to which the gains are known. */
  time = 0;
  /** The last batch of the log that is included. */
  position = 0;
  readonly routes: Routes;
  readonly prices: PastPrices;
  private readonly collector = new ChangeCollector();
  private lastEntryId = 0;
  private lastTime: number | undefined;

  constructor(
    private readonly source: ReportSource,
    private readonly terms: GainsTerms,
    onDisposal?: (method: CostMethod, disposal: Disposal) => void,
  ) {
    this.gains = new AccountGains(terms.quote, onDisposal);
    this.routes = new Routes(terms.quote, source.state.markets);
    this.prices = new PastPrices((work) => source.read(work));
  }

  /** Whether routes are the ones of a walk that begins now. */
  get isCurrent(): boolean {
    const { quote } = this.terms;
    return new Routes(quote, this.source.state.markets).tradedMarkets === this.routes.tradedMarkets;
  }

  /**
   * Adds the entries up to the present position of the log.
   * @param maxEntries After about as many it ends.
   * @returns Whether all entries were added.
   */
  async *continue(maxEntries = Infinity): AsyncGenerator<void, boolean> {
    if (this.lastTime === undefined) yield* this.open();
    const records = this.records(this.lastTime!);
    this.position = records.position;
    let added = 0;
    for await (const page of records.entries()) {
      for (const entry of page) {
        if (entry.id <= this.lastEntryId) continue;
        const complete = this.collector.add(entry);
        if (complete !== undefined) await this.apply(complete);
        this.lastEntryId = entry.id;
        this.lastTime = entry.time;
        added++;
      }
      this.time = this.lastTime!;
      if (added >= maxEntries) return false;
      yield;
    }
    const last = this.collector.end();
    if (last !== undefined) await this.apply(last);
    this.time = records.time;
    return true;
  }

  /** Begins with what the account owned before the entries that are kept. */
  private async *open(): AsyncGenerator<void, void> {
    this.keptSince = await this.source.read((reader) => reader.keptSince());
    this.lastTime = this.keptSince;
    if (this.keptSince === 0) return;
    const records = this.records(this.keptSince);
    const opening: Exact[] = Array.from(records.balances, (balance) =>
      balance === undefined ? 0 : sum(balance.available, balance.held),
    );
    for await (const page of records.entries()) {
      for (const { asset, amount, type } of page) {
        if (!isHoldEntry(type)) opening[asset] = difference(opening[asset] ?? 0, amount);
      }
      yield;
    }
    await this.apply({
      kind: 'flow',
      type: OPENING_BALANCE,
      reference: 0,
      time: this.keptSince,
      amounts: new Map(opening.map((amount, asset) => [asset, BigInt(amount)])),
      fees: new Map(),
    });
  }

  private records(from: number): AccountRecords {
    return new AccountRecords(this.source, this.terms.account, from);
  }

  private async apply(change: BalanceChange): Promise<void> {
    const assets = this.gains.pricedAssets(change);
    const lookup = await this.prices.at(change.time, this.routes.marketsFor(assets));
    this.gains.apply(change, this.routes.valuation(lookup));
  }
}
