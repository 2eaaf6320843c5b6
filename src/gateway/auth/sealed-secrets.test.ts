import { describe, expect, test } from 'bun:test';
import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { SEALED_SECRET_BYTES } from '../../engine/limits.ts';
import { generateCredentials } from '../../users/credentials/api-keys.ts';
import { type SealedKey, SealedSecrets, sealingKeyId } from './sealed-secrets.ts';

const { apiKey, apiSecret } = generateCredentials(randomBytes);
const newKey = (id: string) => ({ id, key: new Uint8Array(randomBytes(32)) });
const first = newKey('first');
const second = newKey('second');
const secrets = new SealedSecrets([first]);

function sealed(by = secrets, owner = 'alice', name = apiKey): SealedKey {
  return {
    apiKey: name,
    account: { id: owner },
    sealedSecret: by.seal(name, owner, apiSecret),
  };
}

describe('a sealed secret', () => {
  test('is opened by its sealing key, for every length of an id that the setting accepts', () => {
    const ids = fc.stringMatching(/^[A-Za-z0-9_-]{1,32}$/);
    fc.assert(
      fc.property(ids, fc.string({ maxLength: 100 }), (id, secret) => {
        const own = new SealedSecrets([newKey(id)]);
        const sealedSecret = own.seal(apiKey, 'alice', secret);
        const key = { apiKey, account: { id: 'alice' }, sealedSecret };
        expect(own.open(key)?.equals(Buffer.from(secret))).toBe(true);
        expect(sealingKeyId(sealedSecret)).toBe(id);
      }),
    );
  });

  test('fits into the log, also with the longest id', () => {
    const { length } = new SealedSecrets([newKey('i'.repeat(32))]).seal(apiKey, 'a', apiSecret);
    expect(length).toBeLessThanOrEqual(SEALED_SECRET_BYTES.max);
  });

  test('does not contain the secret, and differs each time', () => {
    const [one, two] = [sealed().sealedSecret!, sealed().sealedSecret!];
    expect(one).not.toEqual(two);
    expect(Buffer.from(one).includes(apiSecret.slice(4, 12))).toBe(false);
  });

  test('with any bit changed is not opened', () => {
    const key = sealed();
    for (let bit = 0; bit < 8 * key.sealedSecret!.length; bit++) {
      const sealedSecret = key.sealedSecret!.slice();
      sealedSecret[bit >> 3]! ^= 1 << (bit & 7);
      expect(secrets.open({ ...key, sealedSecret })).toBeUndefined();
    }
  });

  test('cut to any length is not opened', () => {
    const key = sealed();
    for (let length = 0; length < key.sealedSecret!.length; length++) {
      const sealedSecret = key.sealedSecret!.slice(0, length);
      expect(secrets.open({ ...key, sealedSecret })).toBeUndefined();
    }
  });

  test('is of no use to another API key or account', () => {
    const key = sealed();
    expect(secrets.open({ ...key, account: { id: 'bob' } })).toBeUndefined();
    expect(secrets.open({ ...key, apiKey: `${apiKey}0` })).toBeUndefined();
    // Where one name ends and the next begins matters, too.
    const [head, tail] = [apiKey.slice(0, -1), apiKey.slice(-1)];
    expect(secrets.open({ ...key, apiKey: head, account: { id: `${tail}alice` } })).toBeUndefined();
  });

  test('is not opened by another sealing key, nor by another of the same id', () => {
    const key = sealed();
    expect(new SealedSecrets([second]).open(key)).toBeUndefined();
    expect(new SealedSecrets([{ ...second, id: 'first' }]).open(key)).toBeUndefined();
  });
});

test('the first sealing key seals, all open', () => {
  const rotated = new SealedSecrets([second, first]);
  const old = sealed();
  expect(rotated.open(old)?.toString()).toBe(apiSecret);
  expect([secrets.isCurrent(old), rotated.isCurrent(old)]).toEqual([true, false]);
  const renewed = sealed(rotated);
  expect(rotated.isCurrent(renewed)).toBe(true);
  expect(secrets.open(renewed)).toBeUndefined();
  expect([secrets.has('second'), rotated.has('second')]).toEqual([false, true]);
});

test('a signature is HMAC-SHA256 with the text of the secret', () => {
  const text = Buffer.from('symbol=BTCUSDT&timestamp=1767614400000');
  const right = createHmac('sha256', apiSecret).update(text).digest();
  const key = sealed();
  expect(secrets.verify(key, text, right)).toBe(true);
  for (let bit = 0; bit < 256; bit++) {
    const wrong = Uint8Array.from(right);
    wrong[bit >> 3]! ^= 1 << (bit & 7);
    expect(secrets.verify(key, text, wrong)).toBe(false);
  }
  expect(secrets.verify({ ...key, sealedSecret: undefined }, text, right)).toBe(false);
});

test('a secret that is encrypted again, or replaced, is read again', () => {
  const rotated = new SealedSecrets([second, first]);
  const text = Buffer.from('symbol=BTCUSDT');
  const sign = (secret: string) => createHmac('sha256', secret).update(text).digest();
  const key = { ...sealed() };
  expect(rotated.verify(key, text, sign(apiSecret))).toBe(true);
  key.sealedSecret = rotated.seal(apiKey, 'alice', apiSecret);
  expect(rotated.verify(key, text, sign(apiSecret))).toBe(true);
  key.sealedSecret = rotated.seal(apiKey, 'alice', 'another');
  expect(rotated.verify(key, text, sign(apiSecret))).toBe(false);
  expect(rotated.verify(key, text, sign('another'))).toBe(true);
  key.sealedSecret = key.sealedSecret.toReversed();
  expect(rotated.verify(key, text, sign('another'))).toBe(false);
});
