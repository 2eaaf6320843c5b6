import { createHmac } from 'node:crypto';
import { type Sandbox, sendAsOperator, type Trader } from '../rest/orders.ts';

/** Requests of the Binance dialect for the same orders as those of `bench/rest/orders.ts`. */

/** Creates an HMAC key for each of the accounts of `openAccounts`, 50 at a time. */
export async function openHmacKeys(
  baseUrl: string,
  sandbox: Sandbox,
  count: number,
): Promise<Trader[]> {
  const open = async (index: number): Promise<Trader> => {
    const terms = JSON.stringify({ permissions: ['read', 'trade'], type: 'hmac' });
    const path = `/accounts/trader-${index}/keys`;
    const { key, apiSecret } = await sendAsOperator(baseUrl, sandbox, path, terms);
    return { apiKey: (key as { apiKey: string }).apiKey, apiSecret: apiSecret as string };
  };
  const keys: Trader[] = [];
  for (let start = 0; start < count; start += 50) {
    const group = Array.from({ length: Math.min(50, count - start) }, (_, i) => open(start + i));
    keys.push(...(await Promise.all(group)));
  }
  return keys;
}

interface Order {
  readonly side: string;
  readonly amount: number;
  readonly price: number;
}

/** Returns so many of the requests of `makeOrders`, in turn, each with a client order id of its own, as bots send them. */
export function namedOrders(requests: readonly string[], count: number): string[] {
  const run = Date.now().toString(36);
  return Array.from({ length: count }, (_, index) => {
    const request = requests[index % requests.length]!;
    const start = request.indexOf('\r\n\r\n');
    const body = `${request.slice(start + 4, -1)},"clientOrderId":"${run}-${index}"}`;
    const head = request.slice(0, start).replace(/(?<=Content-Length: )\d+/, `${body.length}`);
    return `${head}\r\n\r\n${body}`;
  });
}

/**
 * Returns whole requests for the orders of native bodies, each with a client order id of its own, signed now. They are valid for
 * a minute.
 */
export function binanceOrders(
  keys: readonly Trader[],
  bodies: readonly string[],
  count: number,
): string[] {
  const orders = bodies.map((body) => JSON.parse(body) as Order);
  const now = Date.now();
  const run = now.toString(36);
  return Array.from({ length: count }, (_, index) => {
    const { side, amount, price } = orders[index % orders.length]!;
    const { apiKey, apiSecret } = keys[(index * 7919) % keys.length]!;
    const form =
      `symbol=BTCUSDT&side=${side.toUpperCase()}&type=LIMIT&timeInForce=GTC&quantity=${amount.toFixed(5)}` +
      `&price=${price.toFixed(2)}&newClientOrderId=b-${run}-${index}&recvWindow=60000&timestamp=${now}`;
    const body = `${form}&signature=${hmac(form, apiSecret)}`;
    return (
      `POST /binance/api/v3/order HTTP/1.1\r\nHost: 127.0.0.1\r\nX-MBX-APIKEY: ${apiKey}\r\n` +
      `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    );
  });
}

/** Returns a `session.logon` message of each key, signed now. */
export function binanceLogons(keys: readonly Trader[]): string[] {
  return keys.map(({ apiKey, apiSecret }) => {
    const timestamp = Date.now();
    const text = `apiKey=${apiKey}&recvWindow=60000&timestamp=${timestamp}`;
    const signature = hmac(text, apiSecret);
    const params = { apiKey, recvWindow: 60_000, timestamp, signature };
    return JSON.stringify({ id: '00', method: 'session.logon', params });
  });
}

/** Returns the parameters of `order.place` for the orders of native bodies. */
export function binanceParams(bodies: readonly string[]): string[] {
  return bodies.map((body) => {
    const { side, amount, price } = JSON.parse(body) as Order;
    return JSON.stringify({
      ...{ symbol: 'BTCUSDT', side: side.toUpperCase(), type: 'LIMIT', timeInForce: 'GTC' },
      ...{ quantity: amount.toFixed(5), price: price.toFixed(2), timestamp: Date.now() },
    });
  });
}

function hmac(text: string, secret: string): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}
