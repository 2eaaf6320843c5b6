import { describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import {
  generateCredentials,
  hashSecret,
  parseBearer,
  parseSecret,
  verifySecret,
} from './credentials.ts';

const fixed = generateCredentials((size) => new Uint8Array(size).fill(0xa5));
const { apiKey, apiSecret } = fixed;

describe('generateCredentials', () => {
  test('gives a form that does not change: keys already handed out depend on it', () => {
    expect(fixed).toEqual({
      apiKey: 'bwk_a5a5a5a5a5a5a5a5a5a5a5a5f273bc2e',
      apiSecret: `bws_${'a5'.repeat(32)}79d055c5`,
    });
  });

  test('what it makes is accepted', () => {
    for (let count = 0; count < 1_000; count++) {
      const made = generateCredentials(randomBytes);
      expect(parseBearer(`Bearer ${made.apiKey}`)).toBe(made.apiKey);
      expect(parseSecret(made.apiSecret)).toBe(made.apiSecret);
    }
  });
});

describe('parseBearer', () => {
  test('takes the scheme in any case', () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      expect(parseBearer(`${scheme} ${apiKey}`)).toBe(apiKey);
    }
  });

  test.each([
    ['nothing', null],
    ['an empty header', ''],
    ['the scheme alone', 'Bearer'],
    ['no key', 'Bearer '],
    ['a key alone', apiKey],
    ['another scheme', `Basic ${apiKey}`],
    ['two spaces', `Bearer  ${apiKey}`],
    ['a tab', `Bearer\t${apiKey}`],
    ['something behind the key', `Bearer ${apiKey} `],
    ['a line behind the key', `Bearer ${apiKey}\n`],
    ['two headers joined', `Bearer ${apiKey}, Bearer ${apiKey}`],
    ['capital digits', `Bearer bwk_${apiKey.slice(4).toUpperCase()}`],
    ['a key cut short', `Bearer ${apiKey.slice(0, -1)}`],
    ['a secret', `Bearer ${apiSecret}`],
  ])('refuses %s', (_, header) => {
    expect(parseBearer(header)).toBeUndefined();
  });
});

describe('parseSecret', () => {
  test.each([
    ['nothing', null],
    ['an empty header', ''],
    ['a key', apiKey],
    ['two headers joined', `${apiSecret}, ${apiSecret}`],
    ['a secret cut short', apiSecret.slice(0, -1)],
    ['capital digits', `bws_${apiSecret.slice(4).toUpperCase()}`],
  ])('refuses %s', (_, header) => {
    expect(parseSecret(header)).toBeUndefined();
  });
});

test('the checksum finds any one wrong digit, and any two neighbours swapped', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.nat(), (bytes, seed) => {
      const made = generateCredentials((size) => bytes.slice(0, size));
      for (const [text, parse] of [
        [made.apiKey, (key: string) => parseBearer(`Bearer ${key}`)],
        [made.apiSecret, parseSecret],
      ] as const) {
        const place = 4 + (seed % (text.length - 5));
        const [left, right] = [text[place]!, text[place + 1]!];
        const other = left === '0' ? '1' : '0';
        expect(parse(text.slice(0, place) + other + text.slice(place + 1))).toBeUndefined();
        if (left === right) continue;
        const swapped = text.slice(0, place) + right + left + text.slice(place + 2);
        expect(parse(swapped)).toBeUndefined();
      }
    }),
  );
});

describe('verifySecret', () => {
  const other = generateCredentials(randomBytes).apiSecret;

  test('accepts the secret whose hash is stored and no other', () => {
    expect(verifySecret(apiSecret, hashSecret(apiSecret))).toBe(true);
    expect(verifySecret(other, hashSecret(apiSecret))).toBe(false);
  });

  test('accepts nothing for an unknown key', () => {
    expect(verifySecret(apiSecret, undefined)).toBe(false);
  });

  test('stores SHA-256, in bytes of its own each time', async () => {
    const expected = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(apiSecret));
    const first = hashSecret(apiSecret);
    hashSecret(other);
    expect(first).toEqual(new Uint8Array(expected));
  });

  test('throws for a stored hash that cannot be one', () => {
    expect(() => verifySecret(apiSecret, new Uint8Array(31))).toThrow();
  });
});
