import { afterEach, beforeEach, expect, type Mock, spyOn, test } from 'bun:test';
import { newSecret } from '../../src/users/credentials/secrets.ts';
import type { Session } from '../../src/users/sign-in/sessions.ts';
import { Browser } from './browser.ts';
import { TestExchange } from './exchange.ts';

/** Guessed cookies cost no database query beyond the address's limit of wrong credentials. */

const PATH = '/api/portfolio/balances';
const LIMIT = 60;

let exchange: TestExchange;
let find: Mock<(secret: string) => Promise<Session | undefined>>;
beforeEach(async () => {
  exchange = await TestExchange.open({ rateLimits: 'spec' });
  find = spyOn(exchange.services.users.sessions, 'find');
});
afterEach(() => exchange.close());

const send = async (secret = newSecret()) => {
  const headers = { Cookie: `__Host-buttonwood=${secret}` };
  return (await exchange.send(undefined, 'GET', PATH, undefined, headers)).status;
};

/** Clears the sessions in memory, as a restart does. */
function forgetAll(): void {
  const { sessions } = exchange.services.users;
  (sessions as unknown as { cache: Map<string, unknown> }).cache.clear();
}

test('random cookies: 401 with a query each up to the limit, then 429 without one', async () => {
  for (let count = 0; count < LIMIT; count++) expect(await send()).toBe(401);
  expect(find).toHaveBeenCalledTimes(LIMIT);
  for (let count = 0; count < 200; count++) expect(await send()).toBe(429);
  expect(find).toHaveBeenCalledTimes(LIMIT);
  exchange.peer = '192.0.2.7';
  expect(await send()).toBe(401);
});

test('random cookies that arrive together cost no more queries', async () => {
  const statuses = await Promise.all(Array.from({ length: 500 }, () => send()));
  expect(statuses.filter((status) => status === 401)).toHaveLength(LIMIT);
  expect(statuses.filter((status) => status === 429)).toHaveLength(500 - LIMIT);
  expect(find).toHaveBeenCalledTimes(LIMIT);
});

test('a session that this node knows is looked up even if its address is at the limit', async () => {
  const browser = await Browser.signedUp(exchange);
  for (let count = 0; count <= LIMIT; count++) await send();
  expect(await send(browser.session)).toBe(200);
  // With a shared database, sessions in memory are read again after five seconds.
  const { sessions } = exchange.services.users;
  const cached = spyOn(sessions, 'cached').mockImplementation(() => undefined);
  expect(await send(browser.session)).toBe(200);
  cached.mockRestore();
});

test('a session that this node does not know is rejected until the window ends', async () => {
  const browser = await Browser.signedUp(exchange);
  forgetAll();
  for (let count = 0; count < LIMIT; count++) await send();
  expect(await send(browser.session)).toBe(429);
  exchange.now += 60_000;
  expect(await send(browser.session)).toBe(200);
});

test('the cookies of streams cost no query beyond the limit either', async () => {
  const from = { address: '192.0.2.9', origin: 'http://127.0.0.1:3000', host: '127.0.0.1:3000' };
  for (let count = 0; count < 300; count++) {
    const authorized = Promise.try(() =>
      exchange.authorization.authorizeStreamBySession({ ...from, session: newSecret() }),
    );
    await expect(authorized).rejects.toMatchObject({
      code: count < 100 ? 'UNAUTHORIZED' : 'RATE_LIMIT_EXCEEDED',
    });
  }
  expect(find).toHaveBeenCalledTimes(100);
});
