import { afterAll, beforeAll, expect, test } from 'bun:test';
import { PASSWORD } from '../http/browser.ts';
import { TestExchange } from '../http/exchange.ts';
import { checkAnswer, type Exchanged } from './expectations.ts';

/** Tests that the fuzzer's checks find every kind of violation. */

let exchange: TestExchange;
let sound: Exchanged;
beforeAll(async () => {
  exchange = await TestExchange.open();
  const path = '/api/orders/1';
  const { status, headers, text } = await exchange.send('alice', 'GET', path);
  sound = {
    operation: 'getOrder',
    method: 'GET',
    path,
    body: undefined,
    nowMs: exchange.now,
    response: { method: 'GET', status, headers, text },
    before: 1,
    after: 1,
    secrets: ['a secret of the sender'],
  };
});
afterAll(() => exchange.close());

/** Returns the answer with another message. */
function saying(message: string): Partial<Exchanged> {
  const { response } = sound;
  const body = JSON.parse(response.text);
  body.error.message = message;
  return { response: { ...response, text: JSON.stringify(body) } };
}

function without(name: string): Partial<Exchanged> {
  const headers = new Headers(sound.response.headers);
  headers.delete(name);
  return { response: { ...sound.response, headers } };
}

test('a sound answer passes', () => checkAnswer(sound));

test.each<[string, () => Partial<Exchanged>, string]>([
  ['a 500', () => ({ response: { ...sound.response, status: 500 } }), 'status 500'],
  [
    'a status that its code has not',
    () => ({ response: { ...sound.response, status: 403 } }),
    '403',
  ],
  ['no envelope', () => ({ response: { ...sound.response, text: '{}' } }), 'success'],
  ['no rate limit', () => without('X-RateLimit-Reset'), 'X-RateLimit-Reset'],
  ['no request id', () => without('X-Request-Id'), 'X-Request-Id'],
  ['a change by a rejected request', () => ({ after: 2 }), 'changed the state'],
  ['a password', () => saying(`Not ${PASSWORD}.`), 'a password'],
  ['a secret of a key', () => saying(`Not bws_${'0'.repeat(72)}.`), 'a secret'],
  ['a secret of the sender', () => saying('Not a secret of the sender.'), "sender's secret"],
  ['a file position', () => saying('Failed in gateway.ts:12 somewhere.'), 'internals'],
  ['an error of the language', () => saying('TypeError: x is not a function'), 'internals'],
])('%s is found', (_, change, found) => {
  expect(() => checkAnswer({ ...sound, ...change() })).toThrow(found);
});
