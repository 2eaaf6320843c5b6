import { OperatorError } from '../monitoring/operator-error.ts';

/** A setting is missing or wrong: the message says which and what it may be. */
export class ConfigError extends OperatorError {
  override readonly name = 'ConfigError';
}
