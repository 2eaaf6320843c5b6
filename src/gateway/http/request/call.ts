import type { Exchange } from '../../../engine/exchange.ts';
import type { Account, ApiKey } from '../../../engine/ledger/accounts.ts';
import { NONE } from '../../../engine/terms.ts';
import type { Session } from '../../../users/users.ts';
import type { Caller } from '../../auth/caller.ts';
import type { Deadline } from '../../auth/signatures.ts';
import type { EndpointLimit } from '../../limits/rate-limit.ts';
import type { Services } from '../../services.ts';
import { JsonError, type JsonObject, readJsonObject } from '../json.ts';
import { ApiError, jsonError } from '../response/errors.ts';
import { invalid, Query } from './query.ts';

/** Maximum size of a request body, bytes. */
export const MAX_BODY_BYTES = 16 * 1024;

const NO_BYTES = new Uint8Array(0);
const NO_QUERY = new Query(new URLSearchParams(), []);

/** The origin of a request to a user endpoint. */
export interface RequestOrigin {
  /** The client's own address, not that of a proxy. */
  readonly address: string;
  /** The scope in which the address is counted (see `addressScope`). */
  readonly scope: string;
  /** The Origin header, in lower case; undefined if the client is not a browser. */
  readonly origin: string | undefined;
  readonly headers: Headers;
}

/** A file that is sent as the response. */
export interface SentFile {
  readonly path: string;
  /** The name under which browsers store it: letters, digits, dots, hyphens and underscores. */
  readonly name: string;
  /** Media type. */
  readonly type: string;
}

/** One request to an endpoint, over HTTP or a socket, with its caller. */
export abstract class Call {
  /** The caller's account; undefined on public endpoints. */
  account!: Account;
  /** The caller's API key; undefined for a session. */
  key: ApiKey | undefined;
  /** The caller's session; undefined for an API key. */
  session: Session | undefined;
  /** Number of the key with which the custodian signed the request; 0 for other callers. */
  custodianKey = 0;
  /** Only on user endpoints. */
  requestOrigin: RequestOrigin | undefined;
  /**
   * Counts the orders in the body beyond the first; only on endpoints with `countsOrders`.
   * @throws ApiError RATE_LIMIT_EXCEEDED
   */
  countFurther!: (orders: number) => void;
  /** Returns the limits of the key; only on endpoints with the access `key`. */
  listLimits!: () => readonly EndpointLimit[];
  /** The end of the receive window, after which no order of the request is placed or amended. */
  deadline: Deadline | undefined;
  /** Whether the deadline is also that of cancellations; one that is late is usually still wanted. */
  readonly limitsCancels: boolean = false;
  /** The connection on which orders are placed, if they are canceled when it ends. */
  connection: number | undefined;
  /** The lead of the clock that the client sees, milliseconds. 0 unless a fault of the sandbox skews it. */
  skewMs = 0;
  /** Set-Cookie headers of the response. */
  cookies: string[] | undefined;
  /** The file that is the response, in place of JSON; only on endpoints whose description has `isFile`. */
  file: SentFile | undefined;

  constructor(
    readonly services: Services,
    /** Values of the path's parameters, such as `:id`. */
    readonly parameters: Readonly<Record<string, string>>,
  ) {}

  /** @throws ApiError INVALID_REQUEST for a parameter that is not allowed */
  abstract query(allowed: readonly string[]): Query;

  /**
   * Reads the body as a JSON object. Most endpoints with a body take no query parameters.
   * @throws ApiError INVALID_REQUEST or PAYLOAD_TOO_LARGE
   */
  abstract body(parameters?: readonly string[]): JsonObject;

  get exchange(): Exchange {
    return this.services.replica.exchange;
  }

  set caller(caller: Caller) {
    this.account = caller.account;
    if ('session' in caller) this.session = caller.session;
    else this.key = caller;
  }

  /**
   * The index of the API key, NONE for a session. The engine treats all orders of an account without a key as placed
   * by one placer, which the gateway has authorized.
   */
  get keyIndex(): number {
    return this.key === undefined ? NONE : this.key.index;
  }

  /** The sender of this call's commands. */
  get actor(): { account: number; key: number } {
    return { account: this.account.index, key: this.keyIndex };
  }

  setCookie(cookie: string): void {
    this.cookies ??= [];
    this.cookies.push(cookie);
  }
}

/** A request over HTTP. */
export class RequestCall extends Call {
  constructor(
    private readonly request: Request,
    services: Services,
    parameters: Readonly<Record<string, string>>,
    /** The body, or the error that it is rejected with. */
    private readonly bytes: Uint8Array | ApiError = NO_BYTES,
  ) {
    super(services, parameters);
  }

  query(allowed: readonly string[]): Query {
    const { url } = this.request;
    const start = url.indexOf('?');
    return start < 0 ? NO_QUERY : new Query(new URLSearchParams(url.slice(start + 1)), allowed);
  }

  body(parameters: readonly string[] = []): JsonObject {
    checkBodyHeaders(this.request.headers);
    this.query(parameters);
    if (this.bytes instanceof ApiError) throw this.bytes;
    const body = readJsonObject(this.bytes);
    if (!(body instanceof JsonError)) return body;
    throw jsonError(body, 'body');
  }
}

function checkBodyHeaders(headers: Headers): void {
  const type = headers.get('content-type');
  if (type !== 'application/json' && !isJson(type)) {
    const message = 'The body must be JSON. Send the header Content-Type: application/json.';
    throw invalid('Content-Type', 'application/json', message);
  }
  const encoding = headers.get('content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    const message =
      'Compressed bodies are not supported. Send the body without a Content-Encoding.';
    throw invalid('Content-Encoding', 'identity', message);
  }
}

/** A charset parameter is ignored, because JSON is always UTF-8. */
function isJson(type: string | null): boolean {
  return type !== null && /^application\/json\s*(;\s*charset=[^;]*)?\s*;?\s*$/i.test(type.trim());
}

/**
 * Returns the bytes of the body, or the error that it is rejected with: it is too large, which is detected before all
 * of it is read, or its connection ended early.
 */
export async function readBytes(request: Request): Promise<Uint8Array | ApiError> {
  const declared = request.headers.get('content-length');
  if (declared !== null && Number(declared) > MAX_BODY_BYTES) return tooLarge();
  try {
    return declared === null ? await readParts(request) : await request.bytes();
  } catch {
    // The client gets no response, but returning an error keeps this out of the log of internal errors.
    return new ApiError('INVALID_REQUEST', 'The body is incomplete.', { rule: 'wholeBody' });
  }
}

/** Reads a chunked body, whose size is not known in advance. */
async function readParts(request: Request): Promise<Uint8Array | ApiError> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of request.body ?? []) {
    size += part.length;
    if (size > MAX_BODY_BYTES) return tooLarge();
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function tooLarge(): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', undefined, {
    rule: 'maxBytes',
    nearest: MAX_BODY_BYTES,
  });
}
