import { expect, test } from 'bun:test';
import { RestartableArchivist } from './restartable-archivist.ts';
import type { WorkerArchivist } from './worker-archivist.ts';

/** Starts an archivist whose workers are stubs that record their calls. */
function begin() {
  const failures: Error[] = [];
  const calls: string[] = [];
  const workers: { stale: (error: Error) => void; fail: (error: Error) => void }[] = [];
  const archivist = new RestartableArchivist(
    (stale) => {
      const { promise: ready, reject: fail } = Promise.withResolvers<void>();
      const name = `archivist ${workers.length}`;
      workers.push({ stale, fail });
      const stub = {
        ready,
        close: async () => calls.push(`${name} closed`),
        noteDispute: (isDisputed: boolean) => calls.push(`${name} disputed: ${isDisputed}`),
        terminate: () => calls.push(`${name} terminated`),
      };
      return stub as unknown as WorkerArchivist;
    },
    (error) => failures.push(error),
  );
  return { archivist, workers, failures, calls };
}

test('a replacement that fails before it is ready is a failure of the node', async () => {
  const { workers, failures } = begin();
  workers[0]!.stale(new Error('too many records waiting'));
  workers[1]!.fail(new Error('no snapshot is as old as history'));
  while (failures.length === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(failures.map(({ message }) => message)).toEqual(['no snapshot is as old as history']);
});

test('closing does not wait for a replacement that is not ready', async () => {
  const { archivist, workers, failures, calls } = begin();
  workers[0]!.stale(new Error('too many records waiting'));
  await archivist.close();
  workers[1]!.fail(new Error('ended'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(calls).toEqual(['archivist 1 terminated', 'archivist 0 closed']);
  expect(failures).toEqual([]);
});

test('a replacement that starts during a dispute is notified of it', () => {
  const { archivist, workers, calls } = begin();
  archivist.noteDispute(true);
  workers[0]!.stale(new Error('too many records waiting'));
  archivist.noteDispute(false);
  expect(calls).toEqual([0, 1, 0, 1].map((n, at) => `archivist ${n} disputed: ${at < 2}`));
});
