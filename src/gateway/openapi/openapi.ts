import packageFile from '../../../package.json' with { type: 'json' };
import { type Access, isOperatorAccess, permissionFor } from '../auth/permissions.ts';
import { type Endpoint, isAvailable, isPrivate, pathTemplate } from '../endpoints/endpoint.ts';
import { ENDPOINTS } from '../endpoints/endpoints.ts';
import { PATH_PARAMETERS } from '../http/request/parameters.ts';
import { ERRORS, type ErrorCode } from '../http/response/errors.ts';
import {
  COMMON_HEADERS,
  errorExamples,
  HEADERS,
  NO_STORE_HEADERS,
  RECV_WINDOW_PARAMETER,
  SECURITY_SCHEMES,
  TIMESTAMP_PARAMETER,
  VERSION_PARAMETER,
} from './components.ts';
import { type Description, queryParameter, TAGS } from './description.ts';
import { listErrorCodes } from './error-codes.ts';
import { type JsonSchema, makeExample, record } from './json-schema.ts';
import { NamedSchemas } from './named-schemas.ts';
import { RECORDS, recordRef } from './record-schemas.ts';

/** Credentials of requests with an API key, of which one combination is needed. */
const KEY_SECURITY = [
  { apiKey: [], apiSecret: [] },
  { apiKey: [], timestamp: [], signature: [] },
];

/** Returns the OpenAPI 3.1 document of the API, made from the table of endpoints. */
export function openApiDocument(isSandbox = true) {
  const endpoints = ENDPOINTS.filter((endpoint) => isAvailable(endpoint, isSandbox));
  const schemas = new NamedSchemas(RECORDS);
  const paths = describePaths(endpoints, schemas, isSandbox);
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
    security: [...KEY_SECURITY, { session: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: schemas.replace(paths),
    components: {
      schemas: schemas.components(),
      examples: errorExamples([...new Set(endpoints.flatMap(listErrorCodes))]),
      headers: HEADERS,
      parameters: schemas.replace({
        ApiVersion: VERSION_PARAMETER,
        RecvWindow: RECV_WINDOW_PARAMETER,
        Timestamp: TIMESTAMP_PARAMETER,
      }),
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

const INTRODUCTION = `
**Envelope.** Every response body under \`/api/\` says whether the request succeeded. New fields may be added to any record.
- Success: \`{"success":true,"data":{…}}\`
- Error: \`{"success":false,"error":{"code","message","details":{…}}}\`

**Numbers.** Amounts and prices are exact JSON numbers of any length: do not read or write them as doubles.
- Responses use no exponents and no trailing zeros.
- A number in a request may have up to 40 characters and an exponent within ±30.
- Numbers sent as strings are rejected.

**Requests.** Unknown fields and parameters are rejected.
- \`null\` in an optional field means absent.
- Of the query parameters marked \`x-exactlyOne\` a request has exactly one.
- Times are ISO 8601 with a zone, or milliseconds since 1970.
- A body has at most 16 KiB.
- \`HEAD\` returns the same as \`GET\` without the body, and \`OPTIONS\` lists the methods of a path.
- Repeated slashes in a path count as one. A path without parameters is never an \`{id}\`.

**API keys.** Programs send a key in two headers, from servers only.
- \`Authorization: Bearer <API_KEY>\`
- \`X-API-Secret: <API_SECRET>\`. A key with a public key has no secret: it signs each request instead, with the headers
  \`X-API-Timestamp\` and \`X-API-Signature\`.
- Requests with a key from a web page are rejected, except from this page in the sandbox.

**Sessions.** Sessions are for the exchange's own pages.
- A signed-in browser sends its session cookie, and on all methods but \`GET\` the header \`Origin\` of this exchange.
- If a request has key headers too, the session is ignored.

**Rate limits.** Requests are counted in windows of 60 s, separately for each endpoint.
- Public endpoints count by IP address; unknown paths count as one of them.
- Private endpoints count by account, separately for API keys and sessions.

**WebSocket.** One connection at \`/ws\` has the streams, and the same orders and reads as the REST API.
- The AsyncAPI document [asyncapi.json](asyncapi.json) describes its messages.

**Order of checks.** If several checks fail, the first one is reported.
1. Path
2. Credentials
3. Rate limit
4. Permission
5. Form of headers, query and body
6. Symbol, side, type, amount and price
7. Funds
8. Bounds

| Code | HTTP | Message |
|---|---|---|
${Object.entries(ERRORS)
  .map(([code, { status, message }]) => `| \`${code}\` | ${status} | ${message} |`)
  .join('\n')}
`.trim();

type Paths = Record<string, Record<string, unknown>>;

function describePaths(
  endpoints: readonly Endpoint[],
  schemas: NamedSchemas,
  isSandbox: boolean,
): Paths {
  const paths: Paths = {};
  for (const endpoint of endpoints) {
    const path = pathTemplate(endpoint);
    paths[path] ??= {};
    paths[path][endpoint.method.toLowerCase()] = describeOperation(endpoint, schemas, isSandbox);
  }
  return paths;
}

function describeOperation(endpoint: Endpoint, schemas: NamedSchemas, isSandbox: boolean) {
  const { description } = endpoint.handle;
  const { operationId, tag, summary, body } = description;
  const { operation } = endpoint;
  return {
    operationId,
    ...(operation === undefined ? {} : { 'x-operation': operation }),
    tags: [tag],
    summary,
    description: describeNotes(endpoint),
    ...describeSecurity(endpoint),
    parameters: describeParameters(endpoint, isSandbox),
    ...(body === undefined ? {} : { requestBody: describeRequestBody(operationId, body, schemas) }),
    responses: describeResponses(endpoint, schemas),
  };
}

/** Returns the security of endpoints that do not accept both API keys and sessions. */
function describeSecurity({ access }: Endpoint) {
  if (access === 'public') return { security: [] };
  if (access === 'key') return { security: KEY_SECURITY };
  if (access === 'custodian') return { security: [{ timestamp: [], signature: [] }] };
  return access === 'session' ? { security: [{ session: [] }] } : {};
}

function describeNotes({ access, limit, sessionLimit, handle }: Endpoint): string {
  const { notes } = handle.description;
  const rate = `Rate limit: ${limit} requests per minute`;
  const terms =
    access === 'public'
      ? `No credentials required. ${rate} and IP address.`
      : access === 'custodian'
        ? `Requires the signature of the custodian. ${rate} and IP address.`
        : access === 'session'
          ? `Requires a session; API keys are not accepted. ${rate} and account.`
          : access === 'key'
            ? `Requires an API key with any permission. ${rate} and account.`
            : `${describePermission(access)} ${rate} and account${describeSessionLimit(sessionLimit)}.`;
  return notes === undefined ? terms : `${notes}\n\n${terms}`;
}

function describeSessionLimit(limit: number | undefined): string {
  return limit === undefined ? '' : ` by keys, ${limit} by sessions`;
}

function describePermission(access: Access): string {
  if (access === 'operator') return 'Requires a permission of operators.';
  const required = `Requires the permission \`${permissionFor(access)}\``;
  return isOperatorAccess(access) && access !== 'operate'
    ? `${required} or \`operate\`.`
    : `${required}.`;
}

function describeParameters(
  { access, handle, takesOrders, showsPast }: Endpoint,
  isSandbox: boolean,
): readonly unknown[] {
  const { path = {}, query: own = [], needs = [], exactlyOne = [] } = handle.description;
  const query = isSandbox && showsPast ? [...own, 'at' as const] : own;
  return [
    ...Object.entries(path).map(([name, kind]) =>
      describeParameter(name, 'path', true, PATH_PARAMETERS[kind]),
    ),
    ...query.map((name) => ({
      ...describeParameter(
        name,
        'query',
        needs.includes(name),
        queryParameter(handle.description, name),
      ),
      ...(exactlyOne.includes(name) ? { 'x-exactlyOne': true } : {}),
    })),
    { $ref: '#/components/parameters/ApiVersion' },
    ...(access === 'public' || access === 'session'
      ? []
      : [{ $ref: '#/components/parameters/RecvWindow' }]),
    ...(takesOrders ? [{ $ref: '#/components/parameters/Timestamp' }] : []),
  ];
}

function describeParameter(name: string, place: string, required: boolean, schema: JsonSchema) {
  const { description, ...rest } = schema;
  return { name, in: place, required, description, schema: rest };
}

function describeRequestBody(
  operationId: string,
  { schema: given, examples }: NonNullable<Description['body']>,
  schemas: NamedSchemas,
) {
  const schema = schemas.addRequest(operationId, typeof given === 'function' ? given() : given);
  const named = Object.entries(examples).map(([name, value]) => [name, { value }]);
  return {
    required: true,
    content: { 'application/json': { schema, examples: Object.fromEntries(named) } },
  };
}

function describeResponses(endpoint: Endpoint, schemas: NamedSchemas): Record<string, unknown> {
  const { operationId, data, isFile, mayNeedApproval } = endpoint.handle.description;
  const success = {
    description: isFile ? 'The file.' : 'Success.',
    headers: isPrivate(endpoint) ? NO_STORE_HEADERS : COMMON_HEADERS,
    content: isFile
      ? FILE_CONTENT
      : {
          'application/json': {
            schema: schemas.addResponse(operationId, data),
            example: { success: true, data: makeExample(data, RECORDS) },
          },
        },
  };
  const codes = listErrorCodes(endpoint);
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))].sort();
  const errors = statuses.map((status) => [
    status,
    errorResponse(
      status,
      codes.filter((code) => ERRORS[code].status === status),
      schemas,
    ),
  ]);
  return {
    200: success,
    ...(mayNeedApproval ? { 202: describeAccepted(schemas) } : {}),
    ...Object.fromEntries(errors),
  };
}

/** The formats of files; without the envelope of other responses. */
const FILE_CONTENT = {
  'text/csv': { schema: { type: 'string' } },
  'text/html': { schema: { type: 'string' } },
  'application/json': { schema: { type: 'object', additionalProperties: true }, example: {} },
};

/** Describes the response to a request that waits for a second operator. */
function describeAccepted(schemas: NamedSchemas) {
  const data = record({ approval: recordRef('Approval') });
  return {
    description:
      'The approval policy requires a second operator. Nothing has been carried out; the request waits for an approval.',
    headers: NO_STORE_HEADERS,
    content: {
      'application/json': {
        schema: schemas.addResponse('requestApproval', data),
        example: { success: true, data: makeExample(data, RECORDS) },
      },
    },
  };
}

function errorResponse(status: number, codes: readonly ErrorCode[], schemas: NamedSchemas) {
  const waits = status === 429 || status === 503;
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]);
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    headers: waits
      ? { ...NO_STORE_HEADERS, 'Retry-After': { $ref: '#/components/headers/Retry-After' } }
      : NO_STORE_HEADERS,
    content: {
      'application/json': {
        schema: schemas.errorResponse,
        examples: Object.fromEntries(examples),
      },
    },
  };
}
