import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Side } from '../../src/engine/terms.ts';
import { limitOrder } from '../../src/testing/test-exchange.ts';
import { Browser } from '../http/browser.ts';
import { TestExchange } from '../http/exchange.ts';

/** Tests bodies that arrive after the credentials in their headers have ended. */

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
});
afterAll(() => exchange.close());

const ORDER = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 45000 };
const INVITED = { email: 'mallory@example.com', permissions: ['operate'] };
const ORIGIN = 'http://127.0.0.1:3000';

/** Sends headers, does something, then sends the body. */
async function sendAround(
  path: string,
  headers: Record<string, string>,
  body: object,
  meanwhile: () => Promise<unknown>,
  method = 'POST',
): Promise<{ status: number; code: string | undefined }> {
  const text = new TransformStream<Uint8Array, Uint8Array>();
  const request = new Request(`${ORIGIN}${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: text.readable,
  });
  const peers = { requestIP: () => ({ address: '127.0.0.1' }) };
  const answer = exchange.gateway.fetch(request, peers);
  await meanwhile();
  const writer = text.writable.getWriter();
  await writer.write(Buffer.from(JSON.stringify(body)));
  await writer.close();
  const response = await answer;
  const { error } = (await response.json()) as { error?: { code: string } };
  return { status: response.status, code: error?.code };
}

const operator = (method: string, path: string, body?: object) =>
  exchange.send('operator', method, path, body === undefined ? undefined : JSON.stringify(body));

/** Requests that must not take effect once their credentials have ended. */
describe.each([
  ['/api/orders', ORDER],
  ['/api/orders/cancel-after', { timeout: 60 }],
])('POST %s', (path, body) => {
  test('of a key that is revoked before the body arrives', async () => {
    const { apiKey } = await exchange.addKey('ending', 'alice', ['trade']);
    const answer = await sendAround(path, exchange.headers('ending'), body, () =>
      operator('DELETE', `/api/admin/accounts/alice/keys/${apiKey}`),
    );
    expect(answer).toEqual({ status: 401, code: 'UNAUTHORIZED' });
  });

  test('of a key that expires before', async () => {
    await exchange.addKey('expiring', 'alice', ['trade'], { expiresAt: exchange.now + 1000 });
    const answer = await sendAround(path, exchange.headers('expiring'), body, async () => {
      exchange.now += 1000;
    });
    expect(answer).toEqual({ status: 401, code: 'UNAUTHORIZED' });
  });

  test('of a session that ends before, or of an account that is frozen', async () => {
    const browser = await Browser.signedUp(exchange, `late${path.length}@example.com`);
    const { accountId } = (await browser.get()).data.profile;
    const cookie = { Cookie: `__Host-buttonwood=${browser.session}`, Origin: ORIGIN };
    const account = `/api/admin/accounts/${accountId}`;
    const frozen = await sendAround(path, cookie, body, () =>
      operator('PATCH', account, { frozen: true }),
    );
    expect(frozen).toEqual({ status: 403, code: 'ACCOUNT_FROZEN' });
    await operator('PATCH', account, { frozen: false });
    const signedOut = await sendAround(path, cookie, body, () => browser.post('/sign-out'));
    expect(signedOut).toEqual({ status: 401, code: 'UNAUTHORIZED' });
    const { openOrders } = exchange.state.accountsById.get(accountId)!;
    expect(openOrders).toBe(0);
  });
});

test('a revoked key cannot invite a user', async () => {
  const { apiKey } = await exchange.addKey('stolen', 'operator', ['operate']);
  const path = '/api/admin/accounts/operator/users';
  const answer = await sendAround(path, exchange.headers('stolen'), INVITED, () =>
    operator('DELETE', `/api/admin/accounts/operator/keys/${apiKey}`),
  );
  expect(answer).toEqual({ status: 401, code: 'UNAUTHORIZED' });
  expect(await exchange.services.users.store.findByEmail(INVITED.email)).toBeUndefined();
});

test('an ended session cannot change the name', async () => {
  const browser = await Browser.signedUp(exchange, 'name@example.com');
  const cookie = { Cookie: `__Host-buttonwood=${browser.session}`, Origin: ORIGIN };
  const end = () => browser.post('/sign-out');
  const answer = await sendAround('/api/account', cookie, { name: 'Mallory' }, end, 'PATCH');
  expect(answer).toEqual({ status: 401, code: 'UNAUTHORIZED' });
  const user = await exchange.services.users.store.findByEmail('name@example.com');
  expect(user!.name).toBe('Carol');
});

test('an order whose body arrives while too many wait is rejected as OVERLOADED', async () => {
  const orders: Promise<unknown>[] = [];
  const command = limitOrder(exchange.state.accountsById.get('bob')!.index, Side.buy, 1000, 100);
  let release = () => {};
  let late: ReturnType<typeof setTimeout> | undefined;
  const answer = await sendAround('/api/orders', exchange.headers('alice'), ORDER, async () => {
    release = await exchange.holdLog();
    for (let n = 0; n < 1100; n++) orders.push(exchange.replica.execute(command));
    // An accepted order is not answered before the log continues.
    late = setTimeout(release, 2000);
  });
  clearTimeout(late);
  release();
  expect(answer).toEqual({ status: 503, code: 'OVERLOADED' });
  await Promise.all(orders);
});
