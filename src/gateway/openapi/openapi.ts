import packageFile from '../../../package.json' with { type: 'json' };
import { permissionFor } from '../auth/permissions.ts';
import { type Endpoint, exists, isPrivate } from '../endpoints/endpoint.ts';
import { ENDPOINTS } from '../endpoints/endpoints.ts';
import { ERRORS, type ErrorCode } from '../http/errors.ts';
import { PATH_PARAMETERS, QUERY_PARAMETERS } from '../http/parameters.ts';
import {
  errorExamples,
  errorSchema,
  HEADERS,
  HEADERS_OF_ALL,
  NO_STORE_HEADERS,
  SECURITY_SCHEMES,
  VERSION_PARAMETER,
} from './components.ts';
import { type Description, TAGS } from './description.ts';
import { exampleOf, type JsonSchema } from './json-schema.ts';
import { RECORDS } from './record-schemas.ts';

/** The OpenAPI 3.1 description of the whole API, made of the table of endpoints. */
export function openApiDocument(isSandbox = true) {
  const endpoints = ENDPOINTS.filter((endpoint) => exists(endpoint, isSandbox));
  return {
    openapi: '3.1.1',
    info: {
      title: 'Buttonwood',
      version: packageFile.version,
      summary: 'REST API of a cryptocurrency exchange',
      description: INTRODUCTION,
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The exchange that serves this document.' }],
    security: [{ apiKey: [], apiSecret: [] }, { session: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: pathsOf(endpoints),
    components: {
      schemas: RECORDS,
      examples: errorExamples([...new Set(endpoints.flatMap(errorCodesOf))]),
      headers: HEADERS,
      parameters: { ApiVersion: VERSION_PARAMETER },
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

const INTRODUCTION = `
**Envelope.** Every body under \`/api/\` is \`{"success":true,"data":{…}}\` or
\`{"success":false,"error":{"code","message","details":{…}}}\`. New fields may be added to any record.

**Numbers** are JSON numbers and exact decimals of any length, in both directions: read and write them
without a double. They go out without an exponent and without trailing zeros. A literal may have 40
characters and an exponent up to ±30. A string where a number belongs is refused.

**Requests.** Unknown fields and parameters are refused. \`null\` in an optional field means absent. A body
is at most 16 KiB. Repeated slashes in a path count as one, \`HEAD\` answers as \`GET\` without the body,
\`OPTIONS\` names the methods of a path. Times are ISO 8601 with a zone, or milliseconds since 1970.

**Credentials.** A key is two headers: \`Authorization: Bearer <API_KEY>\` and \`X-API-Secret: <API_SECRET>\`.
Keys are for servers only: a request with one from a web page is refused, except from this page in the
sandbox.

**Sessions** are for the exchange's own pages: a browser that is signed in sends its cookie, and with all
but \`GET\` the header \`Origin\` of this exchange. Where a request has key headers too, these decide.

**Rate limits** are counted in windows of 60 s: by address on public endpoints, by account on private ones,
sessions apart from keys, each endpoint on its own. Any other path counts as a public one.

**Order of checks**: path, credentials, rate limit, permission, form of headers, query and body, symbol,
side, type, amount and price, funds, bounds. With several faults the first is reported.

| Code | HTTP | What to do |
|---|---|---|
${Object.entries(ERRORS)
  .map(([code, { status, message }]) => `| \`${code}\` | ${status} | ${message} |`)
  .join('\n')}
`.trim();

type Paths = Record<string, Record<string, unknown>>;

function pathsOf(endpoints: readonly Endpoint[]): Paths {
  const paths: Paths = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:([^/]+)/g, '{$1}');
    paths[path] ??= {};
    paths[path][endpoint.method.toLowerCase()] = operationOf(endpoint);
  }
  return paths;
}

function operationOf(endpoint: Endpoint) {
  const { description } = endpoint.handle;
  const { operationId, tag, summary, body } = description;
  return {
    operationId,
    tags: [tag],
    summary,
    description: notesOf(endpoint),
    ...securityOf(endpoint),
    parameters: parametersOf(endpoint),
    ...(body === undefined ? {} : { requestBody: requestBodyOf(body) }),
    responses: responsesOf(endpoint),
  };
}

/** Where it is not a key or a session. */
function securityOf({ access }: Endpoint) {
  if (access === 'public') return { security: [] };
  return access === 'session' ? { security: [{ session: [] }] } : {};
}

function notesOf({ access, limit, handle }: Endpoint): string {
  const { notes } = handle.description;
  const counted = `${limit} requests a minute`;
  const terms =
    access === 'public'
      ? `No credentials. ${counted} by address.`
      : access === 'session'
        ? `For who is signed in, not for a key. ${counted} by account.`
        : `Permission \`${permissionFor(access)}\`. ${counted} by account.`;
  return notes === undefined ? terms : `${notes}\n\n${terms}`;
}

function parametersOf({ handle }: Endpoint): readonly unknown[] {
  const { path = {}, query = [], needs = [], exactlyOne = [] } = handle.description;
  return [
    ...Object.entries(path).map(([name, kind]) =>
      parameterOf(name, 'path', true, PATH_PARAMETERS[kind]),
    ),
    ...query.map((name) =>
      exactlyOne.includes(name)
        ? { ...parameterOf(name, 'query', false, QUERY_PARAMETERS[name]), 'x-exactlyOne': true }
        : parameterOf(name, 'query', needs.includes(name), QUERY_PARAMETERS[name]),
    ),
    { $ref: '#/components/parameters/ApiVersion' },
  ];
}

function parameterOf(name: string, place: string, required: boolean, schema: JsonSchema) {
  const { description, ...rest } = schema;
  return { name, in: place, required, description, schema: rest };
}

function requestBodyOf({ schema: given, examples }: NonNullable<Description['body']>) {
  const schema = typeof given === 'function' ? given() : given;
  const named = Object.entries(examples).map(([name, value]) => [name, { value }]);
  return {
    required: true,
    content: { 'application/json': { schema, examples: Object.fromEntries(named) } },
  };
}

function responsesOf(endpoint: Endpoint): Record<string, unknown> {
  const { data } = endpoint.handle.description;
  const success = {
    description: 'Done.',
    headers: isPrivate(endpoint) ? NO_STORE_HEADERS : HEADERS_OF_ALL,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['success', 'data'],
          properties: { success: { const: true }, data },
        },
        example: { success: true, data: exampleOf(data, RECORDS) },
      },
    },
  };
  const codes = errorCodesOf(endpoint);
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))].sort();
  const errors = statuses.map((status) => [
    status,
    errorResponse(
      status,
      codes.filter((code) => ERRORS[code].status === status),
    ),
  ]);
  return { 200: success, ...Object.fromEntries(errors) };
}

const ALWAYS: readonly ErrorCode[] = [
  'INVALID_REQUEST',
  'UNSUPPORTED_VERSION',
  'RATE_LIMIT_EXCEEDED',
  'INTERNAL_ERROR',
];
const WITH_SESSION: readonly ErrorCode[] = [
  'UNAUTHORIZED',
  'INSUFFICIENT_PERMISSIONS',
  'BROWSER_NOT_ALLOWED',
  // Where sessions lie in PostgreSQL and it is down.
  'OVERLOADED',
];

/** The codes that an endpoint can answer with, by its access, its method and its own description. */
function errorCodesOf({
  access,
  method,
  handle,
  ofUsers,
  showsMarkets,
}: Endpoint): readonly ErrorCode[] {
  const { body, errors = [] } = handle.description;
  const codes = [...ALWAYS, ...errors];
  if (access !== 'public') codes.push(...WITH_SESSION);
  if (ofUsers) codes.push('OVERLOADED');
  if (showsMarkets) codes.push('STALE');
  if (access !== 'public' && access !== 'session') codes.push('IP_NOT_ALLOWED');
  if (access === 'trade' || access === 'place') codes.push('ACCOUNT_FROZEN');
  if (body !== undefined) codes.push('PAYLOAD_TOO_LARGE');
  if (method !== 'GET') codes.push('OUTCOME_UNKNOWN');
  return [...new Set(codes)];
}

function errorResponse(status: number, codes: readonly ErrorCode[]) {
  const waits = status === 429 || status === 503;
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]);
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    headers: waits
      ? { ...NO_STORE_HEADERS, 'Retry-After': { $ref: '#/components/headers/Retry-After' } }
      : NO_STORE_HEADERS,
    content: {
      'application/json': {
        schema: errorSchema(codes),
        examples: Object.fromEntries(examples),
      },
    },
  };
}
