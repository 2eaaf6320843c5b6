import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExchangeKey } from '../../src/gateway/custody/exchange-key.ts';
import { Custodian } from './custodian.ts';
import { Faults } from './faults.ts';
import { createCustodianServer } from './server.ts';
import { ExchangeSignatures } from './signature.ts';
import { Store } from './store.ts';
import { holdings } from './wallets.ts';

/** Instructions that the exchange repeats, and those of an exchange that was restored from a backup. */

const directory = mkdtempSync(join(tmpdir(), 'buttonwood-test-'));
const key = new ExchangeKey(new Uint8Array(32).fill(1));
const nextKey = new ExchangeKey(new Uint8Array(32).fill(2));
const custodian = new Custodian(new Store(directory));
const server = createCustodianServer({
  custodian,
  faults: new Faults(),
  signatures: new ExchangeSignatures([key.publicKey, nextKey.publicKey]),
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/instructions`);
afterAll(() => {
  server.close();
  rmSync(directory, { recursive: true });
});

const WITHDRAWAL = {
  ...{ id: 13, type: 'withdrawal', account: 'alice', asset: 'BTC', network: 'bitcoin' },
  ...{ withdrawal: 9, address: 'bc1qtheirs', memo: null, amount: 0.2, fee: 0.0001 },
  createdAt: '2026-01-05T12:00:00.000Z',
};

/** Sends an instruction as the exchange does. @returns The status of the response */
async function instruct(content: object, signer = key): Promise<number> {
  const body = JSON.stringify(content);
  const headers = signer.signPost(url, Date.now(), body);
  return (await fetch(url, { method: 'POST', headers, body })).status;
}

/** Returns the amounts that were sent. */
function payments(): string[] {
  const { transactions } = custodian.chain('bitcoin');
  return [...transactions].flatMap((each) => each.payments.map(({ amount }) => amount));
}

test('a repeated instruction is accepted again and carried out once', async () => {
  for (let attempt = 0; attempt < 3; attempt++) expect(await instruct(WITHDRAWAL)).toBe(200);
  expect(payments()).toEqual(['0.2']);
});

test('both keys of the exchange are accepted during a rotation, and no other', async () => {
  expect(await instruct(WITHDRAWAL, nextKey)).toBe(200);
  const forger = new ExchangeKey(new Uint8Array(32).fill(3));
  expect(await instruct({ ...WITHDRAWAL, id: 14 }, forger)).toBe(401);
  expect(payments()).toEqual(['0.2']);
});

test.each([
  ['amount', { amount: 0.3 }],
  ['address', { address: 'bc1qother' }],
  ['withdrawal', { withdrawal: 10 }],
  ['time', { createdAt: '2026-01-06T12:00:00.000Z' }],
  ['type', { type: 'address' }],
])('an id that was used with another %s is rejected, and changes nothing', async (_, change) => {
  const before = JSON.stringify(custodian.saved);
  expect(await instruct({ ...WITHDRAWAL, ...change })).toBe(409);
  expect(JSON.stringify(custodian.saved)).toBe(before);
  const stored = new Store(directory).load(() => {
    throw new Error('nothing was saved');
  });
  expect(JSON.stringify(stored)).toBe(before);
  expect(payments()).toEqual(['0.2']);
});

test('a wallet has its reserve and what blocks brought, less what was sent', () => {
  const payment = (id: string, address: string, amount: string, terms: object = {}) => ({
    ...{ id, network: 'bitcoin', asset: 'BTC', payments: [{ address, memo: '', amount }] },
    ...{ block: 101, wasReorganized: false, isDropped: false, ...terms },
  });
  const transactions = [
    payment('in', 'own', '0.123456789012345678'),
    payment('elsewhere', 'theirs', '7'),
    payment('waits', 'own', '4', { block: null }),
    payment('dropped', 'own', '8', { isDropped: true }),
    payment('other asset', 'own', '16', { asset: 'USDT' }),
    payment('sent', 'theirs', '2.5', { block: null }),
    payment('sent to ourselves', 'own', '1'),
  ];
  const owner = {
    isOwn: (address: string) => address === 'own',
    isSent: (id: string) => id.startsWith('sent'),
  };
  const wallet = { asset: 'BTC', reserve: '10' };
  expect(holdings(wallet, transactions, owner)).toBe('7.623456789012345678');
  expect(holdings({ asset: 'ETH', reserve: '0' }, transactions, owner)).toBe('0');
});
