import { permissionFor } from '../auth/permissions.ts';
import type { Endpoint, Operation } from '../endpoints/endpoint.ts';
import type { QueryParameterName } from '../http/request/parameters.ts';
import { TIME } from '../http/request/query.ts';
import { errorObjectExample, errorObjectSchema } from '../openapi/components.ts';
import { either, present } from '../openapi/conditions.ts';
import { queryParameter } from '../openapi/description.ts';
import { listOperationErrorCodes } from '../openapi/error-codes.ts';
import {
  constant,
  type Fields,
  integer,
  type JsonSchema,
  makeExample,
  nullable,
  record,
  text,
  withOptional,
} from '../openapi/json-schema.ts';
import { RECORDS } from '../openapi/record-schemas.ts';
import { MAX_IDS } from '../orders/order-selection.ts';
import { ID } from '../stream/operations/operations.ts';
import { type Message, retryAfter } from './messages.ts';

/** An endpoint that sockets call by a name. */
export type NamedEndpoint = Endpoint & { readonly operation: Operation };

const id = {
  type: ['string', 'integer'],
  pattern: ID.source,
  minimum: 0,
  description:
    'Your id of the operation, a text or a whole number of up to 16 digits, echoed in the response; not one in progress.',
  examples: ['1'],
};

const rateLimit = record(
  {
    limit: integer('Maximum requests per window.', 30),
    remaining: integer('Remaining requests in the current window.', 29),
    reset: integer('End of the window, Unix seconds.', 1767614460),
  },
  'The window that this operation and the requests of its endpoint are counted in.',
);

/** Returns the messages of an operation: the request and its two possible responses. */
export function describeOperationMessages(endpoint: NamedEndpoint): Record<string, Message> {
  const { name } = endpoint.operation;
  return {
    [`${name}.request`]: describeRequest(endpoint),
    [`${name}.response`]: describeResponse(endpoint),
    [`${name}.error`]: describeError(endpoint),
  };
}

/** Returns the terms of an operation, in Markdown. */
export function describeTerms(endpoint: NamedEndpoint): string {
  const { method, path, access, limit, sessionLimit, handle } = endpoint;
  const { notes } = handle.description;
  const sessions = sessionLimit === undefined ? '' : ` by keys, ${sessionLimit} by sessions`;
  const terms =
    `The same as \`${method} ${path}\`. Requires the permission \`${permissionFor(access)}\`. ` +
    `Rate limit: ${limit} requests per minute and account${sessions}, shared with that endpoint.`;
  return notes === undefined ? terms : `${notes}\n\n${terms}`;
}

function describeRequest(endpoint: NamedEndpoint): Message {
  const { operation, handle } = endpoint;
  const { summary, body } = handle.description;
  const { name } = operation;
  const params = describeParams(endpoint);
  const fields = { op: constant(name), id };
  const isOptional = params.required === undefined && params.oneOf === undefined;
  const message = isOptional
    ? withOptional(record(fields), { params: { ...params, type: ['object', 'null'] } })
    : record({ ...fields, params });
  const payload = endpoint.takesOrders ? withOptional(message, DEADLINE_FIELDS) : message;
  const orderId = endpoint.path.includes(':id') ? { orderId: '1' } : {};
  const examples = Object.entries(body?.examples ?? { default: exampleParams(endpoint) });
  return {
    name: `${name}.request`,
    title: summary,
    correlationId: CORRELATION_ID,
    payload: { ...payload, additionalProperties: false },
    examples: examples.map(([example, given]) => ({
      name: example,
      payload: { op: name, id: '1', params: { ...orderId, ...(given as object) } },
    })),
  };
}

/** Fields that give orders a deadline. */
const DEADLINE_FIELDS = {
  timestamp: {
    type: ['integer', 'null'],
    minimum: 1e12,
    maximum: 1e13 - 1,
    description:
      'The time of the request, milliseconds since 1970. With it the orders have a deadline: after the receive window they are never executed.',
    examples: [1767614400000],
  },
  recvWindow: {
    type: ['integer', 'null'],
    minimum: 1,
    maximum: 60_000,
    description:
      'How long after `timestamp` the orders may be executed, milliseconds; 5000 if absent.',
    examples: [5000],
  },
};

const CORRELATION_ID = {
  description: 'The `id` of the request.',
  location: '$message.payload#/id',
};

function describeResponse({ operation: { name }, handle }: NamedEndpoint): Message {
  const { data, summary } = handle.description;
  const fields = { op: constant(name), id, success: constant(true), data, rateLimit };
  const payload = record(fields);
  return {
    name: `${name}.response`,
    title: `${summary}: success`,
    correlationId: CORRELATION_ID,
    payload,
    examples: [{ name: 'success', payload: makeExample(payload, RECORDS) as object }],
  };
}

function describeError(endpoint: NamedEndpoint): Message {
  const { name } = endpoint.operation;
  const codes = listOperationErrorCodes(endpoint);
  const fields = { op: constant(name), id, success: constant(false) };
  const payload = withOptional(record({ ...fields, error: errorObjectSchema(codes) }), {
    retryAfter,
    rateLimit,
  });
  return {
    name: `${name}.error`,
    title: `${endpoint.handle.description.summary}: error`,
    summary: 'Nothing was done, unless the code is `OUTCOME_UNKNOWN`.',
    correlationId: CORRELATION_ID,
    payload,
    examples: codes.map((code) => ({
      name: code,
      payload: { op: name, id: '1', success: false, error: errorObjectExample(code) },
    })),
  };
}

/** Returns the schema of `params`: the body or the query of the endpoint, with the order of its path. */
function describeParams(endpoint: NamedEndpoint): JsonSchema {
  const { body } = endpoint.handle.description;
  const schema = body === undefined ? describeQuery(endpoint) : toSchema(body.schema);
  return endpoint.path.includes(':id') ? withOrderId(schema) : schema;
}

function toSchema(schema: JsonSchema | (() => JsonSchema)): JsonSchema {
  return typeof schema === 'function' ? schema() : schema;
}

function withOrderId(schema: JsonSchema): JsonSchema {
  const { required = [], properties } = schema;
  const orderId = text('The `orderId` of one of your orders.', '1');
  return {
    ...schema,
    required: ['orderId', ...(required as readonly string[])],
    properties: { orderId, ...(properties as Fields) },
  };
}

function listParameters({ operation, handle }: NamedEndpoint): readonly QueryParameterName[] {
  const { query = [] } = handle.description;
  return query.filter((name) => !(name in (operation.query ?? {})));
}

function describeQuery(endpoint: NamedEndpoint): JsonSchema {
  const { needs = [], exactlyOne = [] } = endpoint.handle.description;
  const parameters = listParameters(endpoint).map((name) => [name, toField(endpoint, name)]);
  return {
    type: 'object',
    properties: Object.fromEntries(parameters),
    ...(needs.length === 0 ? {} : { required: needs }),
    ...(exactlyOne.length === 0 ? {} : either(...exactlyOne.map(present)).schema),
    additionalProperties: false,
  };
}

/** Returns the schema of a query parameter as a field of a message, where numbers and lists need not be texts. */
function toField(endpoint: NamedEndpoint, name: QueryParameterName): JsonSchema {
  const schema = queryParameter(endpoint.handle.description, name);
  const { description, type, pattern } = schema;
  if (name === 'all') return { enum: [true, 'true', null], description, examples: [true] };
  if (name === 'ids') {
    const items = { type: ['string', 'integer'] };
    const ids = { type: ['array', 'string', 'null'], items, maxItems: MAX_IDS };
    return { ...ids, description: 'Order ids, a list or a text with commas.', examples: [['1']] };
  }
  const [example] = (schema.examples as readonly unknown[] | undefined) ?? [null];
  if (type === 'integer')
    return { ...schema, type: ['integer', 'string', 'null'], pattern: '^\\d+$' };
  if (pattern === TIME.source) return { ...schema, type: ['string', 'integer', 'null'] };
  return nullable(schema, example);
}

function exampleParams(endpoint: NamedEndpoint): Readonly<Record<string, unknown>> {
  const { exactlyOne = [], needs = [] } = endpoint.handle.description;
  const names = [...needs, ...exactlyOne.slice(-1)];
  const fields = names.map((name) => [name, makeExample(toField(endpoint, name), RECORDS)]);
  return Object.fromEntries(fields);
}
