import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Bar, heikinAshi } from '../bars.ts';
import {
  AverageTrueRange,
  BollingerBands,
  ExponentialAverage,
  type Formula,
  Macd,
  MovingAverage,
  OnBalanceVolume,
  RelativeStrength,
  Stochastic,
  VolumeWeightedPrice,
} from './formulas.ts';
import { volumeProfile } from './volume-profile.ts';

const STEP_S = 3600;
const bars = fc
  .array(
    fc.record({
      prices: fc.tuple(...Array.from({ length: 4 }, () => fc.integer({ min: 1, max: 1e6 }))),
      volume: fc.integer({ min: 0, max: 1000 }),
    }),
    { maxLength: 80 },
  )
  .map((rows) =>
    rows.map(
      ({ prices, volume }, index): Bar => ({
        time: index * STEP_S,
        open: prices[0]!,
        close: prices[1]!,
        high: Math.max(...prices),
        low: Math.min(...prices),
        volume,
      }),
    ),
  );
const period = fc.integer({ min: 1, max: 12 });
const closes = (all: readonly Bar[]) => all.map(({ close }) => close);
const sum = (all: readonly number[]) => all.reduce((total, each) => total + each, 0);
const average = (all: readonly number[]) => sum(all) / all.length;

/** Returns the exponential mean of numbers, straight from its recursion. */
function naiveSmoothed(
  numbers: readonly number[],
  length: number,
  alpha: number,
): number | undefined {
  if (numbers.length < length) return undefined;
  if (numbers.length === length) return average(numbers);
  return (
    (1 - alpha) * naiveSmoothed(numbers.slice(0, -1), length, alpha)! + alpha * numbers.at(-1)!
  );
}

function expectClose(
  found: readonly (number | undefined)[],
  wanted: readonly (number | undefined)[],
) {
  expect(found.length).toBe(wanted.length);
  for (const [index, value] of wanted.entries()) {
    if (value === undefined) expect(found[index]).toBeUndefined();
    else expect(Math.abs(found[index]! - value)).toBeLessThan(1e-6 * Math.max(1, Math.abs(value)));
  }
}

/** Compares the values at every bar with a reference that reads all bars up to it. */
function compare(
  make: (length: number) => Formula,
  naive: (until: readonly Bar[], length: number) => readonly (number | undefined)[],
) {
  fc.assert(
    fc.property(bars, period, (all, length) => {
      const formula = make(length);
      for (const [index, bar] of all.entries()) {
        expectClose(formula.next(bar), naive(all.slice(0, index + 1), length));
      }
    }),
    { numRuns: 60 },
  );
}

describe('indicators agree with naive references', () => {
  test('moving average', () =>
    compare(
      (length) => new MovingAverage(length),
      (until, length) => [
        until.length < length ? undefined : average(closes(until).slice(-length)),
      ],
    ));

  test('exponential moving average', () =>
    compare(
      (length) => new ExponentialAverage(length),
      (until, length) => [naiveSmoothed(closes(until), length, 2 / (length + 1))],
    ));

  test('Bollinger bands', () =>
    compare(
      (length) => new BollingerBands(length, 2),
      (until, length) => {
        if (until.length < length) return [undefined, undefined, undefined];
        const last = closes(until).slice(-length);
        const middle = average(last);
        const deviation = Math.sqrt(average(last.map((each) => (each - middle) ** 2)));
        return [middle, middle + 2 * deviation, middle - 2 * deviation];
      },
    ));

  test('relative strength', () =>
    compare(
      (length) => new RelativeStrength(length),
      (until, length) => {
        const changes = closes(until)
          .slice(1)
          .map((close, index) => close - until[index]!.close);
        const gains = naiveSmoothed(
          changes.map((each) => Math.max(each, 0)),
          length,
          1 / length,
        );
        const losses = naiveSmoothed(
          changes.map((each) => Math.max(-each, 0)),
          length,
          1 / length,
        );
        if (gains === undefined || losses === undefined) return [undefined];
        if (losses === 0) return [gains === 0 ? 50 : 100];
        return [100 - 100 / (1 + gains / losses)];
      },
    ));

  test('MACD', () =>
    compare(
      (length) => Macd.create(length, length + 3, 4),
      (until, length) => {
        const macds = until.flatMap((_, index) => {
          const part = closes(until.slice(0, index + 1));
          const slow = naiveSmoothed(part, length + 3, 2 / (length + 4));
          return slow === undefined ? [] : [naiveSmoothed(part, length, 2 / (length + 1))! - slow];
        });
        const macd = macds.at(-1);
        const signal = naiveSmoothed(macds, 4, 2 / 5);
        return [macd, signal, signal === undefined ? undefined : macd! - signal];
      },
    ));

  test('volume-weighted average price starts again each UTC day', () =>
    compare(
      () => new VolumeWeightedPrice(),
      (until) => {
        const day = (bar: Bar) => Math.floor(bar.time / 86_400);
        const today = until.filter((bar) => day(bar) === day(until.at(-1)!));
        const volume = sum(today.map((bar) => bar.volume));
        const value = sum(today.map((bar) => ((bar.high + bar.low + bar.close) / 3) * bar.volume));
        return [volume === 0 ? undefined : value / volume];
      },
    ));

  test('average true range', () =>
    compare(
      (length) => AverageTrueRange.create(length),
      (until, length) => {
        const ranges = until.map(({ high, low }, index) => {
          const before = until[index - 1]?.close;
          const ends = before === undefined ? [high, low] : [high, low, before];
          return Math.max(...ends) - Math.min(...ends);
        });
        return [naiveSmoothed(ranges, length, 1 / length)];
      },
    ));

  test('stochastic oscillator', () =>
    compare(
      (length) => new Stochastic([length, 3, 2]),
      (until, length) => {
        const places = until.slice(length - 1).map((bar, index) => {
          const part = until.slice(index, index + length);
          const low = Math.min(...part.map((each) => each.low));
          const range = Math.max(...part.map((each) => each.high)) - low;
          return range === 0 ? 50 : (100 * (bar.close - low)) / range;
        });
        const smooth = places.slice(2).map((_, index) => average(places.slice(index, index + 3)));
        return [smooth.at(-1), smooth.length < 2 ? undefined : average(smooth.slice(-2))];
      },
    ));

  test('on-balance volume', () =>
    compare(
      () => new OnBalanceVolume(),
      (until) => [
        sum(
          until.map(({ close, volume }, index) => {
            return Math.sign(close - (until[index - 1]?.close ?? close)) * volume;
          }),
        ),
      ],
    ));

  test('a copy is independent of the original', () => {
    const makers = [
      () => new MovingAverage(3),
      () => new ExponentialAverage(3),
      () => new BollingerBands(3, 2),
      () => new RelativeStrength(3),
      () => Macd.create(2, 4, 2),
      () => new VolumeWeightedPrice(),
      () => AverageTrueRange.create(3),
      () => new Stochastic([3, 2, 2]),
      () => new OnBalanceVolume(),
    ];
    fc.assert(
      fc.property(bars, bars, fc.constantFrom(...makers), (all, others, make) => {
        const [formula, plain] = [make(), make()];
        for (const bar of all) {
          const copy = formula.copy();
          for (const other of others) copy.next(other);
          expect(formula.next(bar)).toEqual(plain.next(bar));
        }
      }),
      { numRuns: 40 },
    );
  });
});

test('a volume profile has all of the volume, between the lowest and the highest price', () => {
  fc.assert(
    fc.property(bars, fc.integer({ min: 1, max: 40 }), (all, rows) => {
      const profile = volumeProfile(all, rows);
      expectClose(
        [sum(profile.map(({ up, down }) => up + down))],
        [sum(all.map((bar) => bar.volume))],
      );
      if (all.length === 0) return;
      expect(profile.length).toBe(rows);
      expectClose(
        [profile[0]!.low, profile.at(-1)!.high],
        [Math.min(...all.map(({ low }) => low)), Math.max(...all.map(({ high }) => high))],
      );
      const rising = sum(
        all.filter(({ open, close }) => close >= open).map(({ volume }) => volume),
      );
      expectClose([sum(profile.map(({ up }) => up))], [rising]);
    }),
  );
});

test('a Heikin-Ashi bar opens in the middle of the previous one and contains its own body', () => {
  fc.assert(
    fc.property(bars, (all) => {
      let previous: Bar | undefined;
      for (const bar of all) {
        const smooth = heikinAshi(bar, previous);
        expect(smooth.close).toBe((bar.open + bar.high + bar.low + bar.close) / 4);
        if (previous !== undefined) expect(smooth.open).toBe((previous.open + previous.close) / 2);
        expect(smooth.high).toBeGreaterThanOrEqual(Math.max(smooth.open, smooth.close));
        expect(smooth.low).toBeLessThanOrEqual(Math.min(smooth.open, smooth.close));
        previous = smooth;
      }
    }),
  );
});
