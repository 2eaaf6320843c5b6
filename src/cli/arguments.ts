import { type ExactNumber, exactNumber } from '../client/exact-number.ts';
import { usageError } from './failure.ts';

/** The arguments and options of a command, as the parser (`program.ts`) read them. */
export class Arguments {
  /**
   * @param positionals Values by their name in the help, such as `ACCOUNT`.
   * @param options Values by option name without dashes; a switch has none.
   */
  constructor(
    private readonly positionals: ReadonlyMap<string, string>,
    private readonly options: ReadonlyMap<string, readonly string[]>,
  ) {}

  has(option: string): boolean {
    return this.options.has(option);
  }

  option(name: string): string | undefined {
    return this.options.get(name)?.[0];
  }

  /** Returns the value of an option that the command requires. */
  required(name: string): string {
    return this.option(name)!;
  }

  /** Returns all values of a repeatable option. */
  all(name: string): readonly string[] {
    return this.options.get(name) ?? [];
  }

  positional(name: string): string {
    return this.positionals.get(name)!;
  }

  /** Returns a required option as an exact decimal. @throws CliError */
  number(name: string): ExactNumber {
    return readNumber(this.required(name), `--${name}`);
  }

  optionalNumber(name: string): ExactNumber | undefined {
    return this.has(name) ? this.number(name) : undefined;
  }

  /** Returns a required option as an integer from `min` to 2^53 - 1. @throws CliError */
  integer(name: string, min: number): number {
    const text = this.required(name);
    const value = Number(text);
    if (/^\d{1,16}$/.test(text) && Number.isSafeInteger(value) && value >= min) return value;
    throw usageError(`--${name} must be a whole number of at least ${min}, not "${text}".`);
  }

  /** Returns a positional, encoded as one segment of a URL path. @throws CliError */
  pathPart(name: string): string {
    const text = this.positional(name);
    if (text !== '.' && text !== '..') return encodeURIComponent(text);
    throw usageError(`${name} must not be "${text}".`);
  }
}

/** Returns an unsigned decimal. @throws CliError */
export function readNumber(text: string, name: string): ExactNumber {
  if (!text.startsWith('-')) {
    try {
      return exactNumber(text);
    } catch {
      // Reported below.
    }
  }
  throw usageError(`${name} must be a number without a sign, such as 0.015, not "${text}".`);
}
