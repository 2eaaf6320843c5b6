import { describe, expect, test } from 'bun:test';
import { code, network, USER, Venue } from '../../testing/custody-venue.ts';
import { CommandKind, SYSTEM_ACTOR } from '../command.ts';
import { MAX_UNCLAIMED_DEPOSITS } from '../limits.ts';
import { RejectionCode } from '../rejection.ts';
import { NONE } from '../terms.ts';
import { DepositStatus, Resolution } from './statuses.ts';

describe('a deposit', () => {
  test('is credited once at the confirmations of its network, however often it is reported', () => {
    const venue = new Venue();
    expect(venue.report(2).status).toBe(DepositStatus.pending);
    expect(venue.balance.available).toBe(0);
    expect(venue.report(3).status).toBe(DepositStatus.credited);
    expect(venue.report(1, { report: 1 }).confirmations).toBe(3);
    expect(venue.report(9)).toMatchObject({ status: DepositStatus.credited, confirmations: 3 });
    expect(venue.balance.available).toBe(10_000);
  });

  test('that is credited makes no event for further confirmations, which outdate earlier reports', () => {
    const venue = new Venue();
    venue.report(3, { report: 1 });
    venue.report(5, { report: 3 });
    expect(venue.exchange.events).toEqual([]);
    const late = venue.report(0, { report: 2, reorganized: true });
    expect([late.status, late.report]).toEqual([DepositStatus.credited, 3]);
    const { status } = venue.report(0, { report: 4, reorganized: true });
    expect(status).toBe(DepositStatus.frozen);
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
