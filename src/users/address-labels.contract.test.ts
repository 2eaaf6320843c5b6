import { describe, expect, test } from 'bun:test';
import { DATABASES } from '../testing/test-users.ts';
import { usersOfEachTest } from '../testing/users-of-each-test.ts';
import type { BookAddress } from './address-labels.ts';
import { EXCHANGE_ACTOR } from './user-events.ts';

/** Names of withdrawal addresses, on every supported database. */

const COLD = { asset: 'BTC', network: 'bitcoin', address: 'bc1qcold', memo: '' };
const ACTOR = { by: 'carol@example.com', address: '192.0.2.1' };

describe.each(DATABASES)('on %s', (_, url) => {
  const test_ = usersOfEachTest(url);

  const name = (accountId: string, entry: BookAddress, label: string) =>
    test_.users.addressLabels.set(accountId, { id: 7, ...entry }, label, undefined, ACTOR);
  const list = async (accountId: string) =>
    (await test_.users.addressLabels.list(accountId)).map(({ memo, label }) => [memo, label]);

  test('an address has one name per account, network and memo', async () => {
    const withMemo = { ...COLD, memo: '104' };
    await name('alice', COLD, 'Ledger');
    await name('alice', withMemo, 'Exchange');
    await name('bob', COLD, 'Cold wallet');
    await name('alice', COLD, 'Ledger “2”');
    expect(new Set(await list('alice'))).toEqual(
      new Set([
        ['', 'Ledger “2”'],
        ['104', 'Exchange'],
      ]),
    );
    const [first] = await test_.users.addressLabels.list('bob');
    expect(first).toEqual({ ...COLD, label: 'Cold wallet' });
    await name('alice', withMemo, '');
    expect(await list('alice')).toEqual([['', 'Ledger “2”']]);
    await test_.users.addressLabels.remove('alice', [COLD, withMemo]);
    expect(await list('alice')).toEqual([]);
    expect(await list('bob')).toEqual([['', 'Cold wallet']]);
  });

  test('the audit has the id of the address, and not its name', async () => {
    const carol = await test_.addUser('carol@example.com');
    const entry = { id: 12, ...COLD };
    await test_.users.addressLabels.set(carol.accountId, entry, 'Ledger', carol, ACTOR);
    await name(carol.accountId, COLD, 'Trezor');
    const [byKey, byUser] = await test_.users.events.listBefore(99, 2, carol.accountId);
    expect(byUser).toMatchObject({
      ...{ action: 'address_named', details: '12', userId: carol.id, email: carol.email },
      ...ACTOR,
    });
    expect(byKey).toMatchObject({ action: 'address_named', details: '7', userId: '', email: '' });
  });

  test('names are deleted with the last user of their account', async () => {
    const carol = await test_.addUser('carol@example.com');
    const { accountId } = carol;
    const { store } = test_.users;
    const second = { id: 'p2', email: 'dave@example.com', name: 'Dave', permissions: 1 };
    await store.add({ ...second, accountId, password: '', createdAt: 1 });
    await name(accountId, COLD, 'Ledger');
    await name('bot', COLD, 'Treasury');
    await test_.users.remove(accountId, carol.email, EXCHANGE_ACTOR);
    expect(await list(accountId)).toEqual([['', 'Ledger']]);
    await test_.users.remove(accountId, second.email, EXCHANGE_ACTOR);
    expect(await list(accountId)).toEqual([]);
    expect(await list('bot')).toEqual([['', 'Treasury']]);
  });
});
