import { describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { generateCredentials, hashSecret, parseBearer, verifySecret } from './api-keys.ts';

const fixed = generateCredentials((size) => new Uint8Array(size).fill(0xa5));
const { apiKey, apiSecret } = fixed;

describe('generateCredentials', () => {
  test('never changes its format, because existing keys depend on it', () => {
    expect(fixed).toEqual({
      apiKey: 'bwk_a5a5a5a5a5a5a5a5a5a5a5a5f273bc2e',
      apiSecret: `bws_${'a5'.repeat(32)}79d055c5`,
    });
  });
});

describe('parseBearer', () => {
  test('takes the scheme in any case', () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      expect(parseBearer(`${scheme} ${apiKey}`)).toBe(apiKey);
    }
  });

  test('returns malformed keys too, which the lookup does not find', () => {
    expect(parseBearer(`Bearer  ${apiKey}`)).toBe(` ${apiKey}`);
    expect(parseBearer('Bearer ')).toBe('');
  });

  test.each([
    ['nothing', null],
    ['an empty header', ''],
    ['the scheme alone', 'Bearer'],
    ['a key alone', apiKey],
    ['another scheme', `Basic ${apiKey}`],
    ['a tab', `Bearer\t${apiKey}`],
  ])('rejects %s', (_, header) => {
    expect(parseBearer(header)).toBeUndefined();
  });
});

describe('verifySecret', () => {
  const other = generateCredentials(randomBytes).apiSecret;

  test('accepts the secret whose hash is stored and no other', () => {
    expect(verifySecret(apiSecret, hashSecret(apiSecret))).toBe(true);
    expect(verifySecret(other, hashSecret(apiSecret))).toBe(false);
  });

  test('every byte of the hash counts', () => {
    const stored = hashSecret(apiSecret);
    for (let at = 0; at < stored.length; at++) {
      const other = Uint8Array.from(stored, (byte, place) => (place === at ? byte ^ 1 : byte));
      expect(verifySecret(apiSecret, other)).toBe(false);
    }
  });

  test('accepts nothing for an unknown key', () => {
    expect(verifySecret(apiSecret, undefined)).toBe(false);
  });

  test('hashes with SHA-256 into a new array each time', async () => {
    const expected = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(apiSecret));
    const first = hashSecret(apiSecret);
    hashSecret(other);
    expect(first).toEqual(new Uint8Array(expected));
  });

  test('throws for a stored hash of the wrong length', () => {
    expect(() => verifySecret(apiSecret, new Uint8Array(31))).toThrow();
  });
});
