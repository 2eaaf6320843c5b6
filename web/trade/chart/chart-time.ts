import { TickMarkType, type Time, type UTCTimestamp } from 'lightweight-charts';
import { formatTime } from '../../format.ts';
import { catalog } from '../../i18n/catalog.ts';
import { clock } from '../../preferences.ts';
import type { Interval } from './settings.ts';

const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const SECONDS = { ...CLOCK, second: '2-digit' } as const;
const MARKS: Readonly<Record<TickMarkType, Intl.DateTimeFormatOptions>> = {
  [TickMarkType.Year]: { year: 'numeric' },
  [TickMarkType.Month]: { month: 'short' },
  [TickMarkType.DayOfMonth]: { day: 'numeric' },
  [TickMarkType.Time]: CLOCK,
  [TickMarkType.TimeWithSeconds]: SECONDS,
};

/**
 * The time axis of a chart in the time zone that the user chose. The library draws all times as UTC, so times are
 * shifted: that puts day marks at midnight of the user. Labels are formatted from the time itself, and stay right when
 * daylight saving begins or ends. Candles of a day and longer begin at midnight UTC, and are labeled with that day.
 */
export class ChartTime {
  private readonly isDaily: boolean;
  private readonly shiftS: number;

  constructor(interval: Interval) {
    this.isDaily = /[dwM]$/.test(interval);
    const isShifted = clock.peek() === 'local' && !this.isDaily;
    this.shiftS = isShifted ? -60 * new Date().getTimezoneOffset() : 0;
  }

  /** @param time Seconds since 1970. */
  toAxis(time: number): UTCTimestamp {
    return (time + this.shiftS) as UTCTimestamp;
  }

  toSeconds(axis: Time): number {
    return (axis as number) - this.shiftS;
  }

  formatMark(axis: Time, type: TickMarkType): string {
    return this.format(axis, MARKS[type]);
  }

  formatCrosshair(axis: Time): string {
    const date = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;
    return this.format(axis, this.isDaily ? date : { ...date, ...CLOCK });
  }

  private format(axis: Time, options: Intl.DateTimeFormatOptions): string {
    const time = new Date(this.toSeconds(axis) * 1000);
    if (!this.isDaily) return formatTime(time, options);
    return new Intl.DateTimeFormat(catalog.language, { ...options, timeZone: 'UTC' }).format(time);
  }
}
