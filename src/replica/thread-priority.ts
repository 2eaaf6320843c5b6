import { existsSync, readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/** The calling thread, as Linux names it; other systems have no priorities of threads to set. */
const OWN_THREAD = '/proc/thread-self';
/** Nice value: a third of the share of a thread that serves, where both want the same core. */
const BEHIND = 5;

/** Lets the threads that answer requests go first. */
export function yieldToServing(): void {
  if (!existsSync(OWN_THREAD)) return;
  const thread = Number(readlinkSync(OWN_THREAD).split('/').at(-1));
  setPriority(thread, BEHIND);
}
