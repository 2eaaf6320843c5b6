import { expect, spyOn, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { Account, type ApiKey } from '../../engine/ledger/accounts.ts';
import { generateCredentials, hashSecret } from '../../users/credentials/api-keys.ts';
import { KnownKeys } from './known-keys.ts';

const account = new Account(0, 'alice', 1, 0);
const keys: ApiKey[] = [];
const keysByApiKey = new Map<string, ApiKey>();
const state = { keys: keys as (ApiKey | undefined)[], keysByApiKey };
const add = () => {
  const { apiKey, apiSecret } = generateCredentials(randomBytes);
  const terms = { permissions: 1, label: '', addresses: [], createdAt: 0, expiresAt: 0 };
  const key = { index: keys.length, apiKey, account, secretHash: hashSecret(apiSecret) };
  keys.push({ ...key, ...terms, revokedAt: 0 });
  keysByApiKey.set(apiKey, keys.at(-1)!);
  return { apiKey, apiSecret };
};

test('a key is found by its name and secret as soon as it exists', () => {
  const known = new KnownKeys(state);
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

test('a wrong secret is hashed, and no key name is compared', () => {
  const [key, random] = [add(), generateCredentials(randomBytes)];
  let looks = 0;
  const watched = { ...keys.at(-1)!, index: keys.length };
  Object.defineProperty(watched, 'apiKey', { get: () => ++looks && key.apiKey });
  const known = new KnownKeys({ keys: [watched], keysByApiKey: new Map([['', watched]]) });
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

test('keys that the engine has dropped are dropped', () => {
  const present: (ApiKey | undefined)[] = [];
  const byApiKey = new Map<string, ApiKey>();
  const known = new KnownKeys({ keys: present, keysByApiKey: byApiKey });
  const secrets = Array.from({ length: 12 }, (_, index) => {
    const credentials = add();
    const key = { ...keys.at(-1)!, index };
    present.push(key);
    byApiKey.set(key.apiKey, key);
    known.find('', '');
    return credentials;
  });
  for (let index = 0; index < 10; index++) {
    byApiKey.delete(present[index]!.apiKey);
    present[index] = undefined;
  }
  const last = add();
  present.push({ ...keys.at(-1)!, index: 12 });
  byApiKey.set(last.apiKey, present.at(-1)!);
  const isFound = ({ apiKey, apiSecret }: typeof last) =>
    known.find(apiKey, apiSecret) !== undefined;
  expect([last, ...secrets.slice(10)].every(isFound)).toBe(true);
  expect(secrets.slice(0, 10).some(isFound)).toBe(false);
});
