import { expect, test } from 'bun:test';
import { below, type Random, seededRandom } from '../../src/storage/seeded-random.ts';
import { type Credential, ExchangeProcess, temporaryDirectory } from './exchange-process.ts';
import { ReturningReader } from './returning-reader.ts';

const RECONNECTS = 1_000;
const READERS = 12;
const FLOWS = 4;
const RESTARTS = 4;

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);

/** Places, takes, amends and cancels orders until `isOver`. @returns The number of acknowledged ones. */
async function flow(
  exchange: ExchangeProcess,
  trader: Credential,
  random: Random,
  isOver: () => boolean,
): Promise<number> {
  const open: string[] = [];
  let count = 0;
  for (; !isOver(); count++) {
    const id = open.length > 30 ? open.splice(below(open.length, random), 1)[0] : undefined;
    const price = 100_000 + below(20, random);
    const kind = below(3, random);
    if (id !== undefined && kind === 0) await exchange.send(trader, 'DELETE', `/api/orders/${id}`);
    else if (id !== undefined && kind === 1) {
      await exchange.send(trader, 'PATCH', `/api/orders/${id}`, `{"price":${price}}`);
    } else {
      const side = below(2, random) === 0 ? 'buy' : 'sell';
      const amount = (1 + below(20, random)) / 10_000;
      const order = { symbol: 'BTC/USDT', side, type: 'limit', amount, price };
      const { json } = await exchange.send(trader, 'POST', '/api/orders', JSON.stringify(order));
      if (json.data?.status === 'open') open.push(json.data.orderId);
    }
  }
  return count;
}

/** Returns a whole list of REST, oldest first. */
async function all(exchange: ExchangeProcess, who: Credential, path: string, field: string) {
  const items: { id?: string; orderId: string }[] = [];
  let cursor = '';
  do {
    const query = `${path}sort=asc&limit=1000${cursor}`;
    const { json } = await exchange.send(who, 'GET', query);
    items.push(...json.data[field]);
    cursor = json.data.nextCursor === null ? '' : `&cursor=${json.data.nextCursor}`;
  } while (cursor !== '');
  return items;
}

test(`${RECONNECTS} reconnects, over restarts and kills, miss nothing and see nothing twice (SEED=${seed})`, async () => {
  const random = seededRandom(seed);
  const directory = temporaryDirectory();
  let exchange = await ExchangeProcess.start(directory.path);
  const credentials = ['alice', 'bob'].map((name) => exchange.credential(name));
  const readers = Array.from(
    { length: READERS },
    (_, index) => new ReturningReader(credentials[index % 2]!, 'BTC/USDT'),
  );
  try {
    // Start before any events: the readers must miss nothing after their first snapshot.
    await Promise.all(readers.map((reader) => reader.readToEnd(exchange.baseUrl)));
    const perStage = Math.ceil(RECONNECTS / (RESTARTS + 1) / READERS);
    for (let stage = 0; stage <= RESTARTS; stage++) {
      let isOver = false;
      const flows = Array.from({ length: FLOWS }, (_, index) =>
        flow(
          exchange,
          credentials[index % 2]!,
          seededRandom(below(1e9, random)),
          () => isOver,
        ).catch(
          // A killed exchange does not answer.
          () => 0,
        ),
      );
      const { baseUrl } = exchange;
      await Promise.all(
        readers.map(async (reader) => {
          for (let count = 0; count < perStage; count++) {
            await reader.read(baseUrl, 5 + below(60, random), below(3, random) === 0);
          }
        }),
      );
      const last = stage === RESTARTS;
      // A stop writes a snapshot; a kill leaves the last one and the log.
      if (!last && stage % 2 === 0) await exchange.kill();
      isOver = true;
      await Promise.all(flows);
      if (last) break;
      if (stage % 2 === 1) expect((await exchange.stop()).exitCode).toBe(0);
      exchange = await ExchangeProcess.start(directory.path);
    }

    const trades = await all(exchange, credentials[0]!, '/api/trades?symbol=BTC/USDT&', 'trades');
    expect(trades.length).toBeGreaterThan(100);
    for (const credential of credentials) {
      const fills = await all(exchange, credential, '/api/fills?', 'fills');
      const orders = await all(exchange, credential, '/api/orders?', 'orders');
      const { json } = await exchange.send(credential, 'GET', '/api/portfolio/balances');
      for (const reader of readers.filter((one) => one.credential === credential)) {
        await reader.readToEnd(exchange.baseUrl);
        expect(reader.fills).toEqual(fills);
        expect(reader.trades).toEqual(trades);
        const byId = new Map(orders.map((order) => [order.orderId, order]));
        expect(Object.fromEntries(reader.orders)).toEqual(Object.fromEntries(byId));
        expect([...reader.balances.values()]).toEqual(json.data.balances);
      }
    }
    const connections = readers.reduce((sum, reader) => sum + reader.connections, 0);
    expect(connections).toBeGreaterThanOrEqual(RECONNECTS);
  } finally {
    await exchange.kill();
    directory.remove();
  }
}, 120_000);
