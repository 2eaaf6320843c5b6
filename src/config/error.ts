import { OperatorError } from '../monitoring/operator-error.ts';

/** A setting is missing or invalid; the message names it and its valid values. */
export class ConfigError extends OperatorError {
  override readonly name = 'ConfigError';
}
