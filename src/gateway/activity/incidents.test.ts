import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { AuditRecord } from '../../history/history.ts';
import { daysOfIncidents, findIncidents, type Incident } from './incidents.ts';

const ONLINE = 'online';
const POST_ONLY = 'post_only';
const CANCEL_ONLY = 'cancel_only';
const HALTED = 'halted' as const;
const DAY_MS = 86_400_000;

function audited(...commands: readonly (readonly [number, string, object, string?])[]) {
  return commands.map(([time, action, details, outcome = 'done'], index) => {
    const place = {
      id: index + 1,
      sequence: index + 1,
      index: 0,
      account: 0,
      key: 0,
      rejection: 0,
    };
    return { ...place, time, action, details: JSON.stringify(details), outcome } as AuditRecord;
  });
}

const brief = (incidents: readonly Incident[]) =>
  incidents.map(({ cause, market, status, from, to }) => [cause, market, status, from, to]);

test('a halt lasts until trading resumes or becomes more or less strict', () => {
  const records = audited(
    [10, 'setTradingStatus', { status: HALTED, reason: 'feed' }],
    [20, 'setTradingStatus', { status: CANCEL_ONLY, reason: 'feed' }],
    [30, 'setTradingStatus', { status: ONLINE, reason: 'back' }],
    [40, 'setTradingStatus', { status: HALTED, reason: 'again' }],
    [45, 'setTradingStatus', { status: ONLINE, reason: 'refused' }, 'rejected'],
  );
  expect(brief(findIncidents(records, 50))).toEqual([
    ['halt', undefined, HALTED, 40, undefined],
    ['halt', undefined, CANCEL_ONLY, 20, 30],
    ['halt', undefined, HALTED, 10, 20],
  ]);
  expect(findIncidents(records, 50)[0]!.reason).toBe('again');
});

test('each market has its own, and a status that only limits orders is none', () => {
  const records = audited(
    [10, 'setMarketStatus', { market: 0, status: POST_ONLY }],
    [20, 'setMarketStatus', { market: 0, status: HALTED }],
    [30, 'setMarketStatus', { market: 1, status: CANCEL_ONLY }],
    [40, 'setMarketStatus', { market: 0, status: POST_ONLY }],
  );
  expect(brief(findIncidents(records, 50))).toEqual([
    ['market', 1, CANCEL_ONLY, 30, undefined],
    ['market', 0, HALTED, 20, 40],
  ]);
});

test('a maintenance counts from its start to its end, unless it is withdrawn before', () => {
  const period = (from: number, to: number) => ({ from, to, mode: HALTED, message: 'disks' });
  const records = audited(
    [10, 'scheduleMaintenance', period(20, 30)],
    [11, 'scheduleMaintenance', period(40, 50)],
    [12, 'scheduleMaintenance', period(60, 70)],
    [13, 'scheduleMaintenance', period(100, 110)],
    [45, 'cancelMaintenance', { from: 40 }],
    [46, 'cancelMaintenance', { from: 60 }],
    [80, 'scheduleMaintenance', period(75, 90)],
  );
  expect(brief(findIncidents(records, 85))).toEqual([
    ['maintenance', undefined, HALTED, 80, undefined],
    ['maintenance', undefined, HALTED, 40, 45],
    ['maintenance', undefined, HALTED, 20, 30],
  ]);
});

test('days count each moment once', () => {
  const time = fc.integer({ min: 0, max: 4 * 24 });
  const any = fc.record({
    from: time,
    length: fc.integer({ min: 1, max: 40 }),
    market: fc.option(fc.nat(1), { nil: undefined }),
  });
  const property = fc.property(fc.array(any, { maxLength: 8 }), (list) => {
    const hour = DAY_MS / 24;
    const now = 4 * DAY_MS;
    const incidents: Incident[] = list
      .map(({ from, length, market }) => {
        const end = (from + length) * hour;
        const cause = market === undefined ? ('halt' as const) : ('market' as const);
        const to = end > now ? undefined : end;
        return { cause, status: HALTED, market, reason: '', from: from * hour, to };
      })
      .sort((a, b) => b.from - a.from);
    const counted = (day: number, ofAll: boolean) =>
      hour *
      Array.from({ length: 24 }, (_, index) => (day * 24 + index) * hour).filter((at) =>
        incidents.some(
          ({ from, to, market }) =>
            (!ofAll || market === undefined) && from <= at && at < (to ?? now),
        ),
      ).length;
    const days = daysOfIncidents(incidents, now - 1, 4);
    for (const [day, { allMs, anyMs }] of days.entries()) {
      // Today ends a millisecond before midnight.
      const close = (a: number, b: number) => Math.abs(a - b) <= 1;
      if (!close(allMs, counted(day, true)) || !close(anyMs, counted(day, false))) return false;
    }
    return true;
  });
  fc.assert(property);
});
