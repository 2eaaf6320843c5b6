import { closeSync, openSync } from 'node:fs';

const NOWHERE = '/dev/null';

/**
 * Descriptors held open on nothing. Connections may take all that the process may have; a file that must be
 * opened then takes the place of a spare one. What accepts connections runs on the serving thread, so that
 * nothing comes between there. In another thread a connection may be faster: what is opened there must be
 * such as can wait.
 */
export class SpareDescriptors {
  private readonly held: number[] = [];

  /** @param count More than is opened at a time; the archivist's thread may take one in between. */
  constructor(private readonly count: number) {
    this.refill();
  }

  /** Does what opens a descriptor, with the place of spare ones where there is no other. */
  open<Result>(work: () => Result): Result {
    for (;;) {
      try {
        return work();
      } catch (error) {
        const spare = isOutOfDescriptors(error) ? this.held.pop() : undefined;
        if (spare === undefined) throw error;
        closeSync(spare);
      }
    }
  }

  /** Does what opens several and closes them again, in the place of all that are held. It must wait for nothing. */
  lend<Result>(work: () => Result): Result {
    for (const spare of this.held.splice(0)) closeSync(spare);
    try {
      return work();
    } finally {
      this.refill();
    }
  }

  /** Closes a descriptor; its place is a spare one's again before a connection can have it. */
  close(descriptor: number): void {
    closeSync(descriptor);
    this.refill();
  }

  private refill(): void {
    try {
      while (this.held.length < this.count) this.held.push(openSync(NOWHERE, 'r'));
    } catch (error) {
      if (!isOutOfDescriptors(error)) throw error;
    }
  }
}

/** Whether `count` more could be opened now. */
export function canOpen(count: number): boolean {
  const opened: number[] = [];
  try {
    while (opened.length < count) opened.push(openSync(NOWHERE, 'r'));
    return true;
  } catch (error) {
    if (!isOutOfDescriptors(error)) throw error;
    return false;
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

/** True where the process, or the machine, may open nothing more: nothing was done, and later it may. */
export function isOutOfDescriptors(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'EMFILE' || code === 'ENFILE';
}
