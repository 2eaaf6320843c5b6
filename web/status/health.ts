import type { Client, Network } from '../../src/client/index.ts';
import { networkName } from '../custody/network-text.ts';
import { msg } from '../i18n/t.ts';

type Api = Client<true>;
export type ExchangeStatus = Awaited<ReturnType<Api['getStatus']>>;
export type StatusHistory = Awaited<ReturnType<Api['getStatusHistory']>>;

/** A state of the exchange or a part of it: it works, is limited, or does not work. */
export type Health = 'good' | 'warn' | 'bad';

/** A part of the exchange, with texts marked with `msg`. */
export interface Part {
  readonly name: string;
  readonly health: Health;
  readonly text: string;
  /** Values of the text. */
  readonly values?: Readonly<Record<string, string>>;
}

/** Lag of the history from which it is shown as late. */
const LATE_MS = 5000;
const MARKS: Readonly<Record<Health, number>> = { good: 0, warn: 1, bad: 2 };

/**
 * Returns the parts of the exchange and how they do.
 * @param status Undefined if the exchange does not answer
 * @param history Undefined if it cannot be read
 * @param networks Empty if the exchange has no deposits and withdrawals
 */
export function describeParts(
  status: ExchangeStatus | undefined,
  history: StatusHistory | undefined,
  networks: readonly Network<string>[] = [],
): readonly Part[] {
  return [
    { name: msg('API and streams'), ...describeApi(status) },
    { name: msg('Trading'), ...describeTrading(status, history) },
    { name: msg('History and candles'), ...describeHistory(status, history) },
    ...(networks.length === 0
      ? []
      : [{ name: msg('Deposits and withdrawals'), ...describeNetworks(status, networks) }]),
  ];
}

/** Returns how the worst part does. */
export function worstHealth(parts: readonly Part[]): Health {
  return parts.reduce<Health>(
    (worst, { health }) => (MARKS[health] > MARKS[worst] ? health : worst),
    'good',
  );
}

function describeApi(status: ExchangeStatus | undefined): Omit<Part, 'name'> {
  if (status === undefined) return { health: 'bad', text: msg('No answer') };
  if (status.status === 'stale') return { health: 'bad', text: msg('Out of touch with the log') };
  if (status.status === 'overloaded') {
    return { health: 'warn', text: msg('Overloaded: new orders are rejected') };
  }
  return { health: 'good', text: msg('Operational') };
}

function describeTrading(
  status: ExchangeStatus | undefined,
  history: StatusHistory | undefined,
): Omit<Part, 'name'> {
  if (status === undefined) return { health: 'bad', text: msg('Unknown') };
  const isMaintenance = status.maintenance.some(({ active }) => active);
  if (status.trading.status === 'trading') {
    return history?.incidents.some(({ to, symbol }) => to === null && symbol !== null)
      ? { health: 'warn', text: msg('Single markets are restricted') }
      : { health: 'good', text: msg('Operational') };
  }
  if (isMaintenance) return { health: 'warn', text: msg('Maintenance') };
  return status.trading.status === 'halted'
    ? { health: 'bad', text: msg('Halted in all markets') }
    : { health: 'warn', text: msg('Orders can only be canceled') };
}

function describeHistory(
  status: ExchangeStatus | undefined,
  history: StatusHistory | undefined,
): Omit<Part, 'name'> {
  if (status === undefined) return { health: 'bad', text: msg('Unknown') };
  if (history === undefined) return { health: 'warn', text: msg('Cannot be read') };
  return history.archivistLagMs < LATE_MS
    ? { health: 'good', text: msg('Operational') }
    : { health: 'warn', text: msg('Late') };
}

function describeNetworks(
  status: ExchangeStatus | undefined,
  networks: readonly Network<string>[],
): Omit<Part, 'name'> {
  if (status === undefined) return { health: 'bad', text: msg('Unknown') };
  const suspended = networks.filter(({ deposits, withdrawals }) => !deposits || !withdrawals);
  if (suspended.length === 0) return { health: 'good', text: msg('Operational') };
  const names = suspended.map(({ asset, network }) => `${asset} (${networkName(network)})`);
  return {
    health: 'warn',
    text: msg('Suspended: {networks}'),
    values: { networks: names.join(', ') },
  };
}

/**
 * Returns the share of the recorded time of the days in which nothing was interrupted, in percent.
 * @param readSeconds Returns for how long something was interrupted on a day
 */
export function openPercent(
  { days, timestamp, recordedSince }: StatusHistory,
  readSeconds: (day: StatusHistory['days'][number]) => number,
): number {
  const start = Math.max(Date.parse(`${days[0]!.date}T00:00:00Z`), Date.parse(recordedSince));
  const total = (Date.parse(timestamp) - start) / 1000;
  const interrupted = days.reduce((sum, day) => sum + readSeconds(day), 0);
  return total <= 0 ? 100 : 100 * (1 - Math.min(interrupted, total) / total);
}
