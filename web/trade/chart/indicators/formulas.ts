import type { Bar } from '../bars.ts';

/** The value of each line of an indicator at a bar; undefined while there are too few bars. */
export type Values = readonly (number | undefined)[];

/** An indicator that reads bars one by one. */
export interface Formula {
  /** Returns the values at the next bar. */
  next(bar: Bar): Values;
  /** Returns an independent copy, from which the last bar is calculated again while it changes. */
  copy(): Formula;
}

/** The mean of the last `period` closes. */
export class MovingAverage implements Formula {
  constructor(
    private readonly period: number,
    private window: readonly number[] = [],
  ) {}

  next({ close }: Bar): Values {
    this.window = [...this.window, close].slice(-this.period);
    return [this.window.length < this.period ? undefined : mean(this.window)];
  }

  copy(): Formula {
    return new MovingAverage(this.period, this.window);
  }
}

/** An exponential mean with α = 2 / (period + 1); the first value is the mean of the first `period` numbers. */
class Smoothed {
  constructor(
    private readonly period: number,
    private readonly alpha: number,
    private first: readonly number[] = [],
    private value: number | undefined = undefined,
  ) {}

  next(number: number): number | undefined {
    if (this.value !== undefined) this.value += this.alpha * (number - this.value);
    else {
      this.first = [...this.first, number];
      if (this.first.length === this.period) this.value = mean(this.first);
    }
    return this.value;
  }

  copy(): Smoothed {
    return new Smoothed(this.period, this.alpha, this.first, this.value);
  }

  static exponential(period: number): Smoothed {
    return new Smoothed(period, 2 / (period + 1));
  }

  /** The smoothing of Wilder (New Concepts in Technical Trading Systems, 1978): α = 1 / period. */
  static wilder(period: number): Smoothed {
    return new Smoothed(period, 1 / period);
  }
}

/** The exponential moving average of closes. */
export class ExponentialAverage implements Formula {
  constructor(
    private readonly period: number,
    private readonly mean = Smoothed.exponential(period),
  ) {}

  next({ close }: Bar): Values {
    return [this.mean.next(close)];
  }

  copy(): Formula {
    return new ExponentialAverage(this.period, this.mean.copy());
  }
}

/** Bollinger bands: middle, upper and lower; the bands are `factor` population standard deviations from the mean. */
export class BollingerBands implements Formula {
  constructor(
    private readonly period: number,
    private readonly factor: number,
    private window: readonly number[] = [],
  ) {}

  next({ close }: Bar): Values {
    this.window = [...this.window, close].slice(-this.period);
    if (this.window.length < this.period) return [undefined, undefined, undefined];
    const middle = mean(this.window);
    const deviation = Math.sqrt(mean(this.window.map((each) => (each - middle) ** 2)));
    return [middle, middle + this.factor * deviation, middle - this.factor * deviation];
  }

  copy(): Formula {
    return new BollingerBands(this.period, this.factor, this.window);
  }
}

/** The relative strength index of Wilder (1978), from 0 to 100; 50 if the price did not change. */
export class RelativeStrength implements Formula {
  constructor(
    private readonly period: number,
    private readonly gains = Smoothed.wilder(period),
    private readonly losses = Smoothed.wilder(period),
    private previous: number | undefined = undefined,
  ) {}

  next({ close }: Bar): Values {
    const change = this.previous === undefined ? undefined : close - this.previous;
    this.previous = close;
    if (change === undefined) return [undefined];
    const gain = this.gains.next(Math.max(change, 0));
    const loss = this.losses.next(Math.max(-change, 0));
    if (gain === undefined || loss === undefined) return [undefined];
    return [gain + loss === 0 ? 50 : (100 * gain) / (gain + loss)];
  }

  copy(): Formula {
    return new RelativeStrength(this.period, this.gains.copy(), this.losses.copy(), this.previous);
  }
}

/** Moving average convergence/divergence (Appel): the difference of two averages, its signal line, and their distance. */
export class Macd implements Formula {
  constructor(
    private readonly fast: Smoothed,
    private readonly slow: Smoothed,
    private readonly signal: Smoothed,
  ) {}

  static create(fast: number, slow: number, signal: number): Macd {
    return new Macd(
      Smoothed.exponential(fast),
      Smoothed.exponential(slow),
      Smoothed.exponential(signal),
    );
  }

  next({ close }: Bar): Values {
    const fast = this.fast.next(close);
    const slow = this.slow.next(close);
    if (fast === undefined || slow === undefined) return [undefined, undefined, undefined];
    const macd = fast - slow;
    const signal = this.signal.next(macd);
    return [macd, signal, signal === undefined ? undefined : macd - signal];
  }

  copy(): Formula {
    return new Macd(this.fast.copy(), this.slow.copy(), this.signal.copy());
  }
}

/** The average true range of Wilder (1978): how far prices move in a bar, with the gap before it. */
export class AverageTrueRange implements Formula {
  constructor(
    private readonly mean: Smoothed,
    private previous: number | undefined = undefined,
  ) {}

  static create(period: number): AverageTrueRange {
    return new AverageTrueRange(Smoothed.wilder(period));
  }

  next({ high, low, close }: Bar): Values {
    const before = this.previous ?? close;
    const gap = this.previous === undefined ? 0 : Math.max(high - before, before - low);
    this.previous = close;
    return [this.mean.next(Math.max(high - low, gap))];
  }

  copy(): Formula {
    return new AverageTrueRange(this.mean.copy(), this.previous);
  }
}

/**
 * The slow stochastic oscillator (Lane): where the close is in the range of the last `period` bars, from 0 to 100, as a
 * mean of `smoothing` bars, and the mean of that. 50 if the price did not change.
 */
export class Stochastic implements Formula {
  constructor(
    private readonly lengths: readonly [period: number, smoothing: number, signal: number],
    private window: readonly Bar[] = [],
    private raw: readonly number[] = [],
    private smooth: readonly number[] = [],
  ) {}

  next(bar: Bar): Values {
    const [period, smoothing, signal] = this.lengths;
    this.window = [...this.window, bar].slice(-period);
    if (this.window.length < period) return [undefined, undefined];
    const low = Math.min(...this.window.map((each) => each.low));
    const high = Math.max(...this.window.map((each) => each.high));
    const place = high === low ? 50 : (100 * (bar.close - low)) / (high - low);
    this.raw = [...this.raw, place].slice(-smoothing);
    if (this.raw.length < smoothing) return [undefined, undefined];
    const value = mean(this.raw);
    this.smooth = [...this.smooth, value].slice(-signal);
    return [value, this.smooth.length < signal ? undefined : mean(this.smooth)];
  }

  copy(): Formula {
    return new Stochastic(this.lengths, this.window, this.raw, this.smooth);
  }
}

/** The on-balance volume (Granville): the volume of rising bars less that of falling ones. */
export class OnBalanceVolume implements Formula {
  constructor(
    private previous: number | undefined = undefined,
    private total = 0,
  ) {}

  next({ close, volume }: Bar): Values {
    this.total += Math.sign(close - (this.previous ?? close)) * volume;
    this.previous = close;
    return [this.total];
  }

  copy(): Formula {
    return new OnBalanceVolume(this.previous, this.total);
  }
}

const DAY_S = 86_400;

/** The volume-weighted average price since the start of the UTC day, of typical prices: (high + low + close) / 3. */
export class VolumeWeightedPrice implements Formula {
  constructor(
    private day = Number.NaN,
    private value = 0,
    private volume = 0,
  ) {}

  next({ time, high, low, close, volume }: Bar): Values {
    const day = Math.floor(time / DAY_S);
    if (day !== this.day) {
      this.day = day;
      this.value = 0;
      this.volume = 0;
    }
    this.value += ((high + low + close) / 3) * volume;
    this.volume += volume;
    return [this.volume === 0 ? undefined : this.value / this.volume];
  }

  copy(): Formula {
    return new VolumeWeightedPrice(this.day, this.value, this.volume);
  }
}

function mean(numbers: readonly number[]): number {
  let sum = 0;
  for (const each of numbers) sum += each;
  return sum / numbers.length;
}
