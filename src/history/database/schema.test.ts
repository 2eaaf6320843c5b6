import { expect, test } from 'bun:test';
import { onEachDatabase, readRows, withTemporaryUrl } from '../../../test/history/temporary.ts';
import { type Command, CommandKind } from '../../engine/command.ts';
import type { TradeEvent } from '../../engine/event.ts';
import { exact } from '../../engine/numbers/exact.ts';
import { NONE, Side } from '../../engine/terms.ts';
import { HistoryVersionError } from '../errors.ts';
import { History } from '../history.ts';
import { CandleQueries } from '../queries/candle-queries.ts';
import { candlesTable } from '../tables/candles.ts';
import { Pending } from '../writer/pending.ts';
import type { Database, Queries } from './database.ts';
import { openDatabase } from './open-database.ts';
import { upgrade } from './schema.ts';

const FIRST = ['CREATE TABLE things (name TEXT NOT NULL)', "INSERT INTO things VALUES ('old')"];
const COMMAND = { kind: CommandKind.tick } as const;
const START = Date.UTC(2026, 0, 5, 12);
const OPERATOR = { account: 3, key: NONE };
const NOTE = 'He wrote "owner":9, and {"owner":9}';
/** Commands that name eight accounts in all, also within another command, and texts that look like fields. */
const AUDITED: readonly Command[] = [
  { kind: CommandKind.setAccountStatus, ...OPERATOR, owner: 1, frozen: true, reason: NOTE },
  {
    ...{ kind: CommandKind.internalTransfer, account: 1, key: 0, from: 1, to: 2 },
    ...{ asset: 0, amount: 5, clientId: null },
  },
  { kind: CommandKind.scheduleMaintenance, ...OPERATOR, from: 1, to: 2, mode: 4, message: NOTE },
  {
    ...{ kind: CommandKind.requestApproval, ...OPERATOR, user: 'u', reason: NOTE },
    command: { kind: CommandKind.setReferrer, ...OPERATOR, owner: 1, referrer: 2 },
  },
];
/** Two minutes of one market and one of another, where takers bought, sold, or both. */
const TRADES: readonly TradeEvent[] = [
  [0, 0, Side.buy, 3],
  [0, 10_000, Side.sell, 5],
  [1, 20_000, Side.buy, 7],
  [0, 30_000, Side.buy, 2 ** 40],
  [0, 70_000, Side.sell, 11],
].map(([market, wait, takerSide, amount], index) => ({
  kind: 'trade',
  id: index + 1,
  market: market!,
  price: 1000 + index,
  amount: amount!,
  // Ten minor units per price unit and amount unit.
  cost: exact(10n * BigInt(1000 + index) * BigInt(amount!)),
  takerSide: takerSide as Side,
  makerOrderId: 1,
  makerAccount: 1,
  makerFee: 0,
  makerEntryId: 1,
  makerGivenAfter: 0,
  makerReceivedAfter: 0,
  takerOrderId: 2,
  takerAccount: 2,
  takerFee: 0,
  takerEntryId: 4,
  takerGivenAfter: 0,
  takerReceivedAfter: 0,
  time: START + wait!,
}));

/** Accepts rows without a checksum, which the upgrade leaves. */
function unchecked(database: Queries): Queries {
  return {
    hasUncheckedRows: true,
    query: (text, ...values) => database.query(text, ...values),
  };
}

/** Only PostgreSQL has these tables. */
async function dropReports(database: Database): Promise<void> {
  for (const table of ['report_parts', 'reports'])
    await database.run(`DROP TABLE IF EXISTS ${table}`);
}

const SECOND = ["ALTER TABLE things ADD COLUMN kind TEXT NOT NULL DEFAULT 'plain'"];

onEachDatabase(() => {
  test('an older database is upgraded once and keeps its rows', async () => {
    await withTemporaryUrl(async (url) => {
      const database = openDatabase(url);
      await upgrade(database, [FIRST]);
      expect(await readRows(url, 'things')).toEqual([{ name: 'old' }]);
      await upgrade(database, [FIRST, SECOND]);
      await upgrade(database, [FIRST, SECOND]);
      expect(await readRows(url, 'things')).toEqual([{ name: 'old', kind: 'plain' }]);
      expect(await readRows(url, 'schema_version')).toEqual([{ version: 2 }]);
      await database.close();
    });
  });

  test('candles of version 4 get their columns of version 5 from fills', async () => {
    await withTemporaryUrl(async (url) => {
      const history = await History.open(url);
      for (const [index, trade] of TRADES.entries()) {
        history.record(1, index, trade.time, COMMAND, { kind: 'done' }, [trade]);
      }
      await history.commit(1, new Uint8Array(32));
      const right = [await history.minuteCandles(0, 0), await history.minuteCandles(1, 0)];
      expect(right.flat()).toHaveLength(3);
      await history.close();

      const database = openDatabase(url);
      for (const { name } of candlesTable.columns.filter(({ since }) => since === 5)) {
        await database.run(`ALTER TABLE candles DROP COLUMN ${name}`);
      }
      for (const table of ['deposits', 'withdrawals', 'deposit_changes', 'withdrawal_changes'])
        await database.run(`DROP TABLE ${table}`);
      for (const table of ['kept', 'alerts', 'detectors', 'alert_reviews', 'alert_cases'])
        await database.run(`DROP TABLE ${table}`);
      await database.run('DROP TABLE audit_subjects');
      await dropReports(database);
      await database.run('UPDATE schema_version SET version = 4');
      await upgrade(database);
      const queries = new CandleQueries(unchecked(database), new Pending(() => []));
      const found = [0, 1].map((market) =>
        queries.traded(market, 60_000, (time) => time, 0, Number.MAX_SAFE_INTEGER),
      );
      expect(await Promise.all(found)).toEqual(right);
      await database.close();
    });
  });

  test('audit records of version 10 get the accounts that they name', async () => {
    await withTemporaryUrl(async (url) => {
      const history = await History.open(url);
      for (const [index, command] of AUDITED.entries()) {
        history.record(1, index, START, command, { kind: 'done' }, []);
      }
      await history.commit(1, new Uint8Array(32));
      await history.close();
      const read = async () =>
        (await readRows(url, 'audit_subjects')).map(
          ({ account, sequence, audit_id, kind }) => `${account} ${sequence} ${audit_id} ${kind}`,
        );
      const right = await read();
      expect(right).toHaveLength(8);

      const database = openDatabase(url);
      await database.run('DROP TABLE audit_subjects');
      await dropReports(database);
      await database.run('UPDATE schema_version SET version = 10');
      await upgrade(database);
      // A file of SQLite is rebuilt instead.
      const isFilled = database.hasUncheckedRows;
      expect((await read()).sort()).toEqual(isFilled ? right.sort() : []);
      await database.close();
    });
  });

  test('a failed upgrade leaves the previous version', async () => {
    await withTemporaryUrl(async (url) => {
      const database = openDatabase(url);
      await upgrade(database, [FIRST]);
      const broken = upgrade(database, [
        FIRST,
        [...SECOND, 'ALTER TABLE nothing ADD COLUMN x TEXT'],
      ]);
      await expect(broken).rejects.toThrow('nothing');
      expect(await readRows(url, 'things')).toEqual([{ name: 'old' }]);
      expect(await readRows(url, 'schema_version')).toEqual([{ version: 1 }]);
      await database.close();
    });
  });

  test('a database of a newer release is rejected and not changed', async () => {
    await withTemporaryUrl(async (url) => {
      const history = await History.open(url);
      await history.close();
      const database = openDatabase(url);
      await database.run('UPDATE schema_version SET version = 1000');
      await database.close();

      const opening = History.open(url);
      await expect(opening).rejects.toThrow(HistoryVersionError);
      await expect(opening).rejects.toThrow('Start the release that wrote it');
      expect(await readRows(url, 'schema_version')).toEqual([{ version: 1000 }]);
    });
  });
});
