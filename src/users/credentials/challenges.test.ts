import { expect, test } from 'bun:test';
import { Database } from '../database.ts';
import { upgrade } from '../schema.ts';
import { Challenges } from './challenges.ts';

const START_MS = Date.UTC(2026, 0, 5, 12);
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

async function newDatabase(): Promise<Database> {
  const database = await Database.open('sqlite://:memory:');
  await upgrade(database);
  return database;
}

test('a challenge is valid once, on all nodes, for its subject, for five minutes', async () => {
  let now = START_MS;
  const database = await newDatabase();
  const [challenges, others] = [1, 2].map(() => new Challenges(database, () => now)) as [
    Challenges,
    Challenges,
  ];
  const first = text(await challenges.create('carol'));
  const second = text(await challenges.create('carol'));
  for (let count = 0; count < 20_000; count++) await challenges.create('');
  expect(await challenges.isValid(first, '')).toBe(false);
  expect(await challenges.use(first, 'dora')).toBe(false);
  const used = await Promise.all([challenges.use(first, 'carol'), others.use(first, 'carol')]);
  expect(used.sort()).toEqual([false, true]);
  // The clock of the node that deletes old ones may be an hour ahead.
  now += 65 * 60_000;
  await others.deleteExpired();
  now = START_MS;
  expect(await challenges.use(first, 'carol')).toBe(false);
  now += 5 * 60_000 - 1;
  expect(await others.isValid(second, 'carol')).toBe(true);
  now++;
  expect(await others.use(second, 'carol')).toBe(false);
  await database.close();
});

test('a changed, truncated or foreign challenge is invalid', async () => {
  const database = await newDatabase();
  const another = await newDatabase();
  const challenges = new Challenges(database, () => START_MS);
  const bytes = await challenges.create('');
  for (let place = 0; place < bytes.length; place++) {
    const changed = bytes.with(place, bytes[place]! ^ 1);
    expect(await challenges.isValid(text(changed), '')).toBe(false);
  }
  expect(await challenges.isValid(text(bytes.subarray(1)), '')).toBe(false);
  expect(await challenges.isValid('', '')).toBe(false);
  const foreign = await new Challenges(another, () => START_MS).create('');
  expect(await challenges.isValid(text(foreign), '')).toBe(false);
  expect(await challenges.isValid(text(bytes), '')).toBe(true);
  await Promise.all([database.close(), another.close()]);
});
