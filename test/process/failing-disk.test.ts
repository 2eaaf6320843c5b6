import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Credential, temporaryDirectory } from './exchange-process.ts';
import { MainProcess } from './main-process.ts';

/**
 * Tests a full disk, simulated by a limit on the size of files: a write beyond it fails as on a full disk
 * (with EFBIG instead of ENOSPC), and it needs no special rights.
 */

setDefaultTimeout(60_000);

const CLIENTS = 20;
/** Limits in KiB; a new history takes about 80. */
const FILE_LIMIT_KIB = 400;

let directory: ReturnType<typeof temporaryDirectory>;
beforeEach(() => {
  directory = temporaryDirectory();
});
afterEach(() => directory.remove());

const env = () => ({
  BUTTONWOOD_DATA: directory.path,
  BUTTONWOOD_RATE_LIMITS: 'off',
  BUTTONWOOD_MAKERS: 'off',
});
const startFull = (limitKib: number) =>
  MainProcess.spawn(
    [
      'bash',
      '-c',
      `ulimit -f ${limitKib}; exec "$@"`,
      'bash',
      process.execPath,
      'src/main.ts',
      'start',
    ],
    env(),
  );
const accounts = (): Credential[] =>
  JSON.parse(readFileSync(join(directory.path, 'sandbox.json'), 'utf8')).accounts;

async function call(
  baseUrl: string,
  credential: Credential,
  path: string,
  order?: object,
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of any type
): Promise<any> {
  const response = await fetch(baseUrl + path, {
    method: order === undefined ? 'GET' : 'POST',
    headers: {
      Authorization: `Bearer ${credential.apiKey}`,
      'X-API-Secret': credential.apiSecret,
      'Content-Type': 'application/json',
    },
    ...(order === undefined ? {} : { body: JSON.stringify(order) }),
  });
  return response.json();
}

const ORDER = { symbol: 'BTC/USDT', type: 'limit', amount: 0.0001, price: 100_000 };
type Make = (count: number) => object;

/** Sends orders until the exchange stops answering. @returns The acknowledged client order ids. */
async function loadUntilEnd(baseUrl: string, make: Make): Promise<Map<string, string>> {
  const acknowledged = new Map<string, string>();
  const traders = accounts();
  let count = 0;
  const client = async (index: number): Promise<void> => {
    for (;;) {
      // A long id makes the log grow fast.
      const clientOrderId = `${count++}`.padStart(64, '-');
      const order = { ...ORDER, ...make(count), clientOrderId };
      // The exchange is expected to end during a request.
      const answer = await call(baseUrl, traders[index % 2]!, '/api/orders', order).catch(() => {});
      if (answer === undefined) return;
      if (answer.success) acknowledged.set(clientOrderId, answer.data.orderId);
      else expect(answer.error.code).toBe('INSUFFICIENT_BALANCE');
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, index) => client(index)));
  return acknowledged;
}

async function listOrders(baseUrl: string, credential: Credential): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { data } = await call(baseUrl, credential, `/api/orders?limit=1000${cursor}`);
    for (const { clientOrderId, orderId } of data.orders) found.set(clientOrderId, orderId);
    cursor = data.nextCursor === null ? null : `&cursor=${data.nextCursor}`;
  }
  return found;
}

describe('no acknowledgement after the fault, an exit with instructions, and nothing lost', () => {
  /** Rejected orders are only in the log. */
  const mostlyRefused: Make = (count) =>
    count % 20 === 0 ? { side: 'buy', timeInForce: 'IOC' } : { side: 'buy', amount: 10_000 };
  /** Trades write much more history than log. */
  const trades: Make = (count) => ({ side: count % 2 === 0 ? 'buy' : 'sell' });

  test.each([
    [
      'the log',
      mostlyRefused,
      /^buttonwood: The log could not be written: EFBIG.*(?:See to|Check) the disk/m,
    ],
    [
      'the history',
      trades,
      /^buttonwood: (The log|History or a snapshot) could not be written: .*(?:See to|Check) the disk/m,
    ],
  ])('%s', async (_, make, message) => {
    const full = startFull(FILE_LIMIT_KIB);
    const acknowledged = await loadUntilEnd(await full.serving(), make);
    expect(await full.ended()).toBe(1);
    expect(full.output).toMatch(message);
    expect(acknowledged.size).toBeGreaterThan(20);

    const again = MainProcess.start(['start'], env());
    const baseUrl = await again.serving();
    const [alice, bob] = accounts() as [Credential, Credential];
    const found = new Map([
      ...(await listOrders(baseUrl, alice)),
      ...(await listOrders(baseUrl, bob)),
    ]);
    for (const [clientOrderId, orderId] of acknowledged) {
      expect(found.get(clientOrderId)).toBe(orderId);
    }
    // The only others were in flight.
    expect(found.size - acknowledged.size).toBeLessThanOrEqual(CLIENTS);
    const operator = accounts().find(({ name }) => name === 'operator')!;
    const { data } = await call(baseUrl, operator, '/api/admin/state');
    for (const { balances } of data.assets) expect(balances).toBe(true);
    await again.stop();
  });
});

test('a start on a full disk reports it, regardless of the file that fails first', async () => {
  for (const limitKib of [0, 1, 40]) {
    const full = startFull(limitKib);
    expect(await full.ended()).toBe(1);
    expect(full.output).toMatch(/^buttonwood: .*(?:See to|Check) the disk.*\n$/);
  }
  // With free space it starts.
  const free = MainProcess.start(['start'], env());
  await free.serving();
  await free.stop();
});
