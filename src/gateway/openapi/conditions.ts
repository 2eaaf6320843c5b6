import type { JsonValue } from '../http/json.ts';
import type { JsonSchema } from './json-schema.ts';

/** A body whose fields have the right types. */
type Body = Readonly<Record<string, unknown>>;

/** A condition on several fields of a body: for the OpenAPI document, and as a check. */
export interface Condition {
  readonly schema: JsonSchema;
  readonly holds: (body: Body) => boolean;
}

/** A condition on one field. Other fields are allowed explicitly, because linters require it. */
function where(field: string, schema: JsonSchema): JsonSchema {
  return { properties: { [field]: schema }, additionalProperties: true };
}

export function present(field: string): Condition {
  return {
    schema: { required: [field], ...where(field, { not: { type: 'null' } }) },
    holds: (body) => body[field] != null,
  };
}

/** The body has the field, even if it is null. */
export function given(field: string): Condition {
  return {
    schema: { required: [field], ...where(field, {}) },
    holds: (body) => body[field] !== undefined,
  };
}

export function absent(field: string): Condition {
  return { schema: where(field, { type: 'null' }), holds: (body) => body[field] == null };
}

/** The field is one of these, or missing. */
export function among(field: string, ...values: readonly JsonValue[]): Condition {
  return {
    schema: where(field, { enum: values }),
    holds: (body) => body[field] === undefined || values.includes(body[field] as JsonValue),
  };
}

/** The field is one of these. */
export function is(field: string, ...values: readonly JsonValue[]): Condition {
  const schema = values.length === 1 ? { const: values[0] } : { enum: values };
  return {
    schema: { required: [field], ...where(field, schema) },
    holds: (body) => values.includes(body[field] as JsonValue),
  };
}

export function all(...conditions: readonly Condition[]): Condition {
  return {
    schema: { allOf: conditions.map(({ schema }) => schema) },
    holds: (body) => conditions.every((condition) => condition.holds(body)),
  };
}

export function any(...conditions: readonly Condition[]): Condition {
  return {
    schema: { anyOf: conditions.map(({ schema }) => schema) },
    holds: (body) => conditions.some((condition) => condition.holds(body)),
  };
}

/** Exactly one of the conditions holds. */
export function either(...conditions: readonly Condition[]): Condition {
  return {
    schema: { oneOf: conditions.map(({ schema }) => schema) },
    holds: (body) => conditions.filter((condition) => condition.holds(body)).length === 1,
  };
}

/** Both conditions hold; their schemas have different keywords. */
export function both(first: Condition, second: Condition): Condition {
  return {
    schema: { ...first.schema, ...second.schema },
    holds: (body) => first.holds(body) && second.holds(body),
  };
}

/** If a condition holds, `follows` must hold too, otherwise `alternative`. */
export function when(condition: Condition, follows: Condition, alternative?: Condition): Condition {
  const otherwise = alternative === undefined ? {} : { else: alternative.schema };
  return {
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    schema: { if: condition.schema, then: follows.schema, ...otherwise },
    holds: (body) => (condition.holds(body) ? follows : alternative)?.holds(body) ?? true,
  };
}

/** Returns the keywords of a condition for an object's schema: in `allOf`, so that generated clients have one type for the object. */
export function toKeywords({ schema }: Condition): JsonSchema {
  return { allOf: 'allOf' in schema && Object.keys(schema).length === 1 ? schema.allOf : [schema] };
}
