import { expect, test } from 'bun:test';
import { seededRandom } from '../../storage/seeded-random.ts';
import { SimulatedStorage } from '../../testing/simulated-storage.ts';
import { SnapshotDamagedError, SnapshotStore } from './snapshots.ts';

const DIRECTORY = '/snapshots';

async function newStore() {
  const storage = new SimulatedStorage();
  await storage.makeDirectory(DIRECTORY);
  return { storage, snapshots: new SnapshotStore(storage, DIRECTORY) };
}

function at(sequence: number) {
  return { sequence, hash: new Uint8Array(32).fill(sequence) };
}

function readState(sequence: number): Uint8Array {
  return Uint8Array.from({ length: 3000 }, (_, index) => (index * sequence) & 0xff);
}

test('a snapshot is read as it was written, and the newest two are kept', async () => {
  const { snapshots } = await newStore();
  for (const sequence of [3, 7, 12]) await snapshots.write(at(sequence), readState(sequence));
  expect(snapshots.sequences()).toEqual([12, 7]);
  expect(snapshots.read(12)).toEqual({ position: at(12), state: readState(12) });
});

test('a flipped bit in any byte is detected', async () => {
  const { storage, snapshots } = await newStore();
  await snapshots.write(at(5), readState(5));
  const [name] = storage.list(DIRECTORY);
  const file = storage.open(`${DIRECTORY}/${name}`);
  const size = file.size();
  const byte = new Uint8Array(1);
  for (let offset = 0; offset < size; offset += 13) {
    file.read(byte, offset);
    byte[0]! ^= 0x10;
    file.write(byte, offset);
    expect(() => snapshots.read(5)).toThrow(SnapshotDamagedError);
    byte[0]! ^= 0x10;
    file.write(byte, offset);
  }
  expect(snapshots.read(5).state).toEqual(readState(5));
});

test('after a power loss at any time there is a complete snapshot, the old or the new one', async () => {
  for (let seed = 0; seed < 300; seed++) {
    const { storage, snapshots } = await newStore();
    await snapshots.write(at(1), readState(1));
    let left = seed % 12;
    storage.onOperation = () => {
      if (left-- === 0) throw new Error('power');
    };
    const isWritten = await snapshots.write(at(2), readState(2)).then(
      () => true,
      () => false,
    );
    storage.onOperation = undefined;
    const after = new SnapshotStore(storage.afterPowerLoss(seededRandom(seed)), DIRECTORY);
    const complete = after.sequences().filter((sequence) => isComplete(after, sequence));
    expect(complete, `seed ${seed}`).toContain(isWritten ? 2 : complete.includes(2) ? 2 : 1);
  }
});

test('the next snapshot removes partial files that a crash left', async () => {
  const { storage, snapshots } = await newStore();
  storage.onOperation = ({ kind }) => {
    if (kind === 'rename') throw new Error('crash');
    return undefined;
  };
  for (const sequence of [1, 2]) {
    await expect(snapshots.write(at(sequence), readState(sequence))).rejects.toThrow('crash');
  }
  storage.onOperation = undefined;
  await snapshots.write(at(3), readState(3));
  expect(storage.list(DIRECTORY)).toEqual(['0000000000000003.snapshot']);
});

function isComplete(snapshots: SnapshotStore, sequence: number): boolean {
  try {
    return Buffer.compare(snapshots.read(sequence).state, readState(sequence)) === 0;
  } catch {
    return false;
  }
}
