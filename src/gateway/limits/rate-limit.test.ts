import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { AccountWindows, AddressWindows, type RateLimitMode, WINDOW_MS } from './rate-limit.ts';

const START_MS = 1_790_000_000_123;
const LIMITS = [2, 5, 100];

function readState(windows: AccountWindows | AddressWindows) {
  const { allowed, limit, remaining, resetSeconds, retryAfterSeconds } = windows;
  return { allowed, limit, remaining, resetSeconds, retryAfterSeconds };
}

/** The naive model: stores every request and computes its window. */
class NaiveWindows {
  private readonly windows = new Map<string, { startMs: number; requestsMs: number[] }>();

  take(key: string, limit: number, nowMs: number) {
    let window = this.windows.get(key);
    if (window === undefined || Math.abs(nowMs - window.startMs) >= WINDOW_MS) {
      window = { startMs: nowMs, requestsMs: [] };
      this.windows.set(key, window);
    }
    window.requestsMs.push(nowMs);
    const endMs = window.startMs + WINDOW_MS;
    return {
      allowed: window.requestsMs.length <= limit,
      limit,
      remaining: Math.max(0, limit - window.requestsMs.length),
      resetSeconds: Math.ceil(endMs / 1000),
      retryAfterSeconds: Math.max(1, Math.ceil((endMs - nowMs) / 1000)),
    };
  }
}

const forwardsMs = fc.oneof(
  fc.nat(3_000),
  fc.constantFrom(0, 1, WINDOW_MS - 1, WINDOW_MS, 3 * WINDOW_MS),
);
const backwardsMs = fc.constantFrom(-500, -2 * WINDOW_MS);

function requests(elapsedMs: fc.Arbitrary<number>) {
  const endpoint = fc.nat(LIMITS.length - 1);
  const request = fc.record({ caller: fc.nat(6), endpoint, elapsedMs });
  return fc.array(request, { minLength: 1, maxLength: 60 });
}

describe('AccountWindows', () => {
  test('a window ends 60 s after its first request, rejected requests or not', () => {
    const windows = new AccountWindows(LIMITS, 'spec');
    expect(windows.take(7, 0, 1, START_MS)).toBe(true);
    expect(readState(windows)).toEqual({
      allowed: true,
      limit: 2,
      remaining: 1,
      resetSeconds: 1_790_000_061,
      retryAfterSeconds: 60,
    });
    expect(windows.take(7, 0, 1, START_MS + 59_000)).toBe(true);
    expect(windows.remaining).toBe(0);
    expect(windows.take(7, 0, 1, START_MS + 59_999)).toBe(false);
    expect(windows.remaining).toBe(0);
    expect(windows.resetSeconds).toBe(1_790_000_061);
    expect(windows.retryAfterSeconds).toBe(1);
    expect(windows.take(7, 0, 1, START_MS + 60_000)).toBe(true);
    expect(windows.remaining).toBe(1);
  });

  test('a limit class multiplies, and takes effect within a window', () => {
    const windows = new AccountWindows(LIMITS, 'spec');
    windows.take(0, 0, 1, START_MS);
    windows.take(0, 0, 1, START_MS);
    expect(windows.take(0, 0, 10, START_MS)).toBe(true);
    expect(readState(windows)).toMatchObject({ limit: 20, remaining: 17 });
  });

  test('agrees with the naive model', () => {
    fc.assert(
      fc.property(requests(fc.oneof(forwardsMs, backwardsMs)), fc.nat(3), (all, multiplier) => {
        const windows = new AccountWindows(LIMITS, 'spec');
        const naive = new NaiveWindows();
        let nowMs = START_MS;
        for (const { caller, endpoint, elapsedMs } of all) {
          nowMs += elapsedMs;
          const account = caller ** 4;
          const limit = LIMITS[endpoint]! * multiplier;
          const expected = naive.take(`${account} ${endpoint}`, limit, nowMs);
          expect(windows.take(account, endpoint, multiplier, nowMs)).toBe(expected.allowed);
          expect(readState(windows)).toEqual(expected);
        }
      }),
    );
  });
});

describe('AddressWindows', () => {
  test('agrees with the naive model while no generation is full', () => {
    fc.assert(
      fc.property(requests(forwardsMs), (all) => {
        const windows = new AddressWindows(LIMITS, 'spec', 7 * LIMITS.length);
        const naive = new NaiveWindows();
        let nowMs = START_MS;
        for (const { caller, endpoint, elapsedMs } of all) {
          nowMs += elapsedMs;
          const scope = `192.0.2.${caller}`;
          const expected = naive.take(`${scope} ${endpoint}`, LIMITS[endpoint]!, nowMs);
          expect(windows.take(scope, endpoint, nowMs)).toBe(expected.allowed);
          expect(readState(windows)).toEqual(expected);
        }
      }),
    );
  });

  test('a clock set back never makes a window longer', () => {
    const windows = new AddressWindows(LIMITS, 'spec');
    for (const nowMs of [START_MS, START_MS - 100, START_MS - 3_600_000]) {
      windows.take('192.0.2.1', 0, nowMs);
    }
    expect(readState(windows)).toMatchObject({ remaining: 1, retryAfterSeconds: 60 });
  });

  test('a flood of addresses resets the address not seen for longest, not one in use', () => {
    const windows = new AddressWindows([100], 'spec', 10);
    const takeRemaining = (scope: string) => {
      windows.take(scope, 0, START_MS);
      return windows.remaining;
    };
    takeRemaining('idle');
    for (let count = 1; count <= 50; count++) {
      expect(takeRemaining('busy')).toBe(100 - count);
      takeRemaining(`flood ${count}`);
    }
    expect(takeRemaining('idle')).toBe(99);
    for (let count = 0; count < 9; count++) takeRemaining(`more ${count}`);
    expect(takeRemaining('idle')).toBe(98);
  });

  test('keeps at most two generations', () => {
    const windows = new AddressWindows([100], 'spec', 10);
    for (let count = 0; count < 1_000; count++) windows.take(`flood ${count}`, 0, START_MS);
    let known = 0;
    for (let count = 999; count >= 0; count--) {
      // From the last one back, so that a promoted window does not push out the next one.
      windows.take(`flood ${count}`, 0, START_MS);
      if (windows.remaining === 98) known++;
    }
    expect(known).toBeLessThanOrEqual(20);
    expect(known).toBeGreaterThanOrEqual(10);
  });
});

describe('modes', () => {
  test('10x allows ten times as much', () => {
    const windows = new AddressWindows(LIMITS, '10x');
    for (let count = 1; count <= 20; count++) {
      expect(windows.take('192.0.2.1', 0, START_MS)).toBe(true);
      expect(readState(windows)).toMatchObject({ limit: 20, remaining: 20 - count });
    }
    expect(windows.take('192.0.2.1', 0, START_MS)).toBe(false);
  });

  test('off always allows, with all of the limit remaining', () => {
    const mode: RateLimitMode = 'off';
    const accounts = new AccountWindows(LIMITS, mode);
    const addresses = new AddressWindows(LIMITS, mode);
    const expected = { allowed: true, remaining: 2, limit: 2, resetSeconds: 1_790_000_061 };
    for (let count = 0; count < 5; count++) {
      expect(accounts.take(0, 0, 1, START_MS)).toBe(true);
      expect(readState(accounts)).toMatchObject(expected);
      expect(addresses.take('192.0.2.1', 0, START_MS)).toBe(true);
      expect(readState(addresses)).toMatchObject(expected);
    }
  });
});
