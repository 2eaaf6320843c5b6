import { parseArgs } from 'node:util';
import { type ExactNumber, exactNumber } from '../client/exact-number.ts';
import type { Command, Option } from './command.ts';
import { usageError } from './failure.ts';
import { suggestion } from './nearest.ts';

/** Options that every command takes. */
export const COMMON_OPTIONS: readonly Option[] = [
  { name: 'json', help: 'print one JSON object, numbers exact; errors as JSON too' },
  { name: 'help', help: 'say what the command does and takes' },
];

/** What stood behind a command's name, checked against what the command takes. */
export class Arguments {
  private readonly positionals = new Map<string, string>();
  private readonly values = new Map<string, string[]>();

  /**
   * @param common What is taken beside the command's own options.
   * @throws CliError for anything that the command does not take, or lacks.
   */
  constructor(
    command: Pick<Command, 'positionals' | 'options'>,
    argv: readonly string[],
    common: readonly Option[] = COMMON_OPTIONS,
  ) {
    const options = [...command.options, ...common];
    const { tokens } = parseArgs({
      args: [...argv],
      options: Object.fromEntries(
        options.map(({ name, value }) => [
          name,
          { type: value === undefined ? ('boolean' as const) : ('string' as const) },
        ]),
      ),
      allowPositionals: true,
      strict: false,
      tokens: true,
    });
    const texts: string[] = [];
    for (const token of tokens) {
      if (token.kind === 'positional') texts.push(token.value);
      if (token.kind === 'option') this.addOption(options, token);
    }
    if (this.has('help')) return;
    this.takePositionals(command.positionals, texts);
    for (const { name, value, isRequired } of options) {
      if (isRequired && !this.has(name)) throw usageError(`--${name} ${value} is missing.`);
    }
  }

  has(option: string): boolean {
    return this.values.has(option);
  }

  option(name: string): string | undefined {
    return this.values.get(name)?.[0];
  }

  /** The value of an option that the command requires. */
  required(name: string): string {
    return this.option(name)!;
  }

  /** All values of an option that may be repeated. */
  all(name: string): readonly string[] {
    return this.values.get(name) ?? [];
  }

  positional(name: string): string {
    return this.positionals.get(name)!;
  }

  /** A required option as the number it is, digit by digit. */
  number(name: string): ExactNumber {
    return readNumber(this.required(name), `--${name}`);
  }

  optionalNumber(name: string): ExactNumber | undefined {
    return this.has(name) ? this.number(name) : undefined;
  }

  /** A required whole number from `min` on that a double holds. */
  whole(name: string, min: number): number {
    const text = this.required(name);
    const value = Number(text);
    if (/^\d{1,16}$/.test(text) && Number.isSafeInteger(value) && value >= min) return value;
    throw usageError(`--${name} is a whole number from ${min} on, not "${text}".`);
  }

  /** A positional as a part of a path. */
  pathPart(name: string): string {
    const text = this.positional(name);
    if (text !== '.' && text !== '..') return encodeURIComponent(text);
    throw usageError(`${name} cannot be "${text}": no address can name it.`);
  }

  private addOption(
    options: readonly Option[],
    token: {
      name: string;
      rawName: string;
      value?: string | undefined;
      inlineValue?: boolean | undefined;
    },
  ): void {
    const { name, rawName, value, inlineValue } = token;
    const option = options.find((each) => each.name === name);
    if (option === undefined || !rawName.startsWith('--')) {
      if (/^-\d/.test(rawName)) throw usageError('Write numbers without a sign.');
      const names = options.map((each) => `--${each.name}`);
      throw usageError(`There is no option ${rawName} here.${suggestion(rawName, names)}`);
    }
    if (option.value === undefined) {
      if (value !== undefined) throw usageError(`--${name} takes no value.`);
    } else if (value === undefined || (!inlineValue && value.startsWith('-'))) {
      throw usageError(
        `--${name} needs a value: --${name} ${option.value}. One that begins with a dash is given as --${name}=…`,
      );
    } else if (value === '') {
      throw usageError(`--${name} is empty.`);
    }
    const known = this.values.get(name) ?? [];
    if (known.length > 0 && option.value !== undefined && !option.isRepeatable) {
      throw usageError(`--${name} was given twice.`);
    }
    this.values.set(name, [...known, value ?? '']);
  }

  private takePositionals(names: readonly string[], texts: readonly string[]): void {
    if (texts.length > names.length) {
      throw usageError(`"${texts[names.length]}" is one argument too many.`);
    }
    names.forEach((name, index) => {
      const text = texts[index];
      if (text === undefined) throw usageError(`${name} is missing.`);
      if (text === '') throw usageError(`${name} is empty.`);
      this.positionals.set(name, text);
    });
  }
}

/** @throws CliError unless the text is a decimal without a sign. */
export function readNumber(text: string, name: string): ExactNumber {
  if (!text.startsWith('-')) {
    try {
      return exactNumber(text);
    } catch {
      // Said below.
    }
  }
  throw usageError(`${name} is a number such as 0.015, not "${text}".`);
}
