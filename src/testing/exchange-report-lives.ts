import { expect } from 'bun:test';
import fc from 'fast-check';
import { checkAsync } from '../../test/check.ts';
import { listCommands, scenario, type Timed } from '../../test/reference/scenario.ts';
import type {
  ExchangeReportKind,
  Report,
  ReportFile,
  ReportFormat,
} from '../archivist/reports/report.ts';
import { ReportJobs } from '../archivist/reports/report-jobs.ts';
import { ReportStore } from '../archivist/reports/report-store.ts';
import type { TradeEvent } from '../engine/event.ts';
import { Exchange } from '../engine/exchange.ts';
import { MarketStatus, type Side } from '../engine/terms.ts';
import { MemoryLog } from './memory-log.ts';
import { SimulatedStorage } from './simulated-storage.ts';
import { appendBatch } from './test-exchange.ts';

export const DAY_MS = 86_400_000;

/** The view of a naive observer after one command: whole lists, read from the orders and not from the books. */
export interface Moment {
  readonly time: number;
  readonly trades: readonly TradeEvent[];
  readonly accounts: number;
  readonly placed: ReadonlySet<number>;
  readonly fees: readonly bigint[];
  readonly books: readonly Book[];
}

export interface Book {
  readonly isOpen: boolean;
  readonly orders: readonly { account: number; side: Side; price: number; shown: number }[];
}

export function observe(commands: readonly Timed[]): { exchange: Exchange; moments: Moment[] } {
  const exchange = new Exchange();
  const { state } = exchange;
  const moments = commands.map(({ command, time }): Moment => {
    exchange.apply(command, time);
    const { events } = exchange;
    return {
      time: state.time,
      trades: events.filter((event) => event.kind === 'trade'),
      accounts: state.accounts.length,
      placed: new Set(
        events.flatMap((event) =>
          event.kind === 'order' && event.createdAt === state.time ? [event.account] : [],
        ),
      ),
      fees: state.ledger.fees.map(BigInt),
      books: state.markets.map((market) => ({
        isOpen: market.currentStatus <= MarketStatus.limitOnly,
        orders: state.accounts.flatMap((account) =>
          account.openSlots.flatMap((slot) => {
            const { details, orders } = state;
            if (details.market(slot) !== market.index || details.isPending(slot)) return [];
            return [
              {
                account: account.index,
                side: orders.side[slot] as Side,
                price: orders.price(slot),
                shown: orders.remaining(slot),
              },
            ];
          }),
        ),
      })),
    };
  });
  return { exchange, moments };
}

export async function openJobs(commands: readonly Timed[], state: Exchange['state']) {
  const log = new MemoryLog();
  for (const { command, time } of commands) await appendBatch(log, time, [command]);
  const batches = [...log.read(0)];
  const store = new ReportStore(new SimulatedStorage(), '/reports');
  await store.open();
  const past = {
    read: ({ sequence }: { sequence: number }, through: number) =>
      batches.filter((batch) => batch.sequence > sequence && batch.sequence <= through),
    snapshots: { sequences: () => [], read: () => expect.unreachable() },
    elapsedMs: () => 0,
  };
  const read = () => expect.unreachable('a report about the exchange reads no history');
  const source = { state, position: batches.length, past, read };
  return { jobs: new ReportJobs({ source, store, elapsedMs: () => 0 }), store };
}

/** Makes a report about the exchange. */
export async function make(
  { jobs, store }: Awaited<ReturnType<typeof openJobs>>,
  kind: ExchangeReportKind,
  from: number,
  to: number,
  format: ReportFormat = 'json',
): Promise<string> {
  const terms = { account: -1, kind, format, from, to };
  const { reportId } = jobs.answer({ kind: 'createReport', terms }) as Report;
  while (jobs.hasWork) await jobs.step();
  const { report, path } = jobs.answer({ kind: 'reportFile', reportId }) as ReportFile;
  expect([report.status, report.error]).toEqual(['done', '']);
  const file = store.storage.openForReading(path);
  const bytes = new Uint8Array(file.size());
  file.read(bytes, 0);
  return Buffer.from(bytes).toString();
}

/** Returns the rows of a report with exact numbers, as texts. */
export function parseRows(text: string): Record<string, string | null>[] {
  const { rows } = JSON.parse(text, (_, value, context?: { source?: string }) =>
    typeof value === 'number' ? context!.source : value,
  ) as { rows: Record<string, string | null>[] };
  return rows;
}

const life = fc.record({
  life: scenario(90),
  start: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1, noNaN: true })),
  end: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
  /** Days that the scenario is stretched over; 0 for none. */
  days: fc.constantFrom(0, 0, 2, 6),
});

export const dateText = (time: number) => new Date(time).toISOString().slice(0, 10);
export const add = (values: readonly (number | bigint)[]) =>
  values.reduce<bigint>((all, value) => all + BigInt(value), 0n);

/** Runs a check on random lives and periods. */
export async function checkLives(
  check: (given: {
    exchange: Exchange;
    moments: readonly Moment[];
    from: number;
    to: number;
    rows: (kind: ExchangeReportKind) => Promise<Record<string, string | null>[]>;
  }) => Promise<void>,
) {
  const property = fc.asyncProperty(life, async ({ life: played, start, end, days }) => {
    const plain = listCommands(played);
    const first = plain[0]!.time;
    const lasted = Math.max(1, plain.at(-1)!.time - first);
    const stretch = days === 0 ? 1 : (days * DAY_MS) / lasted;
    const commands = plain.map(({ command, time }) => ({
      command,
      time: first + Math.floor((time - first) * stretch),
    }));
    const { exchange, moments } = observe(commands);
    const at = (share: number) => moments[Math.floor(share * (moments.length - 1))]!.time;
    const from = at(Math.min(start, end));
    const to = Math.max(from + 1, at(Math.max(start, end)) + 1);
    const jobs = await openJobs(commands, exchange.state);
    await check({
      exchange,
      moments,
      from,
      to,
      rows: async (kind) => parseRows(await make(jobs, kind, from, to)),
    });
  });
  await checkAsync(property, 120);
}

/** Returns units as a decimal without trailing zeros. */
export function decimalText(units: bigint, decimals: number): string {
  const digits = `${units}`.padStart(decimals + 1, '0');
  if (decimals === 0) return digits;
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`.replace(/\.?0+$/, '');
}
