import { dlopen, read } from 'bun:ffi';
import { closeSync, openSync } from 'node:fs';
import { OperatorError } from '../monitoring/operator-error.ts';

/** Another process has locked the data directory. */
export class DirectoryInUseError extends OperatorError {
  override readonly name = 'DirectoryInUseError';

  constructor(readonly directory: string) {
    super(
      `${directory} is used by another running process. ` +
        'Stop that process first, or use another data directory.',
    );
  }
}

export interface DirectoryLock {
  release(): void;
}

/** LOCK_EX | LOCK_NB, the same on every Unix. */
const EXCLUSIVE_WITHOUT_WAITING = 2 | 4;
const IS_MAC = process.platform === 'darwin';
const WOULD_BLOCK = IS_MAC ? 35 : 11;
const INTERRUPTED = 4;
/** The C library by its names on macOS, and on Linux with glibc and musl. */
const LIBRARIES = IS_MAC
  ? ['libSystem.B.dylib']
  : ['libc.so.6', 'libc.musl-x86_64.so.1', 'libc.musl-aarch64.so.1'];

/**
 * Locks an existing directory until `release` or the end of the process, including kill -9. The operating system's lock
 * (flock) is on the directory itself, so it cannot be bypassed by deleting a file, and read-only directories can be locked.
 * @throws DirectoryInUseError if another process, or this one, has locked it already
 */
export function lockDirectory(directory: string): DirectoryLock {
  const descriptor = openSync(directory, 'r');
  try {
    flock(descriptor, directory);
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  return { release: () => closeSync(descriptor) };
}

function flock(descriptor: number, directory: string): void {
  const c = library();
  for (;;) {
    if (c.flock(descriptor, EXCLUSIVE_WITHOUT_WAITING) === 0) return;
    const errno = read.i32(c.errno()!, 0);
    if (errno === WOULD_BLOCK) throw new DirectoryInUseError(directory);
    if (errno === INTERRUPTED) continue;
    const message =
      `${directory} cannot be locked (flock, errno ${errno}): its file system does not support it. ` +
      'Keep the data directory on a local file system';
    throw Object.assign(new Error(message), { syscall: 'flock', errno });
  }
}

let opened: ReturnType<typeof openLibrary> | undefined;

function library() {
  opened ??= openLibrary();
  return opened;
}

function openLibrary() {
  let failure: unknown;
  for (const name of LIBRARIES) {
    try {
      const { flock } = dlopen(name, { flock: { args: ['i32', 'i32'], returns: 'i32' } }).symbols;
      return { flock, errno: errnoIn(name) };
    } catch (error) {
      failure = error;
    }
  }
  throw new Error(`The C library cannot be loaded (${LIBRARIES.join(', ')}).`, { cause: failure });
}

/** Returns the C function that returns the address of the calling thread's `errno`. */
function errnoIn(name: string) {
  const definition = { args: [], returns: 'ptr' } as const;
  return IS_MAC
    ? dlopen(name, { __error: definition }).symbols.__error
    : dlopen(name, { __errno_location: definition }).symbols.__errno_location;
}
