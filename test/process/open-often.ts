import { isMainThread } from 'node:worker_threads';

/**
 * Preloaded into a node (bun --preload) to make it open files often: a log segment holds a few
 * batches, and the archivist takes a snapshot after every batch.
 */
if (isMainThread) {
  const RealWorker = globalThis.Worker;
  globalThis.Worker = class extends RealWorker {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, { ...options, preload: [import.meta.path] });
    }
  };
  const { FileLog } = await import('../../src/log/file-log.ts');
  const open = FileLog.open;
  FileLog.open = (options) => open.call(FileLog, { ...options, segmentBytes: 500 });
} else {
  const { Archive } = await import('../../src/archivist/archive.ts');
  for (const name of ['isAuditDue', 'isSnapshotDue']) {
    Object.defineProperty(Archive.prototype, name, { get: () => true });
  }
}
