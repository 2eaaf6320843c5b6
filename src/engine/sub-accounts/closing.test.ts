import { describe, expect, test } from 'bun:test';
import {
  CommandList,
  limitOrder,
  OTHER,
  stopOrder,
  TRADER,
} from '../../../test/recorded/command-list.ts';
import { network, USER, Venue } from '../../testing/custody-venue.ts';
import { auditState } from '../audit/audit.ts';
import { CommandKind, SYSTEM_ACTOR } from '../command.ts';
import { MAX_CLOSED_SUB_ACCOUNTS, MAX_SUB_ACCOUNTS } from '../limits.ts';
import { RejectionCode } from '../rejection.ts';
import { readSnapshot, writeSnapshot } from '../snapshot/snapshot.ts';
import { NONE, Permission, Side } from '../terms.ts';

/** The money that an order of 10 steps holds. */
const FUNDS = 100_000;

/** An exchange in which the trader has the sub-account `sub-1`. */
function begin() {
  const list = new CommandList();
  list.begin();
  const actor = { account: TRADER.account, key: NONE };
  const create = (name: string) =>
    ({
      kind: CommandKind.createSubAccount,
      ...actor,
      accountId: `id-${name.replaceAll(' ', '-')}`,
      name,
    }) as const;
  list.accept(create('bot'));
  const { state } = list.exchange;
  const find = (name: string) => state.accountsById.get(`id-${name}`)!.index;
  const sub = find('bot');
  const close = (owner = sub, isClosed = true) =>
    ({ kind: CommandKind.closeSubAccount, ...actor, owner, isClosed }) as const;
  const terms = { asset: 0, amount: 5, clientId: null };
  const move = (from: number, to: number, more: { amount?: number; account?: number } = {}) =>
    ({ kind: CommandKind.internalTransfer, ...actor, from, to, ...terms, ...more }) as const;
  const key = (apiKey: string, owner = sub, permissions: number = Permission.trade) =>
    ({
      ...{ kind: CommandKind.createKey, ...SYSTEM_ACTOR, owner, apiKey, permissions },
      ...{ secretHash: new Uint8Array(32), label: '', addresses: [], expiresAt: 0 },
    }) as const;
  return { list, state, actor, create, find, sub, close, move, key };
}

describe('a sub-account cannot be closed', () => {
  test('with a balance, available or on hold', () => {
    const { list, state, sub, close, move } = begin();
    list.accept(move(TRADER.account, sub, { amount: 5_000_000 }));
    const inUse = { code: RejectionCode.subAccountInUse, asset: 0 };
    expect(list.add(close())).toMatchObject({ ...inUse, rule: 'balance', available: 5_000_000 });
    list.accept(limitOrder({ account: sub, key: NONE, side: Side.sell, price: 20_000 }));
    expect(list.add(close())).toMatchObject({ rule: 'openOrders' });
    const { digest } = state;
    list.reject(close(), RejectionCode.subAccountInUse);
    expect([state.digest, state.accounts[sub]!.isClosed]).toEqual([digest, false]);
  });

  test('with an order that holds everything, or is pending its trigger', () => {
    const { list, sub, close, move } = begin();
    list.accept(move(TRADER.account, sub, { amount: FUNDS }));
    const terms = { account: sub, key: NONE, side: Side.sell, triggerPrice: 9_000, amount: 10 };
    const outcome = list.accept(stopOrder(terms));
    expect(list.add(close())).toMatchObject({ rule: 'openOrders' });
    const orderId = outcome.kind === 'order' ? outcome.order.id : 0;
    list.accept({ kind: CommandKind.cancelOrder, account: sub, key: NONE, orderId });
    expect(list.add(close())).toMatchObject({ rule: 'balance', available: FUNDS });
    list.accept(move(sub, TRADER.account, { amount: FUNDS }));
    list.accept(close());
  });

  test('while it is frozen, by others, or by a key without the permission', () => {
    const { list, sub, close } = begin();
    const status = { kind: CommandKind.setAccountStatus, ...SYSTEM_ACTOR, owner: sub } as const;
    list.accept({ ...status, frozen: true });
    list.reject(close(), RejectionCode.accountFrozen);
    list.accept({ ...status, frozen: false });
    list.reject({ ...close(), account: OTHER.account }, RejectionCode.unknownSubAccount);
    list.reject({ ...close(), account: sub }, RejectionCode.mainAccountOnly);
    list.reject(close(TRADER.account), RejectionCode.unknownSubAccount);
    list.reject({ ...close(), ...TRADER }, RejectionCode.insufficientPermissions);
    list.accept(close());
  });

  test('if its key is the last that operates the exchange', () => {
    const { list, state, sub, close, key } = begin();
    for (const apiKey of ['a', 'b']) list.accept(key(apiKey, sub, Permission.operate));
    list.accept({ kind: CommandKind.revokeKey, ...SYSTEM_ACTOR, apiKey: 'key-0' });
    list.reject(close(), RejectionCode.invalidRules);
    expect(state.keysByApiKey.get('a')!.revokedAt).toBe(0);
    list.accept(key('other', OTHER.account, Permission.operate));
    list.accept(close());
  });
});

describe('a deposit', () => {
  /** A venue whose user has a sub-account with a deposit address. */
  function openVenue() {
    const venue = new Venue();
    const actor = { account: USER, key: NONE };
    venue.do({ kind: CommandKind.createSubAccount, ...actor, accountId: 'sub', name: 'bot' });
    const owner = venue.exchange.state.accountsById.get('sub')!.index;
    const place = { owner, network: 0, address: 'ofSub', memo: '' };
    venue.do({ kind: CommandKind.assignAddress, ...SYSTEM_ACTOR, keyNumber: 0, ...place });
    const close = (isClosed = true) =>
      venue.do({ kind: CommandKind.closeSubAccount, ...actor, owner, isClosed });
    const report = (confirmations: number, terms: object = {}) =>
      venue.report(confirmations, { address: 'ofSub', ...terms });
    return { venue, actor, owner, close, report, account: venue.exchange.state.accounts[owner]! };
  }

  test('in progress prevents closing', () => {
    const { close, report, account } = openVenue();
    report(2);
    expect(close()).toMatchObject({ code: RejectionCode.subAccountInUse, rule: 'deposits' });
    report(0, { reorganized: true });
    expect(close()).toMatchObject({ kind: 'account' });
    expect(account.isClosed).toBe(true);
  });

  test('that arrives after closing is credited, and its money can leave', () => {
    const { venue, actor, owner, close, report, account } = openVenue();
    close();
    report(3);
    expect(account.available(0)).toBe(10_000);
    const back = { from: owner, to: USER, asset: 0, amount: 10_000, clientId: null };
    const moved = venue.do({ kind: CommandKind.internalTransfer, ...actor, ...back });
    expect(moved).toMatchObject({ kind: 'internalTransfer', created: true });
    const adjustment = { owner, asset: 0, amount: 7, reference: 'late', reason: '' };
    venue.do({ kind: CommandKind.transfer, ...SYSTEM_ACTOR, ...adjustment });
    expect([account.available(0), account.isClosed]).toEqual([7, true]);
    venue.do(network);
    expect(close(false)).toMatchObject({ kind: 'account' });
    expect([account.available(0), account.isClosed]).toEqual([7, false]);
  });

  test('to a closed sub-account is possible only at the addresses that it has or was promised', () => {
    const { venue, owner, close } = openVenue();
    for (const name of ['lightning', 'liquid']) venue.do({ ...network, name });
    const ask = (id: number) =>
      venue.do({ kind: CommandKind.requestAddress, account: owner, key: NONE, network: id });
    const promised = { kind: 'depositAddress', address: null } as const;
    expect(ask(1)).toEqual(promised);
    close();
    expect(ask(0)).toMatchObject({ address: { address: 'ofSub' } });
    expect(ask(1)).toEqual(promised);
    const { digest } = venue.exchange.state;
    expect(ask(2)).toMatchObject({ code: RejectionCode.accountClosed });
    expect(venue.exchange.state.digest).toBe(digest);
    close(false);
    expect(ask(2)).toEqual(promised);
  });
});

test('a closed sub-account has no keys, places no orders and receives no transfers', () => {
  const { list, state, actor, sub, close, move, key } = begin();
  list.accept(key('of-sub'));
  const { keyRestrictions } = state;
  list.accept(close());
  expect(state.keysByApiKey.get('of-sub')!.revokedAt).toBe(list.time);
  expect(state.keyRestrictions).toBe(keyRestrictions + 1);
  list.reject(key('another'), RejectionCode.accountClosed);
  list.reject(limitOrder({ account: sub, key: NONE }), RejectionCode.accountClosed);
  list.reject(move(TRADER.account, sub), RejectionCode.destinationUnavailable);
  const byOther = { ...move(OTHER.account, sub), account: OTHER.account };
  list.reject(byOther, RejectionCode.destinationUnavailable);
  const name = {
    kind: CommandKind.createSubAccount,
    ...actor,
    accountId: 'x',
    name: 'bot',
  } as const;
  expect(list.accept(name)).toMatchObject({ created: false, account: { index: sub } });
  auditState(state);
  list.accept(close(sub, false));
  list.accept(key('another'));
  list.accept(move(TRADER.account, sub, { amount: FUNDS }));
  list.accept(limitOrder({ account: sub, key: NONE, side: Side.sell, price: 20_000 }));
  auditState(state);
});

test('a repeated order of a closed sub-account gets the order it placed', () => {
  const { list, sub, close, move } = begin();
  list.accept(move(TRADER.account, sub, { amount: FUNDS }));
  const order = limitOrder({ account: sub, key: NONE, side: Side.sell, clientOrderId: 'a' });
  const outcome = list.accept({ ...order, price: 20_000 });
  const orderId = outcome.kind === 'order' ? outcome.order.id : 0;
  list.accept({ kind: CommandKind.cancelOrder, account: sub, key: NONE, orderId });
  list.accept(move(sub, TRADER.account, { amount: FUNDS }));
  list.accept(close());
  expect(list.accept({ ...order, price: 20_000 })).toMatchObject({ kind: 'repeated', orderId });
  list.reject({ ...order, clientOrderId: 'b' }, RejectionCode.accountClosed);
});

test('closing or reopening twice changes nothing', () => {
  const { list, state, sub, close } = begin();
  const fresh = state.digest;
  expect(list.accept(close(sub, false))).toMatchObject({ kind: 'account', created: false });
  expect(state.digest).toBe(fresh);
  list.accept(close());
  const closed = state.digest;
  expect(closed).not.toBe(fresh);
  list.accept(close());
  expect(state.digest).toBe(closed);
  list.accept(close(sub, false));
  expect(state.digest).toBe(fresh);
});

test('the limit counts open sub-accounts, and reopening counts again', () => {
  const { list, create, find, close } = begin();
  for (let index = 1; index < MAX_SUB_ACCOUNTS; index++) list.accept(create(`${index}`));
  list.reject(create('one more'), RejectionCode.limitReached);
  list.accept(close());
  list.accept(create('one more'));
  list.reject(create('two more'), RejectionCode.limitReached);
  list.reject(close(find('bot'), false), RejectionCode.limitReached);
  list.accept(close(find('1')));
  list.accept(close(find('bot'), false));
});

test('the number of closed sub-accounts is limited', () => {
  const { list, create, find, close } = begin();
  for (let index = 0; index < MAX_CLOSED_SUB_ACCOUNTS; index++) {
    list.accept(create(`${index}`));
    list.accept(close(find(`${index}`)));
  }
  expect(list.add(close())).toMatchObject({
    code: RejectionCode.limitReached,
    rule: 'closedSubAccounts',
  });
  list.accept(close(find('0'), false));
  list.accept(close());
});

test('closed sub-accounts are in snapshots, which have no part for them before', () => {
  const { list, create, find, close, sub } = begin();
  list.accept(create('other'));
  const before = writeSnapshot(list.exchange);
  for (const owner of [find('other'), sub]) list.accept(close(owner));
  const bytes = writeSnapshot(list.exchange);
  const { state } = readSnapshot(bytes);
  expect(state.digest).toBe(list.exchange.state.digest);
  expect(state.accounts.map(({ isClosed }) => isClosed).slice(-2)).toEqual([true, true]);
  auditState(state);
  expect(writeSnapshot(readSnapshot(bytes))).toEqual(bytes);
  for (const owner of [sub, find('other')]) list.accept(close(owner, false));
  expect(writeSnapshot(list.exchange).length).toBe(before.length);
});
