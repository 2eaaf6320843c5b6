import type { OrderRecord } from '../../engine/event.ts';
import { OrderReason, OrderStatus } from '../../engine/terms.ts';
import { Activities } from '../activities.ts';
import { type Detector, type Finding, type FindOwner, PARAMETERS, type Place } from '../alert.ts';

const {
  maxLifeMs: MAX_LIFE_MS,
  minOrders: MIN_ORDERS,
  minPerFilled: MIN_PER_FILLED,
} = PARAMETERS.quote_stuffing;

const FLEETING = 0;
const FILLED = 1;
const COLUMNS = 2;

/** Finds users who enter and cancel orders in such numbers that the market's other participants have to process noise. */
export class QuoteStuffing implements Detector {
  readonly name = 'quote_stuffing';
  readonly windowMs = 10_000;
  private readonly rows = new Activities(COLUMNS);

  constructor(private readonly findOwner: FindOwner) {}

  readOrders(orders: readonly OrderRecord[], place: Place): void {
    for (const order of orders) {
      if (order.status === OrderStatus.filled) {
        const at = this.rows.find(order.market, this.findOwner(order.account));
        this.rows.values[at + FILLED]!++;
      } else if (isFleeting(order)) {
        const at = this.rows.find(order.market, this.findOwner(order.account));
        this.rows.values[at + FLEETING]!++;
        this.rows.cite(at, place);
      }
    }
  }

  endWindow(): Finding[] {
    const findings: Finding[] = [];
    this.rows.forEach((at, market, owner) => {
      const orders = this.rows.values[at + FLEETING]!;
      const filled = this.rows.values[at + FILLED]!;
      if (orders < MIN_ORDERS || orders < MIN_PER_FILLED * filled) return;
      const figures = { orders, filled };
      findings.push({ market, owners: [owner], ...this.rows.cited(at), figures });
    });
    this.rows.clear();
    return findings;
  }

  save(): number[][] {
    return this.rows.save();
  }

  restore(saved: unknown): void {
    this.rows.restore(saved as number[][]);
  }
}

function isFleeting(order: OrderRecord): boolean {
  return (
    order.status === OrderStatus.canceled &&
    order.reason === OrderReason.requested &&
    order.remaining === order.amount &&
    order.updatedAt - order.createdAt <= MAX_LIFE_MS
  );
}
