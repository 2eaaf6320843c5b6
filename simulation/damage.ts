import { readAcknowledged } from '../src/log/acknowledged.ts';
import { isHeaderIntact, parseFirstSequence, Segment, segmentNames } from '../src/log/segment.ts';
import { Manifest } from '../src/retention/manifest.ts';
import { readAll, type Storage } from '../src/storage/storage.ts';
import type { SimulatedStorage } from '../src/testing/simulated-storage.ts';
import { allBatches } from './archived-batches.ts';
import { check } from './failure.ts';
import type { Faults } from './faults.ts';
import { ARCHIVE, LOG, SNAPSHOTS } from './process.ts';

/** A disk on which one bit of an acknowledged batch is flipped. */
export interface Damage {
  readonly storage: SimulatedStorage;
  readonly segment: string;
  readonly offset: number;
  /** Restores the bit. */
  readonly flip: () => void;
}

/**
 * Returns a copy of the disk with one bit flipped in a segment, among the frames of the first `batches`
 * batches. The last frame stays intact if the marker does not name it, as after a power loss: its damage
 * would look like a torn write. @returns Undefined if there is nothing to damage.
 */
export function damageLog(
  storage: SimulatedStorage,
  batches: number,
  faults: Faults,
): Damage | undefined {
  // A segment that is in the archive too is deleted, and no longer read.
  const archivedTo = archivedBatches(storage);
  const names = segmentNames(storage, LOG).filter((name) => parseFirstSequence(name) > archivedTo);
  if (names.length === 0) return undefined;
  const isNewest = faults.pick('bitFlip', 2) === 0;
  const segment = names[isNewest ? names.length - 1 : faults.pick('bitFlip', names.length)]!;
  const path = `${LOG}/${segment}`;
  const bytes = readAll(storage, path);
  // The segment was created for a batch that was never acknowledged.
  if (!isHeaderIntact(bytes)) return undefined;
  const walked = new Segment(segment, bytes);
  const isNamed = readAcknowledged(storage, LOG)?.sequence === batches;
  const last = isNamed ? batches : batches - 1;
  let [start, end] = [0, 0];
  while (walked.position.sequence < last && walked.next() !== undefined) {
    [start, end] = [end, walked.offset];
  }
  if (end === 0) return undefined;
  // Damage of the last frame is easily mistaken for a torn write.
  const from = faults.pick('bitFlip', 3) === 0 ? start : 0;
  const offset = from + faults.pick('bitFlip', end - from);
  const bit = 1 << faults.pick('bitFlip', 8);
  const damaged = storage.copy();
  const flip = () =>
    damaged.corrupt(path, (bytes) => {
      bytes[offset]! ^= bit;
      return bytes;
    });
  flip();
  return { storage: damaged, segment, offset, flip };
}

/** Returns the last batch that the manifest names; 0 if there is none. */
function archivedBatches(storage: Storage): number {
  return Manifest.open(storage, LOG).entries.at(-1)?.last ?? 0;
}

/** Checks that a refused start has lost nothing: with the bit restored all batches are readable. */
export function checkRestored({ storage, flip }: Damage, batches: number): void {
  flip();
  for (const _ of allBatches(storage, LOG, ARCHIVE, batches));
}

/** Checks that an opened log ends with a whole batch, because recovery truncates a torn one. */
export function checkEnd(storage: Storage): void {
  const name = segmentNames(storage, LOG).at(-1);
  if (name === undefined) return;
  const segment = Segment.read(storage, LOG, name);
  while (segment.next() !== undefined);
  const extraBytes = segment.bytes.length - segment.offset;
  check(extraBytes === 0, `${extraBytes} bytes after the end of ${name} were not truncated`);
}

/** Flips a bit of a snapshot. The log holds all of it, so that losing it is harmless. */
export function damageSnapshot(storage: SimulatedStorage, faults: Faults): boolean {
  const names = listed(storage, SNAPSHOTS).filter((name) => name.endsWith('.snapshot'));
  if (names.length === 0) return false;
  const path = `${SNAPSHOTS}/${names[faults.pick('snapshotDamage', names.length)]}`;
  storage.corrupt(path, (bytes) => {
    bytes[faults.pick('snapshotDamage', bytes.length)]! ^= 1 << faults.pick('snapshotDamage', 8);
    return bytes;
  });
  return true;
}

/** Returns the bytes of all files of the exchange. */
export function usedBytes(storage: Storage): number {
  let used = 0;
  for (const path of paths(storage)) {
    const file = storage.open(path);
    used += file.size();
    file.close();
  }
  return used;
}

function paths(storage: Storage): string[] {
  return [LOG, SNAPSHOTS, ARCHIVE].flatMap((directory) =>
    listed(storage, directory).map((name) => `${directory}/${name}`),
  );
}

function listed(storage: Storage, directory: string): string[] {
  try {
    return storage.list(directory);
  } catch {
    // It does not exist yet.
    return [];
  }
}
