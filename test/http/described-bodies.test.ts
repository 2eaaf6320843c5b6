import { afterAll, beforeAll, expect, test } from 'bun:test';
import { isDescribedBody } from './described.ts';
import { TestExchange } from './exchange.ts';

/** Bodies of operators whose fields depend on each other: the document permits exactly the combinations that the exchange accepts. */

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
});
afterAll(() => exchange.close());

/** Returns every combination of the values of the fields, of which undefined stands for a missing field. */
function combinations(fields: Readonly<Record<string, readonly unknown[]>>): object[] {
  return Object.entries(fields).reduce<object[]>(
    (bodies, [name, values]) =>
      bodies.flatMap((body) =>
        values.map((value) => (value === undefined ? body : { ...body, [name]: value })),
      ),
    [{}],
  );
}

async function expectAsDescribed(
  path: string,
  target: string,
  bodies: readonly object[],
  method = 'PATCH',
): Promise<void> {
  const counts = { accepted: 0, rejected: 0 };
  for (const body of bodies) {
    const { status, json } = await exchange.send('operator', method, target, JSON.stringify(body));
    const isAccepted = status === 200;
    counts[isAccepted ? 'accepted' : 'rejected']++;
    const described = isDescribedBody(method.toLowerCase(), path, body);
    expect({ body, described, error: json.error }).toEqual({
      body,
      described: isAccepted,
      error: json.error,
    });
  }
  expect(Math.min(counts.accepted, counts.rejected)).toBeGreaterThan(5);
}

test('a change of an account has exactly one of its fields', async () => {
  const bodies = combinations({
    frozen: [undefined, null, false],
    feeTier: [undefined, null, 'volume', 0],
    limitClass: [undefined, null, 1],
    reason: [undefined, null, 'cleared'],
  });
  await expectAsDescribed('/api/admin/accounts/{id}', '/api/admin/accounts/alice', bodies);
});

test('a key has a public key if and only if its type is ed25519', async () => {
  const bodies = combinations({
    permissions: [['read']],
    type: [undefined, null, 'secret', 'ed25519', 'hmac'],
    publicKey: [undefined, null, '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo='],
    expiresAt: [null, 0, '2126-01-05T12:00:00Z'],
  });
  const path = '/api/admin/accounts/{id}/keys';
  await expectAsDescribed(path, '/api/admin/accounts/alice/keys', bodies, 'POST');
});

test('a change of a market has either a status or rules', async () => {
  const bodies = combinations({
    symbol: ['BTC/USDT'],
    status: [undefined, null, 'online'],
    tickSize: [undefined, null, 0.01],
    makerFee: [undefined, null, 0.0008],
    collar: [undefined, null, 0.1],
  });
  await expectAsDescribed('/api/admin/markets', '/api/admin/markets?preview=true', bodies);
});
