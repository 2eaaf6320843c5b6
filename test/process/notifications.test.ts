import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { below, seededRandom } from '../../src/storage/seeded-random.ts';
import { freePort } from '../free-ports.ts';
import { type Credential, ExchangeProcess, temporaryDirectory } from './exchange-process.ts';

/**
 * Notices and webhooks of a real process that is killed while it delivers: every event makes one notice, and reaches the
 * webhook at least once, in order and always with the same id.
 */

setDefaultTimeout(300_000);

const SEED = Number(process.env.NOTIFICATIONS_SEED ?? 11);
const KILLS = Number(process.env.NOTIFICATIONS_KILLS ?? 4);
const ROUND = 12;
const SYMBOL = 'BTC/USDT';

const random = seededRandom(SEED);
const directory = temporaryDirectory();
const port = freePort();
let exchange = await ExchangeProcess.start(directory.path, { PORT: String(port) });
/** All requests that arrived, and the ones that the receiver accepted. */
const received: { id: string; body: string; wasAccepted: boolean }[] = [];
const receiver = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => {
    const body = await request.text();
    // Some responses never reach the exchange, and some are errors.
    const wasAccepted = random() < 0.8;
    received.push({ id: request.headers.get('webhook-id')!, body, wasAccepted });
    await Bun.sleep(below(10, random));
    return new Response(null, { status: wasAccepted ? 204 : 500 });
  },
});
afterAll(async () => {
  await exchange.stop();
  await receiver.stop(true);
  directory.remove();
});

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of any type
async function send(key: Credential, method: string, path: string, body?: object): Promise<any> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const { status, json } = await exchange.send(key, method, path, text);
  if (status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(json)}`);
  return json.data;
}

/** Trades once at a price, so that orders of both accounts are filled. */
async function trade(price: number): Promise<void> {
  const order = { symbol: SYMBOL, type: 'limit', price, amount: 0.001 };
  await send(exchange.credential('bob'), 'POST', '/api/orders', { ...order, side: 'sell' });
  await send(exchange.credential('alice'), 'POST', '/api/orders', { ...order, side: 'buy' });
}

test('notices are added once and webhooks delivered at least once, in order, over kills', async () => {
  const alice = exchange.credential('alice');
  const url = `http://127.0.0.1:${receiver.port}/hook`;
  const { webhook } = await send(alice, 'POST', '/api/webhooks', { url, events: ['*'] });
  const alerts: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    for (let count = 0; count < ROUND; count++) {
      const price = 100_000 + kill * 100 + count;
      const terms = { symbol: SYMBOL, direction: 'above', price: price + 1 };
      if (kill > 0 || count > 0) {
        alerts.push((await send(alice, 'POST', '/api/alerts', terms)).alert.id);
      }
      await trade(price);
    }
    await Bun.sleep(below(30, random));
    await exchange.kill();
    exchange = await ExchangeProcess.start(directory.path, { PORT: String(port) });
    // A receiver that has failed is asked again at once.
    await send(alice, 'PATCH', `/api/webhooks/${webhook.id}`, { status: 'active' });
  }
  await trade(200_000);

  const { orders } = await send(alice, 'GET', '/api/orders?status=closed&limit=1000');
  const { fills } = await send(alice, 'GET', '/api/fills?limit=1000');
  const expected = new Set<string>([
    ...orders.map(({ orderId }: { orderId: string }) => `order-${orderId}`),
    ...fills.map(({ id }: { id: string }) => `fill-${id}`),
  ]);
  const accepted = () => received.filter(({ wasAccepted }) => wasAccepted);
  const isDone = () => {
    const ids = new Set(accepted().map(({ id }) => id.slice(webhook.id.length + 1)));
    const areAlerted = accepted().filter(({ body }) => body.includes('"price.alert"')).length;
    return areAlerted >= alerts.length && [...expected].every((id) => ids.has(id));
  };
  while (!isDone()) {
    await send(alice, 'PATCH', `/api/webhooks/${webhook.id}`, { status: 'active' });
    await Bun.sleep(100);
  }

  const { notices } = await send(alice, 'GET', '/api/notices?limit=500');
  const noticed = notices.map(({ data }: { data: { id: string } }) => data.id).sort();
  expect(noticed).toEqual([...alerts].sort());

  // An id stands for one event, whatever the process that sent it.
  const bodies = new Map<string, string>();
  for (const { id, body } of received) {
    expect(bodies.get(id) ?? body).toBe(body);
    bodies.set(id, body);
  }
  const firsts = [...new Map(accepted().map(({ id, body }) => [id, JSON.parse(body)])).entries()];
  const numbers = (type: string, field: string) =>
    firsts.filter(([, { type: name }]) => name === type).map(([, { data }]) => Number(data[field]));
  for (const found of [numbers('fill.created', 'id'), numbers('order.filled', 'orderId')]) {
    expect(found).toEqual([...found].sort((a, b) => a - b));
    expect(found.length).toBe(KILLS * ROUND + 1);
  }
  const { deliveries } = await send(alice, 'GET', `/api/webhooks/${webhook.id}/deliveries`);
  expect(deliveries.length).toBeGreaterThan(0);
  for (const { eventId } of deliveries) expect(bodies.has(eventId)).toBe(true);
});
