import { expect, test } from 'bun:test';
import {
  CommandList,
  limitOrder,
  OTHER,
  THIRD,
  TRADER,
} from '../../../test/recorded/command-list.ts';
import { CommandKind } from '../command.ts';
import {
  INTERNAL_TRANSFER_MEMORY_MS,
  MAX_INTERNAL_TRANSFERS,
  MAX_OPEN_ORDERS_PER_ACCOUNT,
  MAX_SUB_ACCOUNTS,
} from '../limits.ts';
import { sum } from '../numbers/exact.ts';
import { RejectionCode } from '../rejection.ts';
import { NONE, OrderStatus, SelfTradePrevention, Side } from '../terms.ts';

/** An exchange in which the trader has the sub-account `sub-1`. */
function begin() {
  const list = new CommandList();
  list.begin();
  const actor = { account: TRADER.account, key: NONE };
  const create = (name: string, accountId = `id-${name}`) =>
    ({ kind: CommandKind.createSubAccount, ...actor, accountId, name }) as const;
  list.accept(create('Grid bot', 'sub-1'));
  const { state } = list.exchange;
  const sub = state.accountsById.get('sub-1')!.index;
  const terms = { asset: 0, amount: 5, clientId: null as string | null };
  const move = (from: number, to: number, more: Partial<typeof terms> = {}) =>
    ({ kind: CommandKind.internalTransfer, ...actor, from, to, ...terms, ...more }) as const;
  const available = (account: number) => state.accounts[account]!.available(0);
  return { list, state, actor, create, sub, move, available };
}

test('a sub-account cannot open sub-accounts or take over an account', () => {
  const { list, create, sub } = begin();
  list.reject({ ...create('a'), account: sub }, RejectionCode.mainAccountOnly);
  const other = list.exchange.state.accounts[OTHER.account]!;
  list.reject(create('a', other.id), RejectionCode.alreadyExists);
  expect(other.main).toBeUndefined();
  for (let index = 1; index < MAX_SUB_ACCOUNTS; index++)
    list.accept(create(`bot ${index}`, `id-${index}`));
  list.reject(create('one more'), RejectionCode.limitReached);
  expect(list.accept(create('Grid bot', 'another'))).toMatchObject({ created: false });
});

test('a key needs the permission to transfer', () => {
  const { list, move, sub } = begin();
  const byKey = { ...move(TRADER.account, sub), key: TRADER.key };
  list.reject(byKey, RejectionCode.insufficientPermissions);
});

test('transfers leave only accounts of the group', () => {
  const { list, move, sub, actor, available } = begin();
  const before = available(OTHER.account);
  list.reject(move(OTHER.account, TRADER.account), RejectionCode.unknownSubAccount);
  list.accept(move(TRADER.account, sub));
  const bySub = { ...move(TRADER.account, sub), account: sub };
  list.reject(bySub, RejectionCode.unknownSubAccount);
  list.reject(move(sub, sub), RejectionCode.sameAccount);
  list.reject(move(sub, 99), RejectionCode.unknownAccount);
  for (const amount of [0, -1]) {
    list.reject(move(sub, OTHER.account, { amount }), RejectionCode.amountOutOfBounds);
  }
  list.reject(move(sub, OTHER.account, { amount: 6 }), RejectionCode.insufficientBalance);
  list.accept({ ...move(sub, OTHER.account, { amount: 5 }), ...actor });
  expect(available(OTHER.account)).toBe(sum(before, 5));
  expect(available(sub)).toBe(0);
});

test('a client id moves money once, for 25 hours', () => {
  const { list, move, sub, available } = begin();
  const first = move(TRADER.account, sub, { clientId: 'a' });
  expect(list.accept(first)).toMatchObject({ created: true });
  expect(list.accept(first)).toMatchObject({ created: false, transfer: { id: 1 } });
  list.reject({ ...first, amount: 4 }, RejectionCode.duplicateReference);
  expect(available(sub)).toBe(5);
  list.tick(INTERNAL_TRANSFER_MEMORY_MS - 1);
  expect(list.accept(first)).toMatchObject({ created: false });
  list.tick(1);
  expect(list.accept(first)).toMatchObject({ created: true });
  expect(list.exchange.state.parts.subAccounts.countTransfers(TRADER.account)).toBe(1);
});

test('a group makes a bounded number of transfers', () => {
  const { list, move, sub } = begin();
  const { perGroup } = MAX_INTERNAL_TRANSFERS;
  MAX_INTERNAL_TRANSFERS.perGroup = 2;
  try {
    list.accept(move(TRADER.account, sub));
    list.accept(move(sub, TRADER.account, { amount: 1 }));
    list.reject(move(TRADER.account, sub), RejectionCode.limitReached);
  } finally {
    MAX_INTERNAL_TRANSFERS.perGroup = perGroup;
  }
});

test('each account of a group has its own number of open orders', () => {
  const { list, sub, move, state } = begin();
  list.accept(move(TRADER.account, sub, { amount: 1_000_000 }));
  const cheap = { price: 1000, amount: 1 };
  const ofSub = { ...cheap, account: sub, key: NONE };
  while (state.accounts[TRADER.account]!.openOrders < MAX_OPEN_ORDERS_PER_ACCOUNT) {
    list.accept(limitOrder(cheap));
  }
  list.reject(limitOrder(cheap), RejectionCode.tooManyOpenOrders);
  list.accept(limitOrder({ ...ofSub, side: Side.sell, price: 20_000 }));
  expect(state.accounts[sub]!.openOrders).toBe(1);
});

test('a frozen main account freezes its sub-accounts, and receives nothing', () => {
  const { list, state, move, sub } = begin();
  list.accept(move(TRADER.account, sub));
  const freeze = { kind: CommandKind.setAccountStatus, account: NONE, key: NONE, frozen: true };
  list.accept({ ...freeze, owner: OTHER.account } as const);
  list.reject(move(sub, OTHER.account), RejectionCode.destinationUnavailable);
  list.accept({ ...freeze, owner: TRADER.account } as const);
  list.reject(move(sub, THIRD.account), RejectionCode.accountFrozen);
  list.reject(limitOrder({ account: sub, key: NONE }), RejectionCode.accountFrozen);
  expect(state.accounts[sub]!.frozen).toBe(false);
});

const modes = Object.entries(SelfTradePrevention);
test.each(modes)('accounts of a group do not trade with each other: %s', (_, mode) => {
  const { list, sub, actor, move } = begin();
  list.accept(move(TRADER.account, sub, { amount: 1_000_000 }));
  const terms = { price: 10_000, amount: 10, selfTradePrevention: mode };
  list.accept(limitOrder({ ...terms, ...actor, side: Side.buy }));
  list.accept(limitOrder({ ...terms, account: sub, key: NONE, side: Side.sell }));
  expect(list.exchange.events.filter(({ kind }) => kind === 'trade')).toEqual([]);
  const fromOther = list.accept(limitOrder({ ...terms, ...THIRD, side: Side.sell }));
  const isFilled = mode === SelfTradePrevention.expireTaker;
  const status = isFilled ? OrderStatus.filled : OrderStatus.open;
  expect(fromOther).toMatchObject({ kind: 'order', order: { status } });
});

test('no one approves their own request with a sub-account', () => {
  const { list, sub } = begin();
  const user = '';
  const asker = { account: TRADER.account, key: NONE };
  const command = {
    kind: CommandKind.setApprovalPolicy,
    ...asker,
    actions: 31,
    limits: [],
  } as const;
  list.accept({ kind: CommandKind.requestApproval, ...asker, user, reason: 'split', command });
  const approve = { kind: CommandKind.approve, id: 1, user, key: NONE } as const;
  list.reject({ ...approve, account: sub }, RejectionCode.ownApproval);
  list.accept({ ...approve, account: OTHER.account });
});
