/** Traders of the benches and their requests. */

export interface Trader {
  readonly apiKey: string;
  readonly apiSecret: string;
}

export interface Sandbox {
  readonly accounts: readonly (Trader & { readonly name: string })[];
}

const FUNDS: readonly (readonly [string, string])[] = [
  ['BTC', '100'],
  ['USDT', '800000'],
];

/** An account to open, by default with the exchange's limit class and without funds. */
interface AccountTerms {
  readonly accountId: string;
  readonly limitClass?: number;
  /** Asset and amount, as written in JSON. */
  readonly funds?: readonly (readonly [string, string])[];
}

/** Sends a request of the operator. Returns the data of the answer. */
export async function sendAsOperator(
  baseUrl: string,
  { accounts }: Sandbox,
  path: string,
  body: string,
): Promise<Record<string, unknown>> {
  const operator = accounts.find(({ name }) => name === 'operator')!;
  const answer = await fetch(`${baseUrl}/api/admin${path}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${operator.apiKey}`,
      'X-API-Secret': operator.apiSecret,
      'Content-Type': 'application/json',
    },
    body,
  });
  const content = (await answer.json()) as { success: boolean; data: Record<string, unknown> };
  if (!content.success) throw new Error(`${path}: ${JSON.stringify(content)}`);
  return content.data;
}

/** Opens an account through the operator's endpoints. Returns a key that may read and trade. */
export async function openAccount(
  baseUrl: string,
  sandbox: Sandbox,
  { accountId, limitClass, funds = [] }: AccountTerms,
): Promise<Trader> {
  const send = (path: string, body: string) => sendAsOperator(baseUrl, sandbox, path, body);
  await send('/accounts', JSON.stringify({ accountId, limitClass }));
  for (const [asset, amount] of funds) {
    const reference = `${accountId}-${asset}`;
    await send(
      '/transfers',
      `{"account":"${accountId}","asset":"${asset}","amount":${amount},"reference":"${reference}","reason":"bench"}`,
    );
  }
  const { key, apiSecret } = await send(
    `/accounts/${accountId}/keys`,
    JSON.stringify({ permissions: ['read', 'trade'] }),
  );
  return { apiKey: (key as { apiKey: string }).apiKey, apiSecret: apiSecret as string };
}

/** Opens funded accounts, 50 at a time. */
export async function openAccounts(
  baseUrl: string,
  sandbox: Sandbox,
  count: number,
): Promise<Trader[]> {
  const open = (index: number) =>
    openAccount(baseUrl, sandbox, { accountId: `trader-${index}`, funds: FUNDS });
  const traders: Trader[] = [];
  for (let start = 0; start < count; start += 50) {
    const group = Array.from({ length: Math.min(50, count - start) }, (_, i) => open(start + i));
    traders.push(...(await Promise.all(group)));
  }
  return traders;
}

/**
 * Whole requests as bytes on the wire: limit orders of both sides around one price, so that about
 * half of them trade at once and most of the rest are taken later. Seeded.
 */
export function makeOrders(traders: readonly Trader[], count: number, seed: number): string[] {
  let state = seed;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 4_294_967_296) * below);
  };
  return Array.from({ length: count }, () => {
    const { apiKey, apiSecret } = traders[random(traders.length)]!;
    const side = random(2) === 0 ? 'buy' : 'sell';
    const offset = random(200) - (side === 'buy' ? 120 : 80);
    const price = (11_800_000 + offset * 10) / 100;
    const amount = (1 + random(500)) / 100_000;
    const body = `{"symbol":"BTC/USDT","side":"${side}","type":"limit","amount":${amount},"price":${price}}`;
    return (
      `POST /api/orders HTTP/1.1\r\n${headers({ apiKey, apiSecret })}` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    );
  });
}

/** Returns the same requests; after every `count` of them, the next trader cancels all its orders. */
export function withCancels(
  orders: readonly string[],
  traders: readonly Trader[],
  count: number,
): string[] {
  return orders.flatMap((order, index) => {
    if (index % count !== 0) return order;
    const trader = traders[(index / count) % traders.length]!;
    return [order, `DELETE /api/orders?all=true HTTP/1.1\r\n${headers(trader)}\r\n`];
  });
}

/** Returns whole requests of one path, by each trader in turn. */
export function makeReads(traders: readonly Trader[], path: (trader: Trader) => string): string[] {
  return traders.map((trader) => `GET ${path(trader)} HTTP/1.1\r\n${headers(trader)}\r\n`);
}

function headers({ apiKey, apiSecret }: Trader): string {
  return `Host: 127.0.0.1\r\nAuthorization: Bearer ${apiKey}\r\nX-API-Secret: ${apiSecret}\r\n`;
}
