import { ERRORS, type ErrorCode } from '../http/errors.ts';
import { type JsonSchema, record, word } from './json-schema.ts';

/** What all operations of the OpenAPI document share: the error envelope, headers, credentials. */

const header = (description: string, example: string | number) => ({
  description,
  schema: { type: typeof example === 'number' ? 'integer' : 'string', examples: [example] },
});

const EVERYWHERE = {
  'X-RateLimit-Limit': header('Requests that the window takes.', 100),
  'X-RateLimit-Remaining': header('Requests that are left in it.', 99),
  'X-RateLimit-Reset': header('When the window ends, in Unix seconds.', 1767614460),
  'X-API-Version': header('Version of the API.', '1'),
  'X-Request-Id': header('Names this request to the operator.', '0123456789abcdef-1z'),
};

export const HEADERS = {
  ...EVERYWHERE,
  'Cache-Control': header('The answer must not be kept by a browser or a proxy.', 'no-store'),
  'Retry-After': header('Try again after so many seconds.', 12),
};

/** References to the headers that every response carries. */
export const HEADERS_OF_ALL = Object.fromEntries(
  Object.keys(EVERYWHERE).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

/** The same, for errors and for responses of private endpoints. */
export const NO_STORE_HEADERS = {
  ...HEADERS_OF_ALL,
  'Cache-Control': { $ref: '#/components/headers/Cache-Control' },
};

export const VERSION_PARAMETER = {
  name: 'X-API-Version',
  in: 'header',
  required: false,
  description: 'The version that the request is written for.',
  schema: { type: 'string', enum: ['1', 'v1'], examples: ['1'] },
};

export const SECURITY_SCHEMES = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'The API key. It goes with its secret.',
  },
  apiSecret: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Secret',
    description: 'The secret of the API key. Use it on a server only.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-buttonwood',
    description: "Set by signing in; for the exchange's own pages.",
  },
};

/** The error envelope with one of these codes. */
export function errorSchema(codes: readonly ErrorCode[]): JsonSchema {
  const code = word(codes, 'What went wrong, for programs.');
  const message = { type: 'string', description: 'What to do, for people.' };
  const details = {
    type: 'object',
    additionalProperties: true,
    description: 'Often `field`, `rule` and the `nearest` value that would do.',
  };
  return record({ success: { const: false }, error: record({ code, message, details }) });
}

/** What `details` holds, where the code alone does not say it. */
const DETAILS: Partial<Record<ErrorCode, object>> = {
  INVALID_REQUEST: { field: 'postonly', rule: 'unknownField' },
  INVALID_SYMBOL: { field: 'symbol', rule: 'known' },
  INVALID_SIDE: { field: 'side', rule: 'buy or sell' },
  INVALID_AMOUNT: { field: 'amount', rule: 'stepSize', nearest: 0.00000001 },
  INVALID_PRICE: { field: 'price', rule: 'tickSize', nearest: 45000.01 },
  MIN_NOTIONAL: { field: 'amount', rule: 'minNotional', nearest: 0.0001, minNotional: 0.01 },
  INSUFFICIENT_BALANCE: { required: 450, available: 120.5, asset: 'USDT' },
  MARKET_UNAVAILABLE: { status: 'halted' },
  ORDER_NOT_OPEN: { status: 'filled' },
  UNSUPPORTED_VERSION: { field: 'X-API-Version', rule: '1' },
  INSUFFICIENT_PERMISSIONS: { required: 'trade' },
  PAYLOAD_TOO_LARGE: { rule: 'maxBytes', nearest: 16384 },
  DUPLICATE_CLIENT_ORDER_ID: { field: 'clientOrderId' },
  DUPLICATE_REFERENCE: { field: 'reference' },
  RATE_LIMIT_EXCEEDED: { retryAfter: 12 },
};

/** An answer with each of these codes. */
export function errorExamples(codes: readonly ErrorCode[]) {
  return Object.fromEntries(
    codes.map((code) => {
      const { status, message } = ERRORS[code];
      const error = { code, message, details: DETAILS[code] ?? {} };
      return [code, { summary: `HTTP ${status}`, value: { success: false, error } }];
    }),
  );
}
