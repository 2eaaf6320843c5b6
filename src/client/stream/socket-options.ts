import { type AccountChoice, checkCredentials, chosenAccount } from '../credentials.ts';
import { ApiRequestError, StreamClosedError } from '../errors.ts';
import { type PrivateKey, Signer } from '../signing.ts';
import type { StreamSocketClass } from './connection.ts';

/** Options of everything that opens a socket to the exchange. */
export interface SocketOptions {
  /** URL of the exchange, as for `Client`. */
  readonly baseUrl: string;
  /** Key with the permission `read` for orders, fills and balances, and `trade` for trading. */
  readonly apiKey?: string | undefined;
  readonly apiSecret?: string | undefined;
  /** Authenticates with a signature of this Ed25519 key, instead of sending a secret. */
  readonly privateKey?: PrivateKey | undefined;
  /** Time for which a signature is accepted, milliseconds from 100 to 60,000; default 5,000. */
  readonly recvWindowMs?: number | undefined;
  /** Whether to authenticate with the session cookie of the exchange's own pages instead of a key. */
  readonly session?: boolean;
  /** The account that the socket is for, chosen when it is created. */
  readonly account?: AccountChoice | undefined;
  /**
   * Called when the connection has opened (`open`), for each message received (`message`), when a ping was not answered
   * in time (`silent`), and when the connection has closed (`closed`).
   */
  readonly onConnection?: (event: 'open' | 'message' | 'silent' | 'closed') => void;
  /** Ping interval; default 10,000. The connection is closed after two unanswered pings. */
  readonly pingMs?: number;
  /** Maximum wait before another attempt to connect or subscribe; default 30,000. The first wait is at most 250 ms. */
  readonly maxBackoffMs?: number;
  /** WebSocket class, for Node before version 22, for example that of the package `ws`. */
  readonly WebSocket?: StreamSocketClass;
}

export const DEFAULT_PING_MS = 10_000;
/** WebSocket close code: the key or session was ended or has expired. */
export const CREDENTIALS_ENDED = 4001;
const MIN_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 30_000;

/** Returns the URL of sockets, with the account that they are for. */
export function socketUrl({ baseUrl, account }: SocketOptions): string {
  const url = new URL(`${baseUrl.replace(/\/+$/, '').replace(/^http/, 'ws')}/ws`);
  const chosen = chosenAccount(account);
  if (chosen !== undefined) url.searchParams.set('account', chosen);
  return url.href;
}

/** @throws StreamClosedError if neither the options nor the runtime have a WebSocket */
export function findSocketClass({ WebSocket }: SocketOptions): StreamSocketClass {
  const found = WebSocket ?? (globalThis.WebSocket as StreamSocketClass | undefined);
  if (found !== undefined) return found;
  throw new StreamClosedError(
    'this runtime has no WebSocket; pass a class in the option WebSocket',
  );
}

/**
 * Returns what signs the authentication of connections; undefined without a private key.
 * @throws RangeError if the key or the secret has characters that none has
 */
export function createSigner(options: SocketOptions): Signer | undefined {
  checkCredentials(options);
  const { apiKey, privateKey, recvWindowMs } = options;
  if (apiKey === undefined || privateKey === undefined) return undefined;
  return new Signer({ apiKey, privateKey, recvWindowMs });
}

/**
 * Returns the message that authenticates a connection: with a signature, else with a key, else with the browser's session.
 * @throws StreamClosedError if the private key cannot be read
 */
export async function authRequest({ apiKey, apiSecret }: SocketOptions, signer?: Signer) {
  if (signer === undefined) return { op: 'auth', apiKey, apiSecret };
  try {
    return await signer.authMessage();
  } catch (error) {
    throw new StreamClosedError((error as Error).message);
  }
}

/** The fields of a message that reports an error. */
export interface ErrorFields {
  /** Seconds; a string if numbers are exact. */
  readonly retryAfter?: unknown;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details: Readonly<Record<string, unknown>>;
  };
}

/** Returns the error that a message reports. */
export function toRequestError({ error, retryAfter }: ErrorFields): ApiRequestError {
  const { code, message, details } = error;
  const seconds = retryAfter ?? details.retryAfter;
  const retryAfterSeconds = seconds === undefined ? undefined : Number(seconds);
  return new ApiRequestError(0, code, message, details, undefined, retryAfterSeconds);
}

/** Returns the wait before another attempt to connect. @param failures Attempts since the last success. */
export function backoffMs(
  failures: number,
  { maxBackoffMs = MAX_BACKOFF_MS }: Pick<SocketOptions, 'maxBackoffMs'>,
): number {
  return Math.min(MIN_BACKOFF_MS * 2 ** failures, maxBackoffMs) * (0.5 + Math.random() / 2);
}
