import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { type Credential, ExchangeProcess, temporaryDirectory } from './exchange-process.ts';
import { RawConnection } from './raw-connection.ts';

/**
 * Tests bytes after the end of a body (RFC 9112, sections 2.2, 7.1.2 and 8). A request is executed and answered,
 * or neither: the server's parser never answers 400 to an executed request.
 */

setDefaultTimeout(60_000);

const directory = temporaryDirectory();
let exchange: ExchangeProcess;
let alice: Credential;
beforeAll(async () => {
  exchange = await ExchangeProcess.start(directory.path);
  alice = exchange.credential('alice');
});
afterAll(async () => {
  const { exitCode } = await exchange.stop();
  directory.remove();
  expect(exitCode).toBe(0);
});

const ORDER = '{"symbol":"BTC/USDT","side":"buy","type":"limit","amount":0.001,"price":45000}';
const CHUNK = `${ORDER.length.toString(16)}\r\n${ORDER}\r\n`;
const NEXT = 'GET /api/time HTTP/1.1\r\nHost: a\r\n\r\n';

function head(target: string, ...headers: string[]): string {
  const all = [
    'Host: a',
    `Authorization: Bearer ${alice.apiKey}`,
    `X-API-Secret: ${alice.apiSecret}`,
    'Content-Type: application/json',
    ...headers,
  ];
  return `${target} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n`;
}

const chunked = (rest: string) =>
  head('POST /api/orders', 'Transfer-Encoding: chunked') + CHUNK + rest;
const measured = (rest: string) =>
  head('POST /api/orders', `Content-Length: ${ORDER.length}`) + ORDER + rest;

/** Counts the open orders over a second connection. */
async function openOrders(): Promise<number> {
  const { json } = await exchange.send(alice, 'GET', '/api/orders?status=open&limit=1000');
  return json.data.orders.length;
}

/** Sends all bytes at once. @returns The statuses, and the number of new orders. */
async function send(bytes: string, expected: number) {
  const before = await openOrders();
  const connection = await RawConnection.open(exchange.baseUrl);
  connection.send(Buffer.from(bytes, 'latin1'));
  const statuses: number[] = [];
  while (statuses.length < expected) {
    const answer = await connection.receive();
    if (answer === undefined) break;
    statuses.push(answer.status);
  }
  connection.destroy();
  // The log keeps the order of submissions, so that this order comes after all previous ones.
  await exchange.send(alice, 'POST', '/api/orders/cancel-after', '{"timeout":0}');
  return { statuses, placed: (await openOrders()) - before };
}

describe('an order is placed and answered with 200', () => {
  test.each([
    ['with a length', () => measured('')],
    ['in chunks', () => chunked('0\r\n\r\n')],
  ])('%s, and so is the next request on the connection', async (_, bytes) => {
    const before = await openOrders();
    const connection = await RawConnection.open(exchange.baseUrl);
    connection.send(bytes());
    expect((await connection.receive())!.status).toBe(200);
    connection.send(NEXT);
    expect((await connection.receive())!.status).toBe(200);
    connection.destroy();
    expect(await openOrders()).toBe(before + 1);
  });

  test('and junk after the answer is answered with 400', async () => {
    const before = await openOrders();
    const connection = await RawConnection.open(exchange.baseUrl);
    connection.send(measured(''));
    expect((await connection.receive())!.status).toBe(200);
    connection.send('JUNK JUNK\r\n\r\n');
    expect((await connection.receive())!.status).toBe(400);
    expect(await connection.receive()).toBeUndefined();
    expect(await openOrders()).toBe(before + 1);
  });
});

describe('an order is placed and answered, or neither', () => {
  test.each([
    ['a trailer', () => chunked('0\r\nX-Checksum: 1\r\n\r\n')],
    ['two trailers', () => chunked('0\r\nX-A: 1\r\nX-B: 2\r\n\r\n')],
    ['an extra CRLF after chunks', () => chunked('0\r\n\r\n\r\n')],
    ['an extra CRLF after a body with a length', () => measured('\r\n')],
    ['an extra CRLF before the next request', () => measured(`\r\n${NEXT}`)],
    ['two extra CRLF', () => measured('\r\n\r\n')],
    ['junk after a body with a length', () => measured('JUNK JUNK\r\n\r\n')],
    ['junk after chunks', () => chunked('0\r\n\r\nJUNK JUNK\r\n\r\n')],
    ['a longer body than its length', () => measured('}}\r\n')],
    ['a request after it', () => measured(NEXT)],
    ['a request after chunks', () => chunked(`0\r\n\r\n${NEXT}`)],
    ['a CRLF before it', () => `\r\n${measured('')}`],
  ])('%s', async (_, bytes) => {
    const { statuses, placed } = await send(bytes(), 1);
    expect(placed).toBe(statuses[0] === 200 ? 1 : 0);
  });
});

test.each([
  ['a trailer', (id: string) => [`DELETE /api/orders/${id}`, '0\r\nX-A: 1\r\n\r\n']],
  ['junk', (id: string) => [`DELETE /api/orders/${id}`, '0\r\n\r\nJUNK JUNK\r\n\r\n']],
])('a cancel with %s after its body: executed and answered, or neither', async (_, parts) => {
  const { json } = await exchange.send(alice, 'POST', '/api/orders', ORDER);
  const [target, end] = parts(json.data.orderId) as [string, string];
  const { statuses, placed } = await send(
    `${head(target, 'Transfer-Encoding: chunked')}2\r\n{}\r\n${end}`,
    1,
  );
  expect(placed).toBe(statuses[0] === 200 ? -1 : 0);
});
