import { expect, setDefaultTimeout, test } from 'bun:test';
import fc from 'fast-check';
import { LogPositionError } from '../log/errors.ts';
import type { Batch } from '../log/log.ts';
import { segmentNames } from '../log/segment.ts';
import { seededRandom } from '../storage/seeded-random.ts';
import { readAll as readFile } from '../storage/storage.ts';
import { SimulatedStorage } from '../testing/simulated-storage.ts';
import { DIRECTORY, fill, openLog } from '../testing/test-batches.ts';
import { ArchiveUnavailableError } from './archive-store.ts';
import { ArchivedLog, ArchiveMissingError } from './archived-log.ts';
import { Archiver, type ArchiverOptions } from './archiver.ts';
import { DirectoryStore } from './directory-store.ts';
import { entryName, objectName } from './entry.ts';
import { LogArchive } from './log-archive.ts';
import { Manifest } from './manifest.ts';

setDefaultTimeout(120_000);

const ARCHIVE = '/archive';
const BATCHES = 24;
const SEGMENT_BYTES = 600;
/** The batch that recovery needs. */
const NEEDED = 18;

/** Every third batch skips a command, as far as these tests are concerned. */
const skipsIn = ({ sequence }: Batch) => (sequence % 3 === 0 ? [`${sequence} 0`] : []);
const pause = async () => {};

interface Setup {
  readonly storage: SimulatedStorage;
  readonly batches: readonly Batch[];
}

/** A log in several segments on a disk, and an empty archive. */
async function begin(count = BATCHES, segmentBytes = SEGMENT_BYTES): Promise<Setup> {
  const storage = new SimulatedStorage();
  for (const directory of [DIRECTORY, ARCHIVE]) await storage.makeDirectory(directory);
  const log = await openLog(storage, segmentBytes);
  const batches = await fill(log, count);
  await log.close();
  return { storage, batches };
}

function open(storage: SimulatedStorage, overrides: Partial<ArchiverOptions> = {}) {
  const archive = new LogArchive(new DirectoryStore(storage, ARCHIVE));
  const manifest = Manifest.open(storage, DIRECTORY);
  const archiver = new Archiver({
    storage,
    directory: DIRECTORY,
    archive,
    manifest,
    kept: { maxBytes: 0 },
    neededFrom: () => NEEDED,
    logTime: () => 2000,
    skipsIn,
    pause,
    ...overrides,
  });
  return { archive, manifest, archiver };
}

async function moveAll(storage: SimulatedStorage, overrides?: Partial<ArchiverOptions>) {
  const { archiver, manifest } = open(storage, overrides);
  await archiver.recoverManifest();
  while ((await archiver.moveNext()) !== undefined);
  return manifest;
}

async function readAll(storage: SimulatedStorage, after = 0): Promise<Batch[]> {
  const { archive, manifest } = open(storage);
  const log = new ArchivedLog(storage, DIRECTORY, () => manifest.entries, archive);
  return Array.fromAsync(log.readAll({ sequence: after }, BATCHES));
}

test('cold segments move, the others stay, and the whole log is read over both', async () => {
  const { storage, batches } = await begin();
  const before = segmentNames(storage, DIRECTORY);
  const manifest = await moveAll(storage);
  const names = segmentNames(storage, DIRECTORY);
  expect(manifest.entries.length).toBeGreaterThan(2);
  expect(names).toEqual(before.slice(manifest.entries.length));
  const { last } = manifest.entries.at(-1)!;
  expect(last).toBeLessThan(NEEDED);
  // The next segment has the batch that recovery needs.
  expect(Number.parseInt(names[1]!, 10)).toBeGreaterThan(NEEDED);
  expect(Number.parseInt(names[0]!, 10)).toBe(last + 1);
  for (let after = 0; after <= BATCHES; after++) {
    expect(await readAll(storage, after)).toEqual(batches.slice(after));
  }
  expect(manifest.entries.flatMap(({ skips }) => skips)).toEqual(
    batches.slice(0, last).flatMap(skipsIn),
  );
  expect(await openLog(storage).then((log) => log.lastSequence)).toBe(BATCHES);
});

test('a reader that expects another batch at its start is rejected, wherever that batch is', async () => {
  const { storage, batches } = await begin();
  const { archive, manifest } = open(storage);
  await moveAll(storage);
  const { entries } = Manifest.open(storage, DIRECTORY);
  expect(manifest.entries).toEqual([]);
  const log = new ArchivedLog(storage, DIRECTORY, () => entries, archive);
  for (const { sequence, hash } of batches) {
    const wrong = hash.map((byte) => byte ^ 1);
    for (const through of [sequence, BATCHES]) {
      const found = await Array.fromAsync(log.readAll({ sequence, hash }, through));
      expect(found).toEqual(batches.slice(sequence, through));
      const rejected = Array.fromAsync(log.readAll({ sequence, hash: wrong }, through));
      await expect(rejected).rejects.toThrow(LogPositionError);
    }
  }
  const beyond = Array.fromAsync(log.readAll({ sequence: BATCHES + 1 }, BATCHES));
  await expect(beyond).rejects.toThrow(LogPositionError);
});

test('a crash or a power loss at every step loses nothing, and the next start finishes', async () => {
  const whole = (await moveAll((await begin()).storage)).entries;
  let points = 0;
  for (let at = 1; ; at++) {
    const { storage, batches } = await begin();
    let count = 0;
    storage.onOperation = () => {
      if (++count >= at) throw new Error('killed');
      return undefined;
    };
    const isInterrupted = await moveAll(storage).then(
      () => false,
      () => true,
    );
    storage.onOperation = undefined;
    if (!isInterrupted) break;
    points++;
    const images = [storage.copy()];
    for (let seed = 0; seed < 4; seed++) {
      images.push(storage.afterPowerLoss(seededRandom(at * 10 + seed)));
    }
    for (const image of images) {
      expect(await readAll(image)).toEqual([...batches]);
      const log = await openLog(image, SEGMENT_BYTES);
      expect(log.lastSequence).toBe(BATCHES);
      await log.close();
      expect((await moveAll(image)).entries).toEqual(whole);
      expect(await readAll(image)).toEqual([...batches]);
    }
  }
  expect(points).toBeGreaterThan(50);
});

test('a power loss after two crashes loses no entry that the first process had not made durable', async () => {
  let losses = 0;
  for (let at = 1; ; at++) {
    const { storage, batches } = await begin();
    // The first process ends between writing the first entry and its sync.
    const create = storage.create.bind(storage);
    storage.create = (path) => {
      const file = create(path);
      if (path.startsWith(DIRECTORY)) file.sync = () => Promise.reject(new Error('killed'));
      return file;
    };
    await expect(moveAll(storage)).rejects.toThrow('killed');
    storage.create = create;
    let count = 0;
    storage.onOperation = () => {
      if (++count >= at) throw new Error('killed');
      return undefined;
    };
    const isKilled = await moveAll(storage).then(
      () => false,
      () => true,
    );
    storage.onOperation = undefined;
    if (!isKilled) break;
    for (let seed = 0; seed < 8; seed++) {
      const image = storage.afterPowerLoss(seededRandom(at * 10 + seed));
      expect(await readAll(image)).toEqual([...batches]);
      losses++;
    }
  }
  expect(losses).toBeGreaterThan(200);
});

test('what stays is bounded by age or by size, and always has the batch that recovery needs', async () => {
  const bound = fc.oneof(
    fc.record({ maxAgeMs: fc.nat({ max: 40 }) }),
    fc.record({ maxBytes: fc.nat({ max: 4000 }) }),
  );
  await fc.assert(
    fc.asyncProperty(
      bound,
      fc.nat({ max: BATCHES }),
      fc.integer({ min: 200, max: 2000 }),
      async (kept, needed, segmentBytes) => {
        const { storage, batches } = await begin(BATCHES, segmentBytes);
        const before = segmentNames(storage, DIRECTORY);
        const sizes = before.map((name) => storage.open(`${DIRECTORY}/${name}`).size());
        const firsts = before.map((name) => Number.parseInt(name, 10));
        const logTime = batches.at(-1)!.time;
        await moveAll(storage, { kept, neededFrom: () => needed, logTime: () => logTime });
        // The naive rule, segment by segment.
        let moved = 0;
        while (moved < before.length - 1) {
          const next = firsts[moved + 1]!;
          const rest = sizes.slice(moved + 1, -1).reduce((sum, size) => sum + size, 0);
          const isDue =
            'maxAgeMs' in kept
              ? batches[next - 1]!.time < logTime - kept.maxAgeMs
              : rest >= kept.maxBytes;
          if (next - 1 >= needed || !isDue) break;
          moved++;
        }
        expect(segmentNames(storage, DIRECTORY)).toEqual(before.slice(moved));
        expect(await readAll(storage)).toEqual([...batches]);
      },
    ),
    { numRuns: 60 },
  );
});

test('every damaged, exchanged or missing object is named, and the others are still read', async () => {
  const { storage, batches } = await begin();
  const { entries } = await moveAll(storage);
  const [, entry, other] = entries;
  const path = `${ARCHIVE}/${objectName(entry!)}`;
  const pristine = storage.copy();
  const damages: [(storage: SimulatedStorage) => void, string][] = [
    [(disk) => disk.remove(path), 'is missing'],
    [(disk) => disk.corrupt(path, (bytes) => bytes.subarray(0, -1)), 'bytes instead of'],
    [
      (disk) =>
        disk.corrupt(path, (bytes) => {
          bytes[40]! ^= 1;
          return bytes;
        }),
      'another SHA-256',
    ],
    [
      (disk) => {
        const bytes = new Uint8Array(entry!.storedBytes);
        disk.open(`${ARCHIVE}/${objectName(other!)}`).read(bytes, 0);
        disk.corrupt(path, () => bytes);
      },
      'another SHA-256',
    ],
  ];
  for (const [damage, reason] of damages) {
    const disk = pristine.copy();
    damage(disk);
    const failed = readAll(disk);
    await expect(failed).rejects.toThrow(objectName(entry!));
    await expect(failed).rejects.toThrow(reason);
    expect(await readAll(disk, entry!.last)).toEqual(batches.slice(entry!.last));
  }
});

test('a forged segment whose entry was forged too is named by verification', async () => {
  const { storage } = await begin();
  const { entries } = await moveAll(storage);
  const { archive } = open(storage);
  const { storage: foreign } = await begin(BATCHES, 900);
  const forged = (await moveAll(foreign)).entries[0]!;
  // The object of another log, under an entry with the sequences of this one.
  const claimed = { ...entries[0]!, sha256: forged.sha256, storedBytes: forged.storedBytes };
  const bytes = await new DirectoryStore(foreign, ARCHIVE).get(objectName(forged));
  await archive.store.put(objectName(claimed), bytes!);
  const failed = archive.verify({ ...claimed, bytes: forged.bytes }, { skipsIn, pause });
  await expect(failed).rejects.toThrow(`${objectName(claimed)} in the archive`);
  await expect(failed).rejects.toThrow('its entry in the manifest has');
  for (const entry of entries) await archive.verify(entry, { skipsIn, pause });
});

test('while the archive is down nothing is deleted; afterwards everything moves', async () => {
  const { storage, batches } = await begin();
  const before = segmentNames(storage, DIRECTORY);
  storage.onOperation = ({ path }) => {
    if (path.startsWith(ARCHIVE)) throw Object.assign(new Error('EIO'), { code: 'EIO' });
    return undefined;
  };
  const { archiver } = open(storage);
  for (let day = 0; day < 3; day++) {
    await expect(archiver.moveNext()).rejects.toThrow(ArchiveUnavailableError);
  }
  expect(archiver.waiting().segments).toBeGreaterThan(2);
  expect(segmentNames(storage, DIRECTORY)).toEqual(before);
  storage.onOperation = undefined;
  while ((await archiver.moveNext()) !== undefined);
  expect(archiver.waiting()).toEqual({ segments: 0, bytes: 0 });
  expect(await readAll(storage)).toEqual([...batches]);
});

test('a store that returns other bytes than it was given keeps the segment on the disk', async () => {
  const { storage } = await begin();
  const before = segmentNames(storage, DIRECTORY);
  const store = new DirectoryStore(storage, ARCHIVE);
  const lossy = {
    url: store.url,
    put: (name: string, bytes: Uint8Array) => store.put(name, bytes),
    list: () => store.list(),
    get: async (name: string) => (await store.get(name))?.map((byte) => byte ^ 1),
  };
  const { archiver, manifest } = open(storage, { archive: new LogArchive(lossy) });
  await expect(archiver.moveNext()).rejects.toThrow('another SHA-256');
  expect(segmentNames(storage, DIRECTORY)).toEqual(before);
  expect(manifest.entries).toEqual([]);
});

test('a damaged segment is not moved, and the damage is named', async () => {
  const { storage } = await begin();
  const [name] = segmentNames(storage, DIRECTORY);
  storage.corrupt(`${DIRECTORY}/${name}`, (bytes) => {
    bytes[200]! ^= 1;
    return bytes;
  });
  const { archiver, manifest } = open(storage);
  await expect(archiver.moveNext()).rejects.toThrow(`of ${name}`);
  expect(segmentNames(storage, DIRECTORY)).toContain(name!);
  expect(manifest.entries).toEqual([]);
});

test('a missing manifest is read from the archive; a damaged one is named', async () => {
  const { storage, batches } = await begin();
  const { entries } = await moveAll(storage);
  const path = `${DIRECTORY}/archived`;
  const lost = storage.copy();
  lost.remove(path);
  // An entry of another log, and one that an interrupted move stored, are not in the chain.
  const store = new DirectoryStore(lost, ARCHIVE);
  const stray = { ...entries[1]!, lastHash: 'f'.repeat(64), sha256: 'e'.repeat(64) };
  await store.put(entryName(stray), Buffer.from(JSON.stringify({ format: 1, ...stray })));
  expect((await moveAll(lost)).entries).toEqual(entries);
  expect(await readAll(lost)).toEqual([...batches]);

  const lines = Buffer.from(readFile(storage, path)).toString().split('\n');
  const lastLine = lines.slice(0, -2).join('\n').length + 1;
  for (let at = 0; at < storage.open(path).size(); at += 7) {
    const damaged = storage.copy();
    damaged.corrupt(path, (bytes) => {
      bytes[at]! ^= 4;
      return bytes;
    });
    if (at < lastLine) {
      expect(() => Manifest.open(damaged, DIRECTORY)).toThrow('is damaged');
      continue;
    }
    // The last line may have been torn by a crash: it is read from the archive.
    expect(Manifest.open(damaged, DIRECTORY).entries).toEqual(entries.slice(0, -1));
    expect((await moveAll(damaged)).entries).toEqual(entries);
  }
});

test('lines of the manifest that were exchanged, doubled or left out are named', async () => {
  const { storage } = await begin();
  const { entries } = await moveAll(storage);
  expect(entries.length).toBeGreaterThan(3);
  const path = `${DIRECTORY}/archived`;
  const lines = Buffer.from(readFile(storage, path)).toString().trimEnd().split('\n');
  const changes: [string, string[]][] = [
    ['line 2 differs', [lines[0]!, lines[2]!, lines[1]!, ...lines.slice(3)]],
    ['line 2 differs', [lines[0]!, ...lines]],
    ['line 2 differs', [lines[0]!, ...lines.slice(2)]],
    ['line 2 differs', lines.toReversed()],
  ];
  for (const [reason, changed] of changes) {
    const damaged = storage.copy();
    damaged.corrupt(path, () => new Uint8Array(Buffer.from(`${changed.join('\n')}\n`)));
    expect(() => Manifest.open(damaged, DIRECTORY)).toThrow(reason);
  }
});

test('without an archive its batches are named, and those on the disk are read', async () => {
  const { storage, batches } = await begin();
  const { entries } = await moveAll(storage);
  const log = new ArchivedLog(storage, DIRECTORY, () => entries, undefined);
  await expect(Array.fromAsync(log.readAll({ sequence: 0 }, BATCHES))).rejects.toThrow(
    ArchiveMissingError,
  );
  const { last } = entries.at(-1)!;
  expect([...log.read({ sequence: last }, BATCHES)]).toEqual(batches.slice(last));
});
