import { CliError, ExitCode } from '../failure.ts';

const FINDINGS = [
  'InvariantError',
  'LogDamagedError',
  'LogFormatError',
  'LogPositionError',
  'PoisonedCommandError',
  'SharedLogError',
  'SnapshotDamagedError',
  'SQLiteError',
];

/** Whether the error is about the data or the disk, as opposed to a bug. */
export function isFinding(error: unknown): error is Error {
  return error instanceof Error && (FINDINGS.includes(error.name) || 'syscall' in error);
}

export function cliError(code: string, message: string): CliError {
  return new CliError(ExitCode.failed, code, message);
}
