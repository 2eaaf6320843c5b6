import type { Command } from '../engine/command.ts';
import type { EntryEvent, Event, Outcome } from '../engine/event.ts';
import { InvariantError } from '../engine/rejection.ts';
import { OrderStatus } from '../engine/terms.ts';
import { type AuditRecord, auditOf, auditTable, isAudited } from './audit.ts';
import { PendingCandles } from './candles.ts';
import type { Database } from './database.ts';
import { entriesTable } from './entries.ts';
import { HistoryConflictError } from './errors.ts';
import { type Fill, fillsOf, fillsTable } from './fills.ts';
import { type EndedOrder, ordersTable } from './orders.ts';
import { RowsByAccount } from './rows-by-account.ts';

/** The last batch that history holds. */
export interface Position {
  readonly sequence: number;
  /** The log's chained hash of that batch. */
  readonly hash: Uint8Array;
}

/** Gathers what commands did, and puts it into the database a commit at a time. */
export class Writer {
  readonly orders = new RowsByAccount<EndedOrder>();
  readonly audit: AuditRecord[] = [];
  readonly candles = new PendingCandles();
  readonly fills = new RowsByAccount<Fill>();
  /** Those of the takers, by market: the public trades. */
  readonly trades = new Map<number, Fill[]>();
  readonly entries = new RowsByAccount<EntryEvent>();
  /** The lowest batch that may come next. */
  private next: number;

  constructor(
    private readonly database: Database,
    private committed: Position,
    private lastAuditId: number,
  ) {
    this.next = committed.sequence + 1;
  }

  get position(): Position {
    return this.committed;
  }

  record(
    sequence: number,
    index: number,
    time: number,
    command: Command,
    outcome: Outcome,
    events: readonly Event[],
  ): void {
    if (sequence < this.next) throw this.outOfOrder(sequence);
    this.next = sequence;
    if (isAudited(command)) {
      this.lastAuditId++;
      const place = { id: this.lastAuditId, sequence, index, time };
      this.audit.push(auditOf(place, command, outcome));
    }
    for (const event of events) {
      if (event.kind === 'entry') this.entries.add(event);
      else if (event.kind === 'trade') {
        this.candles.add(event);
        const [maker, taker] = fillsOf(event);
        this.fills.add(maker);
        this.fills.add(taker);
        const trades = this.trades.get(event.market);
        if (trades === undefined) this.trades.set(event.market, [taker]);
        else trades.push(taker);
      } else if (event.status !== OrderStatus.open) {
        this.orders.add({ account: event.account, order: event, endedIn: sequence });
      }
    }
  }

  /** @throws HistoryConflictError */
  async commit(sequence: number, hash: Uint8Array): Promise<void> {
    if (sequence < this.next) throw this.outOfOrder(sequence);
    const { database } = this;
    await database.transaction(async () => {
      await this.move(sequence, hash);
      await database.insert(ordersTable, this.orders);
      await database.insert(fillsTable, this.fills);
      await database.insert(entriesTable, this.entries);
      await database.insert(auditTable, this.audit);
      await this.candles.store(database);
    });
    this.committed = { sequence, hash: hash.slice() };
    this.next = sequence + 1;
    this.orders.clear();
    this.fills.clear();
    this.trades.clear();
    this.entries.clear();
    this.audit.length = 0;
    this.candles.clear();
  }

  /** Only from where this process left it: what is recorded goes on from there. */
  private async move(sequence: number, hash: Uint8Array): Promise<void> {
    const changed = await this.database.run(
      'UPDATE position SET sequence = $1, hash = $2 WHERE sequence = $3 AND hash = $4',
      sequence,
      hash.toHex(),
      this.committed.sequence,
      this.committed.hash.toHex(),
    );
    if (changed !== 1) throw new HistoryConflictError(this.committed.sequence);
  }

  private outOfOrder(sequence: number): InvariantError {
    return new InvariantError(
      `history holds all before batch ${this.next} and was given batch ${sequence}`,
    );
  }
}

export async function readPosition(database: Database): Promise<Position> {
  const [row] = await database.query('SELECT sequence, hash FROM position');
  return { sequence: Number(row!.sequence), hash: Uint8Array.fromHex(String(row!.hash)) };
}
