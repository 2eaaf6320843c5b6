import type { ToWorker } from '../../src/archivist/messages.ts';

/**
 * Preloaded into a node (bun --preload): its archivist takes snapshots on the terms in SNAPSHOT_TERMS, a JSON object, so
 * that tests see in seconds what otherwise takes hours. Does nothing if the variable is unset.
 */
const { SNAPSHOT_TERMS } = process.env;
if (SNAPSHOT_TERMS !== undefined) {
  const snapshotTerms = JSON.parse(SNAPSHOT_TERMS);
  const RealWorker = globalThis.Worker;
  globalThis.Worker = class extends RealWorker {
    // biome-ignore lint/suspicious/noExplicitAny: passes on whatever else the caller gives
    override postMessage(message: ToWorker, ...rest: any[]): void {
      const isStart = message.kind === 'start' && message.start !== undefined;
      const changed = isStart
        ? { ...message, start: { ...message.start, snapshotTerms } }
        : message;
      super.postMessage(changed, ...rest);
    }
  };
}
