import { z } from 'zod';
import { nearest } from '../../config/nearest.ts';
import type { Path, Problem } from './document.ts';

/** Longer values are not repeated in a message. */
const MAX_SHOWN_CHARACTERS = 60;

/** Returns what Zod found wrong with a value as sentences for authors of scenarios, with the nearest valid names. */
export function toProblems(schema: z.ZodType, value: unknown, error: z.ZodError): Problem[] {
  /** Paths of missing fields that an unknown field is meant to be. */
  const meant = new Set<string>();
  const unknown = error.issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return [];
    const path = issue.path as Path;
    const known = fieldNames(schema, path);
    return issue.keys.map((key) => {
      meant.add([...path, nearest(key, known)].join());
      // In braces, the text after a comma is the next key.
      const isText = valueAt(value, [...path, key]) == null;
      const advice = isText ? ' A text with a comma must be in quotes here.' : '';
      const message = `${unknownName('field', key, known)}${advice}`;
      return { path: [...path, key], isKey: true, message };
    });
  });
  const others = error.issues.flatMap((issue) => {
    const path = issue.path as Path;
    if (issue.code === 'unrecognized_keys' || meant.has(path.join())) return [];
    if (issue.code === 'invalid_key') {
      const message = `"${path.at(-1)}" must be ${issue.issues[0]!.message}.`;
      return [{ path, isKey: true, message }];
    }
    return [{ path, message: toMessage(path, valueAt(value, path), issue.message) }];
  });
  return [...unknown, ...others];
}

/** Returns a sentence about a name that does not exist, with the nearest one or all that do. */
export function unknownName(kind: string, name: string, known: readonly string[]): string {
  const similar = nearest(name, known);
  const advice =
    similar === undefined ? `Use one of: ${known.join(', ')}.` : `Did you mean "${similar}"?`;
  return `Unknown ${kind} "${name}". ${advice}`;
}

/** @param description Completes "must be". */
function toMessage(path: Path, value: unknown, description: string): string {
  const name = path.length === 0 ? 'The content' : `"${fieldName(path)}"`;
  if (value === undefined) return `${name} is missing. It must be ${toForm(description)}.`;
  if (value === null) return `${name} has no value. It must be ${toForm(description)}.`;
  if (description.startsWith('one of ') && typeof value === 'string') {
    const similar = nearest(value, description.slice('one of '.length).split(', '));
    const advice = similar === undefined ? '' : ` Did you mean "${similar}"?`;
    return `${name} must be ${toForm(description)}, not ${describe(value)}.${advice}`;
  }
  return `${name} must be ${toForm(description)}, not ${describe(value)}.`;
}

/** Zod's own message, "Invalid input: expected object, received string", in the words of the other messages. */
function toForm(description: string): string {
  return /expected (object|record)/.test(description) ? 'a mapping' : description;
}

/** Returns the last name of a path, with its index if it is an element of a list: `timeline[2]`. */
function fieldName(path: Path): string {
  const last = path.at(-1)!;
  return typeof last === 'string' ? last : `${path.at(-2) ?? ''}[${last}]`;
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping';
  const text = `${value}`;
  return text.length > MAX_SHOWN_CHARACTERS ? 'this text' : `"${text}"`;
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (found, part) => (found as Record<string | number, unknown> | undefined)?.[part],
    value,
  );
}

/** Returns the fields of the object that a schema has at a path. */
function fieldNames(schema: z.ZodType, path: Path): string[] {
  const found = path.reduce<z.ZodType>((at, part) => {
    const inner = unwrap(at);
    if (inner instanceof z.ZodObject) return inner.shape[part];
    if (inner instanceof z.ZodArray) return inner.element as z.ZodType;
    return (inner as z.ZodRecord).valueType as z.ZodType;
  }, schema);
  return Object.keys((unwrap(found) as z.ZodObject).shape);
}

function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    return unwrap(schema.unwrap() as z.ZodType);
  }
  return schema;
}
