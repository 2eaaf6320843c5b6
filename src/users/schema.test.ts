import { beforeEach, describe, expect, test } from 'bun:test';
import { DATABASES, empty } from '../testing/test-users.ts';
import { Database } from './database.ts';
import { MIGRATIONS, upgrade } from './schema.ts';
import { EXCHANGE_ACTOR, UserEvents } from './user-events.ts';
import { UserStore } from './user-store.ts';

const CAROL = {
  id: 'p_1',
  accountId: 'p_1',
  email: 'carol@example.com',
  name: 'Carol',
  password: 'a hash',
  permissions: 3,
  createdAt: 1_790_000_000_000,
};

describe.each(DATABASES)('on %s', (_, url) => {
  beforeEach(() => empty(url));

  test('a database is migrated once to the current version, and a newer one is rejected', async () => {
    const database = await Database.open(url);
    await upgrade(database);
    await upgrade(database);
    expect(await database.query('SELECT version FROM accounts_version')).toEqual([
      { version: MIGRATIONS.length },
    ]);
    await database.run('UPDATE accounts_version SET version = 99');
    await expect(upgrade(database)).rejects.toThrow('Start a newer release');
    await database.close();
  });

  test.each([1, 2, 3, 4, 5])(
    'a database of version %d keeps its users when migrated',
    async (version) => {
      const database = await Database.open(url);
      await upgrade(database, MIGRATIONS.slice(0, version));
      const store = new UserStore(database);
      await store.add(CAROL);
      await database.run(
        'INSERT INTO sign_ups (id, email, name, password, created_at) VALUES ($1, $2, $3, $4, $5)',
        'p_2',
        'dave@example.com',
        'Dave',
        'a hash',
        CAROL.createdAt,
      );
      await upgrade(database);
      expect(await database.query('SELECT version FROM accounts_version')).toEqual([
        { version: MIGRATIONS.length },
      ]);
      expect(await store.findByEmail(CAROL.email)).toMatchObject(CAROL);
      expect(await database.query('SELECT id, scope FROM sign_ups')).toEqual([
        { id: 'p_2', scope: '' },
      ]);
      const events = new UserEvents(database, () => CAROL.createdAt);
      await events.add(CAROL, 'invited', EXCHANGE_ACTOR, '3');
      await events.add(CAROL, 'removed', EXCHANGE_ACTOR);
      const recorded = await events.listBefore(Number.MAX_SAFE_INTEGER, 10);
      expect(recorded.map(({ id, action }) => [id, action])).toEqual([
        [2, 'removed'],
        [1, 'invited'],
      ]);
      await database.close();
    },
  );
});
