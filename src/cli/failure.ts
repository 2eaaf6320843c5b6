import { ApiRequestError, ApprovalRequiredError } from '../client/errors.ts';
import { OperatorError } from '../monitoring/operator-error.ts';
import { printable } from './text.ts';

export const ExitCode = { done: 0, failed: 1, usage: 2, unreachable: 3 } as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** Ends a command with a message for its user. */
export class CliError extends OperatorError {
  override readonly name = 'CliError';

  constructor(
    override readonly exitCode: ExitCode,
    /** A code for programs, such as `USAGE` or `UNREACHABLE`. */
    readonly code: string,
    message: string,
    /** More fields for programs, printed with `--json`. */
    readonly details?: object,
  ) {
    super(message, { exitCode });
  }
}

/** Returns the error for a wrong command line. */
export function usageError(message: string): CliError {
  return new CliError(ExitCode.usage, 'USAGE', message);
}

export interface Failure {
  readonly exitCode: ExitCode;
  readonly text: string;
  readonly data: unknown;
}

/** Returns the output for an error; undefined for an unexpected one. */
export function describeFailure(error: unknown): Failure | undefined {
  if (error instanceof CliError) {
    const { exitCode, code, message, details } = error;
    const text = message.split('\n').map(printable).join('\n');
    return { exitCode, text, data: { error: { code, message, details } } };
  }
  if (error instanceof ApiRequestError) {
    const { status, code, message, details, requestId, retryAfterSeconds } = error;
    const retry = retryAfterSeconds === undefined ? '' : ` Try again in ${retryAfterSeconds} s.`;
    return {
      exitCode: ExitCode.failed,
      text: printable(
        `${message}${retry} (${code}, HTTP ${status}, request ${requestId ?? 'without an id'})`,
      ),
      data: { error: { code, message, details, status, requestId, retryAfterSeconds } },
    };
  }
  if (error instanceof ApprovalRequiredError) {
    const { approval } = error;
    const text = `Not carried out yet: an operator of another account must approve request ${approval.id} ("buttonwood approvals approve ${approval.id}").`;
    const data = { error: { code: 'APPROVAL_REQUIRED', message: text, approval } };
    return { exitCode: ExitCode.failed, text, data };
  }
  return undefined;
}
