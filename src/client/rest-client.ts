import type { Approval } from './api/operator-records.ts';
import { type AccountChoice, checkCredentials, chosenAccount } from './credentials.ts';
import { windowUntil } from './deadline.ts';
import { ApiRequestError, ApprovalRequiredError, UnreachableError } from './errors.ts';
import { type OnRateLimit, readRateLimit } from './rate-limit.ts';
import { type PrivateKey, Signer } from './signing.ts';

export interface RestClientOptions {
  /** URL of the exchange, such as `http://127.0.0.1:3000`; may have a path and a trailing slash. */
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  readonly apiSecret?: string | undefined;
  /** Signs requests with this Ed25519 key, instead of sending a secret. */
  readonly privateKey?: PrivateKey | undefined;
  /** Time for which a signed request is accepted, milliseconds from 100 to 60,000; default 5,000. */
  readonly recvWindowMs?: number | undefined;
  /** The account that requests are for. */
  readonly account?: AccountChoice | undefined;
  /** Maximum wait for a response; default 30 s. */
  readonly timeoutMs?: number;
  /** Called with the state of the endpoint's rate limit in each response. */
  readonly onRateLimit?: OnRateLimit | undefined;
  /** Reads and writes bodies. */
  readonly json: JsonCodec;
}

/** Parser and serializer of bodies. */
export interface JsonCodec {
  /** @throws SyntaxError */
  readonly read: (text: string) => unknown;
  readonly write: (body: object) => string;
}

export interface RequestParts {
  /** The path before its parameters were filled in. */
  readonly template?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** Aborts the request, whose outcome is then unknown. */
  readonly signal?: AbortSignal | undefined;
  /** The time after which orders of the request are not executed, milliseconds since 1970. */
  readonly deadline?: number | undefined;
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

const DEFAULT_TIMEOUT_MS = 30_000;

/** Sends requests to the REST API and unwraps the response envelope. */
export class RestClient {
  readonly baseUrl: string;
  private readonly headers: Readonly<Record<string, string>>;
  private readonly signer: Signer | undefined;
  private readonly account: AccountChoice | undefined;
  private readonly timeoutMs: number;
  private readonly onRateLimit: OnRateLimit | undefined;

  private readonly json: JsonCodec;

  /** @throws RangeError if the key or the secret has characters that none has */
  constructor(options: RestClientOptions) {
    checkCredentials(options);
    const { baseUrl, apiKey, apiSecret, timeoutMs = DEFAULT_TIMEOUT_MS, json } = options;
    this.json = json;
    this.account = options.account;
    this.onRateLimit = options.onRateLimit;
    this.baseUrl = baseUrl.replace(/\/+$/, '');
    this.timeoutMs = timeoutMs;
    const { privateKey, recvWindowMs } = options;
    if (privateKey !== undefined && apiKey !== undefined) {
      this.signer = new Signer({ apiKey, privateKey, recvWindowMs });
    }
    this.headers = {
      ...(apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` }),
      ...(apiSecret === undefined ? {} : { 'X-API-Secret': apiSecret }),
    };
  }

  /**
   * Sends one request, once.
   * @param path Path starting with `/api/`, with its segments encoded.
   * @returns `data` of the response
   * @throws ApiRequestError, UnreachableError, or the signal's reason if it was aborted
   */
  async request<Data>(
    method: Method,
    path: string,
    { template = path, query, body, signal, deadline }: RequestParts = {},
  ): Promise<Data> {
    const search = new URLSearchParams(query).toString();
    const url = `${this.baseUrl}${path}${search === '' ? '' : `?${search}`}`;
    const answer = await this.send(url, method, readText, body, signal, deadline);
    const state =
      this.onRateLimit === undefined ? undefined : readRateLimit(answer.response.headers);
    if (state !== undefined) this.onRateLimit?.(`${method} ${template}`, state);
    const envelope = this.readEnvelope(answer.text);
    if (envelope?.success === true && answer.response.status === 202) {
      throw new ApprovalRequiredError(envelope.data as { approval: Approval });
    }
    if (envelope?.success === true) return envelope.data as Data;
    throw this.toError(answer, envelope);
  }

  /**
   * Requests a file, once. The timeout ends with the headers.
   * @param path As for `request`.
   * @returns The response, whose body is not read yet
   * @throws ApiRequestError, UnreachableError, or the signal's reason if it was aborted
   */
  async download(
    path: string,
    { query, signal, deadline }: Omit<RequestParts, 'body'> = {},
  ): Promise<Response> {
    const search = new URLSearchParams(query).toString();
    const url = `${this.baseUrl}${path}${search === '' ? '' : `?${search}`}`;
    const answer = await this.send(url, 'GET', readErrorText, undefined, signal, deadline);
    if (answer.response.ok) return answer.response;
    throw this.toError(answer, this.readEnvelope(answer.text));
  }

  private toError({ response }: Answer, envelope: Envelope | undefined): Error {
    const error = envelope?.error as ErrorBody | undefined;
    if (typeof error?.code !== 'string') {
      return new UnreachableError(
        this.baseUrl,
        `the server (HTTP ${response.status}) is not a Buttonwood exchange. Check the URL.`,
      );
    }
    return new ApiRequestError(
      response.status,
      error.code,
      error.message,
      error.details,
      response.headers.get('x-request-id') ?? undefined,
      parseSeconds(response.headers.get('retry-after')),
    );
  }

  private async send(
    url: string,
    method: Method,
    read: (response: Response) => Promise<string>,
    body?: object,
    signal?: AbortSignal,
    deadline?: number,
  ): Promise<Answer> {
    signal?.throwIfAborted();
    const text = body === undefined ? undefined : this.json.write(body);
    const signed =
      this.signer === undefined
        ? windowHeaders(deadline, url)
        : await this.signer.headers(method, url, text, deadline);
    signal?.throwIfAborted();
    const controller = new AbortController();
    let end = (_reason: unknown) => {};
    const ended = new Promise<never>((_, reject) => {
      // Rejects here too, because fetch of some runtimes ignores its signal.
      end = (reason) => {
        reject(reason);
        controller.abort(reason);
      };
    });
    const onAbort = () => end(signal?.reason);
    const onTimeout = () => end(new Error(`no response within ${this.timeoutMs / 1000} s.`));
    const timer = setTimeout(onTimeout, this.timeoutMs);
    signal?.addEventListener('abort', onAbort);
    try {
      const response = fetchAnswer(url, read, {
        method,
        headers: {
          ...this.headers,
          ...this.accountHeader(),
          ...signed,
          ...(text === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(text === undefined ? {} : { body: text }),
        // A redirect would send the secret to another server.
        redirect: 'error',
        signal: controller.signal,
      });
      return await Promise.race([response, ended]);
    } catch (cause) {
      signal?.throwIfAborted();
      const reason = `no response from ${this.baseUrl}: ${innermostMessage(cause as Error)}`;
      throw new UnreachableError(this.baseUrl, reason, { cause });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  private accountHeader(): Record<string, string> {
    const account = chosenAccount(this.account);
    return account === undefined ? {} : { 'X-Account': account };
  }

  /** Returns undefined unless the text is a JSON object. */
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

function windowHeaders(deadline: number | undefined, url: string) {
  if (deadline === undefined) return undefined;
  const { timestamp, recvWindow } = windowUntil(deadline, new URL(url).origin);
  return { 'X-API-Timestamp': `${timestamp}`, 'X-API-Recv-Window': `${recvWindow}` };
}

/** Returns why a request failed. The message of fetch itself only says that it did. */
function innermostMessage(error: Error & { readonly code?: unknown }): string {
  const cause = error instanceof AggregateError ? error.errors[0] : error.cause;
  return cause instanceof Error ? innermostMessage(cause) : error.message || String(error.code);
}

interface Answer {
  readonly response: Response;
  readonly text: string;
}

async function fetchAnswer(
  url: string,
  read: (response: Response) => Promise<string>,
  options: RequestInit,
): Promise<Answer> {
  const response = await fetch(url, options);
  return { response, text: await read(response) };
}

function readText(response: Response): Promise<string> {
  return response.text();
}

/** Leaves the body of a success unread. */
async function readErrorText(response: Response): Promise<string> {
  return response.ok ? '' : response.text();
}

function parseSeconds(header: string | null): number | undefined {
  return header !== null && /^\d+$/.test(header) ? Number(header) : undefined;
}
