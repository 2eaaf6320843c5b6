import type { Event, OrderRecord } from '../src/engine/event.ts';
import { OrderStatus } from '../src/engine/terms.ts';
import type { NaiveState } from '../test/reference/naive-state.ts';

/** What history must hold, kept from the events as they came: a text a row. */
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
      } else if (event.status !== OrderStatus.open) this.orders.push(orderText(event));
    }
  }
}

/** From version 2 on history holds every transfer, those before the upgrade too. */
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

/** The same of the rows that history has, as SQL. */
export const recorded = {
  fills: 'SELECT trade_id, market, price, amount, account, order_id, fee FROM fills',
  entries: 'SELECT id, account, asset, type, amount, available_after, reference FROM entries',
  transfers: 'SELECT id, account, asset, amount, time, reference FROM transfers',
  orders: 'SELECT id, account, status, reason, amount, remaining, filled_cost, fees FROM orders',
} as const;
