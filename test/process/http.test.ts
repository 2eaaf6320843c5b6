import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { checkWire } from '../http/wire.ts';
import { type Credential, ExchangeProcess, temporaryDirectory } from './exchange-process.ts';
import { RawConnection, type RawResponse } from './raw-connection.ts';

/** Tests that need a real socket: framing, wrong lengths, broken connections. */

setDefaultTimeout(60_000);

const directory = temporaryDirectory();
let exchange: ExchangeProcess;
let alice: Credential;
beforeAll(async () => {
  exchange = await ExchangeProcess.start(directory.path);
  alice = exchange.credential('alice');
});
afterAll(async () => {
  const { exitCode, output } = await exchange.stop();
  directory.remove();
  // No input may count as a failure of the exchange.
  expect(output).not.toContain('failed');
  expect(exitCode).toBe(0);
});

const ORDER = '{"symbol":"BTC/USDT","side":"buy","type":"limit","amount":0.001,"price":45000}';

/** Returns the lines of a request with credentials. */
function head(line: string, ...headers: string[]): string {
  const credentials = `Authorization: Bearer ${alice.apiKey}\r\nX-API-Secret: ${alice.apiSecret}`;
  const all = ['Host: 127.0.0.1', credentials, 'Content-Type: application/json', ...headers];
  return `${line} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n`;
}
const post = (...headers: string[]) => head('POST /api/orders', ...headers);
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const open = () => RawConnection.open(exchange.baseUrl);

/** Sends everything at once and reads one answer. */
async function ask(...parts: (string | Uint8Array)[]): Promise<RawResponse> {
  const connection = await open();
  connection.send(...parts);
  const answer = await connection.receive();
  connection.destroy();
  if (answer === undefined) throw new Error('no answer');
  return answer;
}

function expectWire(answer: RawResponse | undefined, status: number, method = 'GET'): void {
  checkWire({ method, ...answer! }, Date.now());
  expect(answer!.status).toBe(status);
}

/** Returns the number of orders. */
async function orders(): Promise<number> {
  const { json } = await exchange.send(alice, 'GET', '/api/orders?limit=1000');
  return json.data.orders.length;
}

describe('a body in chunks', () => {
  test('is an order like any other', async () => {
    const half = ORDER.length >> 1;
    const chunks = chunk(ORDER.slice(0, half)) + chunk(ORDER.slice(half));
    expectWire(await ask(post('Transfer-Encoding: chunked'), chunks, '0\r\n\r\n'), 200);
  });

  test('over 16 KiB is 413, and the connection stays open', async () => {
    const connection = await open();
    connection.send(post('Transfer-Encoding: chunked'));
    for (let sent = 0; sent <= 16_384; sent += 1024) connection.send(chunk(' '.repeat(1024)));
    expectWire(await connection.receive(), 413);
    connection.send(chunk(ORDER), '0\r\n\r\n', head('GET /api/markets'));
    expectWire(await connection.receive(), 200);
    connection.destroy();
  });

  test.each([
    ['no number', 'zz\r\nab\r\n0\r\n\r\n'],
    ['a chunk without its end', `5\r\n${ORDER}0\r\n\r\n`],
    ['a huge number', 'ffffffffffffffffff\r\nab'],
  ])('malformed: %s', async (_, chunks) => {
    const before = await orders();
    const connection = await open();
    connection.send(post('Transfer-Encoding: chunked'), chunks);
    const statuses = await connection.statuses();
    expect(statuses.every((status) => status >= 400 && status < 500)).toBe(true);
    expect(await orders()).toBe(before);
  });
});

describe('Content-Length', () => {
  test('over 16 KiB is 413 before a byte of the body has arrived', async () => {
    for (const length of [16_385, 100_000, 8_000_000]) {
      expectWire(await ask(post(`Content-Length: ${length}`)), 413);
    }
  });

  test('too short: the rest is not a request, and no order is placed', async () => {
    const before = await orders();
    const connection = await open();
    connection.send(post('Content-Length: 10'), ORDER);
    const answer = await connection.receive();
    expectWire(answer, 400);
    expect(answer!.text).toContain('malformedJson');
    expect((await connection.statuses()).filter((status) => status < 400)).toEqual([]);
    expect(await orders()).toBe(before);
  });

  test.each(['end', 'destroy'] as const)('too long, then %s: no order is placed', async (how) => {
    const before = await orders();
    const connection = await open();
    connection.send(post(`Content-Length: ${ORDER.length + 1}`), ORDER);
    if (how === 'end') {
      connection.endSending();
      expect((await connection.statuses()).filter((status) => status < 400)).toEqual([]);
    } else connection.destroy();
    expect(await orders()).toBe(before);
  });

  test.each([
    ['twice', [`Content-Length: ${ORDER.length}`, 'Content-Length: 5']],
    ['and chunks', [`Content-Length: ${ORDER.length}`, 'Transfer-Encoding: chunked']],
    ['below zero', ['Content-Length: -1']],
    ['hexadecimal', ['Content-Length: 0x10']],
    ['beyond all bounds', ['Content-Length: 100000000000000000000000000']],
    ['over the parser’s own limit', ['Content-Length: 100000000']],
    ['another encoding', ['Transfer-Encoding: gzip, chunked']],
  ])('%s is rejected and ends the connection', async (_, headers) => {
    const before = await orders();
    const connection = await open();
    connection.send(post(...headers), ORDER);
    const statuses = await connection.statuses();
    expect(statuses).toHaveLength(1);
    expect([400, 413]).toContain(statuses[0]!);
    expect(await orders()).toBe(before);
  });
});

describe('bodies', () => {
  test.each([
    ['invalid UTF-8', Buffer.from(ORDER.replace('buy', '\xff'), 'latin1'), [], 'invalidUtf8'],
    ['gzip', Bun.gzipSync(ORDER), ['Content-Encoding: gzip'], 'Content-Encoding'],
    ['none', '', [], 'emptyBody'],
  ])('%s is 400', async (_, body, headers, rule) => {
    const answer = await ask(post(...headers, `Content-Length: ${body.length}`), body);
    expectWire(answer, 400);
    expect(answer.text).toContain(rule);
  });

  test('Expect: 100-continue', async () => {
    const connection = await open();
    connection.send(post('Expect: 100-continue', `Content-Length: ${ORDER.length}`));
    expect((await connection.receive())!.status).toBe(100);
    connection.send(ORDER);
    expectWire(await connection.receive(), 200);
    connection.destroy();
  });

  test('of GET and DELETE are ignored, in one piece or in chunks', async () => {
    for (const line of ['GET /api/orders?limit=1', 'DELETE /api/orders/x']) {
      const status = line.startsWith('GET') ? 200 : 404;
      expectWire(await ask(head(line, 'Content-Length: 5'), 'hello'), status);
      expectWire(
        await ask(head(line, 'Transfer-Encoding: chunked'), '5\r\nhello\r\n0\r\n\r\n'),
        status,
      );
    }
  });
});

describe('lines and headers', () => {
  test('HEAD: the length of GET’s body and none of its bytes', async () => {
    for (const path of ['/api/markets', '/api/portfolio/balances', '/api/nothing', '/']) {
      const connection = await open();
      connection.send(head(`HEAD ${path}`));
      const answer = await connection.receive('HEAD');
      connection.send(head(`GET ${path}`));
      const whole = await connection.receive();
      expect(answer!.status).toBe(whole!.status);
      const length = Buffer.byteLength(whole!.text);
      expect(answer!.headers.get('Content-Length')).toBe(`${length}`);
      connection.destroy();
    }
  });

  test('OPTIONS with Allow; another method is 405', async () => {
    const options = await ask(head('OPTIONS /api/orders'));
    expectWire(options, 200);
    expect(options.headers.get('Allow')).toBe('POST, GET, HEAD, DELETE, OPTIONS');
    for (const method of ['TRACE', 'PROPFIND']) {
      expectWire(await ask(head(`${method} /api/orders`)), 405);
    }
  });

  test.each([
    'GET //api//markets',
    'GET /api/../api/markets',
    'GET http://elsewhere.example/api/markets',
  ])('%s finds the markets', async (line) => {
    expectWire(await ask(head(line)), 200);
  });

  test('HTTP/1.0 without a Host', async () => {
    expectWire(await ask('GET /api/prices?symbol=ETH/BTC HTTP/1.0\r\n\r\n'), 200);
    expectWire(await ask('GET /api/x:y/z HTTP/1.0\r\n\r\n'), 404);
  });

  test.each(['a b', 'evil.example/api/prices?x=', 'user@evil.example', ''])(
    'Host: %s changes nothing',
    async (host) => {
      expectWire(await ask(`GET /api/markets HTTP/1.1\r\nHost: ${host}\r\n\r\n`), 200);
    },
  );

  test('a long path or query is answered normally', async () => {
    const long = 'a'.repeat(8000);
    expectWire(await ask(head(`GET /api/markets?symbol=${long}`)), 400);
    expectWire(await ask(head(`GET /api/${long}`)), 404);
    expectWire(await ask(head(`DELETE /api/orders/${long}`)), 404);
    expectWire(await ask(head('GET /api/orders', `X-API-Secret: ${long}`)), 401);
  });

  test.each([
    ['a line of 20 KB', () => head(`GET /api/${'a'.repeat(20_000)}`)],
    ['a header of 20 KB', () => head('GET /api/markets', `X-A: ${'a'.repeat(20_000)}`)],
    ['a NUL in a header', () => head('GET /api/markets', 'X-A: a\0b')],
    ['spaces in the path', () => head('GET /api/mark ets')],
    ['a method of its own', () => head('BUY /api/orders')],
    ['no HTTP at all', () => 'buy 1 BTC\r\n\r\n'],
    ['a TLS hello', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
  ])('%s: the parser rejects it or closes the connection', async (_, text) => {
    const connection = await open();
    connection.send(Buffer.from(text(), 'latin1'));
    const statuses = await connection.statuses();
    expect(statuses.filter((status) => status < 400 || (status >= 500 && status !== 505))).toEqual(
      [],
    );
    expectWire(await ask(head('GET /api/markets')), 200);
  });
});

describe('connections', () => {
  // The runtime's server closes a half-closed connection, or one with another request, before a pending
  // answer is sent. Only the answer may be lost.
  test('half-closed: immediate answers arrive, and nothing happens twice', async () => {
    const connection = await open();
    connection.send(head('GET /api/markets'));
    connection.endSending();
    expectWire(await connection.receive(), 200);
    const before = await orders();
    const order = ORDER.replace('{', '{"clientOrderId":"half-closed",');
    const half = await open();
    half.send(post(`Content-Length: ${order.length}`), order);
    half.endSending();
    for (const status of await half.statuses()) expect(status).toBe(200);
    expect((await exchange.send(alice, 'POST', '/api/orders', order)).status).toBe(200);
    expect(await orders()).toBe(before + 1);
  });

  test('pipelined reads are answered in their order', async () => {
    const connection = await open();
    const symbols = ['BTC/USDT', 'ETH/USDT', 'SOL/USDT', 'ETH/BTC'];
    connection.send(symbols.map((symbol) => head(`GET /api/prices?symbol=${symbol}`)).join(''));
    for (const symbol of symbols) {
      const answer = await connection.receive();
      expectWire(answer, 200);
      expect(answer!.text).toContain(`"symbol":"${symbol}"`);
    }
    connection.destroy();
  });

  test('pipelined orders: none is placed twice, whatever the answers are', async () => {
    const connection = await open();
    const before = await orders();
    const order = (id: string) => ORDER.replace('{', `{"clientOrderId":"${id}",`);
    const one = (id: string) => post(`Content-Length: ${order(id).length}`) + order(id);
    connection.send(
      one('pipe-1') + one('pipe-2') + one('pipe-3'),
      head('GET /', 'Connection: close'),
    );
    for (const status of await connection.statuses()) expect(status).toBe(200);
    expect(await orders()).toBeLessThanOrEqual(before + 3);
    // Unanswered orders are sent again with the same client order id.
    for (const id of ['pipe-1', 'pipe-2', 'pipe-3']) {
      expect((await exchange.send(alice, 'POST', '/api/orders', order(id))).status).toBe(200);
    }
    expect(await orders()).toBe(before + 3);
  });

  test('a hundred requests aborted within their body have no effects', async () => {
    const before = await orders();
    const broken = Array.from({ length: 100 }, async (_, index) => {
      const connection = await open();
      const framing = index % 2 === 0 ? 'Content-Length: 500' : 'Transfer-Encoding: chunked';
      connection.send(post(framing), index % 2 === 0 ? ORDER : chunk(ORDER));
      connection.destroy();
    });
    await Promise.all(broken);
    expect(await orders()).toBe(before);
  });
});
