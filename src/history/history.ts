import type { Command } from '../engine/command.ts';
import type { Event, OrderRecord, Outcome } from '../engine/event.ts';
import type { Side } from '../engine/orders.ts';
export interface OrderFilter {
  account: number;
  market?: number;
  side?: Side;
  statuses?: number[];
  clientOrderId?: string;
  since?: number;
  until?: number;
  beforeId?: number;
  afterId?: number;
  descending: boolean;
  limit: number;
}
export class History {
  orders: OrderRecord[] = [];
  pos = { sequence: 0, hash: new Uint8Array(32) as Uint8Array };
  static async open(_url: string) {
    return new History();
  }
  async position() {
    return this.pos;
  }
  record(_s: number, _i: number, _t: number, _c: Command, _o: Outcome, events: readonly Event[]) {
    for (const e of events)
      if (e.kind === 'order' && e.order.status !== 0) this.orders.push(e.order);
  }
  async commit(sequence: number, hash: Uint8Array) {
    this.pos = { sequence, hash };
  }
  async finalOrders(f: OrderFilter) {
    return this.orders
      .filter(
        (o) =>
          o.account === f.account && (f.statuses === undefined || f.statuses.includes(o.status)),
      )
      .sort((a, b) => b.id - a.id)
      .slice(0, f.limit);
  }
  async order(account: number, id: number) {
    return this.orders.find((o) => o.account === account && o.id === id);
  }
  async minuteCandles(_m: number, _s: number) {
    return [];
  }
  async auditPage(_b: number, _l: number) {
    return [];
  }
  async close() {}
}
