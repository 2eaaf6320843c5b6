/** A setting is missing or wrong: the message says which and what it may be. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
