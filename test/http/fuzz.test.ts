import { expect, spyOn, test } from 'bun:test';
import { auditState } from '../../src/engine/audit.ts';
import { below, seededRandom } from '../../src/storage/seeded-random.ts';
import { CHECK_TIMEOUT_MS, runs } from '../check.ts';
import { checkDescribed } from './described.ts';
import { TestExchange } from './exchange.ts';
import { type FuzzRequest, fuzzRequest } from './fuzz.ts';
import { checkWire } from './wire.ts';

/**
 * No request, however malformed, gives a 5xx, an answer without its envelope and headers, or a
 * change where it was refused. BUTTONWOOD_TEST_RUNS=100 tries a hundred times as many seeds.
 */

const REQUESTS_A_SEED = 2000;
const RESET_EVERY = 100;
const SEEDS = Array.from({ length: runs(4) }, (_, index) => index + 1);

test.each(SEEDS)(
  'seed %d',
  async (seed) => {
    const log = spyOn(console, 'error');
    const exchange = await TestExchange.open();
    const random = seededRandom(seed);
    const statuses = new Map<number, number>();
    for (let count = 0; count < REQUESTS_A_SEED; count++) {
      if (count % RESET_EVERY === 0) await reset(exchange);
      const request = fuzzRequest(random, exchange.state.nextOrderId);
      try {
        const status = await send(exchange, request);
        if (status !== undefined) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      } catch (error) {
        const { body, ...rest } = request;
        const text = body === undefined ? '' : Buffer.from(body).toString('latin1');
        const what = `request ${count} of seed ${seed}: ${JSON.stringify(rest)} ${text}`;
        throw new Error(what, { cause: error });
      }
      if (below(100, random) === 0) auditState(exchange.state);
    }
    expect(log.mock.calls).toEqual([]);
    expect(exchange.failures).toEqual([]);
    auditState(exchange.state);
    // The requests were good enough to reach everything.
    for (const status of [200, 400, 401, 403, 404, 405, 409]) {
      expect(`${status}: ${statuses.get(status) ?? 0}`).toMatch(/: [1-9]/);
    }
    expect(statuses.get(200)).toBeGreaterThan(REQUESTS_A_SEED / 5);
    log.mockRestore();
    await exchange.close();
  },
  CHECK_TIMEOUT_MS,
);

/** Sends it and checks the answer; gives the status, undefined where it cannot even be made. */
async function send(exchange: TestExchange, request: FuzzRequest): Promise<number | undefined> {
  const { name, method, path, headers, body } = request;
  let made: Request;
  try {
    made = new Request(`http://127.0.0.1:3000${path}`, {
      method,
      headers: { ...(name === undefined ? {} : exchange.headers(name)), ...headers },
      ...(body === undefined ? {} : { body }),
    });
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
  const { digest } = exchange.state;
  const peers = { requestIP: () => ({ address: exchange.peer }) };
  const response = await exchange.gateway.fetch(made, peers);
  const text = await response.text();
  const { status } = response;
  if (isPage(made, response)) return status;
  const answer = { method: made.method, status, headers: response.headers, text };
  checkWire(answer, exchange.now);
  checkDescribed({ method: made.method, path: new URL(made.url).pathname, body }, answer);
  expect(status).toBeLessThan(500);
  const isRead = made.method !== 'POST' && made.method !== 'PATCH' && made.method !== 'DELETE';
  if (status !== 200 || isRead) expect(exchange.state.digest).toBe(digest);
  return status;
}

/** GET /, however many slashes it is written with. */
function isPage({ url }: Request, { headers }: Response): boolean {
  const isHtml = headers.get('Content-Type')?.startsWith('text/html') === true;
  if (isHtml) expect(new URL(url).pathname).toMatch(/^\/+$/);
  return isHtml;
}

/** Lets time pass and undoes what an operator's request may have closed. */
async function reset(exchange: TestExchange): Promise<void> {
  exchange.now += 60_000;
  for (const symbol of ['BTC/USDT', 'ETH/USDT', 'ETH/BTC', 'SOL/USDT']) {
    const body = JSON.stringify({ symbol, status: 'online' });
    const answer = await exchange.send('operator', 'PATCH', '/api/admin/markets', body);
    expect(answer.status).toBe(200);
  }
}
