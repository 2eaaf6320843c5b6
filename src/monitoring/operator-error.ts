export interface OperatorErrorOptions {
  /** The action that fixes the problem, as full sentences. */
  readonly advice?: string;
  /** Exit code of the process. */
  readonly exitCode?: number;
  readonly cause?: unknown;
}

/**
 * An error that ends a process or a command and that its operator can fix. It is printed as one message, the problem
 * and then the advice, without a stack.
 */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
  readonly exitCode: number;

  constructor(problem: string, { advice, exitCode = 1, cause }: OperatorErrorOptions = {}) {
    super(
      advice === undefined ? problem : `${problem} ${advice}`,
      cause === undefined ? undefined : { cause },
    );
    this.exitCode = exitCode;
  }
}

/** Stored data cannot be used as it is: it is damaged or missing, or a later release wrote it. */
export class StoredDataError extends OperatorError {
  override readonly name: string = 'StoredDataError';
}

/** Returns whether the operating system or SQLite failed: a full disk, a missing file, a damaged database. */
export function isStorageFailure(error: unknown): error is Error {
  return error instanceof Error && (error.name === 'SQLiteError' || 'syscall' in error);
}
