import { expect, test } from 'bun:test';
import type { Network } from '../../src/client/index.ts';
import {
  describeParts,
  type ExchangeStatus,
  openPercent,
  type StatusHistory,
  worstHealth,
} from './health.ts';

const STATUS = {
  status: 'ok',
  trading: { status: 'trading' },
  maintenance: [],
} as unknown as ExchangeStatus;
const HISTORY = { archivistLagMs: 12, incidents: [] } as unknown as StatusHistory;

const healths = (status?: object, history: StatusHistory | undefined = HISTORY) => {
  const parts = describeParts({ ...STATUS, ...status } as ExchangeStatus, history);
  return [...parts.map(({ health }) => health), worstHealth(parts)];
};

test('each part has its own health, and the worst is that of the exchange', () => {
  expect(healths()).toEqual(['good', 'good', 'good', 'good']);
  expect(healths({ status: 'stale' })).toEqual(['bad', 'good', 'good', 'bad']);
  expect(healths({ status: 'overloaded' })).toEqual(['warn', 'good', 'good', 'warn']);
  expect(healths({ trading: { status: 'halted' } })).toEqual(['good', 'bad', 'good', 'bad']);
  expect(healths({ trading: { status: 'cancel_only' } })[1]).toBe('warn');
  const maintenance = [{ active: true }];
  expect(healths({ trading: { status: 'halted' }, maintenance })[1]).toBe('warn');
  expect(healths({}, { ...HISTORY, archivistLagMs: 5000 } as unknown as StatusHistory)[2]).toBe(
    'warn',
  );
  const incident = (symbol: string | null, to: string | null) =>
    healths({}, { ...HISTORY, incidents: [{ symbol, to }] } as unknown as StatusHistory)[1];
  expect([incident('BTC/USDT', null), incident('BTC/USDT', 'x')]).toEqual(['warn', 'good']);
  const network = { asset: 'BTC', network: 'bitcoin', deposits: true, withdrawals: true };
  const funding = (...networks: object[]) =>
    describeParts(STATUS, HISTORY, networks as unknown as Network<string>[])[3];
  expect([funding(), funding(network)?.health]).toEqual([undefined, 'good']);
  expect(funding(network, { ...network, asset: 'ETH', withdrawals: false })).toMatchObject({
    health: 'warn',
    values: { networks: 'ETH (Bitcoin)' },
  });
  expect(worstHealth(describeParts(undefined, undefined))).toBe('bad');
  expect(worstHealth(describeParts(STATUS, undefined))).toBe('warn');
});

test('the share of open time counts only the time that is recorded', () => {
  const percent = (recordedSince: string, ...seconds: number[]) => {
    const days = seconds.map((restrictedSeconds, index) => ({
      date: `2026-01-0${index + 1}`,
      restrictedSeconds,
    }));
    const history = { days, recordedSince, timestamp: '2026-01-02T12:00:00.000Z' };
    return openPercent(history as unknown as StatusHistory, (day) => day.restrictedSeconds);
  };
  const before = '2025-06-01T00:00:00.000Z';
  expect(percent(before, 0, 0)).toBe(100);
  expect(percent(before, 0, 43_200)).toBeCloseTo(100 * (2 / 3));
  expect(percent(before, 86_400, 43_200)).toBe(0);
  expect(percent('2026-01-02T00:00:00.000Z', 0, 21_600)).toBe(50);
  expect(percent('2026-01-02T12:00:00.000Z', 0, 0)).toBe(100);
});
