import { below, type Random } from '../../src/storage/seeded-random.ts';
import type { Credential, ExchangeProcess } from './exchange-process.ts';

/** What an exchange said of an order. */
export interface Acknowledged {
  readonly orderId: string;
  /** As last acknowledged, be it by an amend. */
  amount: number;
  price: number;
  amends: number;
  isCanceled: boolean;
  /** An amend or a cancel of it was sent and not answered: either may be. */
  isInDoubt: boolean;
}

/** What a load sent and was told, by client order id. */
export interface Told {
  readonly sent: Set<string>;
  readonly acknowledged: Map<string, Acknowledged>;
  /** Answered with an error: must not be there. */
  readonly refused: Set<string>;
  /** Requests that were answered at all. */
  answers: number;
}

const MAX_BATCH = 8;

/**
 * Orders, batches, amends and cancels of alice and bob, from as many clients, until the exchange ends.
 * Client order ids begin with `prefix`. `buyer` buys, the other one sells, so that no order meets one
 * of its own account. Resolves once all clients have noticed.
 * @throws what a client failed with, unless `isEnd` says that this is the end
 */
export async function load(
  exchange: ExchangeProcess,
  options: {
    readonly prefix: string;
    readonly buyer: 'alice' | 'bob';
    readonly clients: number;
    readonly random: Random;
    readonly isEnd: (error: Error) => boolean | Promise<boolean>;
    readonly told: Told;
  },
): Promise<void> {
  const clients = Array.from({ length: options.clients }, (_, index) =>
    new Client(exchange, index, options).run().catch(async (error) => {
      // A request that the end cut off is what this is about; anything else is a failure.
      if (!(await options.isEnd(error))) throw error;
    }),
  );
  await Promise.all(clients);
}

export function nothingTold(): Told {
  return { sent: new Set(), acknowledged: new Map(), refused: new Set(), answers: 0 };
}

class Client {
  private readonly holder: Credential;
  private readonly side: 'buy' | 'sell';
  private count = 0;

  constructor(
    private readonly exchange: ExchangeProcess,
    private readonly index: number,
    private readonly options: Parameters<typeof load>[1],
  ) {
    const { buyer } = options;
    const isBuyer = index % 2 === 0;
    this.side = isBuyer ? 'buy' : 'sell';
    this.holder = exchange.credential(isBuyer === (buyer === 'alice') ? 'alice' : 'bob');
  }

  async run(): Promise<never> {
    const { random } = this.options;
    for (;;) {
      const placed = below(8, random) === 0 ? await this.placeBatch() : await this.placeOne();
      for (const clientOrderId of placed) {
        if (below(4, random) === 0) await this.amend(clientOrderId);
        // Most are canceled again, so that no account runs into its limit of open orders.
        if (below(10, random) > 0) await this.cancel(clientOrderId);
      }
    }
  }

  private newOrder() {
    const { prefix, random, told } = this.options;
    const clientOrderId = `${prefix}c${this.index}-${this.count++}`;
    told.sent.add(clientOrderId);
    return {
      ...{ symbol: 'BTC/USDT', side: this.side, type: 'limit', clientOrderId },
      ...{ amount: 0.0001 * (1 + below(2, random)), price: 100_000 + below(100, random) },
    };
  }

  /** @returns the client order ids of those that are open */
  private async placeOne(): Promise<string[]> {
    const order = this.newOrder();
    const answer = await this.send('POST', '/api/orders', order);
    return this.note(order.clientOrderId, answer.json) ? [order.clientOrderId] : [];
  }

  private async placeBatch(): Promise<string[]> {
    const orders = Array.from({ length: 2 + below(MAX_BATCH - 1, this.options.random) }, () =>
      this.newOrder(),
    );
    const { status, json } = await this.send('POST', '/api/orders/batch', { orders });
    const results = status === 200 ? json.data.results : orders.map(() => json);
    return orders
      .filter(({ clientOrderId }, at) => this.note(clientOrderId, results[at]))
      .map(({ clientOrderId }) => clientOrderId);
  }

  /** @returns whether the order is open */
  // biome-ignore lint/suspicious/noExplicitAny: what tests look into has every form there is
  private note(clientOrderId: string, answer: any): boolean {
    const { acknowledged, refused } = this.options.told;
    if (!answer.success) {
      // A machine that is too slow for the load may say so.
      if (answer.error.code !== 'OVERLOADED') throw new Error(`refused: ${JSON.stringify(answer)}`);
      refused.add(clientOrderId);
      return false;
    }
    const { orderId, status, amount, price } = answer.data;
    const state = { amends: 0, isCanceled: false, isInDoubt: false };
    acknowledged.set(clientOrderId, { orderId, amount, price, ...state });
    return status === 'open';
  }

  private async amend(clientOrderId: string): Promise<void> {
    const { random, told } = this.options;
    const order = told.acknowledged.get(clientOrderId)!;
    const change =
      below(2, random) === 0 ? { amount: 0.0003 } : { price: 100_000 + below(100, random) };
    order.isInDoubt = true;
    const { status, json } = await this.send('PATCH', `/api/orders/${order.orderId}`, change);
    order.isInDoubt = false;
    if (status !== 200) return;
    order.amends++;
    order.amount = json.data.amount;
    order.price = json.data.price;
  }

  private async cancel(clientOrderId: string): Promise<void> {
    const order = this.options.told.acknowledged.get(clientOrderId)!;
    order.isInDoubt = true;
    const { status } = await this.send('DELETE', `/api/orders/${order.orderId}`);
    order.isInDoubt = false;
    if (status === 200) order.isCanceled = true;
  }

  private async send(method: string, path: string, body?: object) {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const answer = await this.exchange.send(this.holder, method, path, text);
    this.options.told.answers++;
    return answer;
  }
}

/** A load on an exchange that is to end by itself, until it has. */
export async function loadUntilEnd(
  exchange: ExchangeProcess,
  options: Omit<Parameters<typeof load>[1], 'isEnd'>,
): Promise<{ exitCode: number; output: string }> {
  await load(exchange, {
    ...options,
    isEnd: async (error) => {
      // The client may see the end before it is known here.
      const isCutOff = /connect|connection|ECONN/i.test(error.message);
      if (isCutOff) await exchange.ended();
      return isCutOff;
    },
  });
  return exchange.ended();
}
