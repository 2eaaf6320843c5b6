import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { type Credential, ExchangeProcess, temporaryDirectory } from './exchange-process.ts';
import { RawConnection } from './raw-connection.ts';

/**
 * Tests bytes that two parsers could read as different requests (RFC 9112, 11.2). Each is either rejected, which
 * closes the connection, or read in the only valid way. Bytes after a request of alice are never executed in
 * her name.
 */

setDefaultTimeout(60_000);

const directory = temporaryDirectory();
let exchange: ExchangeProcess;
let alice: Credential;
let bob: Credential;
beforeAll(async () => {
  exchange = await ExchangeProcess.start(directory.path);
  alice = exchange.credential('alice');
  bob = exchange.credential('bob');
});
afterAll(async () => {
  const { exitCode, output } = await exchange.stop();
  directory.remove();
  expect(output).not.toContain('failed');
  expect(exitCode).toBe(0);
});

const ORDER = '{"symbol":"BTC/USDT","side":"buy","type":"limit","amount":0.001,"price":45000}';
const HALF = ORDER.length >> 1;
const chunk = (text: string, size = text.length.toString(16)) => `${size}\r\n${text}\r\n`;
const WHOLE = `${chunk(ORDER)}0\r\n\r\n`;
const CHUNKED = 'Transfer-Encoding: chunked';
const LENGTH = `Content-Length: ${ORDER.length}`;

/** A request for the same order without a key: 401 alone, an order of alice if her credentials applied. */
const TAIL = `POST /api/orders HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${LENGTH}\r\n\r\n${ORDER}`;

/** Returns the header of an order of alice. */
function head(...headers: string[]): string {
  const credentials = [
    `Authorization: Bearer ${alice.apiKey}`,
    `X-API-Secret: ${alice.apiSecret}`,
    'Content-Type: application/json',
  ];
  return `POST /api/orders HTTP/1.1\r\n${['Host: a', ...credentials, ...headers].join('\r\n')}\r\n\r\n`;
}

/** Sends everything at once. @returns The statuses until the server, or after them the client, closes the connection. */
async function answers(bytes: string, expected: number): Promise<number[]> {
  const connection = await RawConnection.open(exchange.baseUrl);
  connection.send(Buffer.from(bytes, 'latin1'));
  const found: number[] = [];
  while (expected === 0 || found.length < expected) {
    const answer = await connection.receive();
    if (answer === undefined) break;
    if (answer.status !== 100) found.push(answer.status);
  }
  connection.destroy();
  return found;
}

/** Returns the number of orders once all requests read so far are executed: the log keeps their order. */
async function orders(of: Credential = alice): Promise<number> {
  await exchange.send(bob, 'POST', '/api/orders/cancel-after', '{"timeout":0}');
  const { json } = await exchange.send(of, 'GET', '/api/orders?limit=1000');
  return json.data.orders.length;
}

type Form = readonly [name: string, bytes: () => string];

describe('rejected, and the connection ends', () => {
  const forms: readonly Form[] = [
    ['a length, then chunks', () => head(LENGTH, CHUNKED) + WHOLE],
    ['chunks, then a length', () => head(CHUNKED, 'Content-Length: 4') + WHOLE],
    ['two lengths', () => head(LENGTH, 'Content-Length: 0') + ORDER],
    ['a list of lengths', () => head(`${LENGTH}, ${ORDER.length}`) + ORDER],
    ['a length with a sign', () => head(`Content-Length: +${ORDER.length}`) + ORDER],
    ['a length of two words', () => head(`${LENGTH} 0`) + ORDER],
    ['an empty length', () => head('Content-Length: ') + ORDER],
    ['a length with a letter', () => head(`${LENGTH}a`) + ORDER],
    ['a length beyond 64 bits', () => head('Content-Length: 18446744073709551694') + ORDER],
    ['a space before the colon', () => head(`Content-Length : ${ORDER.length}`) + ORDER],
    ['two encodings', () => head(CHUNKED, 'Transfer-Encoding: identity') + WHOLE],
    ['chunked twice', () => head('Transfer-Encoding: chunked, chunked') + WHOLE],
    ['another encoding', () => head('Transfer-Encoding: xchunked') + WHOLE],
    ['identity', () => head('Transfer-Encoding: identity') + WHOLE],
    ['an encoding with a parameter', () => head('Transfer-Encoding: chunked;q=1') + WHOLE],
    ['an empty encoding', () => head('Transfer-Encoding: ') + WHOLE],
    ['an encoding after a vertical tab', () => head('Transfer-Encoding: \x0bchunked') + WHOLE],
    ['an encoding before its colon', () => head('Transfer-Encoding : chunked') + WHOLE],
    ['an encoding on a line that begins with a space', () => head('X-A: b', ` ${CHUNKED}`) + WHOLE],
    ['chunks in HTTP/1.0', () => head(CHUNKED).replace('HTTP/1.1', 'HTTP/1.0') + WHOLE],
    ['a folded line', () => head('X-A: b\r\n c', LENGTH) + ORDER],
    ['a folded encoding', () => head('Transfer-Encoding:\r\n chunked') + WHOLE],
    ['a line that ends in LF', () => head(`X-A: b\n${LENGTH}`) + ORDER],
    ['a line that ends in CR', () => head(`X-A: b\r${LENGTH}`) + ORDER],
    ['headers that end in LF', () => head(LENGTH).replace(/\r\n\r\n$/, '\r\n\n') + ORDER],
    ['lines that all end in LF', () => head(LENGTH).replaceAll('\r\n', '\n') + ORDER],
    ['a header without a name', () => head(': x', LENGTH) + ORDER],
    ['a header without a colon', () => head('Nonsense', LENGTH) + ORDER],
    ['NUL in a name', () => head('X\0A: b', LENGTH) + ORDER],
    ['NUL in a value', () => head('X-A: b\0', LENGTH) + ORDER],
    ['a header of 70 KB', () => head(`X-A: ${'a'.repeat(70_000)}`, LENGTH) + ORDER],
    ['10,000 headers', () => head(...Array(10_000).fill('X: y'), LENGTH) + ORDER],
    ['a size with a sign', () => `${head(CHUNKED)}${chunk(ORDER, '-4e')}0\r\n\r\n`],
    ['a size with an underscore', () => `${head(CHUNKED)}${chunk(ORDER, '4_e')}0\r\n\r\n`],
    ['a size with 0x', () => `${head(CHUNKED)}${chunk(ORDER, '0x4e')}0\r\n\r\n`],
    ['a space before a size', () => `${head(CHUNKED)}${chunk(ORDER, ' 4e')}0\r\n\r\n`],
    ['a space after a size', () => `${head(CHUNKED)}${chunk(ORDER, '4e ')}0\r\n\r\n`],
    ['no size', () => `${head(CHUNKED)}${chunk(ORDER, '')}0\r\n\r\n`],
    [
      'a size beyond 64 bits',
      () => `${head(CHUNKED)}${chunk(ORDER, '1000000000000004e')}0\r\n\r\n`,
    ],
    ['chunks that end in LF', () => `${head(CHUNKED)}${WHOLE.replaceAll('\r\n', '\n')}`],
    ['an extension with LF', () => `${head(CHUNKED)}${chunk(ORDER, '4e;a\nb')}0\r\n\r\n`],
    ['a chunk of another length', () => `${head(CHUNKED)}${chunk(ORDER, '40')}0\r\n\r\n`],
    ['a chunk without its end', () => `${head(CHUNKED)}4e\r\n${ORDER}XX0\r\n\r\n`],
    ['HTTP/0.9', () => 'GET /api/markets\r\n'],
    ['HTTP/1.2', () => head(LENGTH).replace('HTTP/1.1', 'HTTP/1.2') + ORDER],
    ['the preface of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a target of 70 KB', () => `GET /${'a'.repeat(70_000)} HTTP/1.1\r\nHost: a\r\n\r\n`],
    ['NUL in the target', () => 'GET /api/markets\0 HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['tabs in the first line', () => 'GET\t/api/markets\tHTTP/1.1\r\nHost: a\r\n\r\n'],
    ['no Host', () => 'GET /api/markets HTTP/1.1\r\n\r\n'],
    ['the target *', () => 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n'],
  ];

  test.each(forms)('%s', async (_, bytes) => {
    const before = await orders();
    const statuses = await answers(bytes() + TAIL, 0);
    expect(statuses.length).toBeLessThanOrEqual(1);
    for (const status of statuses) expect([400, 413, 431, 505]).toContain(status);
    expect(await orders()).toBe(before);
  });
});

describe('read in one way', () => {
  const forms: readonly Form[] = [
    ['one length, repeated', () => head(LENGTH, LENGTH) + ORDER],
    ['a length with zeros before it', () => head(`Content-Length: 00${ORDER.length}`) + ORDER],
    ['a length with spaces around it', () => head(`Content-Length:  ${ORDER.length} \t`) + ORDER],
    ['chunked in capitals', () => head('Transfer-Encoding: CHUNKED') + WHOLE],
    ['chunked after a tab', () => head('Transfer-Encoding:\tchunked') + WHOLE],
    ['a length under another name', () => head('Content_Length: 0', LENGTH) + ORDER],
    [
      'two chunks',
      () => `${head(CHUNKED)}${chunk(ORDER.slice(0, HALF))}${chunk(ORDER.slice(HALF))}0\r\n\r\n`,
    ],
    ['a chunk with an extension', () => `${head(CHUNKED)}${chunk(ORDER, '4e;a=b')}0;c\r\n\r\n`],
    ['a size with zeros before it', () => `${head(CHUNKED)}${chunk(ORDER, '000004E')}00\r\n\r\n`],
    ['Expect: 100-continue', () => head('Expect: 100-continue', LENGTH) + ORDER],
    ['an absolute target', () => head(LENGTH).replace('/api', 'http://evil.example/api') + ORDER],
    ['an offer of HTTP/2', () => head('Connection: Upgrade', 'Upgrade: h2c', LENGTH) + ORDER],
  ];

  // One order, followed by a separate request without a key, so 401. If that arrives before the order is
  // answered, the runtime may close the connection: only answers may be lost.
  test.each(forms)('%s', async (_, bytes) => {
    const before = await orders();
    expect(await answers(bytes(), 1)).toEqual([200]);
    expect(await orders()).toBe(before + 1);
    const statuses = await answers(bytes() + TAIL, 2);
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(1);
    for (const status of statuses) expect([200, 400, 401]).toContain(status);
    expect(await orders()).toBeLessThanOrEqual(before + 2);
  });

  test('a request in the body of another is not executed', async () => {
    const before = await orders();
    const own = `Content-Length: ${TAIL.length}`;
    for (const method of ['GET', 'HEAD', 'DELETE']) {
      const outer = head(own).replace('POST /api/orders', `${method} /api/orders/x`);
      const connection = await RawConnection.open(exchange.baseUrl);
      connection.send(outer + TAIL);
      expect((await connection.receive(method))!.status).toBe(404);
      connection.send('GET /api/time HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      const next = await connection.receive();
      if (next !== undefined) expect(next.text).toContain('"timestamp"');
      expect(await connection.receive()).toBeUndefined();
      connection.destroy();
    }
    expect(await orders()).toBe(before);
  });

  test('trailers are rejected: the order is placed at most once, and the connection ends', async () => {
    const before = await orders();
    const trailer = 'POST /api/orders HTTP/1.1\r\nHost: a';
    const statuses = await answers(`${head(CHUNKED)}${chunk(ORDER)}0\r\n${trailer}\r\n\r\n`, 0);
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(1);
    for (const status of statuses) expect([200, 400]).toContain(status);
    expect(await orders()).toBeLessThanOrEqual(before + 1);
  });

  test('CONNECT opens nothing', async () => {
    const outer = head('X-A: b').replace('POST /api/orders', 'CONNECT a:80');
    const [status, ...more] = await answers(outer + TAIL, 1);
    expect([400, 404, 405]).toContain(status!);
    expect(more).toEqual([]);
  });
});

describe('repeated credentials', () => {
  const bearer = (of: Credential) => `Authorization: Bearer ${of.apiKey}`;
  const secret = (of: Credential) => `X-API-Secret: ${of.apiSecret}`;
  test.each([
    ['of two keys', () => [bearer(alice), bearer(bob), secret(alice), secret(bob)]],
    ['one key, two secrets', () => [bearer(alice), secret(alice), secret(bob)]],
    ['two keys, one secret', () => [bearer(bob), bearer(alice), secret(alice)]],
  ])('%s: 401, in any order', async (_, lines) => {
    const before = [await orders(alice), await orders(bob)];
    for (const order of [lines(), lines().reverse()]) {
      const all = ['Host: a', 'Content-Type: application/json', ...order, LENGTH];
      const bytes = `POST /api/orders HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n${ORDER}`;
      expect(await answers(bytes, 1)).toEqual([401]);
    }
    expect([await orders(alice), await orders(bob)]).toEqual(before);
  });
});
