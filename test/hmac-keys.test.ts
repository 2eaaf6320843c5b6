import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import type { Config } from '../src/config/config.ts';
import type { SealingKey } from '../src/config/seal-keys.ts';
import { CommandKind, SYSTEM_ACTOR } from '../src/engine/command.ts';
import { readSnapshot, writeSnapshot } from '../src/engine/snapshot/snapshot.ts';
import { SealedSecrets } from '../src/gateway/auth/sealed-secrets.ts';
import * as logger from '../src/monitoring/logger.ts';
import { openSealedSecrets } from '../src/node/hmac-keys.ts';
import { TestExchange } from './http/exchange.ts';

let exchange: TestExchange;
let warnings: ReturnType<typeof spyOn>;
let infos: ReturnType<typeof spyOn>;
beforeEach(async () => {
  exchange = await TestExchange.open();
  warnings = spyOn(logger, 'warn').mockImplementation(() => {});
  infos = spyOn(logger, 'info').mockImplementation(() => {});
});
afterEach(async () => {
  warnings.mockRestore();
  infos.mockRestore();
  await exchange.close();
});

const newKey = (id: string): SealingKey => ({ id, key: new Uint8Array(randomBytes(32)) });
const [old, current] = [newKey('old'), newKey('current')];

function start(sealKeys: readonly SealingKey[], terms: Partial<Config> = {}) {
  const clock = { mode: 'real', speed: 1 };
  const config = { hasHmacKeys: true, isSandbox: false, sealKeys, clock, ...terms } as Config;
  const { services, replica, now } = exchange;
  return openSealedSecrets(config, services.users, replica, { now: () => now, randomBytes });
}

/** Creates an HMAC key of alice. @returns Its secret, which is its name here */
async function create(by: SealedSecrets, apiKey: string, expiresAt = 0) {
  const sealedSecret = by.seal(apiKey, 'alice', `secret of ${apiKey}`);
  const owner = exchange.state.accountsById.get('alice')!.index;
  const terms = { permissions: 1, label: '', addresses: [], expiresAt };
  const kind = CommandKind.createHmacKey;
  await exchange.replica.execute({ kind, ...SYSTEM_ACTOR, owner, apiKey, sealedSecret, ...terms });
}

const find = (apiKey: string) => exchange.state.keysByApiKey.get(apiKey)!;
const read = (secrets: SealedSecrets | undefined, apiKey: string) =>
  secrets!.open(find(apiKey))?.toString();
const message = (starting: Promise<unknown>) =>
  starting.then(
    () => 'started',
    (error: Error) => `${error.name}: ${error.message}`,
  );

test('a rotation re-encrypts the secrets, after which the earlier key is not needed', async () => {
  const before = await start([old]);
  for (const apiKey of ['a', 'b']) await create(before!, apiKey);
  const { digest } = exchange.state;
  // A start that changes nothing writes nothing.
  await start([old, current]);
  expect(exchange.state.digest).toBe(digest);
  const rotated = await start([current, old]);
  expect(infos.mock.calls.flat()).toEqual([
    'Encrypted the secrets of 2 HMAC keys under the first sealing key.',
  ]);
  const alone = new SealedSecrets([current]);
  for (const secrets of [rotated, alone, await start([current])]) {
    expect([read(secrets, 'a'), read(secrets, 'b')]).toEqual(['secret of a', 'secret of b']);
  }
  expect(before!.open(find('a'))).toBeUndefined();
  const restored = readSnapshot(writeSnapshot(exchange.replica.exchange));
  expect(alone.open(restored.state.keysByApiKey.get('a')!)?.toString()).toBe('secret of a');
});

const ADVICE =
  'Add that key at the end of BUTTONWOOD_SEAL_KEYS, from its backup. If it is lost, start with BUTTONWOOD_HMAC_KEYS=off, ' +
  'revoke these API keys, and have their users create new ones.';

test('a start without the right sealing key fails, and says which one is missing', async () => {
  const secrets = await start([old]);
  await create(secrets!, 'a');
  expect(await message(start([current]))).toBe(
    'WrongDataError: The secret of the HMAC key a of the account alice is encrypted under the sealing key "old", ' +
      `which BUTTONWOOD_SEAL_KEYS does not have. ${ADVICE}`,
  );
  await create(secrets!, 'b');
  expect(await message(start([newKey('old'), current]))).toBe(
    'WrongDataError: The secret of the HMAC key a of the account alice (and those of 1 more) cannot be decrypted with ' +
      `the sealing key "old": BUTTONWOOD_SEAL_KEYS has another key under this id. ${ADVICE}`,
  );
  // The way out of the advice.
  expect(await start([current], { hasHmacKeys: false })).toBeUndefined();
  expect(warnings.mock.calls.flat()).toEqual([
    'HMAC keys are off (BUTTONWOOD_HMAC_KEYS): requests of 2 such keys are rejected.',
  ]);
  for (const apiKey of ['a', 'b']) {
    await exchange.replica.execute({ kind: CommandKind.revokeKey, ...SYSTEM_ACTOR, apiKey });
  }
  expect(await message(start([current]))).toBe('started');
});

test('keys that ended need no sealing key', async () => {
  const secrets = await start([old]);
  await create(secrets!, 'a', exchange.now + 1000);
  expect(await message(start([current]))).toStartWith('WrongDataError');
  exchange.now += 1000;
  expect(await message(start([current]))).toBe('started');
});

test('the sandbox has a sealing key of its own in the database of users', async () => {
  const sandbox = { isSandbox: true };
  const secrets = await start([], sandbox);
  await create(secrets!, 'a');
  expect(read(await start([], sandbox), 'a')).toBe('secret of a');
  // A configured key takes its place.
  const configured = await start([current], sandbox);
  expect(read(configured, 'a')).toBe('secret of a');
  expect(new SealedSecrets([current]).open(find('a'))?.toString()).toBe('secret of a');
  // If it is lost, the sandbox starts nevertheless.
  const later = await start([], sandbox);
  expect(read(later, 'a')).toBeUndefined();
  expect(String(warnings.mock.calls.flat())).toEndWith('Until then these keys do not work.');
});
