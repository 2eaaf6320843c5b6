import { below, type Random } from '../../src/storage/seeded-random.ts';
import type { Credential, ExchangeProcess } from './exchange-process.ts';
import { OperationSocket } from './operation-socket.ts';

/** The answers about an order. */
export interface Acknowledged {
  readonly orderId: string;
  /** Amount and price last acknowledged, also by an amend. */
  amount: number;
  price: number;
  amends: number;
  isCanceled: boolean;
  /** Whether an amend or a cancel got no answer, so that it may or may not have taken effect. */
  isInDoubt: boolean;
}

/** Requests and answers of a load, by client order id. */
export interface LoadRecord {
  readonly sent: Set<string>;
  readonly acknowledged: Map<string, Acknowledged>;
  /** Orders answered with an error, which must not exist. */
  readonly rejected: Set<string>;
  /** Number of answered requests. */
  answers: number;
}

const MAX_BATCH = 8;

/**
 * Sends orders, batches, amends and cancels of alice and bob from a number of clients until the exchange ends.
 * Client order ids begin with `prefix`. `buyer` buys and the other one sells, so that no order matches one
 * of its own account. Resolves when all clients have noticed the end.
 * @throws The error of a client, unless `isEnd` returns true.
 */
export async function load(
  exchange: ExchangeProcess,
  options: {
    readonly prefix: string;
    readonly buyer: 'alice' | 'bob';
    readonly clients: number;
    readonly random: Random;
    readonly isEnd: (error: Error) => boolean | Promise<boolean>;
    readonly record: LoadRecord;
  },
): Promise<void> {
  const clients = Array.from({ length: options.clients }, (_, index) =>
    new Client(exchange, index, options).run().catch(async (error) => {
      // Requests cut off by the end are expected; all other errors are failures.
      if (!(await options.isEnd(error))) throw error;
    }),
  );
  await Promise.all(clients);
}

export function emptyRecord(): LoadRecord {
  return { sent: new Set(), acknowledged: new Map(), rejected: new Set(), answers: 0 };
}

class Client {
  private readonly credential: Credential;
  private readonly side: 'buy' | 'sell';
  private count = 0;
  /** Half of the buyers and of the sellers send their requests as operations over a socket. */
  private socket: OperationSocket | undefined;

  constructor(
    private readonly exchange: ExchangeProcess,
    private readonly index: number,
    private readonly options: Parameters<typeof load>[1],
  ) {
    const { buyer } = options;
    const isBuyer = index % 2 === 0;
    this.side = isBuyer ? 'buy' : 'sell';
    this.credential = exchange.credential(isBuyer === (buyer === 'alice') ? 'alice' : 'bob');
  }

  async run(): Promise<never> {
    const { random } = this.options;
    if (this.index % 4 >= 2) {
      this.socket = await OperationSocket.open(this.exchange.baseUrl, this.credential);
    }
    for (;;) {
      const placed = below(8, random) === 0 ? await this.placeBatch() : await this.placeOne();
      for (const clientOrderId of placed) {
        if (below(4, random) === 0) await this.amend(clientOrderId);
        // Cancel most orders, so that no account reaches its limit of open orders.
        if (below(10, random) > 0) await this.cancel(clientOrderId);
      }
    }
  }

  private newOrder() {
    const { prefix, random, record } = this.options;
    const clientOrderId = `${prefix}c${this.index}-${this.count++}`;
    record.sent.add(clientOrderId);
    return {
      symbol: 'BTC/USDT',
      side: this.side,
      type: 'limit',
      clientOrderId,
      amount: 0.0001 * (1 + below(2, random)),
      price: 100_000 + below(100, random),
    };
  }

  /** @returns The client order ids of the open ones. */
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

  /** @returns Whether the order is open. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of any type
  private note(clientOrderId: string, answer: any): boolean {
    const { acknowledged, rejected } = this.options.record;
    if (!answer.success) {
      // A slow machine may be overloaded.
      if (answer.error.code !== 'OVERLOADED')
        throw new Error(`rejected: ${JSON.stringify(answer)}`);
      rejected.add(clientOrderId);
      return false;
    }
    const { orderId, status, amount, price } = answer.data;
    const state = { amends: 0, isCanceled: false, isInDoubt: false };
    acknowledged.set(clientOrderId, { orderId, amount, price, ...state });
    return status === 'open';
  }

  private async amend(clientOrderId: string): Promise<void> {
    const { random, record } = this.options;
    const order = record.acknowledged.get(clientOrderId)!;
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
    const order = this.options.record.acknowledged.get(clientOrderId)!;
    order.isInDoubt = true;
    const { status } = await this.send('DELETE', `/api/orders/${order.orderId}`);
    order.isInDoubt = false;
    if (status === 200) order.isCanceled = true;
  }

  private async send(method: string, path: string, body?: object) {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const answer = await (this.socket === undefined
      ? this.exchange.send(this.credential, method, path, text)
      : this.socket.send(method, path, text));
    this.options.record.answers++;
    return answer;
  }
}

/** Runs a load on an exchange until the exchange has ended by itself. */
export async function loadUntilEnd(
  exchange: ExchangeProcess,
  options: Omit<Parameters<typeof load>[1], 'isEnd'>,
): Promise<{ exitCode: number; output: string }> {
  await load(exchange, {
    ...options,
    isEnd: async (error) => {
      // The client may notice the end first.
      const isCutOff = /connect|connection|ECONN/i.test(error.message);
      if (isCutOff) await exchange.ended();
      return isCutOff;
    },
  });
  return exchange.ended();
}
