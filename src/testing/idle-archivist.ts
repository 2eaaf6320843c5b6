import type { Archivist } from '../archivist/archivist.ts';

/** An archivist that takes everything and keeps nothing. */
export const IDLE_ARCHIVIST: Archivist = {
  deliver() {},
  checkpoint() {},
  noteDispute() {},
  lagMs: () => 0,
  async query() {},
  async close() {},
};
