import { ERRORS, type ErrorCode } from '../http/response/errors.ts';
import { enumeration, type JsonSchema, record } from './json-schema.ts';

/** Components that all operations of the OpenAPI document share: the error envelope, headers and credentials. */

const header = (description: string, example: string | number) => ({
  description,
  schema: { type: typeof example === 'number' ? 'integer' : 'string', examples: [example] },
});

const EVERYWHERE = {
  'X-RateLimit-Limit': header('Maximum requests per window.', 100),
  'X-RateLimit-Remaining': header('Remaining requests in the current window.', 99),
  'X-RateLimit-Reset': header('End of the window, Unix seconds.', 1767614460),
  'X-API-Version': header('API version.', '1'),
  'X-Request-Id': header(
    'Request id; quote it when you report a problem to the operator.',
    '0123456789abcdef-1z',
  ),
};

export const HEADERS = {
  ...EVERYWHERE,
  'Cache-Control': header('Browsers and proxies must not cache the response.', 'no-store'),
  'Retry-After': header('Seconds to wait before the next attempt.', 12),
};

/** References to the headers of every response. */
export const COMMON_HEADERS = Object.fromEntries(
  Object.keys(EVERYWHERE).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

/** References to the headers of errors and of private responses. */
export const NO_STORE_HEADERS = {
  ...COMMON_HEADERS,
  'Cache-Control': { $ref: '#/components/headers/Cache-Control' },
};

export const VERSION_PARAMETER = {
  name: 'X-API-Version',
  in: 'header',
  required: false,
  description: 'The API version that the client uses.',
  schema: { type: 'string', enum: ['1', 'v1'], examples: ['1'] },
};

export const TIMESTAMP_PARAMETER = {
  name: 'X-API-Timestamp',
  in: 'header',
  required: false,
  description:
    'The time of the request, milliseconds since 1970. With it the orders of the request have a deadline, for keys of every ' +
    'kind: after the receive window they are never executed.',
  schema: { type: 'integer', minimum: 1e12, maximum: 1e13 - 1, examples: [1767614400000] },
};

export const RECV_WINDOW_PARAMETER = {
  name: 'X-API-Recv-Window',
  in: 'header',
  required: false,
  description:
    'How long after its timestamp a signed request is accepted, and an order may be executed, milliseconds; 5000 if absent.',
  schema: { type: 'integer', minimum: 1, maximum: 60_000, examples: [5000] },
};

export const SECURITY_SCHEMES = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'The API key, sent together with its secret or with a signature.',
  },
  apiSecret: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Secret',
    description: 'The secret of the API key. Use it on a server only.',
  },
  signature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Signature',
    description:
      'Base64 of the Ed25519 signature of a key with a public key, over the method, path and query, key, timestamp, ' +
      'receive window and body: see docs/trading/signing.md. Sent instead of a secret.',
  },
  timestamp: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Timestamp',
    description: 'The time of a signed request, milliseconds since 1970.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-buttonwood',
    description: "Session cookie, set by signing in, for the exchange's own pages.",
  },
};

/** Returns the schema of an error response with one of these codes. */
export function errorSchema(codes: readonly ErrorCode[]): JsonSchema {
  return record({ success: { const: false }, error: errorObjectSchema(codes) });
}

/** Returns the schema of the `error` object with one of these codes, in responses and in messages. */
export function errorObjectSchema(codes: readonly ErrorCode[]): JsonSchema {
  const code = enumeration(codes, 'Error code, for programs.');
  const message = { type: 'string', description: 'Explanation and advice, for users.' };
  const details = {
    type: 'object',
    additionalProperties: true,
    description: 'Details of the error, often `field`, `rule` and the `nearest` valid value.',
  };
  return record({ code, message, details });
}

/** Examples of `details`, by code. */
const DETAILS: Partial<Record<ErrorCode, object>> = {
  INVALID_REQUEST: { field: 'postonly', rule: 'unknownField' },
  INVALID_SYMBOL: { field: 'symbol', rule: 'known' },
  INVALID_SIDE: { field: 'side', rule: 'buy or sell' },
  INVALID_AMOUNT: { field: 'amount', rule: 'stepSize', nearest: 0.00000001 },
  INVALID_PRICE: { field: 'price', rule: 'tickSize', nearest: 117000.01 },
  MIN_NOTIONAL: { field: 'amount', rule: 'minNotional', nearest: 0.0001, minNotional: 0.01 },
  INSUFFICIENT_BALANCE: { required: 1170, available: 120.5, asset: 'USDT' },
  MARKET_UNAVAILABLE: { status: 'halted' },
  ORDER_NOT_OPEN: { status: 'filled' },
  UNSUPPORTED_VERSION: { field: 'X-API-Version', rule: '1' },
  INSUFFICIENT_PERMISSIONS: { required: 'trade' },
  PAYLOAD_TOO_LARGE: { rule: 'maxBytes', nearest: 16384 },
  DUPLICATE_CLIENT_ORDER_ID: { field: 'clientOrderId' },
  DUPLICATE_REFERENCE: { field: 'reference' },
  RATE_LIMIT_EXCEEDED: { retryAfter: 12 },
};

/** Returns an example of the `error` object with a code. */
export function errorObjectExample(code: ErrorCode) {
  return { code, message: ERRORS[code].message, details: DETAILS[code] ?? {} };
}

/** Returns an example response for each code. */
export function errorExamples(codes: readonly ErrorCode[]) {
  return Object.fromEntries(
    codes.map((code) => {
      const error = errorObjectExample(code);
      return [code, { summary: `HTTP ${ERRORS[code].status}`, value: { success: false, error } }];
    }),
  );
}
