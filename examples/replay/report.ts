import type { Comparison } from './comparison.ts';

export interface Report extends Comparison {
  readonly orders: number;
  /** Orders that stand for what was in the book before the recording. */
  readonly seedOrders: number;
  readonly cancels: number;
  /** Requests that the exchange refused, by code. */
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

/** The report for people. */
export function reportText(report: Report): string {
  const refused = Object.entries(report.refused).map(([code, times]) => `${count(times)} ${code}`);
  const rows = [
    ['Orders sent', `${count(report.orders)}, and ${count(report.seedOrders)} to seed the book`],
    ['Cancels sent', count(report.cancels)],
    ['Refused', refused.join(', ') || 'none'],
    ['Trades made', count(report.tradesMade)],
    ['Trades recorded', count(report.tradesRecorded)],
    [
      'Matched exactly',
      `${count(report.matched)} (${(report.share * 100).toFixed(1)} %), ` +
        `${count(report.matchedInOrder)} of them in the recorded order`,
    ],
    [
      'Speed',
      `${count(report.ordersPerSecond)} orders a second, ` +
        `${count(report.requestsPerSecond)} orders and cancels`,
    ],
    ['Books', report.booksBalance ? 'balance' : 'DO NOT BALANCE'],
  ] as const;
  return rows.map(([name, value]) => `${name.padEnd(17)}${value}`).join('\n');
}

export function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
