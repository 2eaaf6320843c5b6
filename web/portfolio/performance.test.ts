import { expect, test } from 'bun:test';
import Big from 'big.js';
import {
  type Flow,
  type Point,
  performanceOver,
  shownNetDeposits,
  toChartPoints,
} from './performance.ts';

const HOUR_MS = 3_600_000;
const at = (hour: number) => new Date(hour * HOUR_MS).toISOString();

function point(hour: number, values: Partial<Record<keyof Point, string>>): Point {
  return {
    timestamp: at(hour),
    value: '0',
    cost: '0',
    realized: '0',
    unrealized: '0',
    withdrawnGain: '0',
    netDeposits: '0',
    returnIndex: '1',
    ...values,
  };
}

function flow(hour: number, value: string | null): Flow {
  const amount = value?.startsWith('-') ? '-1' : '1';
  return { timestamp: at(hour), asset: 'BTC', type: 'deposit', amount, value };
}

test('a deposit is neither a gain nor a return', () => {
  const before = point(0, { value: '100', netDeposits: '100', returnIndex: '1.1' });
  const after = point(1, { value: '5165', netDeposits: '5100', returnIndex: '1.21' });
  const { gain, returnPercent } = performanceOver([before, after])!;
  expect(gain.toFixed()).toBe('65');
  expect(returnPercent.toFixed()).toBe('10');
  expect(performanceOver([])).toBeUndefined();
});

test('net deposits add up with the shown gains to the total, unless prices have moved', () => {
  const figures = {
    netDeposits: '28681270.0260',
    unrealized: '935622.2836',
    realized: '413.7671',
    withdrawnGain: '301.2075',
  };
  const shown = (total: string) => shownNetDeposits(figures, new Big(total), 2).toFixed(2);
  expect(shown('29617607.28')).toBe('28681270.02');
  expect(shown('29617608.28')).toBe('28681270.03');
});

test('points show the ends of intervals, and the flows in each', () => {
  const points = [
    point(0, {}),
    point(1, { value: '150', netDeposits: '150' }),
    point(2, { value: '160', netDeposits: '150', realized: '4' }),
    point(3, { value: '60', netDeposits: '40', realized: '4', withdrawnGain: '3' }),
  ];
  const flows = [flow(1.2, '100'), flow(1.7, '50'), flow(3.1, '-110'), flow(3.2, null)];
  const shown = toChartPoints(points, flows, HOUR_MS, 3.5 * HOUR_MS);
  expect(shown.map(({ time }) => time / HOUR_MS)).toEqual([2, 3, 3.5]);
  expect(shown.map(({ value }) => value.toFixed())).toEqual(['150', '160', '60']);
  expect(shown.map(({ gain }) => gain.toFixed())).toEqual(['0', '10', '20']);
  expect(shown.map(({ realized }) => realized.toFixed())).toEqual(['0', '4', '7']);
  // A deposit without a price has no value, and is not taken off the withdrawal of the same interval.
  expect(shown.map((each) => each.deposited?.toFixed())).toEqual(['150', undefined, '0']);
  expect(shown.map((each) => each.withdrawn?.toFixed())).toEqual([undefined, undefined, '-110']);
});

test('an interval that has just begun has no point yet, as its time is that of the one before', () => {
  const points = [1, 2, 3].map((hour) => point(hour, { value: '150' }));
  for (const now of [3 * HOUR_MS, 3 * HOUR_MS + 999]) {
    const shown = toChartPoints(points, [], HOUR_MS, now);
    expect(shown.map(({ time }) => time / HOUR_MS)).toEqual([2, 3]);
  }
  expect(toChartPoints(points, [], HOUR_MS, 3 * HOUR_MS + 1000)).toHaveLength(3);
});

test('an account that never had anything has no points', () => {
  expect(toChartPoints([point(0, {}), point(1, {})], [], HOUR_MS, 2 * HOUR_MS)).toEqual([]);
});
