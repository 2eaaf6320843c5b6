import { describe, expect, test } from 'bun:test';
import { auditState } from '../audit/audit.ts';
import { type Command, CommandKind, type RequestWithdrawal, SYSTEM_ACTOR } from '../command.ts';
import type { Outcome } from '../event.ts';
import { Exchange } from '../exchange.ts';
import { MAX_REMEMBERED, MAX_UNCLAIMED_DEPOSITS, WITHDRAWAL_MEMORY_MS } from '../limits.ts';
import { RejectionCode } from '../rejection.ts';
import { readSnapshot, writeSnapshot } from '../snapshot/snapshot.ts';
import { NONE } from '../terms.ts';
import type { DepositRecord, WithdrawalRecord } from './custody-records.ts';
import { DepositStatus, MemoRule, Resolution, WithdrawalStatus } from './statuses.ts';

const USER = 2;
const rules = {
  name: 'bitcoin',
  decimals: 6,
  minDeposit: 500,
  minWithdrawal: 1_000,
  withdrawalFee: 100,
  confirmations: 3,
  memo: MemoRule.none,
  deposits: true,
  withdrawals: true,
  dailyLimit: 1_000_000,
  hourlyCount: 3,
  addressCoolingMs: 0,
  newDeviceDelayMs: 60_000,
  approvalAbove: 50_000,
} as const;
const network = { kind: CommandKind.setNetwork, ...SYSTEM_ACTOR, asset: 0, ...rules } as const;

/** An exchange with one asset of 8 decimals, two operators and a user who has an address. */
class Venue {
  readonly exchange = new Exchange();
  time = 1_000;
  private reports = 0;

  constructor() {
    this.do({ kind: CommandKind.open, version: 2, sandbox: true });
    const asset = { asset: 'BTC', name: 'Bitcoin', decimals: 8 };
    this.do({ kind: CommandKind.createAsset, ...SYSTEM_ACTOR, ...asset });
    for (const accountId of ['one', 'two', 'user']) {
      this.do({ kind: CommandKind.createAccount, ...SYSTEM_ACTOR, accountId, limitClass: 1 });
    }
    this.do(network);
    const place = { owner: USER, network: 0, address: 'own', memo: '' };
    this.do({ kind: CommandKind.assignAddress, ...SYSTEM_ACTOR, keyNumber: 0, ...place });
  }

  do(command: Command): Outcome {
    const outcome = this.exchange.apply(command, this.time);
    auditState(this.exchange.state);
    return outcome;
  }

  report(confirmations: number, terms: object = {}): DepositRecord {
    const payment = { network: 0, transaction: 't', index: 0, address: 'own', memo: '' };
    const outcome = this.do({
      ...{ kind: CommandKind.reportDeposit, ...SYSTEM_ACTOR, keyNumber: 0, ...payment },
      ...{ amount: 10_000, confirmations, report: ++this.reports, reorganized: false, ...terms },
    });
    if (outcome.kind !== 'deposit') throw new Error(JSON.stringify(outcome));
    return outcome.deposit;
  }

  /** Gives the user an address to withdraw to, and funds. */
  prepare(): number {
    const transfer = { owner: USER, asset: 0, amount: 2_000_000, reference: 'f', reason: '' };
    this.do({ kind: CommandKind.transfer, ...SYSTEM_ACTOR, ...transfer });
    const place = { network: 0, address: 'theirs', memo: '' };
    const outcome = this.do({
      ...{ kind: CommandKind.addWithdrawalAddress, account: USER, key: NONE },
      ...place,
    });
    if (outcome.kind !== 'withdrawalAddress') throw new Error(JSON.stringify(outcome));
    return outcome.entry.id;
  }

  request(addressId: number, terms: Partial<RequestWithdrawal> = {}): Outcome {
    const request = { addressId, amount: 20_000, clientId: null, isNewDevice: false, ...terms };
    return this.do({ ...request, kind: CommandKind.requestWithdrawal, account: USER, key: NONE });
  }

  withdraw(addressId: number, terms: Partial<RequestWithdrawal> = {}): WithdrawalRecord {
    const outcome = this.request(addressId, terms);
    if (outcome.kind !== 'withdrawal') throw new Error(JSON.stringify(outcome));
    return outcome.withdrawal;
  }

  approve(withdrawal: number, account: number): Outcome {
    return this.do({ kind: CommandKind.approveWithdrawal, account, key: NONE, withdrawal });
  }

  reach(withdrawal: number, reached: 4 | 5 | 6, report: number): Outcome {
    const terms = { keyNumber: 0, withdrawal, reached, transaction: 'x', reason: '', report };
    return this.do({ kind: CommandKind.reportWithdrawal, ...SYSTEM_ACTOR, ...terms });
  }

  get balance() {
    const { available = 0, held = 0 } =
      this.exchange.state.accounts[USER]!.balances[0] ?? ({} as Record<string, never>);
    return { available, held };
  }

  get store() {
    return this.exchange.state.parts.custody.store;
  }
}

const code = (outcome: Outcome) => (outcome.kind === 'rejected' ? outcome.code : outcome.kind);

describe('a deposit', () => {
  test('is credited once at the confirmations of its network, however often it is reported', () => {
    const venue = new Venue();
    expect(venue.report(2).status).toBe(DepositStatus.pending);
    expect(venue.balance.available).toBe(0);
    expect(venue.report(3).status).toBe(DepositStatus.credited);
    expect(venue.report(1, { report: 1 }).confirmations).toBe(3);
    expect(venue.report(9).status).toBe(DepositStatus.credited);
    expect(venue.balance.available).toBe(10_000);
  });

  test('that is reorganized before its credit is reversed, and counts again when it is back', () => {
    const venue = new Venue();
    venue.report(2);
    expect(venue.report(0, { reorganized: true }).status).toBe(DepositStatus.reversed);
    expect(venue.report(1).confirmations).toBe(1);
    expect(venue.report(3).status).toBe(DepositStatus.credited);
  });

  test('that is reorganized after its credit is frozen, and released when it is confirmed again', () => {
    const venue = new Venue();
    venue.report(3);
    expect(venue.report(0, { reorganized: true }).held).toBe(10_000);
    expect(venue.balance).toEqual({ available: 0, held: 10_000 });
    expect(venue.report(2).status).toBe(DepositStatus.frozen);
    expect(venue.report(3).status).toBe(DepositStatus.credited);
    expect(venue.balance).toEqual({ available: 10_000, held: 0 });
  });

  test('of which less is left holds that, blocks withdrawals, and is debited when the rest is there', () => {
    const venue = new Venue();
    const addressId = venue.prepare();
    venue.report(3);
    const debit = { owner: USER, asset: 0, amount: -2_004_000, reference: 'd', reason: '' };
    venue.do({ kind: CommandKind.transfer, ...SYSTEM_ACTOR, ...debit });
    const frozen = venue.report(0, { reorganized: true });
    expect(venue.balance).toEqual({ available: 0, held: 6_000 });
    expect(code(venue.request(addressId))).toBe(RejectionCode.withdrawalsBlocked);
    const decide = { kind: CommandKind.resolveDeposit, ...SYSTEM_ACTOR, owner: NONE } as const;
    const resolve = { ...decide, deposit: frozen.id, resolution: Resolution.debit };
    expect(code(venue.do(resolve))).toBe(RejectionCode.insufficientBalance);
    const credit = { owner: USER, asset: 0, amount: 5_000, reference: 'c', reason: '' };
    venue.do({ kind: CommandKind.transfer, ...SYSTEM_ACTOR, ...credit });
    expect(code(venue.do(resolve))).toBe('deposit');
    expect(venue.balance).toEqual({ available: 1_000, held: 0 });
  });

  test('waits while the deposits of its network are off', () => {
    const venue = new Venue();
    venue.do({ ...network, deposits: false });
    expect(venue.report(9).status).toBe(DepositStatus.pending);
    venue.do(network);
    expect(venue.exchange.nextDueTime).toBe(venue.time);
    venue.do({ kind: CommandKind.tick });
    expect(venue.balance.available).toBe(10_000);
  });

  test('below the minimum is kept but not credited; one to an unknown address waits for an operator', () => {
    const venue = new Venue();
    const small = venue.report(3, { transaction: 'small', amount: 400 });
    expect(small.status).toBe(DepositStatus.belowMinimum);
    const unknown = venue.report(3, { address: 'other' });
    expect([unknown.status, unknown.account]).toEqual([DepositStatus.review, NONE]);
    const decision = { deposit: unknown.id, resolution: Resolution.credit, owner: USER };
    venue.do({ kind: CommandKind.resolveDeposit, ...SYSTEM_ACTOR, ...decision });
    expect(venue.balance.available).toBe(10_000);
  });

  test('belongs to an address that was reported after it', () => {
    const venue = new Venue();
    expect(venue.report(0, { address: 'late' }).account).toBe(NONE);
    const place = { owner: 1, network: 0, address: 'late', memo: '' };
    venue.do({ kind: CommandKind.assignAddress, ...SYSTEM_ACTOR, keyNumber: 0, ...place });
    const { account, status } = venue.report(3, { address: 'late' });
    expect([account, status]).toEqual([1, DepositStatus.credited]);
  });

  test('that is mined again after it was debited waits for an operator, also if it leaves the chain again', () => {
    const venue = new Venue();
    const { id } = venue.report(3);
    venue.report(0, { reorganized: true });
    const decide = (resolution: Resolution) =>
      venue.do({
        ...{ kind: CommandKind.resolveDeposit, ...SYSTEM_ACTOR, deposit: id, owner: NONE },
        resolution,
      });
    decide(Resolution.debit);
    expect(venue.report(2).status).toBe(DepositStatus.debited);
    expect(venue.report(3).status).toBe(DepositStatus.review);
    expect(venue.report(0, { reorganized: true }).status).toBe(DepositStatus.debited);
    expect(venue.balance.available).toBe(0);
    expect(venue.report(3).status).toBe(DepositStatus.review);
    decide(Resolution.credit);
    expect(venue.balance).toEqual({ available: 10_000, held: 0 });
  });

  test('to an unknown address ends below the minimum, and leaves capacity for deposits of users', () => {
    const venue = new Venue();
    const dust = venue.report(3, { transaction: 'dust', address: 'other', amount: 400 });
    expect(dust.status).toBe(DepositStatus.belowMinimum);
    const { exchange, time } = venue;
    const payment = { network: 0, index: 0, address: 'other', memo: '', amount: 10_000 };
    const report = (transaction: string, account = payment) =>
      exchange.apply(
        {
          ...{ kind: CommandKind.reportDeposit, ...SYSTEM_ACTOR, keyNumber: 0, ...account },
          ...{ transaction, confirmations: 3, report: 1, reorganized: false },
        },
        time,
      );
    for (let each = 0; each < MAX_UNCLAIMED_DEPOSITS; each++) report(`${each}`);
    expect(venue.store.unclaimedDeposits).toBe(MAX_UNCLAIMED_DEPOSITS);
    expect(code(report('more'))).toBe(RejectionCode.limitReached);
    expect(code(report('own', { ...payment, address: 'own' }))).toBe('deposit');
    expect(venue.balance.available).toBe(10_000);
    const decision = { resolution: Resolution.dismiss, owner: NONE } as const;
    const deposit = venue.store.openDeposits.values().next().value!.id;
    exchange.apply(
      { kind: CommandKind.resolveDeposit, ...SYSTEM_ACTOR, deposit, ...decision },
      time,
    );
    expect(code(report('more'))).toBe('deposit');
  });

  test('is rejected if it contradicts an earlier report, or the key is no longer the current one', () => {
    const venue = new Venue();
    venue.report(1);
    expect(() => venue.report(2, { amount: 20_000 })).toThrow(
      `"code":${RejectionCode.depositConflict}`,
    );
    expect(() => venue.report(2, { keyNumber: 1 })).toThrow(`"code":${RejectionCode.unauthorized}`);
    expect(() => venue.report(1, { transaction: 'odd', amount: 150 })).toThrow('networkDecimals');
  });
});

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
