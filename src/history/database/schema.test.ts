import { expect, test } from 'bun:test';
import { onEachDatabase, readRows, withTemporaryUrl } from '../../../test/history/temporary.ts';
import { HistoryVersionError } from '../errors.ts';
import { History } from '../history.ts';
import { openDatabase } from './open-database.ts';
import { upgrade } from './schema.ts';

const FIRST = ['CREATE TABLE things (name TEXT NOT NULL)', "INSERT INTO things VALUES ('old')"];
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
