import { applyBatch } from '../../archivist/recovery.ts';
import { csvHeader, csvRow, type ReportColumn } from '../../archivist/reports/columns.ts';
import { Exchange } from '../../engine/exchange.ts';
import { findOwner } from '../../engine/ledger/accounts.ts';
import type { Progress } from '../../monitoring/progress.ts';
import {
  type Alert,
  createDetectors,
  type DetectorName,
  Surveillance,
} from '../../surveillance/surveillance.ts';
import type { Result } from '../command.ts';
import { ExitCode } from '../failure.ts';
import { table } from '../text.ts';
import { cliError } from './finding.ts';
import { type Moment, type SourcePlace, withSource } from './source.ts';

export interface SurveillanceTerms {
  /** The only detector to run; default: all. */
  readonly detector?: string | undefined;
  /** Ids of accounts whose own conduct is expected, such as market makers of the exchange. */
  readonly excluded: readonly string[];
  /** The end of the part of the log that is read. */
  readonly at?: Moment | undefined;
  readonly isCsv: boolean;
}

/** An alert with public names. */
interface NamedAlert extends Omit<Alert, 'market' | 'owners'> {
  readonly symbol: string;
  readonly accounts: readonly string[];
}

interface Failure {
  readonly detector: DetectorName;
  readonly position: number;
  readonly reason: string;
}

/**
 * Runs detectors over the whole log, or up to a moment. The node may run. A detector that fails is reported, and the
 * others complete.
 * @throws CliError if there is no such account, or the log cannot be read
 */
export function runSurveillance(
  place: SourcePlace,
  terms: SurveillanceTerms,
  progress: Progress,
  create = createDetectors,
): Promise<Result> {
  return withSource(place, terms.at, progress, async (source) => {
    const exchange = new Exchange();
    const { state } = exchange;
    const found: Alert[] = [];
    const failures: Failure[] = [];
    const names = terms.detector === undefined ? undefined : [terms.detector];
    const detectors = create((account) => findOwner(state.accounts, account), names);
    const surveillance = new Surveillance(detectors, {
      onAlert: (alert) => found.push(alert),
      onFailure: (detector, { message }, { sequence }) =>
        failures.push({ detector, position: sequence, reason: message }),
    });
    for await (const batch of source.read('replaying the log')) {
      applyBatch(exchange, batch, source.skips, ({ sequence }, index) => {
        surveillance.read({ sequence, index, time: state.time }, exchange.events);
      });
    }
    surveillance.end();
    const excluded = new Set(terms.excluded.map((id) => findAccount(exchange, id)));
    const alerts = found
      .filter(({ owners }) => !owners.every((owner) => excluded.has(owner)))
      .map((alert) => toNamed(exchange, alert));
    return describe(alerts, failures, terms.isCsv);
  });
}

/** @throws CliError */
function findAccount({ state }: Exchange, id: string): number {
  const account = state.accountsById.get(id);
  if (account !== undefined) return findOwner(state.accounts, account.index);
  throw cliError('UNKNOWN_ACCOUNT', `There is no account ${id} in this log.`);
}

function toNamed({ state }: Exchange, { market, owners, ...alert }: Alert): NamedAlert {
  return {
    ...alert,
    symbol: state.markets[market]!.symbol,
    accounts: owners.map((owner) => state.accounts[owner]!.id),
  };
}

function describe(
  alerts: readonly NamedAlert[],
  failures: readonly Failure[],
  isCsv: boolean,
): Result {
  const data = { alerts: alerts.map(toData), failures };
  const notes = failures.map(
    ({ detector, position, reason }) =>
      `The detector ${detector} failed at position ${position} and found nothing from there on: ${reason}`,
  );
  const exitCode = failures.length > 0 ? ExitCode.failed : undefined;
  const text = isCsv ? toCsv(alerts) : [toTable(alerts), ...notes].join('\n\n');
  return { data, text, ...(exitCode === undefined ? {} : { exitCode }) };
}

function toData({ from, to, ...alert }: NamedAlert) {
  const place = ({ sequence, index, time }: typeof from) => ({
    position: sequence,
    index,
    timestamp: new Date(time).toISOString(),
  });
  return { ...alert, from: place(from), to: place(to) };
}

function toTable(alerts: readonly NamedAlert[]): string {
  if (alerts.length === 0) return 'No alerts.';
  const rows = alerts.map((alert) => [
    new Date(alert.to.time).toISOString(),
    alert.detector,
    alert.symbol,
    alert.accounts.join(', '),
    `${alert.from.sequence}–${alert.to.sequence}`,
    figuresText(alert),
  ]);
  return table(['TIME', 'DETECTOR', 'MARKET', 'ACCOUNTS', 'POSITIONS', 'FIGURES'], rows);
}

function figuresText({ figures }: NamedAlert): string {
  return Object.entries(figures)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}

const text = (name: string, value: (alert: NamedAlert) => string): ReportColumn<NamedAlert> => ({
  name,
  type: 'text',
  value,
});
const number = (name: string, value: (alert: NamedAlert) => number): ReportColumn<NamedAlert> => ({
  name,
  type: 'number',
  value: (alert) => String(value(alert)),
});

const COLUMNS: readonly ReportColumn<NamedAlert>[] = [
  text('id', ({ id }) => id),
  text('detector', ({ detector }) => detector),
  text('symbol', ({ symbol }) => symbol),
  text('accounts', ({ accounts }) => accounts.join(' ')),
  number('fromPosition', ({ from }) => from.sequence),
  number('fromIndex', ({ from }) => from.index),
  text('fromTime', ({ from }) => new Date(from.time).toISOString()),
  number('toPosition', ({ to }) => to.sequence),
  number('toIndex', ({ to }) => to.index),
  text('toTime', ({ to }) => new Date(to.time).toISOString()),
  text('figures', figuresText),
];

function toCsv(alerts: readonly NamedAlert[]): string {
  return (csvHeader(COLUMNS) + alerts.map((alert) => csvRow(COLUMNS, alert)).join('')).trimEnd();
}
