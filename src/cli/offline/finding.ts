import { InvariantError } from '../../engine/rejection.ts';
import { isStorageFailure, StoredDataError } from '../../monitoring/operator-error.ts';
import { CliError, ExitCode } from '../failure.ts';

/** Returns whether the error is about the stored data or the disk, not about this program. */
export function isFinding(error: unknown): error is Error {
  return (
    error instanceof StoredDataError || error instanceof InvariantError || isStorageFailure(error)
  );
}

export function cliError(code: string, message: string): CliError {
  return new CliError(ExitCode.failed, code, message);
}
