/** Converts the JSON Schema of the OpenAPI document to Python: type annotations and dataclasses. */

export interface PythonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, PythonSchema>>;
  readonly required?: readonly string[];
  readonly prefixItems?: readonly PythonSchema[];
  readonly items?: PythonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly anyOf?: readonly PythonSchema[];
  readonly oneOf?: readonly PythonSchema[];
  readonly allOf?: readonly PythonSchema[];
}

/** A request's objects are written by a program, a response's are read. */
export type Direction = 'request' | 'response';

const MAX_COLUMNS = 100;
const SCALARS: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  boolean: 'bool',
  null: 'None',
};
const NUMBERS = new Set(['integer', 'number']);
const KEYWORDS = new Set(['from', 'in', 'is', 'not', 'or', 'and', 'if', 'class', 'def', 'global']);

/**
 * Returns a name in snake case; a keyword of Python with an underscore after it (PEP 8, "Naming Styles").
 * @throws Error unless it converts back, which the package does at run time
 */
export function toSnake(name: string): string {
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const back = snake.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  if (back !== name || snake.startsWith('_') || snake.endsWith('_'))
    throw new Error(`${name} has no name in Python`);
  return KEYWORDS.has(snake) ? `${snake}_` : snake;
}

export function toPascal(name: string): string {
  return `${name[0]!.toUpperCase()}${name.slice(1)}`;
}

/** Wraps a text to lines of the indentation; the first line begins with `opening`. */
export function wrap(text: string, indent: string, opening = ''): string {
  const lines: string[] = [];
  let line = indent + opening;
  for (const word of text.replaceAll('\\', '\\\\').split(/\s+/)) {
    const isEmpty = line.trim() === opening.trim();
    if (!isEmpty && line.length + word.length + 1 > MAX_COLUMNS) {
      lines.push(line);
      line = `${indent}${opening === '' || opening.startsWith('"') ? '' : '    '}${word}`;
    } else line += isEmpty ? word : ` ${word}`;
  }
  return [...lines, line].join('\n');
}

/** The annotations of a document's schemas, and the dataclasses that they need. */
export class PythonTypes {
  /** Text of each dataclass, by name. */
  readonly classes = new Map<string, string>();
  /** Names of request objects by their structure, so that equal ones are one class. */
  private readonly inputs = new Map<string, string>();

  constructor(private readonly document: object) {}

  /** Follows a reference, and merges the parts of an `allOf` that have properties. */
  resolve<Value extends object>(value: Value): Value & PythonSchema {
    const { $ref, allOf = [] } = value as PythonSchema;
    if ($ref !== undefined) {
      const parts = $ref.split('/').slice(1);
      // biome-ignore lint/suspicious/noExplicitAny: a path through any document
      const found = parts.reduce((part: any, name) => part?.[name], this.document);
      if (found === undefined) throw new Error(`${$ref} does not exist`);
      return this.resolve(found);
    }
    const merged = allOf.map((part) => this.resolve(part)).filter(({ properties }) => properties);
    const isObject = (part: PythonSchema) => [part.type ?? []].flat().includes('object');
    const parts = merged.filter((part) => isObject(part) && !('if' in part));
    if (parts.length === 0) return value;
    const own = value as PythonSchema;
    return {
      ...value,
      type: 'object',
      properties: Object.assign({}, ...parts.map((part) => part.properties), own.properties),
      required: [...parts.flatMap(({ required = [] }) => required), ...(own.required ?? [])],
    };
  }

  /** Returns the annotation of a schema. @param name Name of the class, if it is an object without a name of its own. */
  annotate(schema: PythonSchema, name: string, direction: Direction): string {
    const known = schema.$ref?.startsWith('#/components/schemas/');
    const own = known ? toPascal(schema.$ref!.split('/').at(-1)!) : name;
    const { anyOf, oneOf, ...found } = this.resolve(schema);
    if ('const' in found) return literal([found.const]);
    if (found.enum?.includes('INTERNAL_ERROR')) return 'ErrorCode';
    if (found.enum) return literal(found.enum);
    // Next to a type they only say which of its fields go together.
    const variants = found.type === undefined ? (anyOf ?? oneOf)?.filter(hasRule) : undefined;
    if (variants) {
      const names = variants.map((variant, index) => this.variantName(variant, own, index));
      return union(variants.map((variant, at) => this.annotate(variant, names[at]!, direction)));
    }
    const types = [found.type ?? []].flat();
    if (types.length === 0) return 'Any';
    // In requests, values that are texts or numbers are times.
    const isTime = types.includes('string') && types.some((type) => NUMBERS.has(type));
    return union(
      types.map((type) => {
        if (isTime && direction === 'request' && type !== 'null') return 'Time';
        if (type === 'number') return direction === 'request' ? 'Number' : 'Decimal';
        if (type === 'array') return this.annotateArray(found, own, direction);
        if (type !== 'object') return SCALARS[type]!;
        if (Object.keys(found.properties ?? {}).length === 0) return 'dict[str, Any]';
        return this.defineClass(found, own, direction);
      }),
    );
  }

  private annotateArray(array: PythonSchema, name: string, direction: Direction): string {
    const annotate = (part: PythonSchema) => this.annotate(part, name.replace(/s$/, ''), direction);
    if (array.prefixItems) return `tuple[${array.prefixItems.map(annotate).join(', ')}]`;
    const type = annotate(array.items!);
    if (array.minItems === 2 && array.maxItems === 2) return `tuple[${type}, ${type}]`;
    return `${direction === 'request' ? 'Sequence' : 'list'}[${type}]`;
  }

  /** Variants are mostly a success and a failure. */
  private variantName(variant: PythonSchema, name: string, index: number): string {
    const success = this.resolve(variant).properties?.success;
    if (success && 'const' in success) return `${name}${success.const ? 'Success' : 'Failure'}`;
    return index === 0 ? name : `${name}${index + 1}`;
  }

  private defineClass(schema: PythonSchema, name: string, direction: Direction): string {
    const structure = `${direction} ${JSON.stringify(schema, (key, value) => (key === 'description' || key === 'examples' ? undefined : value))}`;
    const known = this.inputs.get(structure);
    const isShared = known !== undefined && (direction === 'request' || known === name);
    if (isShared) return known;
    const free = this.classes.has(name) && direction === 'request' ? `${name}Input` : name;
    if (this.classes.has(free)) throw new Error(`two objects are called ${free}`);
    this.inputs.set(structure, free);
    // Holds the place before the classes of its fields.
    this.classes.set(free, '');
    this.classes.set(free, this.classText(schema, free, direction));
    return free;
  }

  private classText(schema: PythonSchema, name: string, direction: Direction): string {
    const { properties = {}, required = [] } = schema;
    const owner = name.replace(/(?<=.)Result$/, '');
    const fields = Object.entries(properties).map(([field, part]) => {
      const type = this.annotate(part, `${owner}${toPascal(field)}`, direction);
      const text = this.resolve(part).description ?? part.description;
      const docs = text === undefined ? '' : `${wrap(text, '    ', '"""')}"""\n`;
      return `    ${toSnake(field)}: ${optional(type, required.includes(field), direction)}\n${docs}`;
    });
    const about = schema.description ? `${wrap(schema.description, '    ', '"""')}"""\n\n` : '';
    return `@dataclass(frozen=True, kw_only=True, slots=True)\nclass ${name}:\n${about}${fields.join('')}`;
  }
}

/** Returns an annotation with the default of a field that may be absent. */
export function optional(type: string, isNeeded: boolean, direction: Direction): string {
  if (isNeeded) return type;
  return direction === 'request'
    ? `${type} | Omitted = OMITTED`
    : `${union([type, 'None'])} = None`;
}

function literal(values: readonly unknown[]): string {
  const texts = values.filter((value) => value !== null).map(quoted);
  return union([`Literal[${texts.join(', ')}]`, ...(values.includes(null) ? ['None'] : [])]);
}

/** Joins annotations, without repetitions and with None last. */
export function union(types: readonly string[]): string {
  const parts = [...new Set(types.flatMap(splitUnion))];
  const last = parts.includes('None') ? ['None'] : [];
  return [...parts.filter((part) => part !== 'None'), ...last].join(' | ');
}

/** Splits `A | B[C | D]` into `A` and `B[C | D]`. */
function splitUnion(type: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const token of type.split(/( \| |[[\]])/)) {
    if (token === '[') depth++;
    if (token === ']') depth--;
    if (token === ' | ' && depth === 0) parts.push('');
    else parts[parts.length - 1] += token;
  }
  return parts;
}

function quoted(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return `${value}`;
}

/** A variant without a rule allows anything; the exchange rejects the rest individually. */
function hasRule(schema: PythonSchema): boolean {
  return Object.keys(schema).some((keyword) => keyword !== 'description');
}
