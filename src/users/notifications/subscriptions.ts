import type { Queries, Row } from '../database.ts';
import { NotFoundError } from '../errors.ts';

/** The way on which the events of a subscription go to their reader. */
export type Channel = 'webhook' | 'mail' | 'page' | 'push';

export const subscriptionStatuses = ['active', 'paused', 'failed'] as const;
/** `failed`: the receiver did not accept anything for so long that the exchange gave up. */
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** The events of an account's history that were delivered: everything up to these. */
export interface Cursor {
  /** Batch of the last ended order, and its id. */
  readonly orderBatch: number;
  readonly orderId: number;
  readonly tradeId: number;
  readonly noticeId: number;
  /** Batch of the last change of a deposit or withdrawal, and its place in the batch. */
  readonly custodyBatch: number;
  readonly custodyIndex: number;
}

/** A subscription of an account to its events. */
export interface Subscription {
  readonly id: string;
  readonly accountId: string;
  /** The user whose mail address or page it is; '' for a webhook. */
  readonly userId: string;
  readonly channel: Channel;
  /** The URL of a webhook, or the address of a browser at its push service; '' for others. */
  readonly target: string;
  /** The name of a webhook; of a browser its keys and the session that subscribed it (`push-label.ts`). */
  readonly label: string;
  /** Names of events, or patterns such as `order.*`. */
  readonly events: readonly string[];
  readonly status: SubscriptionStatus;
  readonly createdAt: number;
  /** The secret is derived from this number: the next one is another secret. */
  readonly secretNumber: number;
  /** Milliseconds since 1970; 0 for the first secret. */
  readonly secretChangedAt: number;
  readonly cursor: Cursor;
  /** Since when every attempt has failed, milliseconds since 1970; 0 if the last one succeeded. */
  readonly failingSince: number;
  /** Failed attempts in a row. */
  readonly attempts: number;
  readonly lastError: string;
}

/** One attempt to deliver an event. */
export interface Delivery {
  readonly id: number;
  readonly eventId: string;
  readonly event: string;
  readonly attemptedAt: number;
  /** 1 for the first. */
  readonly attempt: number;
  /** HTTP status; 0 if there was no response. */
  readonly status: number;
  readonly error: string;
  readonly durationMs: number;
}

/** Attempts kept per subscription, the newest. */
const MAX_DELIVERIES = 200;

/** The columns that the owner of a subscription, or a failed delivery, changes. */
export type Change = Partial<
  Pick<
    Subscription,
    'target' | 'label' | 'events' | 'status' | 'secretNumber' | 'secretChangedAt' | 'cursor'
  > &
    Pick<Subscription, 'failingSince' | 'attempts' | 'lastError'>
>;

/** The subscriptions of accounts and the log of their deliveries, in SQL. */
export class Subscriptions {
  constructor(private readonly queries: Queries) {}

  /** Returns the subscriptions of an account, or those of all accounts that are active, oldest first. */
  async list(accountId?: string): Promise<Subscription[]> {
    const rows =
      accountId === undefined
        ? await this.queries.query(
            "SELECT * FROM subscriptions WHERE status = 'active' ORDER BY created_at, id",
          )
        : await this.queries.query(
            'SELECT * FROM subscriptions WHERE account_id = $1 ORDER BY created_at, id',
            accountId,
          );
    return rows.map(toSubscription);
  }

  /** @throws NotFoundError */
  async get(id: string): Promise<Subscription> {
    const [row] = await this.queries.query('SELECT * FROM subscriptions WHERE id = $1', id);
    if (row === undefined) throw new NotFoundError();
    return toSubscription(row);
  }

  /** Adds a subscription, or replaces that of the same id. */
  async add(subscription: Subscription): Promise<void> {
    const { cursor } = subscription;
    await this.queries.run(
      `INSERT INTO subscriptions VALUES
        ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
         $19, $20)
       ON CONFLICT (id) DO UPDATE SET ${REPLACED.map((name) => `${name} = EXCLUDED.${name}`).join(', ')}`,
      subscription.id,
      subscription.accountId,
      subscription.userId,
      subscription.channel,
      subscription.target,
      subscription.label,
      subscription.events.join(' '),
      subscription.status,
      subscription.createdAt,
      subscription.secretNumber,
      subscription.secretChangedAt,
      cursor.orderBatch,
      cursor.orderId,
      cursor.tradeId,
      cursor.noticeId,
      subscription.failingSince,
      subscription.attempts,
      subscription.lastError,
      cursor.custodyBatch,
      cursor.custodyIndex,
    );
  }

  /** Changes some properties. Does nothing if the subscription was removed. */
  async change(id: string, change: Change): Promise<void> {
    const { cursor, events, ...rest } = change;
    const columns = Object.entries({
      ...rest,
      ...cursor,
      ...(events === undefined ? {} : { events: events.join(' ') }),
    }).map(([name, value]) => [COLUMNS[name as keyof typeof COLUMNS], value] as const);
    if (columns.length === 0) return;
    const assignments = columns.map(([column], place) => `${column} = $${place + 2}`);
    const values = columns.map(([, value]) => value);
    const text = `UPDATE subscriptions SET ${assignments.join(', ')} WHERE id = $1`;
    await this.queries.run(text, id, ...values);
  }

  async remove(id: string): Promise<void> {
    await this.queries.run('DELETE FROM deliveries WHERE subscription_id = $1', id);
    await this.queries.run('DELETE FROM subscriptions WHERE id = $1', id);
  }

  async addDelivery(id: string, delivery: Omit<Delivery, 'id'>): Promise<void> {
    await this.queries.run(
      `INSERT INTO deliveries
         (subscription_id, event_id, event, attempted_at, attempt, status, error, duration_ms)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      id,
      delivery.eventId,
      delivery.event,
      delivery.attemptedAt,
      delivery.attempt,
      delivery.status,
      delivery.error,
      delivery.durationMs,
    );
    await this.queries.run(
      `DELETE FROM deliveries WHERE subscription_id = $1 AND id <=
         (SELECT id FROM deliveries WHERE subscription_id = $1 ORDER BY id DESC LIMIT 1 OFFSET ${MAX_DELIVERIES})`,
      id,
    );
  }

  /** Returns the newest attempts first. */
  async deliveries(id: string, limit: number): Promise<Delivery[]> {
    const rows = await this.queries.query(
      'SELECT * FROM deliveries WHERE subscription_id = $1 ORDER BY id DESC LIMIT $2',
      id,
      limit,
    );
    return rows.map(toDelivery);
  }
}

/** Column names of the properties that change. */
const COLUMNS = {
  target: 'target',
  label: 'label',
  events: 'events',
  status: 'status',
  secretNumber: 'secret_number',
  secretChangedAt: 'secret_changed_at',
  orderBatch: 'order_batch',
  orderId: 'order_id',
  tradeId: 'trade_id',
  noticeId: 'notice_id',
  custodyBatch: 'custody_batch',
  custodyIndex: 'custody_index',
  failingSince: 'failing_since',
  attempts: 'attempts',
  lastError: 'last_error',
} as const;

/** The columns that a subscription of the same id replaces. */
const REPLACED = [...Object.values(COLUMNS), 'created_at'];

function toSubscription(row: Row): Subscription {
  return {
    id: String(row.id),
    accountId: String(row.account_id),
    userId: String(row.person_id),
    channel: row.channel as Channel,
    target: String(row.target),
    label: String(row.label),
    events: String(row.events).split(' '),
    status: row.status as SubscriptionStatus,
    createdAt: Number(row.created_at),
    secretNumber: Number(row.secret_number),
    secretChangedAt: Number(row.secret_changed_at),
    cursor: {
      orderBatch: Number(row.order_batch),
      orderId: Number(row.order_id),
      tradeId: Number(row.trade_id),
      noticeId: Number(row.notice_id),
      custodyBatch: Number(row.custody_batch),
      custodyIndex: Number(row.custody_index),
    },
    failingSince: Number(row.failing_since),
    attempts: Number(row.attempts),
    lastError: String(row.last_error),
  };
}

function toDelivery(row: Row): Delivery {
  return {
    id: Number(row.id),
    eventId: String(row.event_id),
    event: String(row.event),
    attemptedAt: Number(row.attempted_at),
    attempt: Number(row.attempt),
    status: Number(row.status),
    error: String(row.error),
    durationMs: Number(row.duration_ms),
  };
}
