import { History } from '../history/history.ts';
import { readBatches } from '../log/reader.ts';
import { DiskStorage } from '../storage/disk-storage.ts';
import { Archive } from './archive.ts';
import type { DeliveredBatch, FromWorker, ToWorker, WorkerStart } from './archivist-messages.ts';
import { SnapshotStore } from './snapshots.ts';
import { yieldToServing } from './thread-priority.ts';

/**
 * The archivist's thread. Messages gather in a queue; one loop takes them, so that no batch is
 * applied while history commits and every question is answered at a batch's edge.
 */

declare const self: Worker;

/** A commit costs less a row the more it holds; what waits for it is answered from memory. */
const FLUSH_EVERY_MS = 1000;
/** How long the loop applies batches before it looks at history and questions again. */
const TURN_MS = 20;

const batches: DeliveredBatch[] = [];
const others: Exclude<ToWorker, { kind: 'batches' | 'start' }>[] = [];
let wake: () => void = () => {};

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === 'start') {
    run(data).catch((error: Error) => post({ kind: 'failed', reason: reasonOf(error) }));
  } else {
    if (data.kind === 'batches') batches.push(...data.batches);
    else others.push(data);
    wake();
  }
};

/** What an operator is told. */
function reasonOf(error: Error): string {
  const isOfDisk = error.name === 'SQLiteError' || 'syscall' in error;
  return isOfDisk
    ? `History or a snapshot could not be written: ${error.message}. ` +
        'All that was acknowledged is in the log. See to the disk (is it full?), then start again.'
    : error.message;
}

async function run(start: WorkerStart): Promise<void> {
  yieldToServing();
  const storage = new DiskStorage();
  const history = await History.open(start.historyUrl);
  const archive = await Archive.open({
    log: {
      read: (sequence, hash) =>
        readBatches(storage, start.logDirectory, { sequence, hash }, start.logEnd),
    },
    snapshots: new SnapshotStore(storage, start.snapshotDirectory),
    history,
    elapsedMs: () => performance.now(),
  });
  start.progress[0] = archive.position;
  post({ kind: 'ready' });
  let flushedAt = performance.now();
  for (;;) {
    applyWaiting(archive, start.progress);
    const now = performance.now();
    if (now - flushedAt >= FLUSH_EVERY_MS) {
      await archive.flush();
      flushedAt = now;
    }
    if (archive.isAuditDue) archive.audit();
    if (archive.isSnapshotDue) await archive.snapshot();
    if (await serveOthers(archive)) break;
    if (batches.length === 0) await nextMessage(FLUSH_EVERY_MS);
    // Lets the messages in that came meanwhile.
    else await new Promise((resolve) => setImmediate(resolve));
  }
  archive.audit();
  await archive.snapshot();
  await history.close();
  post({ kind: 'closed' });
}

function applyWaiting(archive: Archive, progress: Float64Array): void {
  const until = performance.now() + TURN_MS;
  let taken = 0;
  while (taken < batches.length && performance.now() < until) {
    const batch = batches[taken++]!;
    archive.apply(batch, batch.digestBefore);
    progress[0] = archive.position;
  }
  batches.splice(0, taken);
}

/** Answers what can be answered; true when the archivist is to end and has nothing left to do. */
async function serveOthers(archive: Archive): Promise<boolean> {
  for (let i = 0; i < others.length; ) {
    const message = others[i]!;
    if (message.kind === 'close') {
      if (batches.length === 0) return true;
      i++;
    } else if (message.kind === 'checkpoint') {
      archive.compare(message.position, message.digest);
      others.splice(i, 1);
    } else if (message.position <= archive.position) {
      others.splice(i, 1);
      await answer(archive, message.id, message.query);
    } else {
      i++;
    }
  }
  return false;
}

async function answer(
  archive: Archive,
  id: number,
  query: Parameters<Archive['answer']>[0],
): Promise<void> {
  post({ kind: 'answer', id, answer: await archive.answer(query) });
}

function nextMessage(timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, timeoutMs);
    wake = () => {
      clearTimeout(timer);
      resolve();
    };
    if (batches.length > 0 || others.length > 0) wake();
  });
}

function post(message: FromWorker): void {
  self.postMessage(message);
}
