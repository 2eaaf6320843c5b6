import { OperatorError } from '../../monitoring/operator-error.ts';

/** A recording cannot be played; the message says which file and line, and why. Exit code 2. */
export class RecordingError extends OperatorError {
  override readonly name = 'RecordingError';

  constructor(problem: string) {
    super(problem, { exitCode: 2 });
  }
}
