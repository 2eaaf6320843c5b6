import { expect, test } from 'bun:test';
import { Big } from 'big.js';
import fc from 'fast-check';
import { parseExpression } from './expression.ts';

const KNOWN = {
  accounts: ['bot', 'bot.two', 'a-b'],
  symbols: ['BTC/USDT'],
  assets: ['BTC', 'USDT'],
};
const VALUES: Readonly<Record<string, string>> = {
  'bot.BTC': '0.1',
  'bot.USDT.held': '0.2',
  'bot.two.BTC': '7',
  'a-b.BTC': '3',
  'BTC/USDT.last': '118000.01',
};

function evaluate(text: string) {
  const expression = parseExpression(text, KNOWN);
  if ('problem' in expression) throw new Error(expression.problem);
  return expression.evaluate((name) => new Big(VALUES[name]!));
}

test('comparisons are exact', () => {
  expect(evaluate('bot.BTC + bot.USDT.held == 0.3').holds).toBe(true);
  expect(evaluate('bot.BTC * BTC/USDT.last == 11800.001').holds).toBe(true);
  expect(evaluate('bot.two.BTC - a-b.BTC * 2 == 1').holds).toBe(true);
  expect(evaluate('-(bot.BTC - 1) >= 0.9').holds).toBe(true);
  expect(evaluate('bot.BTC > 0.1').holds).toBe(false);
  expect(evaluate('bot.BTC != 0.1').holds).toBe(false);
});

/** A sum of products of whole numbers, as text and as a number that doubles represent exactly. */
const sums = fc.letrec<{ sum: Value; product: Value; value: Value }>((tie) => ({
  sum: fc
    .tuple(tie('product'), fc.constantFrom('+', '-'), tie('product'))
    .map(([one, sign, two]) => ({
      text: `${one.text} ${sign} ${two.text}`,
      value: sign === '+' ? one.value + two.value : one.value - two.value,
    })),
  product: fc
    .tuple(tie('value'), tie('value'))
    .map(([one, two]) => ({ text: `${one.text} * ${two.text}`, value: one.value * two.value })),
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.nat(9).map((value) => ({ text: `${value}`, value })),
    tie('sum').map(({ text, value }) => ({ text: `(${text})`, value })),
    tie('value').map(({ text, value }) => ({ text: `-${text}`, value: -value })),
  ),
})).sum;

interface Value {
  readonly text: string;
  readonly value: number;
}

test('sums and products are computed as in JavaScript', () => {
  fc.assert(
    fc.property(sums, sums, (one, two) => {
      const { left, right, holds } = evaluate(`${one.text} < ${two.text}`);
      // Small whole numbers, which doubles represent exactly; minus zero is zero.
      fc.pre(Math.abs(one.value) < 2 ** 50 && Math.abs(two.value) < 2 ** 50);
      expect(left.eq(one.value)).toBe(true);
      expect(right.eq(two.value)).toBe(true);
      expect(holds).toBe(one.value < two.value);
    }),
  );
});

test.each([
  ['', 'ends too early'],
  ['bot.BTC', 'compares two sums'],
  ['bot.BTC + == 1', 'A value is missing before "=="'],
  ['bot.BTC == 1 2', 'must end before "2"'],
  ['(bot.BTC == 1', 'A ")" is missing'],
  ['bot.BTC / 2 == 1', 'cannot be read from "/ 2 == 1" on'],
  ['1e3 == 1', 'cannot be read'],
  ['bot.BTX == 1', 'Unknown asset "BTX". Did you mean "BTC"?'],
  ['bto.BTC == 1', 'Unknown account or market "bto". Did you mean "bot"?'],
  ['bot.BTC.hold == 1', 'with .available or .held'],
  ['BTC/USDT.lst == 1', 'Write BTC/USDT.last'],
  [`${'('.repeat(100)}1`, 'nested too deeply'],
  ['1 == '.repeat(500), 'may have 1000 characters'],
])('%s is rejected', (text, message) => {
  const parsed = parseExpression(text, KNOWN);
  expect('problem' in parsed ? parsed.problem : '').toContain(message);
});
