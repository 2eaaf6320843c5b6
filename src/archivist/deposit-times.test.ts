import { expect, test } from 'bun:test';
import type { DepositRecord } from '../engine/custody/custody-records.ts';
import { DepositStatus } from '../engine/custody/statuses.ts';
import { medianDepositTimes } from './deposit-times.ts';

let id = 1;

function deposit(network: number, tookMs: number, terms: Partial<DepositRecord> = {}) {
  return {
    ...{ kind: 'deposit', id: id++, account: 1, network, transaction: `t${id}`, index: 0 },
    ...{ address: 'a', memo: '', amount: 1, confirmations: 3, status: DepositStatus.credited },
    ...{ report: 1, held: 0, createdAt: 5_000, updatedAt: 0, creditedAt: 5_000 + tookMs },
    ...terms,
  } as DepositRecord;
}

test('the median of three deposits or more, by network', () => {
  const ended = [
    ...[deposit(0, 900), deposit(1, 10), deposit(0, 100), deposit(1, 20), deposit(0, 500)],
    ...[deposit(2, 1), deposit(2, 2), deposit(2, 4), deposit(2, 9)],
  ];
  expect(medianDepositTimes(ended)).toEqual(
    new Map([
      [0, 500],
      [2, 3],
    ]),
  );
});

test('only credited deposits count', () => {
  const { belowMinimum, dismissed, reversed } = DepositStatus;
  const others = [belowMinimum, dismissed, reversed].map((status) =>
    deposit(0, 7, { status, creditedAt: 0 }),
  );
  expect(medianDepositTimes([deposit(0, 5), deposit(0, 5), ...others])).toEqual(new Map());
  const three = [deposit(0, 5), deposit(0, 5), deposit(0, 5), ...others];
  expect(medianDepositTimes(three)).toEqual(new Map([[0, 5]]));
});

test('deposits before the newest hundred do not count', () => {
  const old = Array.from({ length: 150 }, () => deposit(0, 1_000_000));
  const recent = Array.from({ length: 100 }, (_, index) => deposit(0, index));
  expect(medianDepositTimes([...old, ...recent])).toEqual(new Map([[0, 50]]));
});
