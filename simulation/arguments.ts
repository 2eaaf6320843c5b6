import { parseArgs } from 'node:util';
import { type AnyFaultKind, anyFaultKinds } from './fault-kinds.ts';

export interface Arguments {
  readonly seed: number;
  /** Nodes in every run; undefined if not given. */
  readonly nodes: number | undefined;
  readonly commands: number;
  readonly minutes: number;
  readonly without: ReadonlySet<AnyFaultKind>;
}

/** Reads `--seed N --nodes N --commands N --minutes M --without kind,kind`. @throws Error with the invalid argument. */
export function readArguments(texts: readonly string[]): Arguments {
  const { values } = parseArgs({
    args: [...texts],
    options: {
      seed: { type: 'string', default: '1' },
      nodes: { type: 'string' },
      commands: { type: 'string', default: '6000' },
      minutes: { type: 'string', default: '10' },
      without: { type: 'string', default: '' },
    },
  });
  return {
    seed: parseInteger('seed', values.seed),
    nodes: values.nodes === undefined ? undefined : parseNodes(values.nodes),
    commands: parseInteger('commands', values.commands),
    minutes: parsePositive('minutes', values.minutes),
    without: new Set(values.without.split(',').filter(Boolean).map(parseFaultKind)),
  };
}

function parseInteger(name: string, text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 0) {
    throw new Error(`--${name} takes a whole number, not ${text}.`);
  }
  return number;
}

function parsePositive(name: string, text: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new Error(`--${name} takes a number above zero, not ${text}.`);
  return number;
}

function parseNodes(text: string): number {
  const nodes = parseInteger('nodes', text);
  if (nodes < 1 || nodes > 5) throw new Error(`--nodes takes 1 to 5, not ${text}.`);
  return nodes;
}

function parseFaultKind(text: string): AnyFaultKind {
  const kind = anyFaultKinds.find((each) => each === text);
  if (kind === undefined) {
    throw new Error(`--without takes ${anyFaultKinds.join(', ')}, not ${text}.`);
  }
  return kind;
}
