import { ApiRequestError, UnreachableError } from './errors.ts';
import { type ExactNumber, type JsonObject, parseExactJson } from './exact-number.ts';

export interface RestClientOptions {
  /** Where the exchange is, such as `http://127.0.0.1:3000`; may have a path and end in a slash. */
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  readonly apiSecret?: string | undefined;
  /** How long to wait for an answer. */
  readonly timeoutMs?: number;
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Numbers go out as `exactNumber` makes them: a double may not be what its writer meant. */
export type BodyValue = null | boolean | string | ExactNumber | readonly BodyValue[] | Body;
export interface Body {
  readonly [field: string]: BodyValue | undefined;
}

const TIMEOUT_MS = 30_000;

/** The REST interface of an exchange: its envelope opened, its numbers exact. */
export class RestClient {
  readonly baseUrl: string;
  private readonly headers: Readonly<Record<string, string>>;
  private readonly timeoutMs: number;

  constructor({ baseUrl, apiKey, apiSecret, timeoutMs = TIMEOUT_MS }: RestClientOptions) {
    this.baseUrl = baseUrl.replace(/\/+$/, '');
    this.timeoutMs = timeoutMs;
    this.headers = {
      ...(apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` }),
      ...(apiSecret === undefined ? {} : { 'X-API-Secret': apiSecret }),
    };
  }

  /**
   * Sends one request, once.
   * @param path From `/api/` on, its parts encoded.
   * @returns The answer's `data`.
   * @throws ApiRequestError, UnreachableError
   */
  async request<Data = JsonObject>(
    method: Method,
    path: string,
    { query, body }: { query?: Readonly<Record<string, string>>; body?: Body } = {},
  ): Promise<Data> {
    const search = new URLSearchParams(query).toString();
    const url = `${this.baseUrl}${path}${search === '' ? '' : `?${search}`}`;
    const { response, text } = await this.send(url, method, body);
    const envelope = readEnvelope(text);
    if (envelope?.success === true) return envelope.data as Data;
    const error = envelope?.error as JsonObject | undefined;
    if (typeof error?.code !== 'string') {
      throw new UnreachableError(
        this.baseUrl,
        `what answered there (HTTP ${response.status}) is no exchange of this kind.`,
      );
    }
    throw new ApiRequestError(
      response.status,
      error.code,
      String(error.message),
      error.details as JsonObject,
      response.headers.get('x-request-id') ?? undefined,
      secondsOf(response.headers.get('retry-after')),
    );
  }

  private async send(url: string, method: Method, body: Body | undefined) {
    const controller = new AbortController();
    const { promise: deadline, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      // Not left to the signal alone: a runtime's fetch may stay silent in spite of it.
      reject(new Error(`no answer within ${this.timeoutMs / 1000} s.`));
      controller.abort();
    }, this.timeoutMs);
    try {
      const answer = fetchText(url, {
        method,
        headers:
          body === undefined
            ? this.headers
            : { ...this.headers, 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        // Followed, a redirect would take the secret to wherever it leads.
        redirect: 'error',
        signal: controller.signal,
      });
      return await Promise.race([answer, deadline]);
    } catch (cause) {
      throw new UnreachableError(this.baseUrl, (cause as Error).message, { cause });
    } finally {
      clearTimeout(timer);
    }
  }
}

async function fetchText(url: string, options: RequestInit) {
  const response = await fetch(url, options);
  return { response, text: await response.text() };
}

/** Undefined where the text is no JSON object. */
function readEnvelope(text: string): JsonObject | undefined {
  try {
    const value = parseExactJson(text);
    return typeof value === 'object' && value !== null ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

function secondsOf(header: string | null): number | undefined {
  return header !== null && /^\d+$/.test(header) ? Number(header) : undefined;
}
