import { afterEach, beforeEach, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import type { Config } from '../src/config/config.ts';
import type { SealingKey } from '../src/config/seal-keys.ts';
import { createOutbox } from '../src/node/custody-outbox.ts';
import { TestExchange } from './http/exchange.ts';

/** The key with which the exchange signs instructions to the custodian: encryption and replacement. */

let exchange: TestExchange;
beforeEach(async () => {
  exchange = await TestExchange.open();
});
afterEach(() => exchange.close());

const newKey = (id: string): SealingKey => ({ id, key: new Uint8Array(randomBytes(32)) });
const [old, current] = [newKey('old'), newKey('current')];

/** Starts the outbox of a node, and stops it. @returns The key that signs, and the next one */
async function start(sealKeys: readonly SealingKey[], signingKey = 1): Promise<string[]> {
  const config = { node: 'one', sealKeys, signingKey } as Config;
  const outbox = await createOutbox(config, exchange.services);
  await outbox.close();
  return [outbox.key.publicKey, outbox.nextKey.publicKey];
}

const names = async () =>
  (await exchange.services.users.seals.list()).filter((name) => name.startsWith('custodian'));

/** Returns how a start fails. */
const failure = (starting: Promise<unknown>) =>
  starting.then(
    () => 'started',
    (error: Error) => `${error.name}: ${error.message}`,
  );

test('a stored key is encrypted by the next start, and moves to other sealing keys', async () => {
  const keys = await start([]);
  const plain = Buffer.from(await exchange.services.users.seals.load('custodian'));
  expect(await start([old])).toEqual(keys);
  // It is no longer readable without the sealing key.
  expect(await failure(exchange.services.users.seals.load('custodian'))).toContain('SealLostError');
  expect(await failure(start([]))).toContain('BUTTONWOOD_SEAL_KEYS does not have');
  expect(await failure(start([current]))).toContain('BUTTONWOOD_SIGNING_KEY=3');
  const other = { id: 'old', key: current.key };
  expect(await failure(start([other]))).toStartWith('WrongDataError');
  expect(await start([current, old])).toEqual(keys);
  expect(await start([current])).toEqual(keys);
  expect(await failure(start([old]))).toStartWith('WrongDataError');
  expect(plain).toHaveLength(32);
});

test('an encrypted secret is of no use under another name', async () => {
  const { seals } = exchange.services.users;
  await start([old]);
  let sealed = new Uint8Array();
  const open = (_name: string, bytes: Uint8Array) => {
    sealed = new Uint8Array(bytes);
    return bytes;
  };
  await seals.load('custodian', { open, seal: () => sealed, isCurrent: () => true });
  await seals.remove('custodian 2');
  await seals.load('custodian 2', { open, seal: () => sealed, isCurrent: () => true });
  expect(await failure(start([old]))).toContain('The key 2 with which the exchange signs');
});

test('the next number signs with the key that was announced, and former secrets are deleted', async () => {
  const [first, second] = await start([old]);
  const [third, fourth] = [await start([old], 2), await start([old], 3)];
  expect(third[0]).toBe(second!);
  expect(fourth[0]).toBe(third[1]!);
  expect(new Set([first, ...third, ...fourth]).size).toBe(4);
  // Nodes with the previous number may still restart.
  expect(await names()).toEqual(['custodian 2', 'custodian 3', 'custodian 4']);
  expect((await start([old], 2))[0]).toBe(second!);
});

test('a lost sealing key is left behind by two numbers', async () => {
  const before = await start([old]);
  expect(await failure(start([current], 2))).toStartWith('WrongDataError');
  const after = await start([current], 3);
  expect(new Set([...before, ...after]).size).toBe(4);
});
