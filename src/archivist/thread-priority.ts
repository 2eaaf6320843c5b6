import { existsSync, readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** The calling thread, as Linux names it; other systems have no priorities of threads to set. */
const OWN_THREAD = '/proc/thread-self';
/** Nicer by so much: a third of the share of a thread that serves, where both want the same core. */
const BEHIND = 5;
const NICEST = 19;

/** Lets the threads that answer requests go first, however nice the process was started. */
export function yieldToServing(): void {
  if (!existsSync(OWN_THREAD)) return;
  const thread = Number(readlinkSync(OWN_THREAD).split('/').at(-1));
  // Never less nice than it was, which takes a right that most have not.
  setPriority(thread, Math.min(NICEST, getPriority(thread) + BEHIND));
}
