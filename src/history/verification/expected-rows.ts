import type { Command } from '../../engine/command.ts';
import type { Event, Outcome, TradeEvent } from '../../engine/event.ts';
import { writeRow } from '../database/checksum.ts';
import type { Table, Value } from '../database/database.ts';
import { auditTable, toAuditRecords } from '../tables/audit.ts';
import { auditSubjectsTable } from '../tables/audit-subjects.ts';
import { candlesTable, extend, type StoredCandle, toCandles } from '../tables/candles.ts';
import {
  depositChangesTable,
  depositsTable,
  withdrawalChangesTable,
  withdrawalsTable,
} from '../tables/custody.ts';
import { entriesTable } from '../tables/entries.ts';
import { fillsTable } from '../tables/fills.ts';
import { ordersTable } from '../tables/orders.ts';
import {
  type AlertReview,
  alertCasesTable,
  alertReviewsTable,
  toReview,
} from '../tables/surveillance.ts';
import { transfersTable } from '../tables/transfers.ts';
import { PendingRows, type Remembered } from '../writer/pending.ts';

/** The number of a table's rows and the sum of their checksums, which does not depend on their order. */
export class RowSum {
  rows = 0;
  private low = 0;
  private high = 0;

  /** @param checksum Up to 2^53 - 1. */
  add(checksum: number): void {
    this.rows++;
    this.low = (this.low + (checksum >>> 0)) >>> 0;
    this.high = (this.high + Math.floor(checksum / 2 ** 32)) >>> 0;
  }

  equals({ rows, low, high }: RowSum): boolean {
    return this.rows === rows && this.low === low && this.high === high;
  }
}

/** The tables whose rows follow from the log. */
export const TABLES = [
  ordersTable,
  fillsTable,
  entriesTable,
  auditTable,
  auditSubjectsTable,
  transfersTable,
  depositsTable,
  withdrawalsTable,
  depositChangesTable,
  withdrawalChangesTable,
  candlesTable,
  alertReviewsTable,
  alertCasesTable,
] as const;

/** The rows that history must have after a replay of the log. Records commands like a `Recorder`. */
export class ExpectedRows {
  private readonly sums = new Map(TABLES.map(({ name }) => [name, new RowSum()] as const));
  private readonly values: Value[] = [];
  /** The latest candle by market and width, which may still change. */
  private readonly open = new Map<string, StoredCandle>();
  /** The latest review by alert. */
  private readonly cases = new Map<string, AlertReview>();
  private auditRows = 0;

  /** @param keptSince The time from which orders, fills and entries are kept, milliseconds since 1970; earlier ones are left out. */
  constructor(private readonly keptSince = 0) {}

  record(
    sequence: number,
    index: number,
    time: number,
    command: Command,
    outcome: Outcome,
    events: readonly Event[],
    remembered?: Remembered,
  ): void {
    const rows = new PendingRows();
    const place = { id: this.auditRows + 1, sequence, index, time };
    const audited = toAuditRecords(place, command, outcome, events);
    this.auditRows += audited.length;
    rows.addAudit(audited);
    rows.addReview(toReview(place, command, outcome));
    rows.addEvents(sequence, index, events, remembered);
    const isKept = (time: number) => time >= this.keptSince;
    for (const ended of rows.orders.items()) {
      if (isKept(ended.order.updatedAt)) this.add(ordersTable, ended);
    }
    for (const fill of rows.fills.items()) if (isKept(fill.time)) this.add(fillsTable, fill);
    for (const entry of rows.entries.items()) if (isKept(entry.time)) this.add(entriesTable, entry);
    for (const record of rows.audit) this.add(auditTable, record);
    for (const subject of rows.auditSubjects.items()) this.add(auditSubjectsTable, subject);
    for (const review of rows.reviews) {
      this.add(alertReviewsTable, review);
      this.cases.set(review.alert, review);
    }
    for (const transfer of rows.transfers) this.add(transfersTable, transfer);
    for (const deposit of rows.deposits) this.add(depositsTable, deposit);
    for (const withdrawal of rows.withdrawals) this.add(withdrawalsTable, withdrawal);
    for (const change of rows.depositChanges.items()) {
      if (isKept(change.updatedAt)) this.add(depositChangesTable, change);
    }
    for (const change of rows.withdrawalChanges.items()) {
      if (isKept(change.updatedAt)) this.add(withdrawalChangesTable, change);
    }
    for (const event of events) if (event.kind === 'trade') this.addCandles(event);
  }

  /** Returns the sum of a table's rows, including candles and cases that may still change. */
  tableSum(table: string): RowSum {
    if (table === alertCasesTable.name) {
      for (const each of this.cases.values()) this.add(alertCasesTable, each);
      this.cases.clear();
    }
    if (table !== candlesTable.name) return this.sums.get(table)!;
    for (const candle of this.open.values()) this.add(candlesTable, candle);
    this.open.clear();
    return this.sums.get(table)!;
  }

  /** Adds a trade to its candles. Time never goes back, so a candle is final once the next of its width starts. */
  private addCandles(trade: TradeEvent): void {
    for (const stored of toCandles(trade)) {
      const place = `${stored.market} ${stored.width}`;
      const before = this.open.get(place);
      if (before?.candle.start === stored.candle.start) extend(before.candle, stored.candle);
      else {
        if (before !== undefined) this.add(candlesTable, before);
        this.open.set(place, stored);
      }
    }
  }

  private add<Item>(table: Table<Item>, item: Item): void {
    const { values } = this;
    writeRow(table, item, values, 0);
    this.sums.get(table.name)!.add(values[table.columns.length] as number);
  }
}
