import { isMainThread } from 'node:worker_threads';

/**
 * Preloaded into a node (bun --preload) to simulate a memory fault: flips one bit of a balance in the
 * archivist's state after batch FLIP_AFTER_BATCH. The serving replica is unchanged.
 */
if (isMainThread) {
  const RealWorker = globalThis.Worker;
  globalThis.Worker = class extends RealWorker {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, { ...options, preload: [import.meta.path] });
    }
  };
} else {
  const { exact } = await import('../../src/engine/numbers/exact.ts');
  const { Archive } = await import('../../src/archivist/archive.ts');
  const apply = Archive.prototype.apply;
  Archive.prototype.apply = function (batch, digestBefore) {
    apply.call(this, batch, digestBefore);
    if (batch.sequence !== Number(process.env.FLIP_AFTER_BATCH)) return;
    const { state } = this.exchange;
    const alice = state.accountsById.get('alice')!;
    const balance = alice.balances[state.assetsByName.get(process.env.FLIP_ASSET!)!.index]!;
    balance.available = exact(BigInt(balance.available) ^ (1n << 20n));
  };
}
