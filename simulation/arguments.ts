import { parseArgs } from 'node:util';
import { type FaultKind, faultKinds } from './faults.ts';

export interface Arguments {
  readonly seed: number;
  readonly commands: number;
  readonly minutes: number;
  readonly without: ReadonlySet<FaultKind>;
}

/** Reads `--seed N --commands N --minutes M --without kind,kind`. @throws Error that says what is wrong. */
export function readArguments(texts: readonly string[]): Arguments {
  const { values } = parseArgs({
    args: [...texts],
    options: {
      seed: { type: 'string', default: '1' },
      commands: { type: 'string', default: '6000' },
      minutes: { type: 'string', default: '10' },
      without: { type: 'string', default: '' },
    },
  });
  return {
    seed: whole('seed', values.seed),
    commands: whole('commands', values.commands),
    minutes: positive('minutes', values.minutes),
    without: new Set(values.without.split(',').filter(Boolean).map(kindOf)),
  };
}

function whole(name: string, text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 0) {
    throw new Error(`--${name} takes a whole number, not ${text}.`);
  }
  return number;
}

function positive(name: string, text: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new Error(`--${name} takes a number above zero, not ${text}.`);
  return number;
}

function kindOf(text: string): FaultKind {
  const kind = faultKinds.find((each) => each === text);
  if (kind === undefined) throw new Error(`--without knows ${faultKinds.join(', ')}; not ${text}.`);
  return kind;
}
