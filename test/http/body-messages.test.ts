import { afterAll, beforeAll, expect, test } from 'bun:test';
import { z } from 'zod';
import { isOperatorAccess } from '../../src/gateway/auth/permissions.ts';
import { type Endpoint, hasBody } from '../../src/gateway/endpoints/endpoint.ts';
import { ENDPOINTS } from '../../src/gateway/endpoints/endpoints.ts';
import { type JsonObject, readJsonObject } from '../../src/gateway/http/json.ts';
import { ApiError } from '../../src/gateway/http/response/errors.ts';
import { checkBody, integer } from '../../src/gateway/openapi/body-schema.ts';
import { Browser } from './browser.ts';
import { TestCustodian } from './custodian.ts';
import { DOCUMENT } from './described.ts';
import { type Answer, TestExchange } from './exchange.ts';

/** Messages about wrong bodies are sentences of the exchange, never the texts of the library that checks them. */

let exchange: TestExchange;
let orderId: string;
let custodian: TestCustodian;
beforeAll(async () => {
  exchange = await TestExchange.open();
  const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 45_000 };
  orderId = (await exchange.place('alice', order)).data.orderId;
  custodian = await TestCustodian.open(exchange);
});
afterAll(() => exchange.close());

/** A value of every kind of JSON, and of the kinds of errors that schemas distinguish. */
const WRONG: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 1e30, '', 'x', ' ', '\u0007', 'x'.repeat(2000)],
  ...[[], ['x'], [1], [null], [{}], [[]], Array(30).fill('read'), {}, { x: 1 }, { price: 'x' }],
];
const FOREIGN =
  /invalid (option|input|key|element|string|iso)|expected|received|too (big|small)|undefined|zod|is invalid\b/i;

type Path = readonly (string | number)[];

// biome-ignore lint/suspicious/noExplicitAny: a schema, as deep as JSON Schema is
type Schema = any;

/** Returns the paths of all fields that a schema describes, also of those in arrays. */
function listPaths(schema: Schema, path: Path = []): Path[] {
  const resolved =
    schema?.$ref === undefined
      ? schema
      : DOCUMENT.components.schemas[schema.$ref.split('/').at(-1)];
  if (resolved === undefined || resolved === null) return [];
  const parts = [resolved, ...(resolved.anyOf ?? [])];
  const below = parts.flatMap((part) => [
    ...Object.entries(part.properties ?? {}).flatMap(([name, field]) => {
      const to = [...path, name];
      return [to, ...listPaths(field, to)];
    }),
    ...(part.items === undefined ? [] : [[...path, 0], ...listPaths(part.items, [...path, 0])]),
  ]);
  const rest = parts.slice(1).flatMap((part) => (part.$ref ? listPaths(part, path) : []));
  return [...new Map([...below, ...rest].map((each) => [each.join('.'), each])).values()];
}

/** Returns the body with another value at a path, creating what is above it; undefined removes the field. */
function withValue(body: unknown, [key, ...rest]: Path, value: unknown): unknown {
  const isIndex = typeof key === 'number';
  const copy: Record<string, unknown> | unknown[] = isIndex
    ? [...(Array.isArray(body) ? body : [])]
    : { ...(body as object) };
  const fields = copy as Record<string | number, unknown>;
  const changed = rest.length === 0 ? value : withValue(fields[key!] ?? {}, rest, value);
  if (changed === undefined && !isIndex) delete fields[key!];
  else fields[key!] = changed;
  return copy;
}

async function sender(endpoint: Endpoint): Promise<(body: unknown) => Promise<Answer>> {
  const { method, access, path } = endpoint;
  const isOrder = path.startsWith('/api/orders');
  const target = path
    .replace(':email', 'x@example.com')
    .replace(':id', isOrder ? orderId : 'alice');
  if (access === 'custodian') {
    return (body) => custodian.report(path.replace('/api/custody', ''), body);
  }
  if (['session', 'public', 'withdraw', 'transfer'].includes(access)) {
    const email = `${endpoint.handle.description.operationId.toLowerCase()}@example.com`;
    const browser = await Browser.signedUp(exchange, email);
    return (body) => browser.send(method, target, body as object);
  }
  const name = isOperatorAccess(access) ? 'operator' : 'alice';
  return (body) => exchange.send(name, method, target, JSON.stringify(body));
}

const ENDPOINTS_WITH_BODY = ENDPOINTS.filter(
  (endpoint) => hasBody(endpoint) && endpoint.handle.description.body !== undefined,
).map((endpoint) => [endpoint.handle.description.operationId, endpoint] as const);

test.each(ENDPOINTS_WITH_BODY)(
  'every wrong value in the body of %s is reported in a sentence of the exchange',
  async (_, endpoint) => {
    const { method, path, handle } = endpoint;
    const send = await sender(endpoint);
    const template = path.replace(/:([^/]+)/g, '{$1}');
    const { requestBody } = DOCUMENT.paths[template][method.toLowerCase()];
    const paths = listPaths(requestBody.content['application/json'].schema);
    const [example] = Object.values(handle.description.body!.examples);
    const rejected = new Set<string>();
    for (const path of [...paths, ['unknown']]) {
      for (const value of [...WRONG, undefined]) {
        const body = withValue(example, path, value);
        const { status, json } = await send(body);
        // 202 if it waits for a second operator.
        if (status === 200 || status === 202) continue;
        const { message, details } = json.error;
        expect({ body, message }).toEqual({
          body,
          message: expect.not.stringMatching(FOREIGN),
        });
        // A sentence, which may end with a list of characters.
        expect({ body, message }).toEqual({
          body,
          message: expect.stringMatching(/^[A-Za-z0-9"].*[.:-]$/s),
        });
        if (details.field !== undefined) rejected.add(details.field);
      }
    }
    const required = paths.filter(({ length }) => length === 1).map(([name]) => `${name}`);
    const isReported = (name: string) =>
      [...rejected].some((field) => field === name || field.startsWith(`${name}.`));
    expect(required.filter((name) => !isReported(name))).toEqual([]);
    expect(rejected).toContain('unknown');
  },
  60_000,
);

function check(schema: z.ZodType, body: string): ApiError['message'] {
  try {
    checkBody(schema, readJsonObject(Buffer.from(body)) as JsonObject);
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
  throw new Error('the body was accepted');
}

test.each<[string, z.ZodType, string, string]>([
  ['a name', z.enum(['a', 'b']), '"c"', 'Field must be one of a, b.'],
  ['a name of another type', z.enum(['a', 'b']), '1', 'Field must be one of a, b.'],
  ['no name', z.enum(['a', 'b']), '', 'Field is required.'],
  ['no number', integer(1, 2), '', 'Field is required.'],
  ['a number', integer(1, 2), '3', 'Field must be a whole number from 1 to 2.'],
  ['another type', z.string(), '1', 'Field must be of the type string.'],
  ['no object', z.record(z.string(), z.unknown()), '[]', 'Field must be of the type object.'],
  ['an element', z.array(z.enum(['a'])), '["a","b"]', 'field.1 must be one of a.'],
  ['a text that is too long', z.string().max(1), '"ab"', 'Field is invalid.'],
  ['a form', z.email(), '"a"', 'Field is invalid.'],
  ['a union', z.union([z.string(), z.boolean()]), '1', 'Field is invalid.'],
  ['a value of its own', z.custom<string>(() => false), '1', 'Field is invalid.'],
  ['an unknown field', z.strictObject({}), '{"x":1}', 'Unknown field "x". Remove it.'],
])('a schema without texts of its own: %s', (_, schema, value, message) => {
  const body = value === '' ? '{}' : `{"field":${value}}`;
  expect(check(z.strictObject({ field: schema }), body)).toBe(message);
});
