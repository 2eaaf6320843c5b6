import { expect, test } from 'bun:test';
import { explorersSchema } from './explorers.ts';

const BITCOIN = 'https://explorer.example/tx/{transaction}';

test('each network has its own explorer', () => {
  const given = `bitcoin=${BITCOIN}, ton=https://ton.example/?tx={transaction}#top`;
  expect([...explorersSchema.parse(given)]).toEqual([
    ['bitcoin', BITCOIN],
    ['ton', 'https://ton.example/?tx={transaction}#top'],
  ]);
  expect(explorersSchema.parse('').size).toBe(0);
});

test.each([
  ['plain HTTP', 'bitcoin=http://explorer.example/tx/{transaction}'],
  ['a script', 'bitcoin=javascript:alert({transaction})'],
  ['no place for the transaction', 'bitcoin=https://explorer.example/tx/'],
  ['two places', 'bitcoin=https://explorer.example/{transaction}/{transaction}'],
  ['the transaction as the host', 'bitcoin=https://{transaction}.example/'],
  ['a host that the transaction continues', 'bitcoin=https://explorer.example{transaction}'],
  ['the transaction as the port', 'bitcoin=https://explorer.example:{transaction}/'],
  ['a password', 'bitcoin=https://user:word@explorer.example/tx/{transaction}'],
  ['no network', BITCOIN],
  ['a name that no network has', `Bitcoin=${BITCOIN}`],
  ['a network twice', `bitcoin=${BITCOIN},bitcoin=${BITCOIN}`],
])('%s is rejected', (_, given) => {
  expect(explorersSchema.safeParse(given).success).toBe(false);
});
