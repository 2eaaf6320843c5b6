// Writes the types and methods of the TypeScript client from the OpenAPI document: npm run generate
import { join } from 'node:path';
import { openApiDocument } from '../src/gateway/openapi/openapi.ts';
import { RECORDS } from '../src/gateway/openapi/record-schemas.ts';
import {
  inlined,
  isNumeric,
  parametersText,
  type Schema,
  toType,
  usesNumber,
} from './client-types.ts';

export const FOLDER = join(import.meta.dir, '../src/client/api');
const HEAD = '// Generated from the OpenAPI document by `npm run generate`. Do not edit.\n\n';

interface Operation {
  readonly operationId: string;
  /** The operation of `/ws` with the same handler. */
  readonly 'x-operation'?: {
    readonly name: string;
    readonly query?: Readonly<Record<string, string>>;
  };
  readonly tags: readonly string[];
  readonly summary: string;
  readonly parameters: readonly { name?: string; in: string; required: boolean; schema: Schema }[];
  readonly requestBody?: { content: { 'application/json': { schema: Schema } } };
  readonly responses: Readonly<
    Record<string, { content: { 'application/json': { schema: Schema } } }>
  >;
}

interface Endpoint {
  readonly operation: Operation;
  readonly method: string;
  readonly path: string;
  /** Undefined if the response is a file. */
  readonly data: Schema | undefined;
}

const document = openApiDocument();
const schemas = document.components.schemas as Record<string, Schema>;
const recordNames = new Set(Object.keys(RECORDS));
const inline = <Part>(part: unknown) => inlined(part, schemas, recordNames) as Part;
/** The records have types of their own; other named schemas are written where they are used. */
const records: Record<string, Schema> = Object.fromEntries(
  Object.keys(RECORDS).map((name) => [name, inline<Schema>(schemas[name])]),
);
const paths = inline<Record<string, Record<string, Operation>>>(document.paths);
const endpoints: Endpoint[] = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => {
    const answer = operation.responses['200']!.content['application/json'].schema;
    return { operation, method: method.toUpperCase(), path, data: answer.properties?.data };
  }),
);

/** Returns the formatted files of the client's folder `api`, by name. */
export async function clientApi(): Promise<Map<string, string>> {
  const isOperator = ({ operation }: Endpoint) => operation.tags.includes('Operator');
  const trading = endpoints.filter((endpoint) => !isOperator(endpoint));
  const operator = endpoints.filter(isOperator);
  const traded = listRecords(trading);
  const files = new Map([
    ['records.ts', recordsText(traded) + constantsText()],
    ['operator-records.ts', operatorRecordsText(listRecords(operator), traded)],
    ['parameters.ts', trading.map(formatParameters).join('')],
    ['operator-parameters.ts', operator.map(formatParameters).join('')],
    ['endpoints.ts', endpointsText(trading, '')],
    [
      'operations.ts',
      operationsText(trading.filter(({ operation }) => 'x-operation' in operation)),
    ],
    ['operator-endpoints.ts', endpointsText(operator, 'operator-')],
  ]);
  for (const [name, text] of files) files.set(name, await formatted(name, HEAD + text));
  return files;
}

function listRecords(chosen: readonly Endpoint[]): string[] {
  const found = new Set<string>();
  const visit = (part: unknown): void => {
    for (const [, name] of JSON.stringify(part).matchAll(/\/schemas\/(\w+)"/g)) {
      if (found.has(name!)) continue;
      found.add(name!);
      visit(records[name!]);
    }
  };
  visit(chosen.map(({ data }) => data ?? null));
  return Object.keys(records).filter((name) => found.has(name));
}

function recordsText(names: readonly string[]): string {
  return names
    .map((name) => {
      const schema = records[name]!;
      const generic = usesNumber(schema, records) ? '<N = number>' : '';
      return `export interface ${name}${generic} ${toType(schema, records)}\n\n`;
    })
    .join('');
}

/** The records of operators that traders do not have. */
function operatorRecordsText(names: readonly string[], traded: readonly string[]): string {
  const text = recordsText(names.filter((name) => !traded.includes(name)));
  const used = traded.filter((name) => new RegExp(`\\b${name}<N>`).test(text));
  return `import type { ${used.join(', ')} } from './records.ts';\n\n${text}`;
}

/** The codes of errors, and which fields hold numbers. */
function constantsText(): string {
  const codes = new Set<string>();
  const integers = new Set(['prevSequence']);
  const numbers = new Set<string>();
  const visit = (schema: Schema, name: string, sent: boolean): void => {
    if (name === 'code' && !sent) for (const code of schema.enum ?? []) codes.add(`${code}`);
    if (isNumeric(schema, 'integer') && !sent) integers.add(name);
    if (sent && (isNumeric(schema, 'integer') || isNumeric(schema, 'number'))) {
      if (!(schema.type ?? []).includes('string')) numbers.add(name);
    }
    for (const [field, part] of Object.entries(schema.properties ?? {})) visit(part, field, sent);
    for (const part of schema.anyOf ?? schema.oneOf ?? []) visit(part, name, sent);
    if (schema.items) visit(schema.items, name, sent);
  };
  for (const schema of Object.values(records)) visit(schema, '', false);
  for (const { operation, data } of endpoints) {
    if (data !== undefined) visit(data, '', false);
    if (operation.requestBody) visit(bodySchema(operation)!, '', true);
  }
  // These are numbers or strings, depending on the request.
  for (const name of ['expiresAt', 'feeTier', 'status', 'wallClock']) numbers.delete(name);
  const quoted = (names: Iterable<string>) => [...names].sort().map((name) => `'${name}'`);
  return `/** The possible values of \`error.code\`. */
export type ErrorCode = ${quoted(codes).join(' | ')};

/** Fields of requests that are numbers. */
export const NUMBER_FIELDS: ReadonlySet<string> = new Set([${quoted(numbers)}]);

/** Fields of responses that are whole numbers, never prices or amounts. */
export const INTEGER_FIELDS: ReadonlySet<string> = new Set([${quoted(integers)}]);
`;
}

function bodySchema(operation: Operation): Schema | undefined {
  return operation.requestBody?.content['application/json'].schema;
}

const parametersName = ({ operation: { operationId } }: Endpoint) =>
  `${operationId[0]!.toUpperCase()}${operationId.slice(1)}Parameters`;

function readFields({ operation }: Endpoint) {
  const named = operation.parameters.filter(({ name }) => name !== undefined);
  return { named, body: bodySchema(operation) };
}

function formatParameters(endpoint: Endpoint): string {
  const { named, body } = readFields(endpoint);
  if (named.length === 0 && body === undefined) return '';
  const text = parametersText(named, body);
  return text.startsWith('{')
    ? `export interface ${parametersName(endpoint)} ${text}\n\n`
    : `export type ${parametersName(endpoint)} = ${text};\n\n`;
}

function endpointsText(chosen: readonly Endpoint[], prefix: string): string {
  const methods = chosen.map(methodText).join('\n');
  const used = (names: readonly string[]) =>
    names.filter((name) => new RegExp(`\\b${name}\\b`).test(methods));
  const imports = (names: readonly string[], file: string) =>
    names.length === 0
      ? ''
      : `import type { ${[...names].sort().join(', ')} } from './${file}.ts';\n`;
  const traded = listRecords(
    endpoints.filter(({ operation }) => !operation.tags.includes('Operator')),
  );
  const own = Object.keys(records).filter((name) => !traded.includes(name));
  const base = prefix === '' ? '' : ' extends Endpoints<N>';
  return `import type { CallOptions${prefix === '' ? ', Route' : ''} } from '../route.ts';
${prefix === '' ? '' : "import { Endpoints } from './endpoints.ts';\n"}${imports(used(own), 'operator-records')}${imports(used(chosen.map(parametersName)), `${prefix}parameters`)}${imports(used(prefix === '' ? [...traded, 'ErrorCode'] : traded), 'records')}
/** A method for each endpoint of ${prefix === '' ? 'traders' : 'operators'}; prices and amounts in responses have the type N. */
export abstract class ${prefix === '' ? 'Endpoints' : 'OperatorEndpoints'}<N>${base} {
${prefix === '' ? 'protected abstract call<Data>(route: Route, parameters: object, options: CallOptions | undefined): Promise<Data>;\n' : ''}
${prefix === '' ? '/** Returns a response whose body is a file. */\nprotected abstract download(route: Route, parameters: object, options: CallOptions | undefined): Promise<Response>;\n' : ''}
${methods}
}
`;
}

/** The operations of sockets: the methods of their endpoints, with the same parameters and types. */
function operationsText(chosen: readonly Endpoint[]): string {
  const entries = chosen.map(({ operation, method, path }) => {
    return `'${operation['x-operation']!.name}': { method: '${method}', path: '${path}' }`;
  });
  const methods = chosen.map(operationMethodText).join('\n');
  const used = (names: readonly string[]) =>
    names.filter((name) => new RegExp(`\\b${name}\\b`).test(methods)).sort();
  return `import type { CallOptions, Route } from '../route.ts';
import type { ${used(chosen.map(parametersName)).join(', ')} } from './parameters.ts';
import type { ${used([...listRecords(chosen), 'ErrorCode']).join(', ')} } from './records.ts';

/** The endpoint of each operation of \`/ws\`. */
export const OPERATIONS = { ${entries.join(', ')} } as const satisfies Readonly<Record<string, Route>>;
export type OperationName = keyof typeof OPERATIONS;

/** A method for each operation of \`/ws\`; prices and amounts of the answers are of the type N. */
export abstract class Operations<N extends number | string> {
protected abstract execute<Data>(operation: OperationName, parameters: object, options: CallOptions | undefined): Promise<Data>;

${methods}
}
`;
}

function operationMethodText(endpoint: Endpoint): string {
  const { operation, data } = endpoint;
  const { name, query = {} } = operation['x-operation']!;
  const { takes, parameters } = parameterText(endpoint, Object.keys(query));
  // With the status open, listOrders becomes listOpenOrders.
  const fixed = Object.values(query).map((value) => `${value[0]!.toUpperCase()}${value.slice(1)}`);
  const method = operation.operationId.replace(/^[a-z]+/, (verb) => `${verb}${fixed.join('')}`);
  const only = Object.entries(query).map(([field, value]) => ` (${field} ${value})`);
  return `/** \`${name}\`: ${operation.summary}${only.join('')} */
${method}(${parameters}options?: CallOptions): Promise<${toType(data!, records, false)}> {
  return this.execute('${name}', ${takes ? 'parameters' : '{}'}, options);
}
`;
}

/** Returns whether a method takes parameters, and the text of that argument. @param fixed Parameters that it sets itself */
function parameterText(endpoint: Endpoint, fixed: readonly string[] = []) {
  const { named, body } = readFields(endpoint);
  const isFree = !named.some(({ required }) => required) && !body?.required?.length;
  const takes = named.length > 0 || body !== undefined;
  const name = parametersName(endpoint);
  const left = fixed.map((field) => `'${field}'`).join(' | ');
  const type = left === '' ? name : `Omit<${name}, ${left}>`;
  return { takes, parameters: takes ? `parameters: ${type}${isFree ? ' = {}' : ''}, ` : '' };
}

function methodText(endpoint: Endpoint): string {
  const { operation, method, path, data } = endpoint;
  const { named, body } = readFields(endpoint);
  const { takes, parameters } = parameterText(endpoint);
  const query = (body === undefined ? [] : named)
    .filter((parameter) => parameter.in === 'query')
    .map(({ name }) => `'${name}'`);
  const result = data === undefined ? 'Response' : toType(data, records, false);
  return `/** \`${method} ${path}\`: ${operation.summary} */
${operation.operationId}(${parameters}options?: CallOptions): Promise<${result}> {
  return this.${data === undefined ? 'download' : 'call'}({ method: '${method}', path: '${path}'${query.length === 0 ? '' : `, query: [${query}]`} }, ${takes ? 'parameters' : '{}'}, options);
}
`;
}

async function formatted(name: string, text: string): Promise<string> {
  const biome = join(import.meta.dir, '../node_modules/@biomejs/biome/bin/biome');
  const child = Bun.spawn(
    ['node', biome, 'check', '--write', `--stdin-file-path=${join(FOLDER, name)}`],
    {
      cwd: join(import.meta.dir, '..'),
      stdio: [new Blob([text]), 'pipe', 'inherit'],
    },
  );
  const result = await child.stdout.text();
  if ((await child.exited) !== 0) throw new Error(`${name} is not valid TypeScript`);
  return result;
}

if (import.meta.main) {
  for (const [name, text] of await clientApi()) await Bun.write(join(FOLDER, name), text);
}
