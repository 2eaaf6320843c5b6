import { expect, test } from 'bun:test';
import { RestartableArchivist } from './restartable-archivist.ts';
import type { WorkerArchivist } from './worker-archivist.ts';

/** Archivists in name only, each with what it was told to say when it can go on no more. */
function begin() {
  const failures: Error[] = [];
  const told: string[] = [];
  const begun: { stale: (error: Error) => void; fail: (error: Error) => void }[] = [];
  const renewed = new RestartableArchivist(
    (stale) => {
      const { promise: ready, reject: fail } = Promise.withResolvers<void>();
      const name = `archivist ${begun.length}`;
      begun.push({ stale, fail });
      const one = {
        ready,
        close: async () => told.push(`${name} closed`),
        noteDispute: (isDisputed: boolean) => told.push(`${name} disputed: ${isDisputed}`),
        terminate: () => told.push(`${name} abandoned`),
      };
      return one as unknown as WorkerArchivist;
    },
    (error) => failures.push(error),
  );
  return { renewed, begun, failures, told };
}

test('one that cannot take the place of another is a failure of the node', async () => {
  const { begun, failures } = begin();
  begun[0]!.stale(new Error('too much waited'));
  begun[1]!.fail(new Error('no snapshot is as old as history'));
  while (failures.length === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(failures.map(({ message }) => message)).toEqual(['no snapshot is as old as history']);
});

test('one that still waits for its store is not waited for when the node ends', async () => {
  const { renewed, begun, failures, told } = begin();
  begun[0]!.stale(new Error('too much waited'));
  await renewed.close();
  begun[1]!.fail(new Error('ended'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(told).toEqual(['archivist 1 abandoned', 'archivist 0 closed']);
  expect(failures).toEqual([]);
});

test('one that begins while nodes differ knows of it', () => {
  const { renewed, begun, told } = begin();
  renewed.noteDispute(true);
  begun[0]!.stale(new Error('too much waited'));
  renewed.noteDispute(false);
  expect(told).toEqual([0, 1, 0, 1].map((n, at) => `archivist ${n} disputed: ${at < 2}`));
});
