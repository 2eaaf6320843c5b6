import { expect, test } from 'bun:test';
import { seededRandom } from '../storage/seeded-random.ts';
import { readAll, writeAll } from '../storage/storage.ts';
import { SimulatedStorage } from '../testing/simulated-storage.ts';
import type { ArchiveEntry } from './entry.ts';
import { Manifest } from './manifest.ts';

const DIRECTORY = '/log';
const PATH = `${DIRECTORY}/archived`;
const SEEDS = 50;

const toHash = (batch: number) => `${batch}`.padStart(64, '0');

/** Entries of one batch each, of which each continues the one before. */
const ENTRIES = [1, 2, 3, 4, 5].map(
  (batch): ArchiveEntry => ({
    log: toHash(1).slice(-16),
    ...{ first: batch, last: batch, firstTime: batch, lastTime: batch, commands: 1 },
    ...{ previousHash: toHash(batch - 1), lastHash: toHash(batch) },
    ...{ bytes: 1622, storedBytes: 562, sha256: 'a'.repeat(64), skips: [] },
  }),
);

async function emptyDisk(): Promise<SimulatedStorage> {
  const disk = new SimulatedStorage();
  await disk.makeDirectory(DIRECTORY);
  return disk;
}

/** Returns the lines of the file with all entries. */
async function writeLines(): Promise<readonly Buffer[]> {
  const disk = await emptyDisk();
  await Manifest.open(disk, DIRECTORY).appendAll(ENTRIES);
  const text = Buffer.from(readAll(disk, PATH)).toString();
  return text.match(/.+\n/g)!.map((line) => Buffer.from(line));
}

/** Returns a disk as a process leaves it that ends before its second line is durable. */
async function interruptedDisk() {
  const [first, second] = await writeLines();
  const disk = await emptyDisk();
  const file = disk.create(PATH);
  writeAll(file, first!, 0);
  await file.sync();
  await disk.syncDirectory(DIRECTORY);
  writeAll(file, second!, first!.length);
  return { disk, file };
}

test('a power loss leaves the first entries, also after a process that ended before its line was durable', async () => {
  for (let seed = 0; seed < SEEDS; seed++) {
    const { disk } = await interruptedDisk();
    const manifest = Manifest.open(disk, DIRECTORY);
    expect(manifest.entries).toEqual(ENTRIES.slice(0, 2));
    const survivors: SimulatedStorage[] = [];
    disk.onOperation = () => {
      survivors.push(disk.afterPowerLoss(seededRandom(seed)));
      return undefined;
    };
    await manifest.appendAll(ENTRIES.slice(2));
    expect(survivors).not.toBeEmpty();
    for (const survivor of survivors) {
      const found = Manifest.open(survivor, DIRECTORY).entries;
      expect(found.length).toBeGreaterThan(0);
      expect(found).toEqual(ENTRIES.slice(0, found.length));
    }
  }
});

test('entries are durable although the sync of a process before has failed', async () => {
  for (let seed = 0; seed < SEEDS; seed++) {
    const { disk, file } = await interruptedDisk();
    disk.onOperation = () => {
      throw new Error('The disk fails.');
    };
    await expect(file.sync()).rejects.toThrow('The disk fails.');
    disk.onOperation = undefined;
    const manifest = Manifest.open(disk, DIRECTORY);
    await manifest.sync();
    const survivor = disk.afterPowerLoss(seededRandom(seed));
    expect(Manifest.open(survivor, DIRECTORY).entries).toEqual(ENTRIES.slice(0, 2));
  }
});
