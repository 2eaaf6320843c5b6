import { DiskSpace } from '../../src/storage/disk-space.ts';

/** Preloaded into a node (bun --preload): it accepts orders until the disk is full. */
Object.defineProperty(DiskSpace.prototype, 'reserveOn', { value: () => 0 });
