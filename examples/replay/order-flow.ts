import { ApiRequestError, type Order } from '../../src/client/index.ts';
import { type ExactClient, SYMBOL, type Traders } from './market.ts';
import type { Level, RecordedEvent, Side, Trade } from './recording.ts';
import {
  AMOUNT_DECIMALS,
  COST_DECIMALS,
  formatUnits,
  PRICE_DECIMALS,
  parseUnits,
} from './units.ts';

/** An order of the replay that was open in the last response. */
interface RestingOrder {
  readonly client: ExactClient;
  readonly orderId: string;
  readonly clientOrderId: string;
  readonly side: Side;
  readonly price: bigint;
  remaining: bigint;
}

/** Sends a recorded order flow to an exchange, one request at a time, and records the trades. */
export class OrderFlow {
  ordersSent = 0;
  seedOrdersSent = 0;
  cancelsSent = 0;
  /** Rejected requests by error code. */
  readonly rejected: Record<string, number> = {};
  readonly trades: Trade[] = [];

  /** Resting orders by recorded id, earliest first. */
  private readonly resting = new Map<string, RestingOrder>();
  private readonly recordedIds = new Set<string>();

  constructor(
    private readonly traders: Traders,
    /** Prefix of client order ids, so that each replay in an exchange has its own. */
    private readonly run: string,
  ) {}

  async apply(event: RecordedEvent): Promise<void> {
    if (event.kind === 'created') {
      this.recordedIds.add(event.id);
      this.ordersSent++;
      await this.place(event.id, event);
    }
    if (event.kind === 'deleted') {
      // Orders from before the recording are known only as part of a seeded level.
      const isKnown = this.recordedIds.has(event.id);
      await this.cancel(isKnown ? event.id : seedId(event.side, event.price));
    }
    if (event.kind === 'book') {
      for (const level of event.levels) await this.seed(level);
    }
  }

  /** Cancels all resting orders, so that the book is as empty as before the replay. */
  async clear(): Promise<void> {
    for (const id of [...this.resting.keys()]) await this.cancel(id);
  }

  /** Places an order for the part of a level that is from before the recording. */
  private async seed({ side, price, amount }: Level): Promise<void> {
    let missing = amount;
    for (const order of this.resting.values()) {
      if (order.side === side && order.price === price) missing -= order.remaining;
    }
    if (missing <= 0n) return;
    this.seedOrdersSent++;
    await this.place(seedId(side, price), { side, price, amount: missing });
  }

  private async place(id: string, { side, price, amount }: Level): Promise<void> {
    const clients = this.traders[side];
    const client = clients[(this.ordersSent + this.seedOrdersSent) % clients.length]!;
    const clientOrderId = `${this.run}-${id}`;
    const order = await this.unlessRejected(
      client.placeOrder({
        symbol: SYMBOL,
        side,
        type: 'limit',
        amount: formatUnits(amount, AMOUNT_DECIMALS),
        price: formatUnits(price, PRICE_DECIMALS),
        clientOrderId,
      }),
    );
    if (order === undefined) return;
    await this.recordTrades(side, order);
    if (order.status !== 'open') return;
    const { orderId } = order;
    const remaining = toAmount(order.remaining);
    this.resting.set(id, { client, orderId, clientOrderId, side, price, remaining });
  }

  private async cancel(id: string): Promise<void> {
    const order = this.resting.get(id);
    if (order === undefined) return;
    this.resting.delete(id);
    this.cancelsSent++;
    await this.unlessRejected(order.client.cancelOrder({ id: order.orderId }));
  }

  /**
   * Determines the trades of an order just placed: opposite orders whose remaining amount has decreased were its
   * makers. They are read from the exchange in priority order until filled amount and cost are explained exactly.
   */
  private async recordTrades(takerSide: Side, taker: Order<string>): Promise<void> {
    let filled = toAmount(taker.filled);
    let cost = parseUnits(taker.cost, COST_DECIMALS);
    for (const [id, maker] of this.makersFor(takerSide)) {
      if (filled === 0n) break;
      const now = await readOrder(maker);
      const remaining = toAmount(now.remaining);
      const amount = maker.remaining - remaining;
      if (amount === 0n) continue;
      this.trades.push({ price: maker.price, amount });
      filled -= amount;
      cost -= maker.price * amount;
      maker.remaining = remaining;
      if (now.status !== 'open') this.resting.delete(id);
    }
    if (filled === 0n && cost === 0n) return;
    throw new Error(
      `order ${taker.orderId} traded with other orders than those of the replay, or at other prices. ` +
        `Make sure that no one else trades ${SYMBOL} during the replay; otherwise this is a bug of the exchange.`,
    );
  }

  /** Returns the resting orders of the opposite side, best price first, then earliest. */
  private makersFor(takerSide: Side): [string, RestingOrder][] {
    const sign = takerSide === 'buy' ? 1 : -1;
    return [...this.resting]
      .filter(([, { side }]) => side !== takerSide)
      .sort(([, a], [, b]) => sign * Number(a.price - b.price));
  }

  /** Returns undefined if the exchange rejected the request, and counts the rejection. */
  private async unlessRejected<Response>(
    request: Promise<Response>,
  ): Promise<Response | undefined> {
    try {
      return await request;
    } catch (error) {
      if (!(error instanceof ApiRequestError) || error.status >= 500) throw error;
      this.rejected[error.code] = (this.rejected[error.code] ?? 0) + 1;
      return undefined;
    }
  }
}

async function readOrder({ client, orderId, clientOrderId }: RestingOrder): Promise<Order<string>> {
  const { orders } = await client.listOrders({ clientOrderId });
  const order = orders.find((candidate) => candidate.orderId === orderId);
  if (order === undefined) throw new Error(`the exchange does not list order ${orderId}`);
  return order;
}

function toAmount(digits: string): bigint {
  return parseUnits(digits, AMOUNT_DECIMALS);
}

function seedId(side: Side, price: bigint): string {
  return `${side}-${price}`;
}
