import { afterAll, beforeAll, expect, test } from 'bun:test';
import { generate } from 'otplib';
import { Browser, PASSWORD, tokenIn } from './browser.ts';
import { TestExchange } from './exchange.ts';

/** Tests that operators with sessions confirm approvals and changes of the policy. */

let exchange: TestExchange;
let first: Browser;
let second: Browser;
let secret: string;
beforeAll(async () => {
  exchange = await TestExchange.open();
  first = await signIn('operator', 'first@example.com');
  second = await signIn('bob', 'second@example.com');
  const { data } = await second.post('/second-factor', { password: PASSWORD });
  secret = data.secret;
  await second.post('/second-factor/confirm', { code: await nextCode() });
});
afterAll(() => exchange.close());

/** Returns a browser that is signed in as a new administrator of an account. */
async function signIn(account: string, email: string): Promise<Browser> {
  const terms = JSON.stringify({ email, permissions: ['operate'] });
  await exchange.send('operator', 'POST', `/api/admin/accounts/${account}/users`, terms);
  const browser = new Browser(exchange);
  await browser.post('/password-reset/confirm', { token: tokenIn(exchange), password: PASSWORD });
  await browser.post('/sign-in', { email, password: PASSWORD });
  return browser;
}

/** Returns a code that has not been used. */
async function nextCode(): Promise<string> {
  exchange.now += 30_000;
  return generate({ secret, epoch: Math.floor(exchange.now / 1000) });
}

const send = (browser: Browser, path: string, body: object) =>
  browser.send('POST', `/api/admin${path}`, body);
const POLICY = { actions: ['adjustments'], limits: [], reason: 'two of us' };

/** Asks for a change of the policy. @returns The id of the request. */
async function ask(): Promise<string> {
  const { status, data } = await send(first, '/approval-policy', {
    ...POLICY,
    password: PASSWORD,
  });
  expect(status).toBe(202);
  return data.approval.id;
}

const pending = async () => {
  const { data } = await first.send('GET', '/api/admin/approvals');
  return data.pending.map(({ id }: { id: string }) => id);
};

test('a change of the policy needs the password of the session, or its code', async () => {
  const { digest } = exchange.state;
  for (const proof of [{}, { password: 'wrong' }, { code: '000000' }]) {
    const answer = await send(first, '/approval-policy', { ...POLICY, ...proof });
    expect([answer.status, await pending()]).toEqual([401, []]);
  }
  // With two-factor authentication the password is not enough.
  const known = await send(second, '/approval-policy', { ...POLICY, password: PASSWORD });
  expect(known.code).toBe('UNAUTHORIZED');
  expect(exchange.state.digest).toBe(digest);
  const asked = await send(second, '/approval-policy', { ...POLICY, code: await nextCode() });
  expect(asked.status).toBe(202);
  expect(asked.data.approval).toMatchObject({ user: 'second@example.com', account: 'bob' });
  expect(
    (await send(second, `/approvals/${asked.data.approval.id}/reject`, {})).data.approval.status,
  ).toBe('withdrawn');
});

test('an approval needs a code that was not used, and is of the user who gave it', async () => {
  const id = await ask();
  const approve = (proof: object) => send(second, `/approvals/${id}/approve`, proof);
  for (const proof of [{}, { password: PASSWORD }, { code: '000000' }]) {
    expect((await approve(proof)).code).toBe('UNAUTHORIZED');
  }
  expect(await pending()).toEqual([id]);
  const code = await nextCode();
  const { data } = await approve({ code });
  expect(data.approval).toMatchObject({
    status: 'approved',
    decision: { user: 'second@example.com', account: 'bob', apiKey: null },
  });
  const next = await ask();
  const again = await send(second, `/approvals/${next}/approve`, { code });
  expect(again.code).toBe('UNAUTHORIZED');
  expect(await pending()).toEqual([next]);
});

test('the requester does not approve, whatever is confirmed', async () => {
  const [id] = await pending();
  const own = await send(first, `/approvals/${id}/approve`, { password: PASSWORD });
  expect([own.status, own.details.rule]).toEqual([403, 'ownApproval']);
  expect(await pending()).toEqual([id]);
});
