import type { Exchange } from '../../engine/exchange.ts';
import type { Account, ApiKey } from '../../engine/ledger/accounts.ts';
import { NONE } from '../../engine/terms.ts';
import type { Session } from '../../users/sessions.ts';
import type { Caller } from '../auth/caller.ts';
import type { Services } from '../services.ts';
import { ApiError } from './errors.ts';
import { JSON_RULES, JsonError, type JsonObject, readJsonObject } from './json.ts';
import { invalid, Query } from './query.ts';

/** Largest body taken, bytes (API section 1). */
export const MAX_BODY_BYTES = 16 * 1024;

const NO_BYTES = new Uint8Array(0);
const NO_QUERY = new Query(new URLSearchParams(), []);

/** A browser at the door. */
export interface Visit {
  /** The client's own, behind proxies too. */
  readonly address: string;
  /** As it is counted by: an IPv6 /64 is one. */
  readonly scope: string;
  /** The exchange as the browser names it; undefined of what is no browser. */
  readonly origin: string | undefined;
}

/** One request on its way through an endpoint: who asks, and what. */
export class Call {
  /** The holder of the credentials; only where the endpoint asks for them. */
  account!: Account;
  /** Undefined where a session asks. */
  key: ApiKey | undefined;
  /** The browser that asks; undefined where a key does. */
  session: Session | undefined;
  /** Where it comes from, of the endpoints of people. */
  visit: Visit | undefined;
  /**
   * Counts orders beyond the first that the body holds; only where the endpoint `countsOrders`.
   * @throws ApiError RATE_LIMIT_EXCEEDED
   */
  countFurther!: (orders: number) => void;
  /** Headers Set-Cookie of the answer. */
  cookies: string[] | undefined;

  constructor(
    readonly request: Request,
    readonly services: Services,
    /** What stands for `:id` and the like in the path. */
    readonly parameters: Readonly<Record<string, string>>,
    /** The body, or why there is none to read. */
    private readonly bytes: Uint8Array | ApiError = NO_BYTES,
  ) {}

  get exchange(): Exchange {
    return this.services.replica.exchange;
  }

  set caller(caller: Caller) {
    this.account = caller.account;
    if ('session' in caller) this.session = caller.session;
    else this.key = caller;
  }

  /**
   * Index of the key, NONE for a session: to the engine all that is placed without a key is one
   * placer of its account, which the gateway has let in.
   */
  get keyIndex(): number {
    return this.key === undefined ? NONE : this.key.index;
  }

  /** Who a command of this call comes from. */
  get actor(): { account: number; key: number } {
    return { account: this.account.index, key: this.keyIndex };
  }

  setCookie(cookie: string): void {
    this.cookies ??= [];
    this.cookies.push(cookie);
  }

  /** @throws ApiError INVALID_REQUEST for any parameter that is not allowed. */
  query(allowed: readonly string[]): Query {
    const { url } = this.request;
    const start = url.indexOf('?');
    return start < 0 ? NO_QUERY : new Query(new URLSearchParams(url.slice(start + 1)), allowed);
  }

  /**
   * The body as a JSON object. Beside one, most endpoints take no query.
   * @throws ApiError INVALID_REQUEST or PAYLOAD_TOO_LARGE
   */
  body(parameters: readonly string[] = []): JsonObject {
    checkBodyHeaders(this.request.headers);
    this.query(parameters);
    if (this.bytes instanceof ApiError) throw this.bytes;
    const body = readJsonObject(this.bytes);
    if (!(body instanceof JsonError)) return body;
    const details = body.field === undefined ? {} : { field: body.field };
    throw new ApiError('INVALID_REQUEST', JSON_RULES[body.rule], { rule: body.rule, ...details });
  }
}

function checkBodyHeaders(headers: Headers): void {
  const type = headers.get('content-type');
  if (type !== 'application/json' && !isJson(type)) {
    const message = 'Send the header Content-Type: application/json.';
    throw invalid('Content-Type', 'application/json', message);
  }
  const encoding = headers.get('content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    const message = 'Send the body as it is, without a Content-Encoding.';
    throw invalid('Content-Encoding', 'identity', message);
  }
}

/** A charset parameter is fine; JSON is UTF-8 whatever it says. */
function isJson(type: string | null): boolean {
  return type !== null && /^application\/json\s*(;\s*charset=[^;]*)?\s*;?\s*$/i.test(type.trim());
}

/**
 * The body's bytes, or why they are not taken: too many, known as soon as they are, or a connection
 * that ended before the body did.
 */
export async function readBytes(request: Request): Promise<Uint8Array | ApiError> {
  const declared = request.headers.get('content-length');
  if (declared !== null && Number(declared) > MAX_BODY_BYTES) return tooLarge();
  try {
    return declared === null ? await readParts(request) : await request.bytes();
  } catch {
    // Nobody is left to answer, but it is not a failure of ours to log.
    return new ApiError('INVALID_REQUEST', 'The body ended too early.', { rule: 'wholeBody' });
  }
}

/** For a body that comes in chunks: nobody knows how many. */
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
  return new ApiError('PAYLOAD_TOO_LARGE', `Send at most ${MAX_BODY_BYTES} bytes.`, {
    rule: 'maxBytes',
    nearest: MAX_BODY_BYTES,
  });
}
