import type { LoadRecord } from './crash-load.ts';
import type { Credential, ExchangeProcess } from './exchange-process.ts';

/** The parts of a load found after a restart. */
export interface Found {
  readonly orders: number;
  readonly cancels: number;
  readonly amends: number;
  /** Orders found that got no answer, which is allowed, at most once each. */
  readonly unansweredButThere: number;
}

/** Totals of all rounds of faults and recovery. */
export interface Tally {
  rounds: number;
  acknowledgedOrders: number;
  acknowledgedCancels: number;
  acknowledgedAmends: number;
}

export const NO_ROUNDS: Readonly<Tally> = {
  rounds: 0,
  acknowledgedOrders: 0,
  acknowledgedCancels: 0,
  acknowledgedAmends: 0,
};

export function addRound(tally: Tally, { orders, cancels, amends }: Found): void {
  tally.rounds++;
  tally.acknowledgedOrders += orders;
  tally.acknowledgedCancels += cancels;
  tally.acknowledgedAmends += amends;
}

/**
 * Compares the orders whose client ids begin with `prefix` with the answers about them, and checks
 * that the books balance.
 * @throws Error if an acknowledged request was lost, or a rejected or repeated one took effect.
 */
export async function check(
  exchange: ExchangeProcess,
  record: LoadRecord,
  prefix: string,
): Promise<Found> {
  const found = new Map<string, Order>();
  for (const name of ['alice', 'bob']) {
    for await (const order of listOrders(exchange, exchange.credential(name))) {
      const { clientOrderId } = order;
      if (!clientOrderId?.startsWith(prefix)) break;
      if (found.has(clientOrderId)) throw new Error(`${clientOrderId} exists twice`);
      if (!record.sent.has(clientOrderId)) throw new Error(`${clientOrderId} was never sent`);
      if (record.rejected.has(clientOrderId)) throw new Error(`${clientOrderId} was rejected`);
      found.set(clientOrderId, order);
    }
  }
  let [cancels, amends] = [0, 0];
  for (const [clientOrderId, order] of record.acknowledged) {
    const now = found.get(clientOrderId);
    if (now?.orderId !== order.orderId) {
      throw new Error(`acknowledged order ${clientOrderId} is lost`);
    }
    if (order.isCanceled) cancels++;
    amends += order.amends;
    if (order.isInDoubt) continue;
    if (order.isCanceled !== (now.status === 'canceled')) {
      throw new Error(
        `${clientOrderId} is ${now.status}; cancel acknowledged: ${order.isCanceled}`,
      );
    }
    if (now.amount !== order.amount || now.price !== order.price) {
      throw new Error(
        `${clientOrderId} is ${now.amount} at ${now.price}, ` +
          `acknowledged was ${order.amount} at ${order.price}`,
      );
    }
  }
  await checkBooks(exchange);
  const orders = record.acknowledged.size;
  return { orders, cancels, amends, unansweredButThere: found.size - orders };
}

/** @throws Error if the books of an asset do not balance. */
async function checkBooks(exchange: ExchangeProcess): Promise<void> {
  const { json } = await exchange.send(exchange.credential('operator'), 'GET', '/api/admin/state');
  for (const { asset, balances } of json.data.assets) {
    if (!balances) throw new Error(`the books of ${asset} do not balance`);
  }
}

export interface Order {
  readonly orderId: string;
  readonly clientOrderId: string | null;
  readonly status: string;
  readonly amount: number;
  readonly price: number;
}

/** Yields an account's orders, newest first. */
export async function* listOrders(
  exchange: ExchangeProcess,
  credential: Credential,
): AsyncGenerator<Order> {
  let cursor = '';
  do {
    const path = `/api/orders?limit=1000${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const { json } = await exchange.send(credential, 'GET', path);
    yield* json.data.orders;
    cursor = json.data.nextCursor ?? '';
  } while (cursor !== '');
}
