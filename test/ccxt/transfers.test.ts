import { afterAll, beforeAll, expect, test } from 'bun:test';
import { BadRequest, InsufficientFunds, PermissionDenied } from 'ccxt';
import type { buttonwood } from '../../src/client/ccxt/index.ts';
import { Venue } from './venue.ts';

/** Sub-accounts and transfers with the class of CCXT. */

let venue: Venue;
let alice: buttonwood;
let sub: string;

beforeAll(async () => {
  venue = await Venue.open();
  await venue.exchange.addKey('treasurer', 'alice', ['read', 'transfer']);
  alice = venue.bot('treasurer');
  sub = (await alice.createSubAccount('Grid bot')).id!;
  await venue.exchange.addKey('grid', sub, ['read', 'trade']);
});
afterAll(() => venue.close());

test('accounts are those of the group, the main account first', async () => {
  expect((await alice.createSubAccount('Grid bot')).id).toBe(sub);
  const accounts = await alice.fetchAccounts();
  const shown = accounts.map(({ id, type, code, info }) => [id, type, code, info.name]);
  expect(shown).toEqual([
    ['alice', 'main', undefined, null],
    [sub, 'subaccount', undefined, 'Grid bot'],
  ]);
  expect((await venue.bot('grid').fetchAccounts()).map(({ id }) => id)).toEqual([sub]);
});

test('transfers move money once per client id, and are listed oldest first', async () => {
  const before = (await alice.fetchBalance()).USDT!.free!;
  const params = { clientId: 'fund' };
  const sent = await alice.transfer('USDT', 250.5, 'alice', sub, params);
  expect(sent).toMatchObject({
    ...{ currency: 'USDT', amount: 250.5, fromAccount: 'alice', toAccount: sub, status: 'ok' },
  });
  expect(sent.datetime).toBe(alice.iso8601(sent.timestamp!)!);
  expect((await alice.transfer('USDT', 250.5, '', sub, params)).id).toBe(sent.id!);
  expect((await alice.fetchBalance()).USDT!.free).toBe(before - 250.5);
  expect((await venue.bot('grid').fetchBalance()).USDT!.free).toBe(250.5);
  const back = await alice.transfer('USDT', 0.5, sub, 'alice');
  const gift = await alice.transfer('BTC', 0.001, 'alice', 'bob');
  const ids = (list: { id?: string | undefined }[]) => list.map(({ id }) => id);
  expect(ids(await alice.fetchTransfers())).toEqual([sent.id, back.id, gift.id] as never);
  expect(ids(await alice.fetchTransfers('USDT'))).toEqual([sent.id, back.id] as never);
  expect(ids(await alice.fetchTransfers(undefined, undefined, 1))).toHaveLength(1);
  expect(ids(await venue.bot('grid').fetchTransfers())).toEqual([sent.id, back.id] as never);
});

test('what cannot be moved is rejected with an error of CCXT', async () => {
  const grid = venue.bot('grid');
  for (const [call, kind] of [
    [() => alice.transfer('USDT', 1e12, 'alice', sub), InsufficientFunds],
    [() => alice.transfer('USDT', 1, 'alice', 'alice'), BadRequest],
    [() => alice.transfer('USDT', 1, 'bob', 'alice'), BadRequest],
    [() => grid.transfer('USDT', 1, sub, 'alice'), PermissionDenied],
    [() => grid.createSubAccount('another'), PermissionDenied],
  ] as const) {
    await expect(call()).rejects.toBeInstanceOf(kind);
  }
});

test('with options.account a key of another account does nothing, over REST and sockets', async () => {
  const open = (account: string) => venue.bot('grid', { options: { account } });
  const right = open(sub);
  const wrong = open('alice');
  const order = ['BTC/USDT', 'limit', 'buy', 0.001, 1000] as const;
  expect((await right.createOrder(...order)).status).toBe('open');
  expect((await right.createOrderWs(...order)).status).toBe('open');
  expect(await right.watchBalance()).toBeDefined();
  await expect(wrong.createOrder(...order)).rejects.toBeInstanceOf(PermissionDenied);
  await expect(wrong.fetchBalance()).rejects.toBeInstanceOf(PermissionDenied);
  await expect(wrong.createOrderWs(...order)).rejects.toBeInstanceOf(PermissionDenied);
  await expect(wrong.watchBalance()).rejects.toBeInstanceOf(PermissionDenied);
  expect(await right.fetchOpenOrders()).toHaveLength(2);
});
