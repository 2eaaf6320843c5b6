import type { Command } from '../engine/command.ts';
import type { EntryEvent, Event, OrderRecord, Outcome, TransferRecord } from '../engine/event.ts';
import { OrderStatus } from '../engine/terms.ts';
import { type AuditRecord, auditOf } from './audit.ts';
import { type Candle, PendingCandles } from './candles.ts';
import { type Fill, fillsOf } from './fills.ts';
import type { EndedOrder } from './orders.ts';
import { RowsByAccount } from './rows-by-account.ts';

/** What a row takes in memory, bytes, roughly: objects of so many fields, and their places in lists. */
const ORDER_BYTES = 500;
const FILL_BYTES = 250;
const ENTRY_BYTES = 200;
const AUDIT_BYTES = 400;
/** The record itself is the engine's. */
const TRANSFER_BYTES = 24;

/** What the engine knows besides events, that is kept for when it has forgotten it. */
export interface Remembered {
  /** Of the request that placed an order under its client order id. */
  fingerprintOf(order: OrderRecord): number | undefined;
  /** Transfers that history does not hold yet. */
  readonly transfers: readonly TransferRecord[];
}

/** Rows that wait for a commit, of a run of commands. */
export class PendingRows {
  readonly orders = new RowsByAccount<EndedOrder>();
  readonly fills = new RowsByAccount<Fill>();
  /** Those of the takers, by market: the public trades. */
  readonly trades = new Map<number, Fill[]>();
  readonly entries = new RowsByAccount<EntryEvent>();
  readonly audit: AuditRecord[] = [];
  readonly transfers: TransferRecord[] = [];
  readonly candles = new PendingCandles();
  /** An estimate of the memory that they take. */
  bytes = 0;
  rows = 0;

  addEvents(sequence: number, events: readonly Event[], remembered?: Remembered): void {
    for (const transfer of remembered?.transfers ?? []) {
      this.transfers.push(transfer);
      this.count(1, TRANSFER_BYTES);
    }
    for (const event of events) {
      if (event.kind === 'entry') {
        this.entries.add(event);
        this.count(1, ENTRY_BYTES);
      } else if (event.kind === 'trade') {
        this.candles.add(event);
        const [maker, taker] = fillsOf(event);
        this.fills.add(maker);
        this.fills.add(taker);
        const trades = this.trades.get(event.market);
        if (trades === undefined) this.trades.set(event.market, [taker]);
        else trades.push(taker);
        this.count(2, 2 * FILL_BYTES);
      } else if (event.status !== OrderStatus.open) {
        const fingerprint = remembered?.fingerprintOf(event);
        this.orders.add({ account: event.account, order: event, endedIn: sequence, fingerprint });
        this.count(1, ORDER_BYTES);
      }
    }
  }

  addAudit(
    place: Pick<AuditRecord, 'id' | 'sequence' | 'index' | 'time'>,
    command: Command,
    outcome: Outcome,
  ): void {
    const record = auditOf(place, command, outcome);
    this.audit.push(record);
    this.count(1, AUDIT_BYTES + 2 * record.details.length);
  }

  private count(rows: number, bytes: number): void {
    this.rows += rows;
    this.bytes += bytes;
  }
}

/** What questions see of rows that wait: one run of commands after the other. */
export class Pending {
  constructor(private readonly parts: () => readonly PendingRows[]) {}

  orders(account: number): readonly EndedOrder[] {
    return this.gather(({ orders }) => orders.of(account));
  }

  fills(account: number): readonly Fill[] {
    return this.gather(({ fills }) => fills.of(account));
  }

  trades(market: number): readonly Fill[] {
    return this.gather(({ trades }) => trades.get(market) ?? []);
  }

  entries(account: number): readonly EntryEvent[] {
    return this.gather(({ entries }) => entries.of(account));
  }

  audit(): readonly AuditRecord[] {
    return this.gather(({ audit }) => audit);
  }

  transfers(): readonly TransferRecord[] {
    return this.gather(({ transfers }) => transfers);
  }

  /** Oldest first; a minute may be there twice, earlier trades first. */
  candles(market: number): readonly Candle[] {
    return this.gather(({ candles }) => candles.of(market));
  }

  private gather<Item>(of: (rows: PendingRows) => readonly Item[]): readonly Item[] {
    const parts = this.parts();
    return parts.length === 1 ? of(parts[0]!) : parts.flatMap(of);
  }
}
