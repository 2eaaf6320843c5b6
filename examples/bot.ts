import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiRequestError, type Client, type Order } from 'buttonwood/client';

/**
 * Returns the URL and API key to trade with: BUTTONWOOD_URL, API_KEY and API_SECRET, which `source data/sandbox.env` sets,
 * else the first key with the trade permission in sandbox.json of the data directory BUTTONWOOD_DATA (./data).
 */
export function connection() {
  const { BUTTONWOOD_URL, API_KEY, API_SECRET, BUTTONWOOD_DATA } = process.env;
  // Without an address the key may be that of another service.
  if (BUTTONWOOD_URL && API_KEY && API_SECRET) {
    return { baseUrl: BUTTONWOOD_URL, apiKey: API_KEY, apiSecret: API_SECRET };
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
 * Returns a signal that aborts on SIGINT and SIGTERM. A second signal is ignored, because a terminal and a parent
 * process may both send one, and the bot must still cancel its orders.
 */
export function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stopping.abort());
  return stopping.signal;
}

/** Repeats an action until the exchange is no longer overloaded. An action that it rejected for that reason did nothing. */
export async function untilAccepted<Result>(action: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof ApiRequestError) || error.code !== 'OVERLOADED') throw error;
      await sleep((error.retryAfterSeconds ?? 1) * 1000);
    }
  }
}

/** Maximum number of order ids that fit into one URL. */
const IDS_PER_REQUEST = 500;

/** Lists the open orders of a market whose client order id has the prefix, those of one bot. */
export async function listOpenOrders(client: Client, symbol: string, prefix: string) {
  const orders: Order[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await client.listOrders({ symbol, status: 'open', limit: 1000, cursor });
    orders.push(...page.orders);
    cursor = page.nextCursor;
  }
  return orders.filter(({ clientOrderId }) => clientOrderId?.startsWith(prefix));
}

/** Cancels the open orders whose client order id has the prefix, and no others. */
export async function cancelOpenOrders(
  client: Client,
  symbol: string,
  prefix: string,
): Promise<void> {
  const ids = (await listOpenOrders(client, symbol, prefix)).map(({ orderId }) => orderId);
  for (let from = 0; from < ids.length; from += IDS_PER_REQUEST) {
    const some = ids.slice(from, from + IDS_PER_REQUEST).join(',');
    await untilAccepted(() => client.cancelOrders({ ids: some }));
  }
}
