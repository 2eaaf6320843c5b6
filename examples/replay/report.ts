import type { Comparison } from './comparison.ts';

export interface Report extends Comparison {
  readonly orders: number;
  /** Orders that stand for those in the book before the recording. */
  readonly seedOrders: number;
  readonly cancels: number;
  /** Rejected requests by error code. */
  readonly refused: Readonly<Record<string, number>>;
  readonly tradesMade: number;
  readonly tradesRecorded: number;
  /** matched ÷ tradesRecorded */
  readonly share: number;
  readonly seconds: number;
  readonly ordersPerSecond: number;
  /** Orders and cancels, one at a time. */
  readonly requestsPerSecond: number;
  readonly booksBalance: boolean;
}

/** Formats the report as text. */
export function reportText(report: Report): string {
  const rejected = Object.entries(report.refused).map(([code, times]) => `${count(times)} ${code}`);
  const rows = [
    ['Orders sent', `${count(report.orders)}, and ${count(report.seedOrders)} to seed the book`],
    ['Cancels sent', count(report.cancels)],
    ['Rejected', rejected.join(', ') || 'none'],
    ['Trades made', count(report.tradesMade)],
    ['Trades recorded', count(report.tradesRecorded)],
    [
      'Matched exactly',
      `${count(report.matched)} (${(report.share * 100).toFixed(1)} %), ` +
        `${count(report.matchedInOrder)} of them in the recorded order`,
    ],
    [
      'Speed',
      `${count(report.ordersPerSecond)} orders per second, ` +
        `${count(report.requestsPerSecond)} orders and cancels`,
    ],
    ['Books', report.booksBalance ? 'balance' : 'DO NOT BALANCE'],
  ] as const;
  return rows.map(([name, value]) => `${name.padEnd(17)}${value}`).join('\n');
}

export function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
