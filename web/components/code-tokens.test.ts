import { expect, test } from 'bun:test';
import { SNIPPETS } from '../bots/snippets.ts';
import { readTokens } from './code-tokens.ts';

const kinds = (text: string) =>
  readTokens(text)
    .filter(({ kind }) => kind !== undefined)
    .map((token) => [token.kind, token.text]);

test('keys, strings, numbers, keywords and comments are found', () => {
  expect(kinds('{ "price": 117000, "side": "buy", "ids": null }')).toEqual([
    ['key', '"price"'],
    ['number', '117000'],
    ['key', '"side"'],
    ['string', '"buy"'],
    ['key', '"ids"'],
    ['number', 'null'],
  ]);
  expect(kinds("const data = await client.from('a'); // The first")).toEqual([
    ['keyword', 'const'],
    ['keyword', 'await'],
    ['string', "'a'"],
    ['comment', '// The first'],
  ]);
});

test('addresses and names have no numbers, keywords or comments', () => {
  expect(kinds('curl -X POST http://localhost:8080/api/v3/orders --new sha256')).toEqual([]);
});

test.each(SNIPPETS)('the tokens of $title are its text', ({ toText }) => {
  const text = toText({ origin: 'http://localhost', apiKey: 'bwk_1' });
  const tokens = readTokens(text);
  expect(tokens.map((token) => token.text).join('')).toBe(text);
  expect(tokens.length).toBeGreaterThan(5);
});
