import { OperatorError } from '../monitoring/operator-error.ts';

/** A setting is missing or invalid; the message names it and its valid values. Exits with 2, as for any wrong usage. */
export class ConfigError extends OperatorError {
  override readonly name = 'ConfigError';

  constructor(message: string) {
    super(message, { exitCode: 2 });
  }
}
