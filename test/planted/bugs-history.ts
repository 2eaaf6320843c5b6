import type { Bug } from './bug.ts';

const repair = (test: string) => ({ file: 'src/archivist/repair/history-repair.test.ts', test });
const parts = (test: string) => ({ file: 'test/process/missing-parts.test.ts', test });
const verify = (test: string) => ({ file: 'src/cli/offline/verify-history.test.ts', test });
const space = (test: string) => ({ file: 'src/storage/disk-space.test.ts', test });

/** Faults of a data directory: damaged history, missing parts, a second process, a full disk. */
export const historyBugs: readonly Bug[] = [
  {
    name: 'pages: one side of a trade with oneself is not read at the end of a page',
    file: 'src/history/queries/entry-queries.ts',
    text: 'const EXTRA_FILLS = 3;',
    becomes: 'const EXTRA_FILLS = 0;',
    catcher: { file: 'test/http/auctions.test.ts', test: 'pages of the ledger have every entry' },
  },
  {
    name: 'pages: the type of a ledger entry is forgotten for entries that wait for a commit',
    file: 'src/history/queries/entry-queries.ts',
    text: '(filter.type === undefined || entry.type === filter.type) &&',
    becomes: '',
    catcher: { file: 'src/history/pages.test.ts', test: 'all pages together' },
  },
  {
    name: 'pages: the entry of the recipient at the edge of a page of transfers is skipped',
    file: 'src/history/queries/internal-transfer-queries.ts',
    text: 'beforeId: beforeId === undefined ? undefined : beforeId + 1,',
    becomes: 'beforeId,',
    catcher: {
      file: 'src/history/queries/internal-transfer-queries.test.ts',
      test: 'all pages have every transfer',
    },
  },
  {
    name: 'an order that ends while its client order id is dropped is kept without its fingerprint',
    file: 'src/archivist/remembered.ts',
    text: 'return this.state.clientOrderIds.forgottenFingerprint(id);',
    becomes: 'return undefined;',
    catcher: { file: 'src/archivist/remembered.test.ts', test: 'keeps its fingerprint' },
  },
  {
    name: 'data directory: rows of history are read without a look at their checksums',
    file: 'src/history/database/checksum.ts',
    text: 'for (const row of rows) check(table, row, database.hasUncheckedRows);',
    becomes: '',
    catcher: repair('a changed value in'),
  },
  {
    name: 'data directory: a checksum leaves out the upper half of large numbers',
    file: 'src/history/database/checksum.ts',
    text: 'const high = Math.floor(value / 0x1_0000_0000) | 0;',
    becomes: 'const high = 0;',
    catcher: { file: 'src/history/database/checksum.test.ts', test: 'every change within' },
  },
  {
    name: 'data directory: damage to history ends the process',
    file: 'src/history/errors.ts',
    text: 'if (error instanceof HistoryDamagedError) return error;',
    becomes: '',
    catcher: {
      file: 'test/process/history-damage.test.ts',
      test: 'a damaged row: that page is refused',
    },
  },
  {
    name: 'data directory: a history that is behind is not continued, but left where it is',
    file: 'src/archivist/repair/history-repair.ts',
    text: 'if (!isDue) await replaceDatabase(path, rebuiltPath);',
    becomes: '',
    catcher: repair('a history that lacks many batches'),
  },
  {
    name: 'data directory: a rebuild begins at a snapshot that its history has not reached',
    file: 'src/archivist/repair/history-rebuild.ts',
    text: 'loadNewest(options.snapshots, history.resumesFrom())',
    becomes: 'loadNewest(options.snapshots)',
    catcher: repair('a missing history is rebuilt'),
  },
  {
    name: 'data directory: verify does not compare the rows of history with those of the log',
    file: 'src/cli/offline/history-check.ts',
    text: 'if (expected.equals(found)) continue;',
    becomes: 'if (expected.rows >= 0) continue;',
    catcher: verify('a row missing'),
  },
  {
    name: 'data directory: a new exchange begins where the log of another is missing',
    file: 'src/node/missing-log.ts',
    text: 'if (found.length === 0) return;',
    becomes: 'if (found.length >= 0) return;',
    catcher: parts('serve without its log'),
  },
  {
    name: 'data directory: --reset forgets a real exchange whose log is missing',
    file: 'src/node/reset.ts',
    text: 'return isRealWithoutLog(paths);',
    becomes: 'return false;',
    catcher: parts('--reset of a sandbox works without its log'),
    isSilence: true,
  },
  {
    name: 'data directory: others may read databases that were readable by them',
    file: 'src/storage/private-file.ts',
    text: 'if ((mode & OTHERS) !== 0) chmodSync(path + suffix, OWNER_ONLY);',
    becomes: '',
    catcher: parts('only the owner of the process can read its files'),
  },
  {
    name: 'data directory: two processes may share the lock',
    file: 'src/storage/lock.ts',
    text: 'const EXCLUSIVE_WITHOUT_WAITING = 2 | 4;',
    becomes: 'const EXCLUSIVE_WITHOUT_WAITING = 1 | 4;',
    catcher: {
      file: 'src/storage/lock.test.ts',
      test: 'a second lock is rejected, in another process and in this one',
    },
  },
  {
    name: 'data directory: orders are taken until the disk is full',
    file: 'src/storage/disk-space.ts',
    text: 'return Math.min(needed, MAX_RESERVED_PART * totalBytes);',
    becomes: 'return Math.min(needed, MAX_RESERVED_PART * totalBytes, 1);',
    catcher: space(
      'orders are rejected while the reserve is not free, without alternating at its limit',
    ),
  },
  {
    name: 'data directory: orders are refused for a full disk, and cancels with them',
    file: 'src/gateway/limits/order-intake.ts',
    text: 'if (!takesOrders) return undefined;',
    becomes: 'if (takesOrders === null) return undefined;',
    catcher: { file: 'test/http/disk-full.test.ts', test: 'while the disk is full' },
  },
  {
    name: 'a sandbox serves before its history is written',
    file: 'src/node/single.ts',
    text: '  await archivist.ready;\n  // Seeded trading is already counted.',
    becomes: '  // Seeded trading is already counted.',
    catcher: { file: 'test/process/living-sandbox.test.ts', test: 'reads of history are answered' },
  },
  {
    name: 'history is written at a low priority while a start waits for it',
    file: 'src/archivist/worker.ts',
    text: "if (data.kind === 'start' && data.start.log === 'jetstream') {",
    becomes: "if (data.kind === 'start') {",
    catcher: {
      file: 'src/archivist/worker-archivist.test.ts',
      test: 'the thread has the priority of the process until it has caught up',
    },
  },
  {
    name: 'one-second candles end with a second that was read in part',
    file: 'src/history/queries/second-candles.ts',
    text: 'while (second(trades.at(-1)!) === partial) trades.pop();',
    becomes: 'if (second(trades.at(-1)!) === partial) trades.pop();',
    catcher: {
      file: 'src/history/tables/candles.test.ts',
      test: 'pages of one-second candles that stop at a number of trades',
    },
  },
  {
    name: 'a month of candles has thirty days',
    file: 'src/config/intervals.ts',
    text: 'if (width !== MONTH) return start + count * width;',
    becomes: 'if (width !== 0) return start + count * width;',
    catcher: { file: 'src/config/intervals.test.ts', test: 'months is' },
  },
  {
    name: 'trades of two orders at one price are aggregated',
    file: 'src/history/queries/fill-queries.ts',
    text: 'next.orderId === first.orderId && next.price',
    becomes: 'next.price',
    catcher: {
      file: 'test/http/aggregated-trades.test.ts',
      test: 'the trades of one order at one price are one record',
    },
  },
  {
    name: 'a page of aggregated trades divides a record',
    file: 'src/history/queries/fill-queries.ts',
    text: 'if (last !== undefined && belongsTo(last[0]!, trade)) last.push(trade);',
    becomes:
      'if (last !== undefined && count < maxTrades && belongsTo(last[0]!, trade)) last.push(trade);',
    catcher: {
      file: 'src/history/queries/aggregated-trades.test.ts',
      test: 'pages of aggregated trades are all records',
    },
  },
];
