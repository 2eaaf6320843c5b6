import { expect, spyOn, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { Account, type ApiKey } from '../engine/accounts.ts';
import { generateCredentials, hashSecret } from './credentials.ts';
import { KnownKeys } from './known-keys.ts';

const account = new Account(0, 'alice', 1, 0);
const keys: ApiKey[] = [];
const add = () => {
  const { apiKey, apiSecret } = generateCredentials(randomBytes);
  const terms = { permissions: 1, label: '', addresses: [], createdAt: 0, expiresAt: 0 };
  const key = { index: keys.length, apiKey, account, secretHash: hashSecret(apiSecret) };
  keys.push({ ...key, ...terms, revokedAt: 0 });
  return { apiKey, apiSecret };
};

test('a key is found by its own name and secret, from when it is there', () => {
  const known = new KnownKeys(keys);
  const first = add();
  expect(known.find(first.apiKey, first.apiSecret)).toBe(keys[0]);
  const second = add();
  expect(known.find(second.apiKey, second.apiSecret)).toBe(keys[1]);
  expect(known.find(first.apiKey, first.apiSecret)).toBe(keys[0]);
  for (const [apiKey, apiSecret] of [
    [first.apiKey, second.apiSecret],
    [second.apiKey, first.apiSecret],
    [first.apiKey, ''],
    ['', first.apiSecret],
    [first.apiSecret, first.apiKey],
  ] as const) {
    expect(known.find(apiKey, apiSecret)).toBeUndefined();
  }
});

test('a wrong secret is hashed, and finds no key whose name could be looked at', () => {
  const [key, random] = [add(), generateCredentials(randomBytes)];
  let looks = 0;
  const watched = { ...keys.at(-1)!, index: keys.length };
  Object.defineProperty(watched, 'apiKey', { get: () => ++looks && key.apiKey });
  const known = new KnownKeys([watched]);
  const hash = spyOn(Bun.SHA256, 'hash');
  for (const name of [key.apiKey, random.apiKey, key.apiKey.slice(1), '']) {
    hash.mockClear();
    expect(known.find(name, random.apiSecret)).toBeUndefined();
    expect([hash.mock.calls.length, looks]).toEqual([1, 0]);
  }
  hash.mockRestore();
  expect(known.find(key.apiKey, key.apiSecret)).toBe(watched);
  expect(looks).toBe(1);
});
