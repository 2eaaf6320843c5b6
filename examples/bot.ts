import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client, Order } from 'buttonwood/client';

/**
 * Where to trade, and with which key: BUTTONWOOD_URL, BUTTONWOOD_API_KEY and BUTTONWOOD_API_SECRET, else the
 * first key that may trade in the sandbox.json of the data directory BUTTONWOOD_DATA (./data).
 */
export function connection() {
  const { BUTTONWOOD_URL, BUTTONWOOD_API_KEY, BUTTONWOOD_API_SECRET, BUTTONWOOD_DATA } =
    process.env;
  if (BUTTONWOOD_API_KEY && BUTTONWOOD_API_SECRET) {
    const baseUrl = BUTTONWOOD_URL ?? 'http://127.0.0.1:3000';
    return { baseUrl, apiKey: BUTTONWOOD_API_KEY, apiSecret: BUTTONWOOD_API_SECRET };
  }
  const file: SandboxFile = JSON.parse(
    readFileSync(join(BUTTONWOOD_DATA ?? 'data', 'sandbox.json'), 'utf8'),
  );
  const key = file.accounts.find(({ permissions }) => permissions.includes('trade'))!;
  const { apiKey, apiSecret } = key;
  return { baseUrl: BUTTONWOOD_URL ?? file.baseUrl, apiKey, apiSecret };
}

interface SandboxFile {
  readonly baseUrl: string;
  readonly accounts: readonly { apiKey: string; apiSecret: string; permissions: string[] }[];
}

/**
 * Aborts at Ctrl-C, and where a supervisor asks the program to end. A terminal may say so twice, by
 * itself and through what started the program: that must not end it before its orders are canceled.
 */
export function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stopping.abort());
  return stopping.signal;
}

/** Of ids that fit into the address of one request, however long they are. */
const GROUP = 500;

/** The open orders of a market whose client order id begins so: those of one bot. */
export async function openOrdersOf(client: Client, symbol: string, prefix: string) {
  const orders: Order[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const terms = { symbol, status: 'open', limit: 1000, cursor } as const;
    const page = await client.listOrders(terms);
    orders.push(...page.orders);
    cursor = page.nextCursor;
  }
  return orders.filter(({ clientOrderId }) => clientOrderId?.startsWith(prefix));
}

/** Cancels them; those that others placed stay. */
export async function cancelOrdersOf(
  client: Client,
  symbol: string,
  prefix: string,
): Promise<void> {
  const ids = (await openOrdersOf(client, symbol, prefix)).map(({ orderId }) => orderId);
  for (let from = 0; from < ids.length; from += GROUP) {
    await client.cancelOrders({ ids: ids.slice(from, from + GROUP).join(',') });
  }
}
