import type { Event, OrderRecord } from '../src/engine/event.ts';
import { OrderStatus } from '../src/engine/terms.ts';
import type { NaiveState } from '../test/reference/naive-state.ts';

/** The expected contents of history, collected from the events: one text per row. */
export class ExpectedHistory {
  readonly fills: string[] = [];
  readonly entries: string[] = [];
  readonly orders: string[] = [];

  note(events: readonly Event[]): void {
    for (const event of events) {
      if (event.kind === 'trade') {
        const { id, market, price, amount } = event;
        const fill = (account: number, order: number, fee: unknown) =>
          this.fills.push([id, market, price, amount, account, order, fee].join(' '));
        fill(event.makerAccount, event.makerOrderId, event.makerFee);
        fill(event.takerAccount, event.takerOrderId, event.takerFee);
      } else if (event.kind === 'entry') {
        const { id, account, asset, type, amount, after, reference } = event;
        this.entries.push([id, account, asset, type, amount, after, reference].join(' '));
      } else if (event.kind === 'order' && event.status !== OrderStatus.open) {
        this.orders.push(orderText(event));
      }
    }
  }
}

/** Records a transfer: since engine version 2 history holds all, including those before the upgrade. */
export function transferTexts({ version, transfers }: NaiveState): string[] {
  if (version < 2) return [];
  return transfers.map(({ id, account, asset, amount, reference, time }) =>
    [id, account, asset, amount, time, reference].join(' '),
  );
}

function orderText(order: OrderRecord): string {
  const { id, account, status, reason, amount, remaining, filledCost, fees } = order;
  return [id, account, status, reason, amount, remaining, filledCost, fees].join(' ');
}

/** SQL queries that return the same columns from history. */
export const recorded = {
  fills: 'SELECT trade_id, market, price, amount, account, order_id, fee FROM fills',
  entries: 'SELECT id, account, asset, type, amount, available_after, reference FROM entries',
  transfers: 'SELECT id, account, asset, amount, time, reference FROM transfers',
  orders: 'SELECT id, account, status, reason, amount, remaining, filled_cost, fees FROM orders',
} as const;
