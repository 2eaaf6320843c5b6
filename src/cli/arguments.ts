import { exactNumber, numberText } from '../client/exact-number.ts';
import type { CreateKeyParameters } from '../client/index.ts';
import { usageError } from './failure.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$|^\d{1,16}$/;
type Permission = CreateKeyParameters['permissions'][number];
const PERMISSIONS: readonly Permission[] = ['read', 'trade', 'operate'];

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

  /** Returns the digits of a required option, an unsigned decimal. @throws CliError */
  number(name: string): string {
    return readNumber(this.required(name), `--${name}`);
  }

  /** Returns a required option as an integer from `min` to 2^53 - 1. @throws CliError */
  integer(name: string, min: number): number {
    const text = this.required(name);
    const value = Number(text);
    if (/^\d{1,16}$/.test(text) && Number.isSafeInteger(value) && value >= min) return value;
    throw usageError(`--${name} must be a whole number of at least ${min}, not "${text}".`);
  }

  /** Returns an option as an integer within bounds, undefined if it is not given. @throws CliError */
  optionalInteger(name: string, min: number, max: number): number | undefined {
    const text = this.option(name);
    if (text === undefined) return undefined;
    const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw usageError(`--${name} must be a whole number from ${min} to ${max}, not "${text}".`);
  }

  /** Returns the text of an option that is a time, undefined if it is not given. @throws CliError */
  time(name: string): string | undefined {
    const text = this.option(name);
    if (text === undefined || TIME.test(text)) return text;
    const example = 'such as 2027-01-31T00:00:00Z, or milliseconds since 1970';
    throw usageError(`--${name} must be an ISO 8601 time with a zone, ${example}, not "${text}".`);
  }

  /** Returns the permissions in the required option of that name. @throws CliError */
  permissions(): Permission[] {
    return this.required('permissions')
      .split(',')
      .map((text) => {
        const known = PERMISSIONS.find((permission) => permission === text);
        if (known !== undefined) return known;
        const names = PERMISSIONS.join(', ');
        throw usageError(`--permissions must be of ${names}, separated by commas, not "${text}".`);
      });
  }

  /** Returns a positional that becomes one segment of a URL path. @throws CliError */
  pathPart(name: string): string {
    const text = this.positional(name);
    if (text !== '.' && text !== '..') return text;
    throw usageError(`${name} must not be "${text}".`);
  }
}

/** Returns the digits of an unsigned decimal, so that it is sent as it was written. @throws CliError */
export function readNumber(text: string, name: string): string {
  if (!text.startsWith('-')) {
    try {
      return numberText(exactNumber(text));
    } catch {
      // Reported below.
    }
  }
  throw usageError(`${name} must be a number without a sign, such as 0.015, not "${text}".`);
}

/** Returns a number for a field that takes whole numbers; the exchange checks its range. @throws CliError */
export function readCount(text: string, name: string): number {
  const value = Number(readNumber(text, name));
  if (Number.isFinite(value)) return value;
  throw usageError(`${name} is too large: ${text}.`);
}
