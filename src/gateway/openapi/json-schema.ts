import { z } from 'zod';

/** A schema in JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}
export type Fields = Readonly<Record<string, JsonSchema>>;

/** An exact number such as a price, an amount or a rate; clients must not read it into a double. */
export function number(description: string, example: number): JsonSchema {
  return { type: 'number', description, examples: [example] };
}

export function integer(description: string, example: number): JsonSchema {
  return { type: 'integer', description, examples: [example] };
}

export function text(description: string, example: string): JsonSchema {
  return { type: 'string', description, examples: [example] };
}

export function boolean(description: string, example: boolean): JsonSchema {
  return { type: 'boolean', description, examples: [example] };
}

/** A time in a response: ISO 8601 in UTC with milliseconds. */
export function timestamp(description: string): JsonSchema {
  return {
    type: 'string',
    format: 'date-time',
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
    description,
    examples: ['2026-01-05T12:00:00.000Z'],
  };
}

/** One of a closed set of names. */
export function enumeration(
  values: readonly string[],
  description: string,
  example = values[0]!,
): JsonSchema {
  return { type: 'string', enum: values, description, examples: [example] };
}

/** A nullable value; its example is null unless given. */
export function nullable(schema: JsonSchema, example: unknown = null): JsonSchema {
  const { type, enum: values } = schema;
  const types = [...(Array.isArray(type) ? type : [type]), 'null'];
  const withNull = { ...schema, type: types, examples: [example] };
  return Array.isArray(values) ? { ...withNull, enum: [...values, null] } : withNull;
}

export function list(items: JsonSchema, description?: string): JsonSchema {
  return { type: 'array', items, ...(description === undefined ? {} : { description }) };
}

/** An object that always has all of these fields. Later releases may add fields. */
export function record(properties: Fields, description?: string): JsonSchema {
  const required = Object.keys(properties);
  const object = { type: 'object', required, properties };
  return description === undefined ? object : { ...object, description };
}

/** Adds fields to an object that a response may lack. */
export function withOptional(object: JsonSchema, fields: Fields): JsonSchema {
  return { ...object, properties: { ...(object.properties as Fields), ...fields } };
}

/** A field that always has this value. */
export function constant(value: string | boolean): JsonSchema {
  return { type: typeof value, const: value, examples: [value] };
}

export function reference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** A reference to a record, or null; its example is null unless given. */
export function nullableReference(
  name: string,
  description: string,
  example: unknown = null,
): JsonSchema {
  return { anyOf: [reference(name), { type: 'null' }], description, examples: [example] };
}

/** Returns a function that makes the schema of a Zod schema's input, when called, to save time at start-up. */
export function fromZod(schema: z.ZodType): () => JsonSchema {
  return () => {
    const { $schema, ...rest } = z.toJSONSchema(schema, {
      io: 'input',
      unrepresentable: 'any',
      override: mergeNull,
    });
    return rest;
  };
}

type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>;

/** Describes a nullable field that has a description like one of a record: by one schema whose types include null. */
const mergeNull: Override = ({ zodSchema, jsonSchema }) => {
  const { anyOf, ...described } = jsonSchema;
  if (zodSchema._zod.def.type !== 'nullable' || described.description === undefined) return;
  delete jsonSchema.anyOf;
  Object.assign(jsonSchema, nullable({ ...anyOf![0], ...described }));
};

/** Returns a value that fits the schema, made of the examples of its parts. */
export function makeExample(schema: JsonSchema, named: Fields): unknown {
  if (Array.isArray(schema.examples)) return schema.examples[0];
  if (typeof schema.$ref === 'string') {
    return makeExample(named[schema.$ref.split('/').at(-1)!]!, named);
  }
  if (schema.type === 'array') return [makeExample(schema.items as JsonSchema, named)];
  if (schema.type === 'object') {
    const required = schema.required as readonly string[];
    const all = Object.entries(schema.properties as Fields);
    const fields = all.filter(([name]) => required.includes(name));
    return Object.fromEntries(fields.map(([name, field]) => [name, makeExample(field, named)]));
  }
  throw new Error(`no example in ${JSON.stringify(schema)}: add one`);
}
