import type { EntryEvent } from '../../engine/event.ts';
import { sum } from '../../engine/numbers/exact.ts';
import { HistoryTrimmedError } from '../../history/errors.ts';
import type { Fill } from '../../history/history.ts';
import {
  fillColumns,
  isoTime,
  type LedgerLine,
  type Listings,
  ledgerColumns,
  orderColumns,
} from './account-columns.ts';
import { csvHeader, csvRow, jsonRow, type ReportColumn } from './columns.ts';
import { type AssetMovements, LedgerSums } from './ledger-sums.ts';
import type { ReportTerms } from './report.ts';
import type { ReportOutput } from './report-output.ts';
import { AccountRecords, type ReportSource } from './report-source.ts';
import { movementsText, Statement, statementJson } from './statement.ts';
import { statementPage } from './statement-page.ts';

/** A report in the making: what is known of it so far. */
export interface Making {
  /** From 0 to 1. */
  progress: number;
  rows: number;
  position: number;
}

/** Makes the body of a report in steps. @returns The text before the body; it may depend on all of it. */
export type Maker = AsyncGenerator<void, string>;

/**
 * Makes a report about an account, from records that are kept until it is complete.
 * @throws HistoryTrimmedError, LedgerMismatchError
 */
export async function* makeKeptReport(
  source: ReportSource,
  terms: ReportTerms,
  output: ReportOutput,
  making: Making,
): Maker {
  await checkKept(source, terms);
  try {
    return yield* makeAccountReport(source, terms, output, making);
  } finally {
    // Old records may have been deleted in the meantime, which also explains a ledger that does not add up.
    await checkKept(source, terms);
  }
}

async function checkKept(source: ReportSource, { from }: ReportTerms): Promise<void> {
  const keptSince = await source.read((reader) => reader.keptSince());
  if (from < keptSince) throw new HistoryTrimmedError(keptSince);
}

/**
 * Makes a report about an account in steps of some milliseconds, between which batches may be applied.
 * @param terms Of an account that exists. @param making Updated with every step.
 * @throws LedgerMismatchError if a ledger does not lead to the balances of the state
 */
export function makeAccountReport(
  source: ReportSource,
  terms: ReportTerms,
  output: ReportOutput,
  making: Making,
): Maker {
  const records = new AccountRecords(source, terms.account, terms.from);
  making.position = records.position;
  const job = { source, terms, output, making, records };
  switch (terms.kind) {
    case 'orders':
      return makeOrders(job);
    case 'fills':
      return makeFills(job);
    case 'ledger':
      return makeLedger(job);
    case 'statement':
      return makeStatement(job);
  }
}

interface Job {
  readonly source: ReportSource;
  readonly terms: ReportTerms;
  readonly output: ReportOutput;
  readonly making: Making;
  readonly records: AccountRecords;
}

async function* makeOrders(job: Job): Maker {
  const { source, terms, records, making } = job;
  const rows = new RowWriter(job, orderColumns(source.state));
  for await (const page of records.orders(terms.to)) {
    for (const order of page) rows.write(order);
    making.progress = passedPart(terms, records, page.at(-1)!.createdAt);
    yield;
  }
  return rows.end('orders');
}

async function* makeFills(job: Job): Maker {
  const { source, terms, records, making } = job;
  const rows = new RowWriter(job, fillColumns(source.state));
  pages: for await (const page of records.fills()) {
    for (const fill of page) {
      if (fill.time >= terms.to) break pages;
      rows.write(fill);
    }
    making.progress = passedPart(terms, records, page.at(-1)!.time);
    yield;
  }
  return rows.end('fills');
}

async function* makeLedger(job: Job): Maker {
  const { source, terms } = job;
  const columns = ledgerColumns(source.state);
  const rows = new RowWriter<LedgerLine>(job, columns);
  const movements = yield* addEntries(job, (entry) => rows.write(entry));
  const { from, to } = terms;
  const opening = movements.map((each) => balanceLine(each, 'opening_balance', from));
  const end = Math.min(to, job.records.time);
  const closing = movements.map((each) => balanceLine(each, 'closing_balance', end));
  if (terms.format === 'csv') {
    for (const line of closing) rows.write(line);
    return csvHeader(columns) + opening.map((line) => csvRow(columns, line)).join('');
  }
  return rows.end('entries', `"balances":${movementsText(movements, source.state)},`);
}

async function* makeStatement(job: Job): Maker {
  const { source, terms, output, making, records } = job;
  const statement = new Statement(terms, source.state);
  const onFills = (fills: readonly Fill[]) => {
    for (const fill of fills) if (fill.time < terms.to) statement.addFill(fill);
  };
  const movements = yield* addEntries(job, () => {}, onFills);
  making.rows = statement.fills;
  const { accounts } = source.state;
  const summary = statement.finish(movements, {
    account: accounts[terms.account]!.id,
    position: records.position,
    time: records.time,
  });
  const write = terms.format === 'html' ? statementPage : statementJson;
  output.write(write(summary));
  return '';
}

/** Adds up the ledger of the period. @param onEntry Called with each entry of the period. */
async function* addEntries(
  { terms, records, making }: Job,
  onEntry: (entry: EntryEvent) => void,
  onFills?: (fills: readonly Fill[]) => void,
): AsyncGenerator<void, AssetMovements[]> {
  const sums = new LedgerSums(terms.to, records.balances);
  let first: number | undefined;
  for await (const page of records.entries(onFills)) {
    first ??= page[0]!.id;
    for (const entry of page) if (sums.add(entry)) onEntry(entry);
    making.progress = records.entryProgress(first, page.at(-1)!.id);
    yield;
  }
  return sums.finish();
}

function balanceLine(
  { asset, opening, closing }: AssetMovements,
  type: 'opening_balance' | 'closing_balance',
  time: number,
): LedgerLine {
  const { available, held } = type === 'opening_balance' ? opening : closing;
  const amount = sum(available, held);
  return { time, id: null, asset, type, amount, after: available, reference: null };
}

/** Returns which part of the period a time ends. */
function passedPart(
  { from, to }: ReportTerms,
  { time: now }: AccountRecords,
  time: number,
): number {
  return Math.min(1, (time - from) / Math.max(1, Math.min(to, now) - from));
}

/** Writes the rows of a list as CSV or JSON. */
class RowWriter<Row> {
  private readonly isJson: boolean;

  constructor(
    private readonly job: Job,
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

/** Returns the beginning of a report as JSON. */
function reportText(
  { account, kind, from, to }: ReportTerms,
  { position }: AccountRecords,
  { accounts }: ReportSource['state'] & Listings,
): string {
  const fields = {
    kind,
    account: accounts[account]!.id,
    from: isoTime(from),
    to: isoTime(to),
    logPosition: position,
  };
  return JSON.stringify(fields).slice(0, -1);
}
