import { parseArgs } from 'node:util';

interface Terms {
  /** Default value; undefined if the argument is required. */
  readonly default?: number;
  readonly least: number;
}

type Numbers<All> = {
  [Name in keyof All]: All[Name] extends { default: number } ? number : number | undefined;
};

/**
 * Reads the arguments of a run, which must be whole numbers. Otherwise prints the usage and exits with code 2, because a
 * run of no rounds would succeed.
 */
export function wholeArguments<All extends Readonly<Record<string, Terms>>>(
  usage: string,
  all: All,
): Numbers<All> {
  try {
    return read(all) as Numbers<All>;
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`);
    process.exit(2);
  }
}

function read(all: Readonly<Record<string, Terms>>): Record<string, number | undefined> {
  const options = Object.fromEntries(
    Object.keys(all).map((name) => [name, { type: 'string' as const }]),
  );
  const { values } = parseArgs({ options });
  const numbers: Record<string, number | undefined> = {};
  for (const [name, { default: usual, least }] of Object.entries(all)) {
    const text = values[name];
    const number = text === undefined ? usual : Number(text.trim() || Number.NaN);
    if (text !== undefined && !(Number.isSafeInteger(number) && number! >= least)) {
      throw new Error(`--${name} takes a whole number from ${least} on, not ${text}.`);
    }
    numbers[name] = number;
  }
  return numbers;
}
