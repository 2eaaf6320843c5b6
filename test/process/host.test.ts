import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { ExchangeProcess, temporaryDirectory } from './exchange-process.ts';
import { RawConnection } from './raw-connection.ts';

/** Tests that a request with more than one Host header is rejected (RFC 9112, section 3.2). */

setDefaultTimeout(60_000);

const directory = temporaryDirectory();
let exchange: ExchangeProcess;
beforeAll(async () => {
  exchange = await ExchangeProcess.start(directory.path);
});
afterAll(async () => {
  const { exitCode } = await exchange.stop();
  directory.remove();
  expect(exitCode).toBe(0);
});

async function ask(target: string, ...headers: string[]) {
  const connection = await RawConnection.open(exchange.baseUrl);
  connection.send(`${target} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
  const answer = await connection.receive();
  connection.destroy();
  return answer!;
}

const UPGRADE = [
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];

describe.each([
  ['two names', ['Host: a', 'Host: b']],
  ['one name twice', ['Host: a', 'Host: a']],
  ['an empty one first', ['Host: ', 'Host: b']],
  ['an empty one last', ['Host: a', 'Host: ']],
  ['a list', ['Host: a, b']],
])('%s', (_, hosts) => {
  test.each([
    ['GET /api/markets', []],
    ['GET /', []],
    ['GET /nothing', []],
    ['GET /docs', []],
    ['DELETE /api/orders?all=true', []],
    ['GET /ws', UPGRADE],
    ['GET //ws', UPGRADE],
  ])('%s: 400 in an envelope', async (target, headers) => {
    const answer = await ask(target, ...hosts, ...headers);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text).error).toMatchObject({
      code: 'INVALID_REQUEST',
      details: { field: 'Host', rule: 'one' },
    });
  });
});

test('one Host header is accepted', async () => {
  expect((await ask('GET /api/markets', 'Host: a.example:8080')).status).toBe(200);
  expect((await ask('GET /ws', 'Host: [::1]:3000', ...UPGRADE)).status).toBe(101);
});
