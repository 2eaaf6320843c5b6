import {
  ArgumentsRequired,
  BadResponse,
  type BaseError,
  type Dict,
  Exchange,
  ExchangeError,
  InvalidNonce,
  type Num,
  type Str,
} from 'ccxt';
import { NotSentError } from '../errors.ts';
import { Signer } from '../signing.ts';
import { readDeadline, windowHeaders } from './deadlines.ts';
import { description } from './describe.ts';
import { ERROR_CLASSES } from './errors.ts';
import { parseQuotingNumbers, requestBody } from './exact-json.ts';
import { masked } from './masked.ts';
import { RateWindows, type WindowState } from './rate-windows.ts';

/** Sends requests and reads responses; the base of all methods. */
export class Transport extends Exchange {
  /** The signer of the current credentials, which may be set at any time. */
  private signing:
    | { readonly apiKey: string; readonly privateKey: string; readonly signer: Signer }
    | undefined;
  private readonly windows = new RateWindows(this.rollingWindowSize);

  override describe(): Dict {
    const base = super.describe();
    return this.deepExtend(base, description(base.has));
  }

  /** Returns the base URL of the exchange. @throws ArgumentsRequired if none is configured */
  protected baseUrl(): string {
    const url = this.implodeHostname(this.urls.api as unknown as string).replace(/\/+$/, '');
    if (!/^https?:\/\/./.test(url)) {
      throw new ArgumentsRequired(`${this.id}: set hostname, urls.api or sandbox: true`);
    }
    return url;
  }

  /** @throws InvalidNonce if the `deadline` in `params` has passed */
  override sign(
    path: string,
    api = 'public',
    method = 'GET',
    params: Dict = {},
    headers: Dict | undefined = undefined,
    body: Str = undefined,
  ): Dict {
    const isInUrl = method === 'GET' || method === 'DELETE';
    const inPath = this.extractParams(path) as string[];
    const isSent = ([name, value]: [string, unknown]) =>
      value !== undefined && !inPath.includes(name) && (isInUrl || name !== 'deadline');
    const rest: Dict = Object.fromEntries(Object.entries(params).filter(isSent));
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''));
    const query = isInUrl && Object.keys(rest).length > 0 ? `?${this.urlencode(rest)}` : '';
    // Orders and amendments may have a deadline, which is in the headers.
    const deadline = isInUrl ? undefined : readDeadline(this, params.deadline);
    const sent: Dict = { ...headers, ...windowHeaders(this, deadline) };
    if (api === 'private') {
      this.checkRequiredCredentials();
      sent.Authorization = `Bearer ${this.apiKey}`;
      // With a private key, `fetch` adds the signature.
      if (this.getSigner() === undefined) sent['X-API-Secret'] = this.secret;
      // The account that the key must belong to.
      const account = this.safeString(this.options, 'account');
      if (account !== undefined) sent['X-Account'] = account;
    }
    if (!isInUrl) {
      sent['Content-Type'] = 'application/json';
      body = requestBody(rest);
    }
    return { url: `${this.baseUrl()}/api/${filled}${query}`, method, body, headers: sent };
  }

  /** Reads, including CCXT's own retries, wait for the rate window of their endpoint. */
  override async fetch(url: string, method = 'GET', headers?: Dict, body?: Str): Promise<unknown> {
    return this.paced(method, url, async () =>
      super.fetch(url, method, await this.withSignature(url, method, headers, body), body),
    );
  }

  /** Sends a read when the rate window of its endpoint allows it, and anything else at once: orders never wait. */
  protected paced<Answer>(
    method: string,
    url: string,
    send: () => Promise<Answer>,
  ): Promise<Answer> {
    const isPaced = method === 'GET' && this.enableRateLimit;
    return isPaced ? this.windows.get(url).run(send) : send();
  }

  /** Adopts what a response reports of the rate window of a read. */
  protected noteWindow(method: string, url: string, state: WindowState): void {
    if (method === 'GET') this.windows.get(url).note(state);
  }

  /** Signs a private request, after it waited for its turn, so that its timestamp is new. */
  private async withSignature(
    url: string,
    method: string,
    headers?: Dict,
    body?: Str,
  ): Promise<Dict | undefined> {
    const signer = this.getSigner();
    if (headers?.Authorization === undefined || signer === undefined) return headers;
    const { 'X-API-Timestamp': timestamp, 'X-API-Recv-Window': recvWindow } = headers;
    const deadline = timestamp === undefined ? undefined : Number(timestamp) + Number(recvWindow);
    try {
      return { ...headers, ...(await signer.headers(method, url, body, deadline)) };
    } catch (error) {
      if (!(error instanceof NotSentError)) throw error;
      throw new InvalidNonce(`${this.id} ${error.message}`);
    }
  }

  /** Signs requests; undefined without a private key. */
  protected getSigner(): Signer | undefined {
    const { apiKey, privateKey } = this;
    if (!apiKey || !privateKey) return undefined;
    if (this.signing?.apiKey !== apiKey || this.signing.privateKey !== privateKey) {
      const recvWindowMs = this.safeInteger(this.options, 'recvWindow');
      this.signing = {
        apiKey,
        privateKey,
        signer: new Signer({ apiKey, privateKey, recvWindowMs }),
      };
    }
    return this.signing.signer;
  }

  /** A key needs a secret or a private key. */
  override checkRequiredCredentials(error = true): boolean {
    return this.getSigner() === undefined ? super.checkRequiredCredentials(error) : true;
  }

  /** Overridden because CCXT has one budget for all endpoints; the exchange limits each endpoint separately. */
  override async throttle(_cost?: Num): Promise<void> {}

  /** Logs what CCXT reports if `verbose`, without secrets and signatures. */
  override log(...parts: unknown[]): void {
    const secrets = [this.secret, this.privateKey].filter(Boolean) as string[];
    super.log(...parts.map((part) => masked(part, secrets)));
  }

  override parseJson(text: string): unknown {
    try {
      return parseQuotingNumbers(text);
    } catch (error) {
      // Not JSON, for example an error page of a proxy; handleErrors deals with it.
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  override handleErrors(
    status: number,
    _reason: string,
    url: string,
    method: string,
    headers: Dict,
    body: string,
    answer: Dict | undefined,
  ): undefined {
    // Wrong credentials are counted in a window of their own.
    if (status !== 401 && status !== 403) {
      this.noteWindow(method, url, {
        limit: Number(headers['X-Ratelimit-Limit']),
        remaining: Number(headers['X-Ratelimit-Remaining']),
        reset: Number(headers['X-Ratelimit-Reset']),
      });
    }
    if (answer?.success === true && status < 300) return undefined;
    const error = this.safeDict(answer, 'error');
    const known = this.toKnownError(error, `${this.id} ${body}`, headers['Retry-After']);
    if (known !== undefined) throw known;
    // For known statuses CCXT throws its own errors afterwards.
    if (String(status) in this.httpExceptions) return undefined;
    const message = `${this.id} ${method} ${url} ${status} ${body}`;
    throw status < 300 ? new BadResponse(message) : new ExchangeError(message);
  }

  /**
   * Returns the CCXT error for an API error; undefined if its code is unknown.
   * @param retryAfter Seconds until the next attempt makes sense, which the error then has as `retryAfter`.
   */
  protected toKnownError(
    error: Dict | undefined,
    message: string,
    retryAfter: Str,
  ): BaseError | undefined {
    const code = this.safeString(error, 'code', '');
    if (!Object.hasOwn(ERROR_CLASSES, code)) return undefined;
    const isLate = this.safeString(this.safeDict(error, 'details'), 'rule') === 'recvWindow';
    const known = new (isLate ? InvalidNonce : ERROR_CLASSES[code]!)(message);
    return retryAfter === undefined
      ? known
      : Object.assign(known, { retryAfter: Number(retryAfter) });
  }
}
