import { below, type Random } from '../../src/storage/seeded-random.ts';

/** JSON as its sender writes it: literals are kept as text, and an object may repeat a name. */
export type Tree = string | readonly Tree[] | Fields;
export interface Fields {
  readonly fields: readonly (readonly [name: string, value: Tree])[];
}

export function toTree(value: unknown): Tree {
  if (Array.isArray(value)) return value.map(toTree);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, part]) => part !== undefined);
  return { fields: fields.map(([name, part]) => [name, toTree(part)] as const) };
}

export function toText(tree: Tree): string {
  if (typeof tree === 'string') return tree;
  if (isItems(tree)) return `[${tree.map(toText).join(',')}]`;
  const fields = tree.fields.map(([name, value]) => `${JSON.stringify(name)}:${toText(value)}`);
  return `{${fields.join(',')}}`;
}

/** Returns the tree with every named literal passed through `change`. */
export function withLiterals(
  tree: Tree,
  change: (name: string, literal: string) => Tree,
  name = '',
): Tree {
  if (typeof tree === 'string') return change(name, tree);
  if (isItems(tree)) return tree.map((item) => withLiterals(item, change, name));
  return {
    fields: tree.fields.map(([own, value]) => [own, withLiterals(value, change, own)] as const),
  };
}

/** Values that are known to break programs. */
export const NASTY: readonly string[] = [
  'null',
  'true',
  'false',
  '""',
  '"0"',
  '[]',
  '{}',
  '0',
  '-0',
  '-1',
  '1.5',
  '1e400',
  '1E-400',
  '9007199254740993',
  '18446744073709551616',
  '0.1e-30',
  '1e30',
  '-1e30',
  '1e31',
  '00',
  '.5',
  'NaN',
  'Infinity',
  'undefined',
  '0x10',
  '1_000',
  '"NaN"',
  '"\\u0000"',
  '"\\ud800"',
  '"__proto__"',
  '"constructor"',
  '"toString"',
  '"../../etc/passwd"',
  '"; DROP TABLE orders"',
  '"<script>alert(1)</script>"',
  '"%s%n"',
  '"😀"',
  '"\\ud83d\\ude00"',
  '"ﷺ"',
  '"\u202e"',
  '[[[[[[[[[[1]]]]]]]]]]',
  '{"a":{"b":{"c":{}}}}',
  '[1,2,3]',
  '123456789012.12345678',
  `"${'x'.repeat(65)}"`,
  `"${'A'.repeat(5000)}"`,
  `${'9'.repeat(41)}`,
  `1${'0'.repeat(39)}`,
  '"2026-01-05T13:00:00Z"',
  '1767700000000',
  '"2026-02-30T00:00:00Z"',
  '253402300799999',
  '{"toString":1}',
  '{"length":-1}',
  '{"$ne":null}',
  '"\\r\\nX: y"',
  '"\' OR 1=1--"',
];
const NAMES = ['postonly', '__proto__', 'constructor', 'hasOwnProperty', '', 'ämount', 'cost'];

/** Returns the tree with one fault: a missing, repeated, added or misspelled field, or an invalid value. */
export function damaged(tree: Tree, random: Random): Tree {
  const pick = <T>(items: readonly T[]): T => items[below(items.length, random)]!;
  if (typeof tree === 'string') return pick(NASTY);
  if (isItems(tree)) {
    const at = below(tree.length + 1, random);
    const item = tree[at];
    switch (below(5, random)) {
      case 0:
        return tree.toSpliced(at, 0, pick(NASTY));
      case 1:
        return tree.toSpliced(at, 1);
      case 2:
        return Array.from({ length: pick([2, 16, 60]) }, () => item ?? '1');
      default:
        return item === undefined ? pick(NASTY) : tree.with(at, damaged(item, random));
    }
  }
  const { fields } = tree;
  const at = below(fields.length + 1, random);
  const field = fields[at];
  switch (below(8, random)) {
    case 0:
      return { fields: fields.toSpliced(at, 1) };
    case 1:
      return { fields: [...fields, field ?? ['a', '1']] };
    case 2:
      return { fields: fields.toSpliced(at, 0, [pick(NAMES), pick(NASTY)]) };
    case 3:
      return pick(NASTY);
    default:
      if (field === undefined) return { fields: [...fields, [pick(NAMES), '1']] };
      return { fields: fields.with(at, [field[0], damaged(field[1], random)]) };
  }
}

/** Returns the bytes with one changed, removed or added, truncated, repeated, or random bytes. */
export function damagedBytes(bytes: Uint8Array, random: Random): Uint8Array<ArrayBuffer> {
  const at = below(bytes.length + 1, random);
  const byte = below(256, random);
  const before = bytes.subarray(0, at);
  switch (below(7, random)) {
    case 0:
      return Uint8Array.from(before);
    case 1:
      return Uint8Array.from([...before, byte, ...bytes.subarray(at)]);
    case 2:
      return Uint8Array.from([...before, ...bytes.subarray(at + 1)]);
    case 3:
      return Uint8Array.from([...bytes, ...bytes]);
    case 4:
      return Uint8Array.from({ length: below(300, random) }, () => below(256, random));
    case 5:
      // About the maximum length of a body.
      return Uint8Array.from([...bytes, ...Buffer.alloc(16_380 + below(8, random) - at, ' ')]);
    default:
      return Uint8Array.from([...before, byte, ...bytes.subarray(at + 1)]);
  }
}

function isItems(tree: Tree): tree is readonly Tree[] {
  return Array.isArray(tree);
}
