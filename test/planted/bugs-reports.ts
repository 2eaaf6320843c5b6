import type { Bug } from './bug.ts';

const ledger = { file: 'src/archivist/reports/reports.test.ts', test: 'a ledger leads from' };
const jobs = (test: string) => ({ file: 'src/archivist/reports/report-jobs.test.ts', test });
const http = (test: string) => ({ file: 'test/http/reports.test.ts', test });
const files = (test: string) => ({ file: 'src/cli/offline/export/export.test.ts', test });

/** Faults of reports and of exported files. */
export const reportBugs: readonly Bug[] = [
  {
    name: 'reports: an entry at the end of the period counts as one of it',
    file: 'src/archivist/reports/ledger-sums.ts',
    text: 'if (time >= this.to) {',
    becomes: 'if (time > this.to) {',
    catcher: ledger,
  },
  {
    name: 'reports: a hold counts as a change of what the account owns',
    file: 'src/archivist/reports/ledger-sums.ts',
    text: 'const isOwned = !isHoldEntry(type);',
    becomes: 'const isOwned = !isHoldEntry(type) || type === 2;',
    catcher: jobs('funds that an order holds'),
  },
  {
    name: 'reports: a ledger is not compared with the balances of the state',
    file: 'src/archivist/reports/ledger-sums.ts',
    text: 'if (running.last !== available) {',
    becomes: 'if (running.last < 0) {',
    catcher: jobs('does not lead to the balances'),
  },
  {
    name: 'reports: fills after the position of the report are in it',
    file: 'src/archivist/reports/report-source.ts',
    text: 'const { account, from, nextTradeId: beforeId } = this;',
    becomes: 'const { account, from } = this;\n    const beforeId = Number.MAX_SAFE_INTEGER;',
    catcher: jobs('records after the position'),
  },
  {
    name: 'reports: a cell that begins with a minus is a formula',
    file: 'src/archivist/reports/columns.ts',
    text: '/^[=+\\-@',
    becomes: '/^[=+@',
    catcher: jobs('is the cell'),
  },
  {
    name: 'reports: a debited deposit counts as credited',
    file: 'src/archivist/reports/payment-columns.ts',
    text: '  DepositStatus.frozen,\n  DepositStatus.released,\n',
    becomes: '  DepositStatus.frozen,\n  DepositStatus.debited,\n  DepositStatus.released,\n',
    catcher: http('deposits and withdrawals have what moved'),
  },
  {
    name: 'reports: payments are not compared with the ledger',
    file: 'src/archivist/reports/payment-reports.ts',
    text: 'for (const [id, rest] of left) {',
    becomes: 'for (const [id, rest] of [...left].slice(1e9)) {',
    catcher: jobs('a deposit that the ledger lacks'),
  },
  {
    name: 'reports: every account sees the reports of all',
    file: 'src/archivist/reports/report-jobs.ts',
    text: 'if (report === undefined || !isVisible) return undefined;',
    becomes: 'if (report === undefined) return undefined;',
    catcher: http('an account sees its own reports'),
  },
  {
    name: 'reports: those of a moment to which a sandbox has not come stay',
    file: 'src/archivist/reports/report-jobs.ts',
    text: 'store.removeAfter(source.position);',
    becomes: '',
    catcher: jobs('from after the end of the log'),
  },
  {
    name: 'export: a candle without trades keeps the price before it as its open',
    file: 'src/cli/offline/export/market-export.ts',
    text: 'if (each.candle.trades === 0) each.candle = single;',
    becomes: 'if (each.candle.trades < 0) each.candle = single;',
    catcher: files('candles of'),
  },
];
