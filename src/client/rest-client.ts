import { ApiRequestError, UnreachableError } from './errors.ts';
import { type ExactNumber, type JsonObject, parseExactJson } from './exact-number.ts';

export interface RestClientOptions {
  /** Where the exchange is, such as `http://127.0.0.1:3000`; may have a path and end in a slash. */
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  readonly apiSecret?: string | undefined;
  /** How long to wait for an answer. */
  readonly timeoutMs?: number;
  /** What the numbers of bodies are: `ExactNumber` unless given. */
  readonly json?: JsonCodec;
}

/** How a body is read, and written. */
export interface JsonCodec {
  /** @throws SyntaxError */
  readonly read: (text: string) => unknown;
  readonly write: (body: object) => string;
}

const EXACT: JsonCodec = { read: parseExactJson, write: JSON.stringify };

export interface RequestParts {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** Gives the request up: its outcome is not known then. */
  readonly signal?: AbortSignal | undefined;
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

  private readonly json: JsonCodec;

  constructor(options: RestClientOptions) {
    const { baseUrl, apiKey, apiSecret, timeoutMs = TIMEOUT_MS, json = EXACT } = options;
    this.json = json;
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
   * @throws ApiRequestError, UnreachableError; the signal's reason where that was aborted.
   */
  async request<Data = JsonObject>(
    method: Method,
    path: string,
    { query, body, signal }: RequestParts = {},
  ): Promise<Data> {
    const search = new URLSearchParams(query).toString();
    const url = `${this.baseUrl}${path}${search === '' ? '' : `?${search}`}`;
    const { response, text } = await this.send(url, method, body, signal);
    const envelope = this.readEnvelope(text);
    if (envelope?.success === true) return envelope.data as Data;
    const error = envelope?.error as ErrorBody | undefined;
    if (typeof error?.code !== 'string') {
      throw new UnreachableError(
        this.baseUrl,
        `what answered there (HTTP ${response.status}) is no exchange of this kind.`,
      );
    }
    throw new ApiRequestError(
      response.status,
      error.code,
      error.message,
      error.details,
      response.headers.get('x-request-id') ?? undefined,
      secondsOf(response.headers.get('retry-after')),
    );
  }

  private async send(url: string, method: Method, body?: object, signal?: AbortSignal) {
    signal?.throwIfAborted();
    const text = body === undefined ? undefined : this.json.write(body);
    const controller = new AbortController();
    let end = (_reason: unknown) => {};
    const ended = new Promise<never>((_, reject) => {
      // Not left to the signal alone: a runtime's fetch may stay silent in spite of it.
      end = (reason) => {
        reject(reason);
        controller.abort(reason);
      };
    });
    const giveUp = () => end(signal?.reason);
    const late = () => end(new Error(`no answer within ${this.timeoutMs / 1000} s.`));
    const timer = setTimeout(late, this.timeoutMs);
    signal?.addEventListener('abort', giveUp);
    try {
      const answer = fetchText(url, {
        method,
        headers:
          text === undefined
            ? this.headers
            : { ...this.headers, 'Content-Type': 'application/json' },
        ...(text === undefined ? {} : { body: text }),
        // Followed, a redirect would take the secret to wherever it leads.
        redirect: 'error',
        signal: controller.signal,
      });
      return await Promise.race([answer, ended]);
    } catch (cause) {
      signal?.throwIfAborted();
      throw new UnreachableError(this.baseUrl, (cause as Error).message, { cause });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
    }
  }

  /** Undefined where the text is no JSON object. */
  private readEnvelope(text: string): Envelope | undefined {
    try {
      const value = this.json.read(text);
      return typeof value === 'object' && value !== null ? (value as Envelope) : undefined;
    } catch {
      return undefined;
    }
  }
}

interface Envelope {
  readonly success?: unknown;
  readonly data?: unknown;
  readonly error?: unknown;
}

interface ErrorBody {
  readonly code: unknown;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

async function fetchText(url: string, options: RequestInit) {
  const response = await fetch(url, options);
  return { response, text: await response.text() };
}

function secondsOf(header: string | null): number | undefined {
  return header !== null && /^\d+$/.test(header) ? Number(header) : undefined;
}
