import type { Exchange } from '../../../engine/exchange.ts';
import type { PeriodObserver } from '../../past/period.ts';
import type { ReportColumn } from '../columns.ts';

const DAY_MS = 86_400_000;

/** Observes a replay of a period, and writes the rows of a report about the exchange. */
export interface ExchangeObserver extends PeriodObserver {
  /** Writes the rest. @param time The end of the period, milliseconds since 1970. */
  end(time: number): void;
}

/** A kind of report about the exchange. */
export interface ExchangeReport<Row> {
  columns(state: Exchange['state']): readonly ReportColumn<Row>[];
  /** @param from The beginning of the period, at the state of the exchange. */
  observe(exchange: Exchange, from: number, write: (row: Row) => void): ExchangeObserver;
}

/** Splits a period into days (UTC). */
export class Days {
  private start: number;

  /** @param onEnd Called with the beginning of each part of a day and its end, in order. */
  constructor(
    from: number,
    private readonly onEnd: (start: number, end: number) => void,
  ) {
    this.start = from;
  }

  /** Ends the days that are over at a time. */
  passTo(time: number): void {
    for (let next = nextDay(this.start); next <= time; next = nextDay(next)) {
      this.onEnd(this.start, next);
      this.start = next;
    }
  }

  /** Ends the last day, unless it has just begun. */
  end(time: number): void {
    this.passTo(time);
    if (time > this.start) this.onEnd(this.start, time);
  }
}

function nextDay(time: number): number {
  return time - (time % DAY_MS) + DAY_MS;
}

/** Returns the date of a time in UTC, such as `2026-01-31`. */
export function dateText(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
