import type {
  ISeriesApi,
  ISeriesPrimitive,
  ISeriesPrimitiveAxisView,
  SeriesAttachedParameter,
  SeriesType,
  Time,
} from 'lightweight-charts';
import { exchangeNow } from '../../exchange-clock.ts';
import type { Bar } from './bars.ts';
import type { Interval } from './settings.ts';

const UNIT_S: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };
/** Distance in pixels of the label from that of the last price. */
const BELOW_PX = 17;

/** Returns when a candle closes. @param start Seconds since 1970, as the result */
export function closingTime(start: number, interval: Interval): number {
  if (interval === '1M') {
    const opened = new Date(start * 1000);
    return Date.UTC(opened.getUTCFullYear(), opened.getUTCMonth() + 1) / 1000;
  }
  return start + Number.parseInt(interval, 10) * UNIT_S[interval.at(-1)!]!;
}

/** Formats the time until a candle closes: `04:05`, `3:04:05` or `2d 3h`; empty after it. @param left Seconds */
export function countdownText(left: number): string {
  if (left <= 0) return '';
  const [days, hours] = [Math.floor(left / 86_400), Math.floor(left / 3600)];
  if (days > 0) return `${days}d ${hours % 24}h`;
  const pad = (value: number) => `${value}`.padStart(2, '0');
  const clock = `${pad(Math.floor(left / 60) % 60)}:${pad(left % 60)}`;
  return hours > 0 ? `${hours}:${clock}` : clock;
}

/** Centers a text in blanks as wide as a price, so that its label covers the same part of the scale: `  04:05  `. */
export function padToPrice(text: string, price: string): string {
  // A figure space is as wide as a digit, a punctuation space as wide as a point.
  const blank = price.replace(/\d/g, '\u2007').replace(/[.,]/g, '\u2008');
  const rest = Math.max(0, blank.length - text.length);
  const left = Math.floor(rest / 2);
  return blank.slice(0, left) + text + blank.slice(blank.length - rest + left);
}

/** Shows the time until the last candle closes, below the label of the last price. */
export class Countdown implements ISeriesPrimitive<Time> {
  interval: Interval = '15m';
  private last: Bar | undefined;
  private colors = { color: '', text: '' };
  private series: ISeriesApi<SeriesType> | undefined;
  private timer: ReturnType<typeof setInterval> | undefined;
  private readonly views: readonly ISeriesPrimitiveAxisView[] = [
    {
      coordinate: () => (this.yOfPrice() ?? 0) + BELOW_PX,
      text: () => padToPrice(this.text(), this.priceText()),
      textColor: () => this.colors.text,
      backColor: () => this.colors.color,
      visible: () => this.text() !== '' && this.yOfPrice() !== undefined,
    },
  ];

  attached({ series, requestUpdate }: SeriesAttachedParameter<Time>): void {
    this.series = series;
    this.timer = setInterval(() => {
      if (this.text() !== '') requestUpdate();
    }, 1000);
  }

  detached(): void {
    clearInterval(this.timer);
    this.series = undefined;
  }

  use(last: Bar | undefined, colors: typeof this.colors): void {
    this.last = last;
    this.colors = colors;
  }

  /** Returns the heights of the labels of the last price and the countdown, which belong together. */
  heights(): readonly [number, number] | undefined {
    const y = this.last === undefined ? undefined : this.yOfPrice();
    return y === undefined ? undefined : [y, this.text() === '' ? y : y + BELOW_PX];
  }

  priceAxisViews(): readonly ISeriesPrimitiveAxisView[] {
    return this.views;
  }

  private text(): string {
    if (this.last === undefined || this.interval === '1s') return '';
    const left = closingTime(this.last.time, this.interval) - Math.floor(exchangeNow() / 1000);
    return countdownText(left);
  }

  private priceText(): string {
    return this.series?.priceFormatter().format(this.last?.close ?? 0) ?? '';
  }

  private yOfPrice(): number | undefined {
    return this.series?.priceToCoordinate(this.last?.close ?? 0) ?? undefined;
  }
}
