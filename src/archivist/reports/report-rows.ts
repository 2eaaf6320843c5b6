import type { State } from '../../engine/state.ts';
import { isoTime } from './account-columns.ts';
import { csvHeader, csvRow, jsonRow, type ReportColumn } from './columns.ts';
import type { ReportTerms } from './report.ts';
import type { ReportOutput } from './report-output.ts';
import type { AccountRecords, ReportSource } from './report-source.ts';

/** A report in the making: what is known of it so far. */
export interface Making {
  /** From 0 to 1. */
  progress: number;
  rows: number;
  position: number;
}

/** Makes the body of a report in steps. @returns The text before the body; it may depend on all of it. */
export type Maker = AsyncGenerator<void, string>;

/** The parts of a report about an account while it is made. */
export interface Job {
  readonly source: ReportSource;
  readonly terms: ReportTerms;
  readonly output: ReportOutput;
  readonly making: Making;
  readonly records: AccountRecords;
}

/** Returns which part of the period a time ends. */
export function passedPart(
  { from, to }: ReportTerms,
  { time: now }: AccountRecords,
  time: number,
): number {
  return Math.min(1, (time - from) / Math.max(1, Math.min(to, now) - from));
}

/** Writes the rows of a list as CSV or JSON. */
export class RowWriter<Row> {
  private readonly isJson: boolean;

  constructor(
    private readonly job: Omit<Job, 'records'> & { readonly records: Reported },
    private readonly columns: readonly ReportColumn<Row>[],
  ) {
    this.isJson = job.terms.format === 'json';
  }

  write(row: Row): void {
    const { job, columns, isJson } = this;
    const { output, making } = job;
    if (isJson) output.write(`${making.rows === 0 ? '\n' : ',\n'}${jsonRow(columns, row)}`);
    else output.write(csvRow(columns, row));
    making.rows++;
  }

  /** Writes the end of the body. @returns The text before it. @param further Fields before the list, as JSON. */
  end(list: string, further = ''): string {
    if (!this.isJson) return csvHeader(this.columns);
    const { terms, output, records, source } = this.job;
    output.write('\n]}\n');
    return `${reportText(terms, records, source.state)},${further}"${list}":[`;
  }
}

/** The position of the log that a report includes. */
type Reported = Pick<AccountRecords, 'position'>;

/** Returns the beginning of a report as JSON. */
function reportText(
  { account, kind, from, to }: ReportTerms,
  { position }: Reported,
  { accounts }: State,
): string {
  const fields = {
    kind,
    account: accounts[account]?.id ?? null,
    from: isoTime(from),
    to: isoTime(to),
    logPosition: position,
  };
  return JSON.stringify(fields).slice(0, -1);
}
