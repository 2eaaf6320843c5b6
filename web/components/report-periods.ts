import { catalog } from '../i18n/catalog.ts';
import { t } from '../i18n/t.ts';

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

function monthLabel(date: Date): string {
  return new Intl.DateTimeFormat(catalog.language, {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(date);
}
