import { expect, test } from 'bun:test';
import { estimateStrength } from './strength.ts';

const EMAIL = 'carol.meadow@example.com';

test.each([
  ['', 'empty'],
  ['elevenchars', 'short'],
  ['aaaaaaaaaaaaa', 'guessable'],
  ['1234567890123', 'guessable'],
  ['9876543210987', 'guessable'],
  ['Carol.Meadow99', 'guessable'],
  ['buttonwood123', 'guessable'],
  ['Password123!', 'guessable'],
  ['abcabcabcabc', 'guessable'],
  ['Tr0ub4dor&3xyz', 'fair'],
  ['correct horse battery staple', 'good'],
  ['🌳🌲🌴🌵🌾🌿🍀🍁🍂🍃🌱🌷', 'fair'],
] as const)('%j is %s', (password, strength) => {
  expect(estimateStrength(password, EMAIL)).toBe(strength);
});
