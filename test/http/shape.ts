import { expect } from 'bun:test';

/** JSON types by field; `?` marks nullable ones. */
export type Shape = Record<string, string>;

/** Checks that a record has these fields in this order. */
export function expectShape(record: Record<string, unknown>, shape: Shape): void {
  expect(Object.keys(record)).toEqual(Object.keys(shape));
  for (const [field, type] of Object.entries(shape)) {
    const value = record[field];
    const found = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
    const expected = type.endsWith('?') ? ['null', type.slice(0, -1)] : [type];
    expect(`${field}: ${expected}`).toContain(found);
  }
}
