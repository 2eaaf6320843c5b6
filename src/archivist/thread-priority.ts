import { existsSync, readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** The calling thread on Linux; other systems have no thread priorities to set. */
const OWN_THREAD = '/proc/thread-self';
/** Niceness above the serving thread's: a third of its share of a core that both compete for. */
const NICENESS = 5;
const NICEST = 19;

/** Gives the threads that answer requests priority over the calling one. */
export function yieldToServing(): void {
  if (!existsSync(OWN_THREAD)) return;
  const thread = Number(readlinkSync(OWN_THREAD).split('/').at(-1));
  // Lowering niceness would need a privilege.
  setPriority(thread, Math.min(NICEST, getPriority(thread) + NICENESS));
}
