import type {
  DepositRecord,
  EntryEvent,
  Event,
  OrderRecord,
  TransferRecord,
  WithdrawalRecord,
} from '../../engine/event.ts';
import { NONE, OrderStatus } from '../../engine/terms.ts';
import type { DetectorRecord, FoundAlert } from '../../surveillance/alert.ts';
import type { Audited, AuditRecord } from '../tables/audit.ts';
import type { AuditSubject } from '../tables/audit-subjects.ts';
import { type Candle, PendingCandles } from '../tables/candles.ts';
import type {
  ChangePlace,
  CustodyChange,
  DepositChange,
  WithdrawalChange,
} from '../tables/custody.ts';
import { type Fill, toFills } from '../tables/fills.ts';
import type { EndedOrder } from '../tables/orders.ts';
import type { AlertReview } from '../tables/surveillance.ts';
import { RowsByAccount } from './rows-by-account.ts';

/** Estimated memory of a row in bytes: an object and its places in lists and maps. */
const ORDER_BYTES = 600;
const FILL_BYTES = 250;
const ENTRY_BYTES = 200;
const AUDIT_BYTES = 400;
const SUBJECT_BYTES = 100;
/** The record itself is the engine's. */
const TRANSFER_BYTES = 24;
const CUSTODY_BYTES = 600;

const ALERT_BYTES = 800;

/** More than the events of a command. */
export const MAX_EVENTS = 2 ** 24;

/** Data in addition to events that history stores, because the engine forgets it. */
export interface Remembered {
  /** The fingerprint of the request that placed an order under its client order id. */
  fingerprint(order: OrderRecord): number | undefined;
  /** Transfers that history does not hold yet. */
  readonly transfers: readonly TransferRecord[];
  /** Deposits and withdrawals that the engine has just dropped. */
  readonly dropped: readonly (DepositRecord | WithdrawalRecord)[];
}

/** The newest order of each client order id of each account. */
class OrdersByClientId {
  private readonly accounts = new Map<number, Map<string, EndedOrder>>();

  add(ended: EndedOrder): void {
    const { account, order } = ended;
    if (order.clientOrderId === null) return;
    const orders = this.accounts.get(account) ?? new Map<string, EndedOrder>();
    this.accounts.set(account, orders);
    const known = orders.get(order.clientOrderId);
    if (known === undefined || known.order.id < order.id) orders.set(order.clientOrderId, ended);
  }

  get(account: number): ReadonlyMap<string, EndedOrder> | undefined {
    return this.accounts.get(account);
  }
}

/** Rows that wait for a commit, of a run of commands. */
export class PendingRows {
  readonly orders = new RowsByAccount<EndedOrder>();
  readonly placed = new OrdersByClientId();
  readonly fills = new RowsByAccount<Fill>();
  /** The takers' fills by market: the public trades. */
  readonly trades = new Map<number, Fill[]>();
  readonly entries = new RowsByAccount<EntryEvent>();
  readonly audit: AuditRecord[] = [];
  readonly auditSubjects = new RowsByAccount<AuditSubject>();
  readonly transfers: TransferRecord[] = [];
  readonly deposits: DepositRecord[] = [];
  readonly withdrawals: WithdrawalRecord[] = [];
  readonly depositChanges = new RowsByAccount<DepositChange>();
  readonly withdrawalChanges = new RowsByAccount<WithdrawalChange>();
  readonly candles = new PendingCandles();
  readonly alerts: FoundAlert[] = [];
  readonly reviews: AlertReview[] = [];
  /** The detectors' states after the last of these commands, if they are due to be stored. */
  detectors: readonly DetectorRecord[] = [];
  /** Estimated memory of all rows. */
  bytes = 0;
  rows = 0;

  /** @param index Index of the command in the batch, from 0. */
  addEvents(
    sequence: number,
    index: number,
    events: readonly Event[],
    remembered?: Remembered,
  ): void {
    for (const transfer of remembered?.transfers ?? []) {
      this.transfers.push(transfer);
      this.count(1, TRANSFER_BYTES);
    }
    for (const record of remembered?.dropped ?? []) {
      if (record.kind === 'deposit') this.deposits.push(record);
      else this.withdrawals.push(record);
      this.count(1, CUSTODY_BYTES);
    }
    for (const [place, event] of events.entries()) {
      if (event.kind === 'entry') {
        this.entries.add(event);
        this.count(1, ENTRY_BYTES);
      } else if (event.kind === 'trade') {
        this.candles.add(event);
        const [maker, taker] = toFills(event);
        this.fills.add(maker);
        this.fills.add(taker);
        const trades = this.trades.get(event.market);
        if (trades === undefined) this.trades.set(event.market, [taker]);
        else trades.push(taker);
        this.count(2, 2 * FILL_BYTES);
      } else if (event.kind === 'order' && event.status !== OrderStatus.open) {
        const fingerprint = remembered?.fingerprint(event);
        const ended = { account: event.account, order: event, endedIn: sequence, fingerprint };
        this.orders.add(ended);
        this.placed.add(ended);
        this.count(1, ORDER_BYTES);
      } else if (event.kind === 'deposit' || event.kind === 'withdrawal') {
        this.addChange(event, { changedIn: sequence, changeIndex: index * MAX_EVENTS + place });
      }
    }
  }

  private addChange(record: DepositRecord | WithdrawalRecord, place: ChangePlace): void {
    // A deposit to an address of no account has no owner to notify.
    if (record.account === NONE) return;
    if (record.kind === 'deposit') this.depositChanges.add({ ...record, ...place });
    else this.withdrawalChanges.add({ ...record, ...place });
    this.count(1, CUSTODY_BYTES);
  }

  addAudit(audited: readonly Audited[]): void {
    for (const { record, subjects } of audited) {
      this.audit.push(record);
      this.count(1, AUDIT_BYTES + 2 * record.details.length);
      for (const subject of subjects) this.auditSubjects.add(subject);
      this.count(subjects.length, subjects.length * SUBJECT_BYTES);
    }
  }

  addReview(review: AlertReview | undefined): void {
    if (review === undefined) return;
    this.reviews.push(review);
    this.count(1, AUDIT_BYTES + 2 * review.note.length);
  }

  addAlert(alert: FoundAlert): void {
    this.alerts.push(alert);
    this.count(1, ALERT_BYTES);
  }

  private count(rows: number, bytes: number): void {
    this.rows += rows;
    this.bytes += bytes;
  }
}

/** The rows that wait for a commit, as queries see them: one run of commands after the other. */
export class Pending {
  constructor(private readonly parts: () => readonly PendingRows[]) {}

  orders(account: number): readonly EndedOrder[] {
    return this.collect(({ orders }) => orders.get(account));
  }

  /** The newest order of each of an account's client order ids in each part. */
  *placed(account: number, clientOrderIds: Iterable<string>): Iterable<EndedOrder> {
    const parts = this.parts().map(({ placed }) => placed.get(account));
    for (const clientOrderId of clientOrderIds) {
      for (const orders of parts) {
        const ended = orders?.get(clientOrderId);
        if (ended !== undefined) yield ended;
      }
    }
  }

  fills(account: number): readonly Fill[] {
    return this.collect(({ fills }) => fills.get(account));
  }

  trades(market: number): readonly Fill[] {
    return this.collect(({ trades }) => trades.get(market) ?? []);
  }

  entries(account: number): readonly EntryEvent[] {
    return this.collect(({ entries }) => entries.get(account));
  }

  /** The entries of all accounts. */
  *allEntries(): Iterable<EntryEvent> {
    for (const { entries } of this.parts()) yield* entries.items();
  }

  audit(): readonly AuditRecord[] {
    return this.collect(({ audit }) => audit);
  }

  /** The audit records that concern an account, in the order of the log. */
  auditSubjects(account: number): readonly AuditSubject[] {
    return this.collect(({ auditSubjects }) => auditSubjects.get(account));
  }

  alerts(): readonly FoundAlert[] {
    return this.collect(({ alerts }) => alerts);
  }

  /** In the order of the log. */
  reviews(): readonly AlertReview[] {
    return this.collect(({ reviews }) => reviews);
  }

  transfers(): readonly TransferRecord[] {
    return this.collect(({ transfers }) => transfers);
  }

  deposits(): readonly DepositRecord[] {
    return this.collect(({ deposits }) => deposits);
  }

  withdrawals(): readonly WithdrawalRecord[] {
    return this.collect(({ withdrawals }) => withdrawals);
  }

  /** The changes of an account's deposits and withdrawals, in no particular order. */
  custodyChanges(account: number): readonly CustodyChange[] {
    return [
      ...this.collect(({ depositChanges }) => depositChanges.get(account)),
      ...this.collect(({ withdrawalChanges }) => withdrawalChanges.get(account)),
    ];
  }

  /** Oldest first; a minute may be there twice, earlier trades first. */
  candles(market: number): readonly Candle[] {
    return this.collect(({ candles }) => candles.get(market));
  }

  private collect<Item>(of: (rows: PendingRows) => readonly Item[]): readonly Item[] {
    const parts = this.parts();
    return parts.length === 1 ? of(parts[0]!) : parts.flatMap(of);
  }
}
