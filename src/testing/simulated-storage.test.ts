import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { seededRandom } from '../storage/seeded-random.ts';
import { readAll, writeAll } from '../storage/storage.ts';
import { SimulatedStorage } from './simulated-storage.ts';

const FILE = '/d/file';

async function begin(bytes: Uint8Array) {
  const storage = new SimulatedStorage();
  await storage.makeDirectory('/d');
  const file = storage.create(FILE);
  writeAll(file, bytes, 0);
  await file.sync();
  await storage.syncDirectory('/d');
  return { storage, file };
}

/** The file, as text, after many power losses. */
function fates(storage: SimulatedStorage, path = FILE): Set<string> {
  const found = new Set<string>();
  for (let seed = 0; seed < 500; seed++) {
    const image = storage.afterPowerLoss(seededRandom(seed));
    const exists = image.list('/d').includes(path.slice(3));
    found.add(exists ? Buffer.from(readAll(image, path)).toString('latin1') : 'none');
  }
  return found;
}

const text = (...sectors: string[]) => sectors.map((letter) => letter.repeat(512)).join('');
const toBytes = (content: string) => Uint8Array.from(Buffer.from(content, 'latin1'));

test('synced data survives a power loss', async () => {
  const { storage, file } = await begin(toBytes('old'));
  writeAll(file, toBytes('new'), 0);
  await file.sync();
  expect(fates(storage)).toEqual(new Set(['new']));
});

test('unsynced data may be lost, kept, or torn at any sector', async () => {
  const { storage, file } = await begin(toBytes(text('a', 'a', 'a')));
  writeAll(file, toBytes(text('b', 'b', 'b')), 0);
  const expected = new Set<string>();
  for (const one of 'ab')
    for (const two of 'ab') for (const three of 'ab') expected.add(text(one, two, three));
  expect(fates(storage)).toEqual(expected);
  expect(readAll(storage, FILE)).toEqual(toBytes(text('b', 'b', 'b')));
});

test('a file that grew may end anywhere and have holes', async () => {
  const { storage, file } = await begin(toBytes(text('a')));
  writeAll(file, toBytes(text('b', 'b')), 512);
  const found = fates(storage);
  for (const fate of [text('a'), text('a', 'b'), text('a', 'b', 'b'), text('a', '\0', 'b')]) {
    expect(found).toContain(fate);
  }
  for (const fate of found) expect(fate.startsWith(text('a'))).toBe(true);
  expect([...found].some((fate) => fate.length % 512 !== 0)).toBe(true);
});

test('any of several writes to one position may be the last to reach the disk', async () => {
  const { storage, file } = await begin(toBytes('0'));
  for (const digit of '123') writeAll(file, toBytes(digit), 0);
  expect(fates(storage)).toEqual(new Set(['0', '1', '2', '3']));
});

test('after a failed sync data is visible, but lost in a power loss until it is written again', async () => {
  const { storage, file } = await begin(toBytes('old'));
  writeAll(file, toBytes('new'), 0);
  storage.onOperation = () => {
    throw new Error('The sync failed.');
  };
  await expect(file.sync()).rejects.toThrow('The sync failed.');
  storage.onOperation = undefined;
  await file.sync();
  expect(readAll(storage, FILE)).toEqual(toBytes('new'));
  expect(fates(storage)).toEqual(new Set(['old']));
  writeAll(file, toBytes('new'), 0);
  await file.sync();
  expect(fates(storage)).toEqual(new Set(['new']));
});

test('names are durable with their directory', async () => {
  const { storage } = await begin(toBytes('old'));
  const created = storage.create('/d/new');
  writeAll(created, toBytes('new'), 0);
  await created.sync();
  expect(fates(storage, '/d/new')).toEqual(new Set(['none', 'new']));
  storage.rename('/d/new', FILE);
  expect(fates(storage)).toEqual(new Set(['old', 'new']));
  await storage.syncDirectory('/d');
  expect(fates(storage)).toEqual(new Set(['new']));
  storage.remove(FILE);
  expect(fates(storage)).toEqual(new Set(['new', 'none']));
  await storage.syncDirectory('/d');
  expect(fates(storage)).toEqual(new Set(['none']));
});

test('a full disk accepts the bytes that fit, then none', async () => {
  const { storage, file } = await begin(toBytes('abcd'));
  storage.capacityBytes = 6;
  expect(file.write(toBytes('xyz'), 4)).toBe(2);
  expect(() => file.write(toBytes('z'), 6)).toThrow('ENOSPC');
  expect(file.write(toBytes('A'), 0)).toBe(1);
  expect(readAll(storage, FILE)).toEqual(toBytes('Abcdxy'));
});

test('the same seed gives the same disk, and the first is unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(),
      fc.array(fc.uint8Array({ maxLength: 2000 })),
      async (seed, writes) => {
        const { storage, file } = await begin(toBytes('old'));
        for (const bytes of writes) writeAll(file, bytes, bytes.length);
        const before = readAll(storage, FILE);
        const images = [1, 2].map(() => storage.afterPowerLoss(seededRandom(seed)));
        expect(readAll(images[0]!, FILE)).toEqual(readAll(images[1]!, FILE));
        expect(readAll(storage, FILE)).toEqual(before);
        expect(readAll(storage.copy(), FILE)).toEqual(before);
      },
    ),
  );
});
