import { below, type Random } from '../../src/storage/seeded-random.ts';
import { NASTY, type Tree, toText, toTree, withLiterals } from './tree.ts';

/** Returns literals that are likely to be valid for a field of that name; may be empty. */
export type Known = (name: string) => readonly string[];

// biome-ignore lint/suspicious/noExplicitAny: a JSON schema, as deep as they are
type Schema = any;

/** Returns a value that matches a schema; `name` is its field. */
export function instance(schema: Schema, name: string, known: Known, random: Random): Tree {
  const pick = <T>(items: readonly T[]): T => items[below(items.length, random)]!;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined && schema.properties === undefined) {
    return instance(pick(choices), name, known, random);
  }
  if (schema.const !== undefined) return toTree(schema.const);
  if (schema.enum !== undefined) return toTree(pick(schema.enum));
  const types: string[] = [schema.type ?? 'string'].flat();
  const type = pick(types);
  if (type === 'null') return 'null';
  if (type === 'boolean') return pick(['true', 'false']);
  if (type === 'array') {
    const length = (schema.minItems ?? 0) + below(3, random);
    return Array.from({ length }, () => instance(schema.items, name, known, random));
  }
  if (type === 'object') return makeObject(schema, known, random);
  const fitting = known(name).filter((literal) => literal.startsWith('"') === (type === 'string'));
  if (fitting.length > 0 && below(8, random) > 0) return pick(fitting);
  return pick(type === 'string' ? texts(schema) : numbers(schema));
}

function makeObject(schema: Schema, known: Known, random: Random): Tree {
  const required: readonly string[] = schema.required ?? [];
  const fields = Object.entries<Schema>(schema.properties ?? {})
    .filter(([name]) => required.includes(name) || below(4, random) === 0)
    .map(([name, part]) => [name, instance(part, name, known, random)] as const);
  return { fields };
}

/** Returns numbers at the bounds of a schema and one beyond. */
function numbers({ minimum, maximum, examples = [] }: Schema): readonly string[] {
  const bounds = [minimum, maximum].filter((bound) => bound !== undefined) as number[];
  const around = bounds.flatMap((bound) => [bound - 1, bound, bound + 1]);
  return [...examples, ...around, 0, 1, 7, 1e-8, 1e9].map((value) => JSON.stringify(value));
}

function texts({ minLength = 0, maxLength = 64, pattern, examples = [] }: Schema) {
  const lengths = [minLength, 1, maxLength, maxLength + 1].map((length) => 'a'.repeat(length));
  const dates = pattern?.includes('\\d{4}')
    ? ['2026-01-05T12:00:00Z', '1767614400000', '2026-01-05T12:00:00.123456789+14:00']
    : [];
  return [...examples, ...lengths, ...dates].map((value) => JSON.stringify(value));
}

/** Returns an example of the document, with some values replaced by other likely ones. */
export function variation(example: unknown, known: Known, random: Random): Tree {
  return withLiterals(toTree(example), (name, literal) => {
    const literals = known(name);
    return literals.length === 0 || below(3, random) === 0
      ? literal
      : literals[below(literals.length, random)]!;
  });
}

/** Returns the text of a query or path parameter, without quotes. */
export function parameterText(
  schema: Schema,
  name: string,
  known: Known,
  random: Random,
  isNasty = false,
): string {
  const literal = isNasty
    ? NASTY[below(NASTY.length, random)]!
    : toText(instance(schema, name, known, random));
  return literal.startsWith('"') ? plain(literal) : literal;
}

/** Returns the parsed literal, or the text itself: some hostile texts are not JSON. */
function plain(literal: string): string {
  try {
    return JSON.parse(literal);
  } catch {
    return literal.slice(1, -1);
  }
}
