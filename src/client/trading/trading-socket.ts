import type { OperationName } from '../api/operations.ts';
import { windowUntil } from '../deadline.ts';
import {
  type ApiRequestError,
  NotSentError,
  OutcomeUnknownError,
  StreamClosedError,
} from '../errors.ts';
import { type RateLimit, toRateLimit } from '../rate-limit.ts';
import type { JsonCodec } from '../rest-client.ts';
import { isTransient } from '../retry.ts';
import type { Signer } from '../signing.ts';
import { Connection, type StreamSocketClass } from '../stream/connection.ts';
import {
  authRequest,
  backoffMs,
  CREDENTIALS_ENDED,
  createSigner,
  DEFAULT_PING_MS,
  type ErrorFields,
  findSocketClass,
  type SocketOptions,
  socketUrl,
  toRequestError,
} from '../stream/socket-options.ts';
import { PendingOperation } from './pending-operation.ts';

export interface TradingSocketOptions extends SocketOptions {
  /** Maximum wait for the response to an operation that was sent; default 30 s. */
  readonly timeoutMs?: number;
  /** Maximum time before an operation is sent, while there is no connection or too many are in flight; default 5 s. */
  readonly sendTimeoutMs?: number;
  /** Whether the exchange cancels the open orders of a connection when it ends. */
  readonly cancelOnDisconnect?: boolean;
}

/** Maximum operations without a response that the exchange accepts from one connection. */
export const MAX_IN_FLIGHT = 1000;
const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_SEND_TIMEOUT_MS = 5000;

/** An authenticated connection for operations, which reconnects automatically. Sends every operation at most once. */
export class TradingSocket {
  /** Whether operations are sent now. */
  isReady = false;
  private readonly signer: Signer | undefined;
  private readonly url: string;
  /** Operations that have not been sent, oldest first. */
  private readonly queue = new Set<PendingOperation>();
  /** By id. Operations whose caller no longer waits stay until the exchange responds. */
  private readonly inFlight = new Map<string, PendingOperation>();
  private connection: Connection | undefined;
  private reconnection: ReturnType<typeof setTimeout> | undefined;
  private readyWaiters: ReadyWaiter[] = [];
  private lastId = 0;
  private failures = 0;
  private retryAfterMs = 0;
  private end: Error | undefined;

  constructor(
    private readonly options: TradingSocketOptions,
    private readonly json: JsonCodec,
    private readonly onRateLimit: (operation: OperationName, state: RateLimit) => void = () => {},
  ) {
    this.url = socketUrl(options);
    this.signer = createSigner(options);
    this.connect();
  }

  /** Resolves once the connection is authenticated. @throws the error that ended the socket permanently */
  async whenReady(): Promise<void> {
    if (this.end !== undefined) throw this.end;
    if (this.isReady) return;
    await new Promise<void>((resolve, reject) => this.readyWaiters.push({ resolve, reject }));
  }

  /**
   * Sends an operation as soon as possible, once.
   * @param deadline The time after which its orders are not executed, milliseconds since 1970.
   * @returns `data` of the response
   * @throws ApiRequestError, NotSentError, OutcomeUnknownError, StreamClosedError, or the reason of the signal
   */
  async request(
    name: OperationName,
    params: object,
    signal: AbortSignal | undefined,
    deadline: number | undefined,
  ): Promise<unknown> {
    if (this.end !== undefined) throw this.end;
    signal?.throwIfAborted();
    const window = deadline === undefined ? {} : windowUntil(deadline, this.url);
    const fields = this.json.write({ params, ...window });
    const operation = new PendingOperation(name, fields, signal);
    this.queue.add(operation);
    this.sendQueued();
    if (!this.queue.has(operation)) return operation.response;
    const { sendTimeoutMs = DEFAULT_SEND_TIMEOUT_MS } = this.options;
    operation.limit(sendTimeoutMs, () => this.notSent(sendTimeoutMs));
    return operation.response.finally(() => this.queue.delete(operation));
  }

  close(): void {
    this.finish(new StreamClosedError('the socket was closed'));
  }

  private connect(): void {
    this.reconnection = undefined;
    const { onConnection, pingMs = DEFAULT_PING_MS } = this.options;
    let Socket: StreamSocketClass;
    try {
      Socket = findSocketClass(this.options);
    } catch (error) {
      this.finish(error as Error);
      return;
    }
    this.connection = new Connection(Socket, this.url, pingMs, {
      open: () => {
        onConnection?.('open');
        void this.authenticate(this.connection);
      },
      message: (text) => {
        onConnection?.('message');
        this.handleText(text);
      },
      silent: () => onConnection?.('silent'),
      close: (code, reason) => {
        onConnection?.('closed');
        this.connectionClosed(code, reason);
      },
    });
  }

  private async authenticate(connection: Connection | undefined): Promise<void> {
    const { cancelOnDisconnect } = this.options;
    try {
      const message = await authRequest(this.options, this.signer);
      if (connection === this.connection) connection?.send({ ...message, cancelOnDisconnect });
    } catch (error) {
      this.finish(error as Error);
    }
  }

  private sendQueued(): void {
    const { connection, queue, inFlight } = this;
    if (!this.isReady || connection === undefined) return;
    const { timeoutMs = DEFAULT_TIMEOUT_MS } = this.options;
    for (const operation of queue) {
      if (inFlight.size >= MAX_IN_FLIGHT) return;
      queue.delete(operation);
      if (operation.isSettled) continue;
      const id = `${++this.lastId}`;
      inFlight.set(id, operation);
      connection.sendOperation(
        `{"op":"${operation.name}","id":"${id}",${operation.fields.slice(1)}`,
      );
      operation.limit(timeoutMs, () =>
        this.outcomeUnknown(`there was no response within ${timeoutMs / 1000} s`),
      );
    }
  }

  private handleText(text: string): void {
    const message = this.json.read(text) as Message;
    const operation = message.id === undefined ? undefined : this.inFlight.get(`${message.id}`);
    if (operation !== undefined) {
      this.inFlight.delete(`${message.id}`);
      const state = toRateLimit(message.rateLimit);
      if (state !== undefined) this.onRateLimit(operation.name, state);
      if (message.success) operation.succeed(message.data);
      else operation.reject(toRequestError(message as ErrorFields));
      this.sendQueued();
    } else if (message.op === 'authenticated') this.setReady();
    else if (message.op === 'error') this.handleError(toRequestError(message as ErrorFields));
  }

  private setReady(): void {
    this.isReady = true;
    this.failures = 0;
    for (const waiter of this.readyWaiters.splice(0)) waiter.resolve();
    this.sendQueued();
  }

  /** Handles an error that is no response: of the authentication, or of the connection. */
  private handleError(error: ApiRequestError): void {
    if (isTransient(error.code) || error.code === 'INTERNAL_ERROR') {
      this.retryAfterMs = (error.retryAfterSeconds ?? 0) * 1000;
      this.connection?.close();
    } else if (!this.isReady) this.finish(error);
    else if (this.inFlight.size === 1) {
      // A message that the exchange cannot read has no id for it.
      const [[id, operation]] = [...this.inFlight] as [[string, PendingOperation]];
      this.inFlight.delete(id);
      operation.reject(error);
    }
  }

  private connectionClosed(code: number, reason: string): void {
    this.connection = undefined;
    this.isReady = false;
    this.rejectInFlight('the connection ended before the response');
    if (this.end !== undefined) return;
    // A session may continue under a new cookie, as after a change of password, so reconnecting decides.
    if (code === CREDENTIALS_ENDED && this.options.session !== true) {
      this.finish(new StreamClosedError(reason));
      return;
    }
    const waitMs = Math.max(backoffMs(this.failures++, this.options), this.retryAfterMs);
    this.retryAfterMs = 0;
    this.reconnection = setTimeout(() => this.connect(), waitMs);
  }

  private finish(error: Error): void {
    if (this.end !== undefined) return;
    this.end = error;
    this.isReady = false;
    clearTimeout(this.reconnection);
    this.rejectInFlight('the socket was closed before the response');
    for (const operation of this.queue) operation.reject(error);
    this.queue.clear();
    for (const waiter of this.readyWaiters.splice(0)) waiter.reject(error);
    this.connection?.close();
  }

  private rejectInFlight(reason: string): void {
    for (const operation of this.inFlight.values()) operation.reject(this.outcomeUnknown(reason));
    this.inFlight.clear();
  }

  private outcomeUnknown(reason: string): OutcomeUnknownError {
    const advice = 'The operation may have taken effect: check before you send it again.';
    return new OutcomeUnknownError(this.url, `${reason}. ${advice}`);
  }

  private notSent(timeMs: number): NotSentError {
    const reason = this.isReady
      ? `${MAX_IN_FLIGHT} operations are in flight`
      : 'there is no connection to the exchange';
    return new NotSentError(this.url, `Not sent within ${timeMs / 1000} s, because ${reason}.`);
  }
}

interface ReadyWaiter {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

interface Message extends Partial<ErrorFields> {
  readonly op: string;
  readonly id?: unknown;
  readonly success?: boolean;
  readonly data?: unknown;
  readonly rateLimit?: unknown;
}
