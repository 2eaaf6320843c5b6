/** Converts the JSON Schema of the OpenAPI document to TypeScript. */

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly prefixItems?: readonly Schema[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}
type Records = Readonly<Record<string, Schema>>;

export function isNumeric(schema: Schema, type: 'number' | 'integer'): boolean {
  return [schema.type ?? []].flat().includes(type);
}

/** Returns a part of the document with named schemas in place of references to them, except those to `kept`. */
export function inlined(part: unknown, schemas: Records, kept: ReadonlySet<string>): unknown {
  if (Array.isArray(part)) return part.map((item) => inlined(item, schemas, kept));
  if (typeof part !== 'object' || part === null) return part;
  const { $ref, ...rest } = part as Schema;
  const name = $ref?.match(/^#\/components\/schemas\/(.+)$/)?.[1];
  if (name !== undefined && kept.has(name)) return { $ref, ...rest };
  const whole = name === undefined ? part : { ...schemas[name], ...rest };
  return Object.fromEntries(
    Object.entries(whole).map(([key, value]) => [key, inlined(value, schemas, kept)]),
  );
}

/** Whether the schema has a price or an amount, so that its type has the parameter N. */
export function usesNumber(schema: Schema, records: Records): boolean {
  if (isNumeric(schema, 'number')) return true;
  if (schema.$ref !== undefined) return usesNumber(records[recordName(schema)]!, records);
  const { properties = {}, items, anyOf = [], oneOf = [] } = schema;
  const parts = [...Object.values(properties), ...(items ? [items] : []), ...anyOf, ...oneOf];
  return parts.some((part) => usesNumber(part, records));
}

/** Returns the type of an answer, with prices and amounts as N. */
export function toType(schema: Schema, records: Records, documented = true): string {
  if (schema.$ref !== undefined) {
    return `${recordName(schema)}${usesNumber(schema, records) ? '<N>' : ''}`;
  }
  return shape(schema, 'N', (part) => toType(part, records, documented), documented);
}

/** Returns the type of a request's parameter. Prices and amounts are numbers, or strings of their digits. */
export function parametersText(
  named: readonly { name?: string; required: boolean; schema: Schema; description?: string }[],
  body: Schema = {},
): string {
  const properties: Record<string, Schema> = {};
  const required = [...(body.required ?? [])];
  for (const { name, schema, description, ...parameter } of named) {
    properties[name!] = description === undefined ? schema : { ...schema, description };
    if (parameter.required) required.push(name!);
  }
  for (const [name, schema] of Object.entries(body.properties ?? {})) {
    if (name in properties) throw new Error(`two parameters are called ${name}`);
    properties[name] = schema;
  }
  return requestType({ type: 'object', properties, required });
}

function requestType(schema: Schema): string {
  return shape(schema, 'number | string', requestType, true);
}

function shape(
  schema: Schema,
  number: string,
  toPartType: (schema: Schema) => string,
  documented: boolean,
): string {
  const { anyOf, oneOf, properties, required = [] } = schema;
  if ('const' in schema) return quoted(schema.const);
  if (schema.enum) return schema.enum.map(quoted).join(' | ');
  // Next to a type they only say which of its fields go together.
  const variants = schema.type === undefined ? (anyOf ?? oneOf) : undefined;
  // A variant without a rule allows anything; the exchange rejects the rest individually.
  if (variants) return variants.filter(hasRule).map(toPartType).join(' | ');
  const types = [schema.type ?? []].flat().map((type) => {
    if (type === 'number') return number;
    if (type === 'integer') return 'number';
    if (type === 'array') return arrayType(schema, toPartType);
    if (type !== 'object') return type;
    if (!properties) return 'Readonly<Record<string, unknown>>';
    if (Object.keys(properties).length === 0) return 'Readonly<Record<string, never>>';
    const fields = Object.entries(properties).map(([name, part]) => {
      const comment = documented && part.description ? `/** ${part.description} */\n` : '';
      const isNeeded = required.includes(name);
      return `${comment}readonly ${name}${isNeeded ? '' : '?'}: ${toPartType(part)}${isNeeded ? '' : ' | undefined'};`;
    });
    return `{\n${fields.join('\n')}\n}`;
  });
  return types.join(' | ');
}

function arrayType(array: Schema, toPartType: (schema: Schema) => string): string {
  if (array.prefixItems) return `readonly [${array.prefixItems.map(toPartType).join(', ')}]`;
  const type = toPartType(array.items!);
  if (array.minItems === 2 && array.maxItems === 2) return `readonly [${type}, ${type}]`;
  return `readonly (${type})[]`;
}

function hasRule(schema: Schema): boolean {
  return Object.keys(schema).some((keyword) => keyword !== 'description');
}

function recordName(schema: Schema): string {
  return schema.$ref!.split('/').at(-1)!;
}

function quoted(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : `${value}`;
}
