import type { Arguments } from '../arguments.ts';
import type { Option } from '../command.ts';
import { usageError } from '../failure.ts';
import { FORMS } from '../forms.ts';

/** Options for the period of a report. */
export const PERIOD: readonly Option[] = [
  { name: 'from', value: 'TIME', help: 'beginning of the period', form: FORMS.time },
  {
    name: 'to',
    value: 'TIME',
    help: 'end of the period, not included; default: now',
    form: FORMS.time,
  },
  {
    name: 'month',
    value: 'MONTH',
    help: 'a month in UTC instead of --from and --to, such as 2027-01 or last',
    form: FORMS.month,
  },
];

/** Returns the period that options name. @throws CliError if it is not exactly one */
export function readPeriod(args: Arguments, now: Date = new Date()): { from: string; to?: string } {
  const from = args.option('from');
  const to = args.option('to');
  const month = args.option('month');
  if (month !== undefined) {
    if (from !== undefined || to !== undefined) {
      throw usageError('Give either --month, or --from and --to.');
    }
    return readMonth(month, now);
  }
  if (from === undefined) throw usageError('Give the period with --from or --month.');
  return to === undefined ? { from } : { from, to };
}

function readMonth(text: string, now: Date): { from: string; to: string } {
  // Months count from 0, and -1 is December of the year before.
  const [year, month] =
    text === 'last'
      ? [now.getUTCFullYear(), now.getUTCMonth() - 1]
      : [Number(text.slice(0, 4)), Number(text.slice(5)) - 1];
  const start = (at: number) => new Date(Date.UTC(year, at)).toISOString();
  return { from: start(month), to: start(month + 1) };
}
