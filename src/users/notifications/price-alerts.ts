import type { Queries, Row } from '../database.ts';
import { Notices } from './notices.ts';

export const alertDirections = ['above', 'below'] as const;
export type AlertDirection = (typeof alertDirections)[number];

/** A price at which an account wants to be notified. */
export interface PriceAlert {
  readonly id: string;
  readonly accountId: string;
  readonly symbol: string;
  /** `above`: the last price reaches or exceeds the price. */
  readonly direction: AlertDirection;
  /** An exact decimal. */
  readonly price: string;
  readonly note: string;
  readonly createdAt: number;
  /** Milliseconds since 1970; 0 before. */
  readonly triggeredAt: number;
}

/** An alert whose price was reached. */
export interface ReachedAlert {
  readonly alert: PriceAlert;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The alert as JSON. */
  readonly data: string;
}

/** Alerts that have triggered, kept per account. */
const MAX_TRIGGERED = 100;

/** The price alerts of accounts, in SQL. */
export class PriceAlerts {
  constructor(private readonly queries: Queries) {}

  /** Returns the alerts of an account, newest first, or those of all accounts that wait. */
  async list(accountId?: string): Promise<PriceAlert[]> {
    const rows =
      accountId === undefined
        ? await this.queries.query('SELECT * FROM price_alerts WHERE triggered_at = 0')
        : await this.queries.query(
            'SELECT * FROM price_alerts WHERE account_id = $1 ORDER BY created_at DESC, id',
            accountId,
          );
    return rows.map(toAlert);
  }

  async add(alert: PriceAlert): Promise<void> {
    await this.queries.run(
      'INSERT INTO price_alerts VALUES ($1, $2, $3, $4, $5, $6, $7, $8)',
      alert.id,
      alert.accountId,
      alert.symbol,
      alert.direction,
      alert.price,
      alert.note,
      alert.createdAt,
      alert.triggeredAt,
    );
  }

  /** Returns whether there was such an alert of the account. */
  async remove(accountId: string, id: string): Promise<boolean> {
    const text = 'DELETE FROM price_alerts WHERE id = $1 AND account_id = $2';
    return (await this.queries.run(text, id, accountId)) > 0;
  }

  /** Marks an alert as triggered. Returns false if it was already, or was removed. */
  async trigger({ id, accountId }: PriceAlert, at: number): Promise<boolean> {
    const isFirst =
      (await this.queries.run(
        'UPDATE price_alerts SET triggered_at = $2 WHERE id = $1 AND triggered_at = 0',
        id,
        at,
      )) > 0;
    await this.queries.run(
      `DELETE FROM price_alerts WHERE account_id = $1 AND triggered_at > 0 AND triggered_at <
         (SELECT triggered_at FROM price_alerts WHERE account_id = $1 AND triggered_at > 0
          ORDER BY triggered_at DESC LIMIT 1 OFFSET ${MAX_TRIGGERED})`,
      accountId,
    );
    return isFirst;
  }
}

/** Marks alerts as triggered and adds their notices. @returns the accounts of those that had not triggered before */
export async function triggerAlerts(
  queries: Queries,
  reached: readonly ReachedAlert[],
): Promise<ReadonlySet<string>> {
  const accounts = new Set<string>();
  for (const { alert, at, data } of reached) {
    if (!(await new PriceAlerts(queries).trigger(alert, at))) continue;
    const notice = { event: 'price.alert', createdAt: at, data };
    await new Notices(queries).add(alert.accountId, alert.id, notice);
    accounts.add(alert.accountId);
  }
  return accounts;
}

function toAlert(row: Row): PriceAlert {
  return {
    id: String(row.id),
    accountId: String(row.account_id),
    symbol: String(row.symbol),
    direction: row.direction as AlertDirection,
    price: String(row.price),
    note: String(row.note),
    createdAt: Number(row.created_at),
    triggeredAt: Number(row.triggered_at),
  };
}
