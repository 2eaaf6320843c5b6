import { afterAll, beforeAll, expect, test } from 'bun:test';
import { PASSWORD } from '../http/browser.ts';
import { TestExchange } from '../http/exchange.ts';
import { type Judged, judge } from './expectations.ts';

/** That the fuzzer's judge finds each thing that it looks for. */

let exchange: TestExchange;
let sound: Judged;
beforeAll(async () => {
  exchange = await TestExchange.open();
  const path = '/api/orders/1';
  const { status, headers, text } = await exchange.send('alice', 'GET', path);
  sound = {
    ...{ operation: 'getOrder', method: 'GET', path, body: undefined, nowMs: exchange.now },
    response: { method: 'GET', status, headers, text },
    ...{ before: 1, after: 1, secrets: ['a secret of the sender'] },
  };
});
afterAll(() => exchange.close());

/** The same answer with other words for its message. */
function saying(message: string): Partial<Judged> {
  const { response } = sound;
  const body = JSON.parse(response.text);
  body.error.message = message;
  return { response: { ...response, text: JSON.stringify(body) } };
}

function without(name: string): Partial<Judged> {
  const headers = new Headers(sound.response.headers);
  headers.delete(name);
  return { response: { ...sound.response, headers } };
}

test('a sound answer passes', () => judge(sound));

test.each<[string, () => Partial<Judged>, string]>([
  ['a 500', () => ({ response: { ...sound.response, status: 500 } }), 'status 500'],
  [
    'a status that its code has not',
    () => ({ response: { ...sound.response, status: 403 } }),
    '403',
  ],
  ['no envelope', () => ({ response: { ...sound.response, text: '{}' } }), 'success'],
  ['no rate limit', () => without('X-RateLimit-Reset'), 'X-RateLimit-Reset'],
  ['no request id', () => without('X-Request-Id'), 'X-Request-Id'],
  ['a change by a refusal', () => ({ after: 2 }), 'changed the state'],
  ['a password', () => saying(`Not ${PASSWORD}.`), 'a password'],
  ['a secret of a key', () => saying(`Not bws_${'0'.repeat(72)}.`), 'a secret'],
  ['a secret of the sender', () => saying('Not a secret of the sender.'), "sender's secret"],
  ['a place in a file', () => saying('Failed in gateway.ts:12 somewhere.'), 'internals'],
  ['an error of the language', () => saying('TypeError: x is not a function'), 'internals'],
])('%s is found', (_, change, found) => {
  expect(() => judge({ ...sound, ...change() })).toThrow(found);
});
