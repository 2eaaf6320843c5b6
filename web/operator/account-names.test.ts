import { expect, test } from 'bun:test';
import { nameAccount } from './account-names.ts';

const GENERATED = `p${'0f'.repeat(12)}`;
const SUB = `sub_${'1e'.repeat(12)}`;
const arbitrage = { accountId: SUB, name: 'Arbitrage', ownerName: 'Alice Miller' };

test('a sub-account has the id of its owner and its name', () => {
  expect(nameAccount(SUB, [{ ...arbitrage, main: 'alice' }])).toBe('alice / Arbitrage');
});

test('the name of the owner replaces a generated id', () => {
  const owner = { accountId: GENERATED, main: null, name: null };
  expect(nameAccount(GENERATED, [{ ...owner, ownerName: 'Alice Miller' }])).toBe('Alice Miller');
  expect(nameAccount(GENERATED, [{ ...owner, ownerName: null }])).toBe(GENERATED);
  expect(nameAccount(SUB, [{ ...arbitrage, main: GENERATED }])).toBe('Alice Miller / Arbitrage');
});

test('an account keeps an id that was chosen, or is not known', () => {
  const alice = { accountId: 'alice', main: null, name: null, ownerName: 'Alice Miller' };
  expect(nameAccount('alice', [alice])).toBe('alice');
  expect(nameAccount(SUB, [alice])).toBe(SUB);
});
