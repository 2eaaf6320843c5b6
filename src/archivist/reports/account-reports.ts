import type { EntryEvent } from '../../engine/event.ts';
import { sum } from '../../engine/numbers/exact.ts';
import { HistoryTrimmedError } from '../../history/errors.ts';
import type { Fill } from '../../history/history.ts';
import { fillColumns, type LedgerLine, ledgerColumns, orderColumns } from './account-columns.ts';
import { csvHeader, csvRow } from './columns.ts';
import { type AssetMovements, LedgerSums } from './ledger-sums.ts';
import { makeDeposits, makeWithdrawals } from './payment-reports.ts';
import type { AccountReportTerms, ReportTerms } from './report.ts';
import type { ReportOutput } from './report-output.ts';
import { type Job, type Maker, type Making, passedPart, RowWriter } from './report-rows.ts';
import { AccountRecords, type ReportSource } from './report-source.ts';
import { movementsText, Statement, statementJson } from './statement.ts';
import { statementPage } from './statement-page.ts';
import { makeTaxReport } from './tax-report.ts';

/**
 * Makes a report about an account, from records that are kept until it is complete.
 * @throws HistoryTrimmedError, LedgerMismatchError
 */
export async function* makeKeptReport(
  source: ReportSource,
  terms: AccountReportTerms,
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
  terms: AccountReportTerms,
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
    case 'deposits':
      return makeDeposits(job);
    case 'withdrawals':
      return makeWithdrawals(job);
    case 'tax_fifo':
      return makeTaxReport(job, 'fifo');
    case 'tax_average':
      return makeTaxReport(job, 'average');
  }
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
