/**
 * kill -9 under load, again and again, on one data directory: every acknowledged order must be there
 * once, every acknowledged cancel in force, nothing twice, and the books must balance.
 *
 * npm run test:crash -- --rounds 100 [--seed N] [--clients N]
 */
import { parseArgs } from 'node:util';
import { below, type Random, seededRandom } from '../../src/storage/seeded-random.ts';
import { type Credential, ExchangeProcess, temporaryDirectory } from './exchange-process.ts';

export interface CrashReport {
  readonly rounds: number;
  readonly acknowledgedOrders: number;
  readonly acknowledgedCancels: number;
  /** Sent, not answered, and found after the restart: allowed, at most once each. */
  readonly unansweredButThere: number;
}

/** What one round was told before the kill. */
interface Round {
  /** Client order ids of all orders sent. */
  readonly sent: Map<string, Credential>;
  /** Order id by client order id. */
  readonly acknowledged: Map<string, string>;
  readonly canceled: Set<string>;
  /** Cancels that were sent but not answered. */
  readonly cancelSent: Set<string>;
}

/** @throws where something acknowledged was lost, or anything happened twice */
export async function crashRounds(
  rounds: number,
  seed: number,
  clients: number,
): Promise<CrashReport> {
  const directory = temporaryDirectory();
  const random = seededRandom(seed);
  const report = { rounds, acknowledgedOrders: 0, acknowledgedCancels: 0, unansweredButThere: 0 };
  try {
    for (let number = 0; number < rounds; number++) {
      const exchange = await ExchangeProcess.start(directory.path);
      const round = await loadUntilKilled(
        exchange,
        number,
        clients,
        150 + below(600, random),
        random,
      );
      const again = await ExchangeProcess.start(directory.path);
      await check(again, round, report);
      await again.kill();
    }
    return report;
  } finally {
    directory.remove();
  }
}

async function loadUntilKilled(
  exchange: ExchangeProcess,
  number: number,
  clients: number,
  killAfterMs: number,
  random: Random,
): Promise<Round> {
  const round: Round = {
    sent: new Map(),
    acknowledged: new Map(),
    canceled: new Set(),
    cancelSent: new Set(),
  };
  let isKilled = false;
  const client = async (index: number): Promise<void> => {
    const trader = exchange.credential(index % 2 === 0 ? 'alice' : 'bob');
    for (let count = 0; !isKilled; count++) {
      const clientOrderId = `r${number}-c${index}-${count}`;
      round.sent.set(clientOrderId, trader);
      const side = index % 2 === 0 ? 'buy' : 'sell';
      const price = 100_000 + below(100, random);
      const order = {
        symbol: 'BTC/USDT',
        side,
        type: 'limit',
        amount: 0.0001,
        price,
        clientOrderId,
      };
      const answer = await exchange.send(trader, 'POST', '/api/orders', JSON.stringify(order));
      if (answer.status !== 200) throw new Error(`refused: ${JSON.stringify(answer.json)}`);
      const { orderId, status } = answer.json.data;
      round.acknowledged.set(clientOrderId, orderId);
      // Most are canceled again, so that no account runs into its limit of open orders.
      if (status !== 'open' || below(10, random) === 0) continue;
      round.cancelSent.add(clientOrderId);
      const cancel = await exchange.send(trader, 'DELETE', `/api/orders/${orderId}`);
      if (cancel.status === 200) round.canceled.add(clientOrderId);
      round.cancelSent.delete(clientOrderId);
    }
  };
  const running = Array.from({ length: clients }, (_, index) =>
    client(index).catch((error) => {
      // A request that the kill cut off is what this is about; anything else is a failure.
      if (!isKilled) throw error;
    }),
  );
  await Promise.race([Bun.sleep(killAfterMs), ...running]);
  isKilled = true;
  await exchange.kill();
  await Promise.all(running);
  return round;
}

async function check(
  exchange: ExchangeProcess,
  round: Round,
  report: { -readonly [Name in keyof CrashReport]: CrashReport[Name] },
): Promise<void> {
  const found = new Map<string, { orderId: string; status: string }>();
  for (const name of ['alice', 'bob']) {
    for await (const order of ordersOf(exchange, exchange.credential(name))) {
      if (!round.sent.has(order.clientOrderId)) break;
      if (found.has(order.clientOrderId)) throw new Error(`${order.clientOrderId} is there twice`);
      found.set(order.clientOrderId, order);
    }
  }
  for (const [clientOrderId, orderId] of round.acknowledged) {
    const order = found.get(clientOrderId);
    if (order?.orderId !== orderId) throw new Error(`acknowledged order ${clientOrderId} is lost`);
    const isCanceled = order.status === 'canceled';
    if (round.canceled.has(clientOrderId) !== isCanceled && !round.cancelSent.has(clientOrderId)) {
      throw new Error(`${clientOrderId} is ${order.status}; cancel acknowledged: ${!isCanceled}`);
    }
  }
  const { json } = await exchange.send(exchange.credential('operator'), 'GET', '/api/admin/state');
  for (const asset of json.data.assets) {
    if (!asset.balances) throw new Error(`the books of ${asset.asset} do not balance`);
  }
  report.acknowledgedOrders += round.acknowledged.size;
  report.acknowledgedCancels += round.canceled.size;
  report.unansweredButThere += found.size - round.acknowledged.size;
}

/** An account's orders, newest first. */
async function* ordersOf(exchange: ExchangeProcess, holder: Credential) {
  let cursor = '';
  do {
    const path = `/api/orders?limit=1000${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const { json } = await exchange.send(holder, 'GET', path);
    yield* json.data.orders;
    cursor = json.data.nextCursor ?? '';
  } while (cursor !== '');
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '100' },
      seed: { type: 'string', default: '1' },
      clients: { type: 'string', default: '64' },
    },
  });
  const report = await crashRounds(
    Number(values.rounds),
    Number(values.seed),
    Number(values.clients),
  );
  console.log(JSON.stringify(report));
}
