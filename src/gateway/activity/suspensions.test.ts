import { expect, test } from 'bun:test';
import type { AuditRecord } from '../../history/history.ts';
import { covered } from './incidents.ts';
import { findSuspensions } from './suspensions.ts';

type Change = readonly [
  time: number,
  name: string,
  deposits: boolean,
  withdrawals: boolean,
  outcome?: string,
];

const audited = (...changes: readonly Change[]) =>
  changes.map(([time, name, deposits, withdrawals, outcome = 'done']) => {
    const details = JSON.stringify({ asset: 0, name, deposits, withdrawals });
    return { time, action: 'setNetwork', details, outcome } as AuditRecord;
  });

test('a network is suspended until it is turned on again, and a change of other rules ends nothing', () => {
  const { deposits, withdrawals } = findSuspensions(
    audited(
      [10, 'bitcoin', true, true],
      [20, 'bitcoin', false, true],
      [30, 'bitcoin', false, false],
      [35, 'bitcoin', true, true, 'rejected'],
      [40, 'bitcoin', true, false],
    ),
  );
  expect(deposits).toEqual([{ from: 20, to: 40 }]);
  expect(withdrawals).toEqual([{ from: 30, to: undefined }]);
});

test('networks are suspended on their own, and what overlaps counts once', () => {
  const { deposits } = findSuspensions(
    audited(
      [1, 'bitcoin', true, true],
      [2, 'lightning', true, true],
      [10, 'bitcoin', false, true],
      [20, 'lightning', false, true],
      [30, 'bitcoin', true, true],
      [50, 'lightning', true, true],
      [70, 'lightning', false, true],
    ),
  );
  expect(deposits).toEqual([
    { from: 70, to: undefined },
    { from: 20, to: 50 },
    { from: 10, to: 30 },
  ]);
  expect([covered(deposits, 0, 100), covered(deposits, 25, 75)]).toEqual([70, 30]);
});

test('a network is not suspended before it was open for the first time', () => {
  const { deposits, withdrawals } = findSuspensions(
    audited([10, 'liquid', false, false], [20, 'liquid', true, false], [30, 'liquid', false, true]),
  );
  expect([deposits, withdrawals]).toEqual([[{ from: 30, to: undefined }], []]);
});
