/** Every error that the API answers with (API.md section 4), and its place in the envelope. */
import { JsonNumber, quote } from './json.ts';

/** Code, docs and OpenAPI all read this one table. A message says what to do next. */
export const ERRORS = {
  INVALID_REQUEST: {
    status: 400,
    message: 'Correct the request: details names the rule that it breaks, and the field.',
  },
  INVALID_SYMBOL: {
    status: 400,
    message: 'Give symbol as a market that GET /api/markets lists, such as BTC/USDT.',
  },
  INVALID_SIDE: { status: 400, message: 'Give side as buy or sell.' },
  INVALID_TYPE: {
    status: 400,
    message: 'Give type as one of the orderTypes that GET /api/markets lists for the market.',
  },
  INVALID_AMOUNT: {
    status: 400,
    message:
      "Give amount as a positive number: a multiple of the market's stepSize, from minAmount to maxAmount.",
  },
  INVALID_PRICE: {
    status: 400,
    message:
      "Give price as a positive number: a multiple of the market's tickSize, from minPrice to maxPrice.",
  },
  MIN_NOTIONAL: {
    status: 400,
    message:
      "Raise the amount or the price: the order is worth less than the market's minNotional.",
  },
  INSUFFICIENT_BALANCE: {
    status: 400,
    message: 'Lower the order or add funds: it needs more than the available balance.',
  },
  POST_ONLY_WOULD_TAKE: {
    status: 400,
    message:
      'Move the price away from the book or leave out postOnly: the order would trade at once.',
  },
  MARKET_UNAVAILABLE: {
    status: 400,
    message: 'Wait for the market to allow this: GET /api/markets shows its status.',
  },
  NO_LIQUIDITY: {
    status: 400,
    message: 'Place a limit order or try later: the book has nothing to trade against.',
  },
  TOO_MANY_OPEN_ORDERS: {
    status: 400,
    message: 'Cancel an open order first: the account has as many as it may have.',
  },
  ORDER_NOT_OPEN: {
    status: 400,
    message: 'Only an open order can be canceled or amended: this one is final.',
  },
  UNSUPPORTED_VERSION: {
    status: 400,
    message: 'Send X-API-Version: 1, or leave the header out.',
  },
  UNAUTHORIZED: {
    status: 401,
    message:
      'Sign in, or send a valid API key as Authorization: Bearer <API_KEY>, its secret as X-API-Secret.',
  },
  INSUFFICIENT_PERMISSIONS: {
    status: 403,
    message:
      'Use an API key that has the permission which this endpoint needs, or sign in as who has it.',
  },
  IP_NOT_ALLOWED: {
    status: 403,
    message: "Call from an address on the API key's allow-list, or change the list.",
  },
  ACCOUNT_FROZEN: {
    status: 403,
    message: 'Ask the operator of this exchange: the account is frozen.',
  },
  BROWSER_NOT_ALLOWED: {
    status: 403,
    message: 'Use API keys on a server only: this request comes from a web page (header Origin).',
  },
  ORDER_NOT_FOUND: { status: 404, message: 'Check the order id: you have no such order.' },
  NOT_FOUND: { status: 404, message: 'Check the path: there is nothing at this one.' },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: 'Use a method that the Allow header names: this path does not take others.',
  },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'Send a body of at most 16 KiB.' },
  DUPLICATE_CLIENT_ORDER_ID: {
    status: 409,
    message: 'Choose a new clientOrderId: this one belongs to a different order.',
  },
  DUPLICATE_REFERENCE: {
    status: 409,
    message: 'Choose a new reference: this one belongs to a different transfer.',
  },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    message: 'Send fewer requests: try again after as many seconds as Retry-After says.',
  },
  INTERNAL_ERROR: {
    status: 500,
    message:
      'Report the X-Request-Id of this answer to the operator: something failed on our side.',
  },
  // Of a log that many nodes share. With the file log a command that may be in it is answered or, after
  // a failure, nothing is: the process has ended.
  OUTCOME_UNKNOWN: {
    status: 500,
    message:
      'Look the order up by its clientOrderId before trying again: it may have been accepted.',
  },
  CLOCK_OFF: {
    status: 503,
    message:
      "Leave expiresAt out, or try again later: the exchange's clock is being checked, and nothing that expires is accepted.",
  },
  OVERLOADED: {
    status: 503,
    message: 'Try again after as many seconds as Retry-After says: nothing has been done.',
  },
  // Only on a cluster node: a single node's data is never stale.
  STALE: {
    status: 503,
    message:
      'Try again after as many seconds as Retry-After says: this node is out of touch with the log, and its market data may be out of date.',
  },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof ERRORS;
/** Amounts and prices go out as a JsonNumber; what is undefined is left out. */
export type ErrorDetails = Readonly<Record<string, DetailValue | undefined>>;
type DetailValue = string | number | JsonNumber | readonly string[];

/** In UTF-16 units. */
const MAX_QUOTED_UNITS = 100;

/** A refusal of a request, thrown by whoever finds the fault and answered as it is. */
export class ApiError extends Error {
  readonly status: number;

  constructor(
    readonly code: ErrorCode,
    message: string = ERRORS[code].message,
    readonly details: ErrorDetails = {},
  ) {
    super(message);
    this.status = ERRORS[code].status;
  }
}

/** The error envelope: a response's whole body. */
export function errorBody(error: ApiError): string {
  return `{"success":false,"error":${errorText(error)}}`;
}

/** The error alone, as envelopes and streams hold it. */
export function errorText(error: ApiError): string {
  const details: string[] = [];
  for (const [name, value] of Object.entries(error.details)) {
    if (value !== undefined) details.push(`${quote(name)}:${detailText(value)}`);
  }
  return `{"code":"${error.code}","message":${quote(error.message)},"details":{${details.join()}}}`;
}

function detailText(value: DetailValue): string {
  if (value instanceof JsonNumber) return value.text;
  return typeof value === 'string' ? quoteSender(value) : JSON.stringify(value);
}

/** What the sender sent, for a message: in quotes, and cut where it is long. */
export function quoteSender(text: string): string {
  return quote(text.slice(0, MAX_QUOTED_UNITS).toWellFormed());
}
