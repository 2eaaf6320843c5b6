import { expect, test } from 'bun:test';
import { Database } from './database.ts';
import { upgrade } from './schema.ts';

test('a database is brought up to the present version, once, and a newer one is refused', async () => {
  const database = await Database.open('sqlite://:memory:');
  await upgrade(database);
  await upgrade(database);
  expect(await database.query('SELECT version FROM accounts_version')).toEqual([{ version: 3 }]);
  await database.run('UPDATE accounts_version SET version = 99');
  await expect(upgrade(database)).rejects.toThrow('start a newer release');
  await database.close();
});
