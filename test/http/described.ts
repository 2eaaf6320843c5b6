import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { openApiDocument } from '../../src/gateway/openapi/openapi.ts';
import type { WireResponse } from './wire.ts';

/** Checks requests and answers against the OpenAPI document. */

export interface SentRequest {
  readonly method: string;
  /** Path with the query. */
  readonly path: string;
  readonly body?: string | Uint8Array | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: a JSON document, read by its paths
export const DOCUMENT: any = JSON.parse(JSON.stringify(openApiDocument()));

const ajv = new Ajv2020({
  strict: false,
  validateSchema: false,
  formats: { 'date-time': true },
  // Compiling a schema takes longer than running it, so that its code is not optimized.
  code: { optimize: false },
});
ajv.addSchema(closed(DOCUMENT) as object, 'api');
const compiled = new Map<string, ValidateFunction>();

const PATHS = Object.keys(DOCUMENT.paths).map((path) => ({
  path,
  pattern: new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`),
}));

/** Closes records: clients must accept new fields, but tests require every field to be described. */
export function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([name, part]) => [name, closed(part)]));
  const isRecord = 'properties' in copy && copy.type === 'object';
  return isRecord ? { additionalProperties: false, ...copy } : copy;
}

/**
 * Checks that the description of an operation covers its answer and permits its successful requests.
 * Requests without an operation are not checked.
 */
export function checkDescribed(request: SentRequest, response: WireResponse): void {
  const { method, path, body } = request;
  const { status, headers, text } = response;
  if (method === 'HEAD' || method === 'OPTIONS') return;
  const template = findTemplate(path);
  const operation = DOCUMENT.paths[template ?? '']?.[method.toLowerCase()];
  const what = `${method} ${path} with ${status}`;
  if (operation === undefined) {
    if (status === 200) throw new Error(`${what}: there is no such operation in the document`);
    return;
  }
  const described = operation.responses[status];
  if (described === undefined) throw new Error(`${what}: the document has no such response`);
  for (const name of Object.keys(described.headers)) {
    if (!headers.has(name)) throw new Error(`${what}: the header ${name} is missing`);
  }
  const type = headers.get('Content-Type')!.split(';')[0]!;
  if (status === 200 && 'text/csv' in described.content) {
    if (!(type in described.content)) throw new Error(`${what}: the document has no ${type}`);
    return;
  }
  const pointer = ['paths', template!, method.toLowerCase()];
  const schema = ['content', 'application/json', 'schema'];
  const answer = JSON.parse(text);
  demandValid([...pointer, 'responses', `${status}`, ...schema], answer, what);
  const { examples } = described.content['application/json'];
  const isDone = status === 200 || status === 202;
  if (!isDone && !(answer.error.code in examples)) {
    throw new Error(`${what}: the document does not list the code ${answer.error.code}`);
  }
  if (isDone && operation.requestBody !== undefined) {
    const sent = typeof body === 'string' ? body : new TextDecoder().decode(body);
    demandValid([...pointer, 'requestBody', ...schema], JSON.parse(sent), `the body of ${what}`);
  }
}

/** Returns the required query parameters of an operation, from their examples. */
export function neededQuery(operation: { parameters: readonly Parameter[] }): [string, string][] {
  const needed = operation.parameters.filter((one) => one.in === 'query' && one.required);
  const alternative = operation.parameters.find((parameter) => parameter['x-exactlyOne']);
  return [...needed, ...(alternative === undefined ? [] : [alternative])].map(
    ({ name, schema }) => [name, `${schema.examples![0]}`],
  );
}

/** Resolves a reference. */
export interface Parameter {
  readonly name: string;
  readonly in?: 'path' | 'query';
  readonly required: boolean;
  readonly description?: string;
  /** Checks that a request has exactly one of the parameters marked so. */
  readonly 'x-exactlyOne'?: boolean;
  readonly schema: { readonly examples?: readonly unknown[] };
}

/** Whether a body matches the schema of an operation's request. */
export function isDescribedBody(method: string, path: string, body: unknown): boolean {
  const schema = ['requestBody', 'content', 'application/json', 'schema'];
  return compileValidator(['paths', path, method, ...schema])(body) as boolean;
}

export function demandValid(pointer: readonly string[], value: unknown, what: string): void {
  const validate = compileValidator(pointer);
  if (validate(value)) return;
  const faults = validate.errors!.map(({ instancePath, message, params }) =>
    `${instancePath} ${message} ${JSON.stringify(params)}`.trim(),
  );
  throw new Error(`${what} is not as described: ${faults.join('; ')}`);
}

function compileValidator(pointer: readonly string[]): ValidateFunction {
  const key = pointer
    .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/');
  let validate = compiled.get(key);
  if (validate === undefined) {
    validate = ajv.compile({ $ref: `api#/${key}` });
    compiled.set(key, validate);
  }
  return validate;
}

/** Returns the path of the document that matches a request's path; fixed ones precede templates. */
function findTemplate(path: string): string | undefined {
  const bare = path.replace(/\?.*$/s, '').replace(/\/{2,}/g, '/');
  if (Object.hasOwn(DOCUMENT.paths, bare)) return bare;
  return PATHS.find(({ pattern }) => pattern.test(bare))?.path;
}
