/** Every error code of the API, and errors in their JSON form. */
import { JSON_RULES, type JsonError, JsonNumber, quote } from '../json.ts';

/** The one table of error codes: responses, docs and OpenAPI use it. A message says what is wrong, then what to do. */
export const ERRORS = {
  INVALID_REQUEST: {
    status: 400,
    message: 'The request is invalid. details names the field and the rule that it breaks.',
  },
  INVALID_SYMBOL: {
    status: 400,
    message: 'Unknown symbol. Use one from GET /api/markets.',
  },
  INVALID_SIDE: { status: 400, message: 'Invalid side. Use buy or sell.' },
  INVALID_TYPE: {
    status: 400,
    message:
      'Invalid order type. Use one of the orderTypes that GET /api/markets lists for the market.',
  },
  INVALID_AMOUNT: {
    status: 400,
    message:
      "Invalid amount. Use a positive multiple of the market's stepSize, from minAmount to maxAmount.",
  },
  INVALID_PRICE: {
    status: 400,
    message:
      "Invalid price. Use a positive multiple of the market's tickSize, from minPrice to maxPrice.",
  },
  MIN_NOTIONAL: {
    status: 400,
    message:
      "Order value is below the market's minimum notional. Increase the amount or the price.",
  },
  INSUFFICIENT_BALANCE: {
    status: 400,
    message: 'The available balance is too low for this order. Reduce the order or add funds.',
  },
  POST_ONLY_WOULD_TAKE: {
    status: 400,
    message:
      'Post-only order would match immediately. Change the price, or send the order without postOnly.',
  },
  MARKET_UNAVAILABLE: {
    status: 400,
    message:
      'The market does not accept this order now. Check the status of the market in GET /api/markets.',
  },
  NO_LIQUIDITY: {
    status: 400,
    message: 'The book has no orders to trade against. Place a limit order or try again later.',
  },
  TOO_MANY_OPEN_ORDERS: {
    status: 400,
    message: 'The account has reached its maximum number of open orders. Cancel one first.',
  },
  ACCOUNT_LIMIT: {
    status: 400,
    message:
      'The order exceeds a limit of the account (see details.rule). Wait until details.retryAt, or cancel orders.',
  },
  ORDER_NOT_OPEN: {
    status: 400,
    message: 'The order is no longer open, so it cannot be canceled or amended.',
  },
  NETWORK_UNAVAILABLE: {
    status: 400,
    message:
      'Deposits or withdrawals of this network are suspended. Check its status in GET /api/networks.',
  },
  INVALID_ADDRESS: {
    status: 400,
    message:
      'The address, memo or transaction id is not one that the network can have. Check the memo rule in GET /api/networks.',
  },
  ADDRESS_COOLING: {
    status: 400,
    message:
      'The address is too new to withdraw to. Try again at its usableAt (see GET /api/withdrawal-addresses).',
  },
  WITHDRAWAL_LIMIT: {
    status: 400,
    message: 'The account has reached its withdrawal limit. Withdraw less, or try again later.',
  },
  WITHDRAWAL_NOT_PENDING: {
    status: 400,
    message: 'The withdrawal is in another state. Check its status.',
  },
  DEPOSIT_NOT_IN_REVIEW: {
    status: 400,
    message: 'The deposit does not wait for this decision. Check its status.',
  },
  UNSUPPORTED_VERSION: {
    status: 400,
    message: 'Unsupported API version. Send X-API-Version: 1, or omit the header.',
  },
  UNAUTHORIZED: {
    status: 401,
    message:
      'Missing or invalid credentials. Sign in, or send an API key as Authorization: Bearer <API_KEY> and its secret as X-API-Secret, or sign the request (X-API-Signature).',
  },
  INSUFFICIENT_PERMISSIONS: {
    status: 403,
    message: 'This API key or session lacks the required permission (see details.required).',
  },
  IP_NOT_ALLOWED: {
    status: 403,
    message:
      "Your IP address is not on the API key's allowlist. Use an allowed address, or change the allowlist.",
  },
  ACCOUNT_FROZEN: {
    status: 403,
    message: 'The account is frozen. Contact the operator of this exchange.',
  },
  WITHDRAWALS_BLOCKED: {
    status: 403,
    message:
      'Withdrawals are blocked while a reorganized deposit is under review. Contact the operator of this exchange.',
  },
  APPROVAL_NOT_ALLOWED: {
    status: 403,
    message:
      'This withdrawal needs the approvals of two operators, neither of whom requested it. Ask another operator.',
  },
  BROWSER_NOT_ALLOWED: {
    status: 403,
    message:
      'API keys cannot be used from a web page (the request has the header Origin). Use them on a server.',
  },
  ORDER_NOT_FOUND: { status: 404, message: 'No such order. Check the order id.' },
  NOT_FOUND: { status: 404, message: 'Not found. Check the path and the ids in it.' },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: 'This path does not support the method. Use one that the header Allow lists.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    message: 'The body is larger than 16 KiB. Send a smaller one.',
  },
  DUPLICATE_CLIENT_ORDER_ID: {
    status: 409,
    message: 'This clientOrderId belongs to a different order. Choose a new one.',
  },
  DUPLICATE_REFERENCE: {
    status: 409,
    message: 'This reference belongs to a different transfer. Choose a new one.',
  },
  DUPLICATE_WITHDRAWAL: {
    status: 409,
    message: 'This clientId belongs to a different withdrawal. Choose a new one.',
  },
  DEPOSIT_CONFLICT: {
    status: 409,
    message:
      'The report differs from an earlier one of this deposit in address, memo or amount. It was not recorded.',
  },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    message:
      'Rate limit exceeded. Try again after the number of seconds in the Retry-After header, over /ws in retryAfter.',
  },
  INTERNAL_ERROR: {
    status: 500,
    message:
      'Internal error. Report the X-Request-Id of this response, over /ws its id, to the operator.',
  },
  // Only from a cluster: a single node that fails to sync its log ends without a response.
  OUTCOME_UNKNOWN: {
    status: 500,
    message:
      'The outcome is unknown: the request may have been carried out. Check before you retry; look up an order by its clientOrderId.',
  },
  CLOCK_OFF: {
    status: 503,
    message:
      "The exchange's clock is being checked, so nothing that expires is accepted. Omit expiresAt, or try again later.",
  },
  OVERLOADED: {
    status: 503,
    message:
      'The exchange is overloaded; the request was not carried out. Try again after the number of seconds in the Retry-After header, over /ws in retryAfter.',
  },
  // Only from a cluster: a single node's data is never stale.
  STALE: {
    status: 503,
    message:
      'This node has lost contact with the cluster, so its market data may be out of date. Try again after the number of seconds in the Retry-After header, over /ws in retryAfter.',
  },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof ERRORS;
/** Exact numbers are written as JsonNumber; undefined values are left out. */
export type ErrorDetails = Readonly<Record<string, DetailValue | undefined>>;
type DetailValue = string | number | JsonNumber | readonly string[];

/** Maximum length of quoted text, UTF-16 units. */
const MAX_QUOTED_UNITS = 100;

/** An error that is sent to the client as it is. */
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

/** Returns the body of an error response. */
export function errorBody(error: ApiError): string {
  return `{"success":false,"error":${errorText(error)}}`;
}

/** Returns the `error` object of a response body or a stream message, as JSON. */
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

/** Returns text from a request for use in a message: quoted, and truncated to 100 UTF-16 units. */
export function quoteSender(text: string): string {
  return quote(text.slice(0, MAX_QUOTED_UNITS).toWellFormed());
}

/** Returns the error for JSON that cannot be read: the body of a request or the message of a socket. */
export function jsonError({ rule, field }: JsonError, subject: 'body' | 'message'): ApiError {
  const details = field === undefined ? {} : { field };
  const text = JSON_RULES[rule].replace(/\bbody\b/, subject);
  return new ApiError('INVALID_REQUEST', text, { rule, ...details });
}
