import { catalog } from '../i18n/catalog.ts';
import { t } from '../i18n/t.ts';
import { FieldError } from './field-error.ts';

/** A period of a report; times are ISO 8601. */
export interface Period {
  readonly label: string;
  readonly from: string;
  /** The end, which is not included; absent for now. */
  readonly to?: string;
}

const MONTHS = 12;

/** Returns the periods that the form of reports offers: this month first, then the months before it, years and everything. */
export function periods(now: Date): readonly Period[] {
  const year = now.getUTCFullYear();
  const month = now.getUTCMonth();
  const start = (months: number) => new Date(Date.UTC(year, month + months, 1)).toISOString();
  const months = Array.from({ length: MONTHS }, (_, index) => ({
    label: monthLabel(new Date(start(-1 - index))),
    from: start(-1 - index),
    to: start(-index),
  }));
  return [
    { label: t('This month'), from: start(0) },
    ...months,
    { label: `${year}`, from: new Date(Date.UTC(year, 0, 1)).toISOString() },
    {
      label: `${year - 1}`,
      from: new Date(Date.UTC(year - 1, 0, 1)).toISOString(),
      to: new Date(Date.UTC(year, 0, 1)).toISOString(),
    },
    { label: t('Everything'), from: new Date(0).toISOString() },
  ];
}

/**
 * Returns the period from a day to another one, which is included. Days are in UTC, such as `2026-01-31`.
 * @throws FieldError if a day is missing or the last one is before the first
 */
export function customPeriod(first: string, last: string): Required<Pick<Period, 'from' | 'to'>> {
  if (first === '') throw new FieldError('from', t('Choose a date.'));
  if (last === '') throw new FieldError('to', t('Choose a date.'));
  if (last < first) {
    throw new FieldError('to', t('The last day must not be before the first one.'));
  }
  const end = new Date(last);
  end.setUTCDate(end.getUTCDate() + 1);
  return { from: new Date(first).toISOString(), to: end.toISOString() };
}

function monthLabel(date: Date): string {
  return new Intl.DateTimeFormat(catalog.language, {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(date);
}
