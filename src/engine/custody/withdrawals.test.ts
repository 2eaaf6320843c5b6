import { describe, expect, test } from 'bun:test';
import { code, network, USER, Venue } from '../../testing/custody-venue.ts';
import { auditState } from '../audit/audit.ts';
import { type Command, CommandKind, SYSTEM_ACTOR } from '../command.ts';
import type { Exchange } from '../exchange.ts';
import { MAX_REMEMBERED, WITHDRAWAL_MEMORY_MS } from '../limits.ts';
import { RejectionCode } from '../rejection.ts';
import { readSnapshot, writeSnapshot } from '../snapshot/snapshot.ts';
import { NONE } from '../terms.ts';
import { Resolution, WithdrawalStatus } from './statuses.ts';

describe('a withdrawal', () => {
  test('is approved by rule, sent, and debited when it is confirmed', () => {
    const venue = new Venue();
    const { id, status, instruction } = venue.withdraw(venue.prepare());
    expect(status).toBe(WithdrawalStatus.approved);
    expect(venue.balance).toEqual({ available: 1_979_900, held: 20_100 });
    expect([...venue.store.outbox.keys()]).toEqual([instruction]);
    const acknowledge = { kind: CommandKind.acknowledgeInstruction, ...SYSTEM_ACTOR, instruction };
    venue.do(acknowledge as Command);
    venue.do(acknowledge as Command);
    expect(venue.store.outbox.size).toBe(0);
    venue.reach(id, WithdrawalStatus.broadcast, 1);
    venue.reach(id, WithdrawalStatus.confirmed, 2);
    expect(venue.balance).toEqual({ available: 1_979_900, held: 0 });
    expect(venue.exchange.state.ledger.fees[0]).toBe(100);
    expect(venue.exchange.state.ledger.external[0]).toBe(-1_980_000);
    expect(code(venue.reach(id, WithdrawalStatus.failed, 3))).toBe(RejectionCode.withdrawalEnded);
  });

  test('above the amount of the rule needs two operators, neither of them its account', () => {
    const venue = new Venue();
    const { id } = venue.withdraw(venue.prepare(), { amount: 60_000 });
    expect(code(venue.approve(id, USER))).toBe(RejectionCode.approverNotAllowed);
    expect(code(venue.approve(id, NONE))).toBe(RejectionCode.approverNotAllowed);
    expect(code(venue.approve(id, 0))).toBe('withdrawal');
    expect(code(venue.approve(id, 0))).toBe(RejectionCode.approverNotAllowed);
    expect(venue.store.outbox.size).toBe(0);
    venue.approve(id, 1);
    expect(venue.store.withdrawals.get(id)!.status).toBe(WithdrawalStatus.approved);
  });

  test('from a new device that waits a day counts as a part of the whole when it is judged', () => {
    const venue = new Venue();
    const dayMs = 24 * 60 * 60 * 1000;
    const limits = { newDeviceDelayMs: dayMs, hourlyCount: 0, dailyLimit: 100_000 };
    venue.do({ ...network, ...limits });
    const addressId = venue.prepare();
    const made = [1, 2, 3, 4, 5].map(() => venue.withdraw(addressId, { isNewDevice: true }).id);
    venue.time += dayMs;
    venue.do({ kind: CommandKind.tick });
    const statuses = made.map((id) => venue.store.withdrawals.get(id)!.status);
    const { approved, awaitingApproval } = WithdrawalStatus;
    expect(statuses).toEqual([
      ...[approved, approved],
      ...[awaitingApproval, awaitingApproval, awaitingApproval],
    ]);
    // They are of the day on which they leave.
    expect(code(venue.request(addressId, { amount: 1_000 }))).toBe(RejectionCode.withdrawalLimit);
  });

  test('waits after a new device, and then for operators if the account was frozen', () => {
    const venue = new Venue();
    const addressId = venue.prepare();
    const first = venue.withdraw(addressId, { isNewDevice: true });
    expect(first.waitsUntil).toBe(venue.time + 60_000);
    venue.time += 59_999;
    venue.do({ kind: CommandKind.tick });
    expect(venue.store.withdrawals.get(first.id)!.status).toBe(WithdrawalStatus.delayed);
    venue.do({ kind: CommandKind.setAccountStatus, ...SYSTEM_ACTOR, owner: USER, frozen: true });
    venue.time++;
    venue.do({ kind: CommandKind.tick });
    expect(venue.store.withdrawals.get(first.id)!.status).toBe(WithdrawalStatus.awaitingApproval);
    expect(code(venue.approve(first.id, 0))).toBe(RejectionCode.accountFrozen);
  });

  test('is limited by hour and day, of which failed ones do not count', () => {
    const venue = new Venue();
    const addressId = venue.prepare();
    const ids = [1, 2, 3].map(() => venue.withdraw(addressId).id);
    expect(venue.request(addressId)).toMatchObject({ rule: 'hourly' });
    venue.reach(ids[0]!, WithdrawalStatus.failed, 1);
    expect(venue.request(addressId, { amount: 960_100 })).toMatchObject({ rule: 'daily' });
    expect(code(venue.request(addressId, { amount: 960_000 }))).toBe('withdrawal');
  });

  test('is limited by day over all networks of the asset', () => {
    const venue = new Venue();
    const addressId = venue.prepare();
    venue.do({ ...network, name: 'lightning', dailyLimit: 0 });
    const place = { network: 1, address: 'fast', memo: '' };
    const entry = venue.do({
      ...{ kind: CommandKind.addWithdrawalAddress, account: USER, key: NONE },
      ...place,
    });
    if (entry.kind !== 'withdrawalAddress') throw new Error(JSON.stringify(entry));
    venue.withdraw(entry.entry.id, { amount: 990_000 });
    expect(venue.request(addressId, { amount: 10_100 })).toMatchObject({ rule: 'daily' });
    expect(venue.withdraw(addressId, { amount: 10_000 }).status).toBe(WithdrawalStatus.approved);
  });

  test('needs operators if it is one of several parts that are larger together', () => {
    const venue = new Venue();
    const addressId = venue.prepare();
    const { approved, awaitingApproval } = WithdrawalStatus;
    expect(venue.withdraw(addressId, { amount: 30_000 }).status).toBe(approved);
    const second = venue.withdraw(addressId, { amount: 30_000 });
    expect(second.status).toBe(awaitingApproval);
    venue.approve(second.id, 0);
    venue.approve(second.id, 1);
    // What operators approved does not count.
    expect(venue.withdraw(addressId, { amount: 20_000 }).status).toBe(approved);
    venue.time += 24 * 3_600_000;
    expect(venue.withdraw(addressId, { amount: 50_000 }).status).toBe(approved);
  });

  test('is canceled if its address is removed before it was approved', () => {
    const venue = new Venue();
    const addressId = venue.prepare();
    const sent = venue.withdraw(addressId);
    const delayed = venue.withdraw(addressId, { isNewDevice: true });
    const { held } = venue.balance;
    venue.do({
      ...{ kind: CommandKind.removeWithdrawalAddress, account: USER, key: NONE, addressId },
    });
    expect(venue.store.withdrawals.get(delayed.id)?.status).toBe(WithdrawalStatus.canceled);
    expect(venue.store.withdrawals.get(sent.id)?.status).toBe(WithdrawalStatus.approved);
    expect(BigInt(held) - BigInt(venue.balance.held)).toBe(20_100n);
  });

  test('is blocked if a sub-account has used a reorganized deposit', () => {
    const venue = new Venue();
    const addressId = venue.prepare();
    const sub = { kind: CommandKind.createSubAccount, account: USER, key: NONE } as const;
    const made = venue.do({ ...sub, accountId: 'user-1', name: 'one' });
    if (made.kind !== 'account') throw new Error(JSON.stringify(made));
    const { index } = made.account;
    const place = { owner: index, network: 0, address: 'sub', memo: '' };
    venue.do({ kind: CommandKind.assignAddress, ...SYSTEM_ACTOR, keyNumber: 0, ...place });
    venue.report(3, { address: 'sub' });
    const move = (from: number, to: number) =>
      venue.do({
        ...{ kind: CommandKind.internalTransfer, account: USER, key: NONE, clientId: null },
        ...{ from, to, asset: 0, amount: 10_000 },
      });
    expect(move(index, USER).kind).toBe('internalTransfer');
    const waiting = venue.withdraw(addressId);
    venue.report(0, { address: 'sub', reorganized: true });
    expect(code(venue.request(addressId))).toBe(RejectionCode.withdrawalsBlocked);
    expect(venue.store.findObstacle(waiting)).toBe(RejectionCode.withdrawalsBlocked);
    expect(code(move(USER, 1))).toBe(RejectionCode.withdrawalsBlocked);
    // Within the group what is missing can be brought back, and taken.
    expect(move(USER, index).kind).toBe('internalTransfer');
    const { id } = [...venue.store.openDeposits.values()][0]!;
    const resolve = { deposit: id, resolution: Resolution.debit, owner: NONE };
    venue.do({ kind: CommandKind.resolveDeposit, ...SYSTEM_ACTOR, ...resolve });
    expect(venue.withdraw(addressId).status).toBe(WithdrawalStatus.approved);
  });

  test('counts for the hour if the account canceled it, and then leaves nothing that fills up', () => {
    const venue = new Venue();
    const addressId = venue.prepare();
    const cancel = (withdrawal: number) =>
      venue.do({ kind: CommandKind.cancelWithdrawal, account: USER, key: NONE, withdrawal });
    for (let each = 0; each < 3; each++) {
      cancel(venue.withdraw(addressId, { amount: 60_000 }).id);
    }
    expect(venue.request(addressId)).toMatchObject({ rule: 'hourly' });
    venue.do({ ...network, hourlyCount: 0 });
    const before = MAX_REMEMBERED.unpaidWithdrawals;
    MAX_REMEMBERED.unpaidWithdrawals = 4;
    try {
      const ids = Array.from({ length: 4 }, () => {
        const { id } = venue.withdraw(addressId, { amount: 60_000 });
        cancel(id);
        return id;
      });
      expect([...venue.store.withdrawals.values()].map(({ id }) => id)).toEqual(ids);
      expect(venue.store.openWithdrawals).toBe(0);
    } finally {
      MAX_REMEMBERED.unpaidWithdrawals = before;
    }
  });

  test('is made once for its client id, which is remembered for a day after its end', () => {
    const venue = new Venue();
    const addressId = venue.prepare();
    const { id } = venue.withdraw(addressId, { clientId: 'a' });
    expect(venue.withdraw(addressId, { clientId: 'a' }).id).toBe(id);
    expect(code(venue.request(addressId, { clientId: 'a', amount: 30_000 }))).toBe(
      RejectionCode.duplicateWithdrawal,
    );
    venue.reach(id, WithdrawalStatus.confirmed, 1);
    venue.time += WITHDRAWAL_MEMORY_MS - 1;
    expect(venue.withdraw(addressId, { clientId: 'a' }).id).toBe(id);
    venue.time++;
    expect(venue.withdraw(addressId, { clientId: 'a' }).id).not.toBe(id);
    expect(code(venue.reach(id, WithdrawalStatus.confirmed, 2))).toBe(
      RejectionCode.withdrawalEnded,
    );
  });
});

test('a snapshot has everything, and the outbox in order', () => {
  const venue = new Venue();
  const addressId = venue.prepare();
  venue.report(3);
  venue.report(0, { reorganized: true });
  venue.report(1, { transaction: 'second' });
  venue.withdraw(addressId, { clientId: 'a' });
  venue.do({ kind: CommandKind.requestAddress, account: 1, key: NONE, network: 0 });
  const bytes = writeSnapshot(venue.exchange).slice();
  const copy = readSnapshot(bytes);
  auditState(copy.state);
  expect(writeSnapshot(copy)).toEqual(bytes);
  const outbox = ({ state }: Exchange) => [...state.parts.custody.store.outbox.values()];
  expect(outbox(copy)).toEqual(outbox(venue.exchange));
  expect(outbox(copy).map(({ kind }) => kind)).toEqual(['withdrawal', 'address']);
});
