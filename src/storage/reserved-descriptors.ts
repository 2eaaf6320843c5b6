import { closeSync, openSync } from 'node:fs';

const NULL_DEVICE = '/dev/null';

/**
 * File descriptors held open on /dev/null. If connections use up the process's descriptors, a file that must be opened
 * takes the place of a reserved one. Connections are accepted on the serving thread, so none can take that place while this
 * thread opens a file. On other threads one can, so opening files there must be retried.
 */
export class ReservedDescriptors {
  private readonly held: number[] = [];

  /** @param count More than are opened at a time; the archivist's thread may take one in between. */
  constructor(private count: number) {
    this.refill();
  }

  /** Runs work that opens one descriptor, in the place of a reserved one if no other is free. */
  open<Result>(work: () => Result): Result {
    for (;;) {
      try {
        return work();
      } catch (error) {
        const reserved = isOutOfDescriptors(error) ? this.held.pop() : undefined;
        if (reserved === undefined) throw error;
        closeSync(reserved);
      }
    }
  }

  /** Runs synchronous work that opens and closes several descriptors, in the place of all reserved ones. */
  openSeveral<Result>(work: () => Result): Result {
    for (const reserved of this.held.splice(0)) closeSync(reserved);
    try {
      return work();
    } finally {
      this.refill();
    }
  }

  /** Closes a descriptor and refills the reserved ones before a connection can take its place. */
  close(descriptor: number): void {
    closeSync(descriptor);
    this.refill();
  }

  /** Closes the reserved descriptors, and reserves none from now on. */
  release(): void {
    for (const reserved of this.held.splice(0)) closeSync(reserved);
    this.count = 0;
  }

  private refill(): void {
    try {
      while (this.held.length < this.count) this.held.push(openSync(NULL_DEVICE, 'r'));
    } catch (error) {
      if (!isOutOfDescriptors(error)) throw error;
    }
  }
}

/** Returns whether `count` more descriptors could be opened now. */
export function canOpen(count: number): boolean {
  const opened: number[] = [];
  try {
    while (opened.length < count) opened.push(openSync(NULL_DEVICE, 'r'));
    return true;
  } catch (error) {
    if (!isOutOfDescriptors(error)) throw error;
    return false;
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

/** Returns whether an error means that the process or the machine is out of descriptors, which is transient. */
export function isOutOfDescriptors(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'EMFILE' || code === 'ENFILE';
}
