import { ApiRequestError } from '../../src/client/errors.ts';
import { type ExactNumber, exactNumber, numberText } from '../../src/client/exact-number.ts';
import type { RestClient } from '../../src/client/rest-client.ts';
import { SYMBOL, type Traders } from './market.ts';
import type { Level, RecordedEvent, Side, Trade } from './recording.ts';
import { AMOUNT_DECIMALS, COST_DECIMALS, PRICE_DECIMALS, textOf, unitsOf } from './units.ts';

/** As far as it matters here. */
interface OrderAnswer {
  readonly orderId: string;
  readonly status: string;
  readonly filled: ExactNumber;
  readonly remaining: ExactNumber;
  readonly cost: ExactNumber;
}

/** An order of ours that was open when the exchange last spoke of it. */
interface RestingOrder {
  readonly client: RestClient;
  readonly orderId: string;
  readonly clientOrderId: string;
  readonly side: Side;
  readonly price: bigint;
  remaining: bigint;
}

/** Sends a recorded flow to an exchange, one request at a time, and notes the trades that it makes. */
export class OrderFlow {
  ordersSent = 0;
  seedOrdersSent = 0;
  cancelsSent = 0;
  /** Requests that the exchange refused, by code. */
  readonly refused: Record<string, number> = {};
  readonly trades: Trade[] = [];

  /** By the recording's id, in the order in which they came to rest. */
  private readonly resting = new Map<string, RestingOrder>();
  private readonly recordedIds = new Set<string>();

  constructor(
    private readonly traders: Traders,
    /** Begins every client order id, so that a later replay in the same exchange has its own. */
    private readonly run: string,
  ) {}

  async apply(event: RecordedEvent): Promise<void> {
    if (event.kind === 'created') {
      this.recordedIds.add(event.id);
      this.ordersSent++;
      await this.place(event.id, event);
    }
    if (event.kind === 'deleted') {
      // An order from before the recording is known only as part of the level that seeded the book.
      const isKnown = this.recordedIds.has(event.id);
      await this.cancel(isKnown ? event.id : seedId(event.side, event.price));
    }
    if (event.kind === 'book') {
      for (const level of event.levels) await this.seed(level);
    }
  }

  /** Cancels what still rests, so that the book is as empty as before the replay. */
  async clear(): Promise<void> {
    for (const id of [...this.resting.keys()]) await this.cancel(id);
  }

  /** Places what a level held beyond our own orders there: orders from before the recording. */
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
    const answer = await this.unlessRefused(
      client.request<OrderAnswer>('POST', '/api/orders', {
        body: {
          symbol: SYMBOL,
          side,
          type: 'limit',
          amount: exactNumber(textOf(amount, AMOUNT_DECIMALS)),
          price: exactNumber(textOf(price, PRICE_DECIMALS)),
          clientOrderId,
        },
      }),
    );
    if (answer === undefined) return;
    await this.noteTrades(side, answer);
    if (answer.status !== 'open') return;
    const { orderId } = answer;
    const remaining = amountOf(answer.remaining);
    this.resting.set(id, { client, orderId, clientOrderId, side, price, remaining });
  }

  private async cancel(id: string): Promise<void> {
    const order = this.resting.get(id);
    if (order === undefined) return;
    this.resting.delete(id);
    this.cancelsSent++;
    await this.unlessRefused(order.client.request('DELETE', `/api/orders/${order.orderId}`));
  }

  /**
   * The trades of an order just placed, read from the exchange: an order of the other side that has
   * less remaining than before was its maker. Those most likely come first; the search goes on until
   * what the answer calls filled, and its cost, are explained to the last unit.
   */
  private async noteTrades(takerSide: Side, taker: OrderAnswer): Promise<void> {
    let filled = amountOf(taker.filled);
    let cost = unitsOf(numberText(taker.cost), COST_DECIMALS);
    for (const [id, maker] of this.makersFor(takerSide)) {
      if (filled === 0n) break;
      const now = await readOrder(maker);
      const remaining = amountOf(now.remaining);
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
      `order ${taker.orderId} traded with more than the orders of the replay, or not at their ` +
        `prices: keep others from ${SYMBOL} while it runs; where there are none, the exchange is wrong`,
    );
  }

  /** The resting orders of the other side, best price first, then the earliest. */
  private makersFor(takerSide: Side): [string, RestingOrder][] {
    const sign = takerSide === 'buy' ? 1 : -1;
    return [...this.resting]
      .filter(([, { side }]) => side !== takerSide)
      .sort(([, a], [, b]) => sign * Number(a.price - b.price));
  }

  /** Undefined where the exchange refused the request, which is counted. */
  private async unlessRefused<Answer>(request: Promise<Answer>): Promise<Answer | undefined> {
    try {
      return await request;
    } catch (error) {
      if (!(error instanceof ApiRequestError) || error.status >= 500) throw error;
      this.refused[error.code] = (this.refused[error.code] ?? 0) + 1;
      return undefined;
    }
  }
}

async function readOrder({ client, orderId, clientOrderId }: RestingOrder): Promise<OrderAnswer> {
  const { orders } = await client.request<{ orders: readonly OrderAnswer[] }>(
    'GET',
    '/api/orders',
    { query: { clientOrderId } },
  );
  const order = orders.find((candidate) => candidate.orderId === orderId);
  if (order === undefined) throw new Error(`the exchange does not list its order ${orderId}`);
  return order;
}

function amountOf(number: ExactNumber): bigint {
  return unitsOf(numberText(number), AMOUNT_DECIMALS);
}

function seedId(side: Side, price: bigint): string {
  return `${side}-${price}`;
}
