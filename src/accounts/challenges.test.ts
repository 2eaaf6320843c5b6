import { expect, test } from 'bun:test';
import { Challenges } from './challenges.ts';

const START_MS = Date.UTC(2026, 0, 5, 12);
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

test('a challenge is good once, for its subject, for five minutes, whoever else asks', () => {
  let now = START_MS;
  const challenges = new Challenges(() => now);
  const first = text(challenges.make('carol'));
  const second = text(challenges.make('carol'));
  for (let count = 0; count < 20_000; count++) challenges.make('');
  expect(challenges.isGood(first, '')).toBe(false);
  expect(challenges.use(first, 'dora')).toBe(false);
  expect(challenges.use(first, 'carol')).toBe(true);
  expect(challenges.isGood(first, 'carol')).toBe(false);
  expect(challenges.use(first, 'carol')).toBe(false);
  now += 5 * 60_000 - 1;
  expect(challenges.isGood(second, 'carol')).toBe(true);
  now++;
  expect(challenges.use(second, 'carol')).toBe(false);
});

test('what was changed, cut or made elsewhere is not good', () => {
  const challenges = new Challenges(() => START_MS);
  const bytes = challenges.make('');
  for (let place = 0; place < bytes.length; place++) {
    const changed = bytes.with(place, bytes[place]! ^ 1);
    expect(challenges.isGood(text(changed), '')).toBe(false);
  }
  expect(challenges.isGood(text(bytes.subarray(1)), '')).toBe(false);
  expect(challenges.isGood('', '')).toBe(false);
  expect(challenges.isGood(text(new Challenges(() => START_MS).make('')), '')).toBe(false);
  expect(challenges.isGood(text(bytes), '')).toBe(true);
});
