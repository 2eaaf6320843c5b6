import type { Account, ApiKey } from '../engine/accounts.ts';
import type { Exchange } from '../engine/exchange.ts';
import { ApiError } from './errors.ts';
import { JSON_RULES, type JsonObject, JsonRefusal, readJsonObject } from './json.ts';
import { Query } from './query.ts';
import type { Services } from './services.ts';

/** Largest body taken, bytes (API section 1). */
export const MAX_BODY_BYTES = 16 * 1024;

const NO_QUERY = new Query(new URLSearchParams(), []);

/** One request on its way through an endpoint: who asks, and what. */
export class Call {
  /** The holder of the credentials; only where the endpoint asks for them. */
  account!: Account;
  key!: ApiKey;

  constructor(
    readonly request: Request,
    readonly services: Services,
    /** What stands for `:id` and the like in the path. */
    readonly parameter: (name: string) => string,
  ) {}

  get exchange(): Exchange {
    return this.services.replica.exchange;
  }

  /** Who a command of this call comes from. */
  get actor(): { account: number; key: number } {
    return { account: this.account.index, key: this.key.index };
  }

  get search(): URLSearchParams {
    const { url } = this.request;
    const start = url.indexOf('?');
    return new URLSearchParams(start < 0 ? '' : url.slice(start + 1));
  }

  /** @throws ApiError INVALID_REQUEST for any parameter that is not allowed. */
  query(allowed: readonly string[]): Query {
    if (!this.request.url.includes('?')) return NO_QUERY;
    return new Query(this.search, allowed);
  }

  /**
   * The body as a JSON object. Endpoints that take one take no query.
   * @throws ApiError INVALID_REQUEST or PAYLOAD_TOO_LARGE
   */
  async body(): Promise<JsonObject> {
    this.query([]);
    const { headers } = this.request;
    const type = headers.get('content-type');
    if (type !== 'application/json' && !isJson(type)) {
      throw new ApiError('INVALID_REQUEST', 'Send the header Content-Type: application/json.', {
        field: 'Content-Type',
        rule: 'application/json',
      });
    }
    const body = readJsonObject(await readBytes(this.request));
    if (!(body instanceof JsonRefusal)) return body;
    const details = body.field === undefined ? {} : { field: body.field };
    throw new ApiError('INVALID_REQUEST', JSON_RULES[body.rule], { rule: body.rule, ...details });
  }
}

/** A charset parameter is fine; JSON is UTF-8 whatever it says. */
function isJson(type: string | null): boolean {
  return type !== null && /^application\/json\s*(;\s*charset=[^;]*)?\s*;?\s*$/i.test(type.trim());
}

/** The body's bytes, refused as soon as they are known to be too many. */
async function readBytes(request: Request): Promise<Uint8Array> {
  const declared = request.headers.get('content-length');
  if (declared !== null) {
    if (Number(declared) > MAX_BODY_BYTES) throw tooLarge();
    return request.bytes();
  }
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of request.body ?? []) {
    size += part.length;
    if (size > MAX_BODY_BYTES) throw tooLarge();
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
