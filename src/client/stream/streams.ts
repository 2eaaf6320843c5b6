import { type ApiRequestError, OutOfSyncError, StreamClosedError } from '../errors.ts';
import { type ClientNumber, createCodec } from '../numbers.ts';
import { isTransient } from '../retry.ts';
import type { Signer } from '../signing.ts';
import { Connection, type StreamSocketClass } from './connection.ts';
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
} from './socket-options.ts';
import { Subscription } from './subscription.ts';
import {
  type ChannelData,
  type StreamMessage,
  type Topic,
  type TopicFields,
  topicKey,
} from './topics.ts';

export interface StreamsOptions<Exact extends boolean = boolean> extends SocketOptions {
  /** Whether prices and amounts are exact decimal strings instead of doubles. */
  readonly exactNumbers?: Exact;
  /** Called with errors that end one or all subscriptions. By default they are thrown as uncaught errors. */
  readonly onError?: (error: Error) => void;
}

/**
 * Streams of an exchange over one connection, which reconnects automatically. Subscriptions then resume: trades,
 * orders, fills and balances with all missed messages, an order book from a new snapshot. A message after a gap is
 * never delivered.
 */
export class Streams<Exact extends boolean = false> {
  private readonly options: StreamsOptions<Exact>;
  private readonly url: string;
  private readonly signer: Signer | undefined;
  private readonly read: (text: string) => unknown;
  private readonly subscriptions = new Map<string, Subscription>();
  private connection: Connection | undefined;
  private reconnection: ReturnType<typeof setTimeout> | undefined;
  private isReady = false;
  /** The subscription being requested. One at a time, so that an error can only concern it. */
  private requested: Subscription | undefined;
  private failures = 0;
  private retryAfterMs = 0;
  private end: Error | undefined;

  constructor(options: StreamsOptions<Exact>) {
    this.options = options;
    this.url = socketUrl(options);
    this.signer = createSigner(options);
    this.read = createCodec(options.exactNumbers === true).read;
  }

  /** Whether every subscription is live: none waits for a connection, or to subscribe again after a gap. */
  get isLive(): boolean {
    const isSent = this.connection?.hasUnsent !== true;
    return isSent && [...this.subscriptions.values()].every(({ stage }) => stage === 'live');
  }

  /**
   * Subscribes to a topic, at most once per topic. Resolves after the first message has been delivered. If `onMessage`
   * throws an OutOfSyncError, as the books do, the topic is subscribed again from a snapshot.
   * @returns a function that unsubscribes
   * @throws ApiRequestError if the exchange rejects the subscription, StreamClosedError if the streams were closed
   */
  async subscribe<T extends Topic>(
    topic: T,
    onMessage: (message: StreamMessage<ChannelData<ClientNumber<Exact>>[T['channel']]>) => void,
  ): Promise<() => void> {
    if (this.end !== undefined) throw this.end;
    const subscription = new Subscription(topic, onMessage);
    const { key } = subscription;
    if (this.subscriptions.has(key)) throw new Error(`${key.trim()} is already subscribed`);
    this.subscriptions.set(key, subscription);
    if (this.connection === undefined && this.reconnection === undefined) this.connect();
    this.requestNext();
    await subscription.confirmed;
    return () => this.unsubscribe(subscription);
  }

  /** Closes the connection and ends all subscriptions. */
  close(): void {
    this.finish(new StreamClosedError('the streams were closed'));
  }

  private connect(): void {
    this.reconnection = undefined;
    const { apiKey, session, onConnection, pingMs = DEFAULT_PING_MS } = this.options;
    let Socket: StreamSocketClass;
    try {
      Socket = findSocketClass(this.options);
    } catch (error) {
      this.fail(error as Error);
      return;
    }
    this.connection = new Connection(Socket, this.url, pingMs, {
      open: () => {
        onConnection?.('open');
        if (apiKey === undefined && session !== true) this.setReady();
        else void this.authenticate(this.connection);
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
    try {
      const message = await authRequest(this.options, this.signer);
      if (connection === this.connection) connection?.send(message);
    } catch (error) {
      this.fail(error as Error);
    }
  }

  private setReady(): void {
    this.isReady = true;
    this.requestNext();
  }

  private requestNext(): void {
    if (!this.isReady || this.requested !== undefined) return;
    for (const subscription of this.subscriptions.values()) {
      if (subscription.stage !== 'waiting') continue;
      subscription.stage = 'requested';
      this.requested = subscription;
      this.connection?.send(subscription.request());
      return;
    }
  }

  private handleText(text: string): void {
    const message = this.read(text) as Message;
    if (message.op === 'authenticated') this.setReady();
    else if (message.op === 'error') this.handleError(message);
    else if (message.op === 'snapshot' || message.op === 'update') this.deliver(message);
  }

  private deliver(message: StreamMessage<never> & TopicFields): void {
    const key = topicKey(message);
    const subscription = this.subscriptions.get(key);
    const { requested } = this;
    if (
      requested !== undefined &&
      requested !== subscription &&
      requested.key === key &&
      requested.follows(message)
    ) {
      // Unsubscribed before the exchange answered.
      this.connection?.send(requested.unsubscribeRequest());
      this.requested = undefined;
      this.requestNext();
      return;
    }
    if (subscription === undefined) return;
    if (subscription.stage === 'waiting' || subscription.stage === 'unsubscribed') return;
    if (!subscription.follows(message)) {
      if (subscription.stage === 'live') this.resubscribe(subscription);
      return;
    }
    if (subscription.stage !== 'live') this.confirm(subscription);
    try {
      subscription.take(message);
      subscription.failures = 0;
    } catch (error) {
      if (!(error instanceof OutOfSyncError)) throw error;
      this.resynchronize(subscription);
    }
  }

  private confirm(subscription: Subscription): void {
    subscription.stage = 'live';
    subscription.wasLive = true;
    subscription.confirm();
    if (this.requested === subscription) this.requested = undefined;
    this.failures = 0;
    this.requestNext();
  }

  /** Unsubscribes and subscribes again after a gap in the sequence. */
  private resubscribe(subscription: Subscription): void {
    this.connection?.send(subscription.unsubscribeRequest());
    subscription.stage = 'waiting';
    this.requestNext();
  }

  /** Subscribes again from a snapshot, with backoff: a book that never agrees must not exhaust the limit of messages. */
  private resynchronize(subscription: Subscription): void {
    if (subscription.stage !== 'live') return;
    this.connection?.send(subscription.unsubscribeRequest());
    subscription.forget();
    const waitMs = backoffMs(subscription.failures++, this.options);
    subscription.pause('unsubscribed', waitMs, () => this.requestNext());
  }

  private handleError(topic: ErrorMessage): void {
    const thrown = toRequestError(topic);
    if (topic.channel === undefined) this.requestFailed(thrown);
    else this.subscriptionEnded(topicKey(topic as TopicFields), thrown);
  }

  /** Handles the end of one subscription. The connection and all other subscriptions continue. */
  private subscriptionEnded(key: string, error: ApiRequestError): void {
    const isAnswer = this.requested?.key === key;
    const subscription = isAnswer ? this.requested! : this.subscriptions.get(key);
    if (isAnswer) this.requested = undefined;
    // If it is still waiting, the error ended an earlier subscription of the same topic.
    if (subscription !== undefined && subscription.stage !== 'waiting') {
      if (this.subscriptions.get(key) === subscription) this.recover(subscription, error);
    }
    this.requestNext();
  }

  /** Subscribes again after a transient error, with backoff; drops the subscription after a permanent one. */
  private recover(subscription: Subscription, error: ApiRequestError): void {
    const { code, details } = error;
    if (details.field === 'sequence' && subscription.forget()) subscription.stage = 'waiting';
    else if (isTransient(code) || (subscription.wasLive && code === 'INTERNAL_ERROR')) {
      const waitMs = Math.max(
        backoffMs(subscription.failures++, this.options),
        retryAfterMs(error),
      );
      subscription.pause('paused', waitMs, () => this.requestNext());
    } else this.drop(subscription, error);
  }

  private requestFailed(error: ApiRequestError): void {
    const { code, details } = error;
    const { requested } = this;
    // An internal error of a topic that has worked before may mean that the exchange is shutting down.
    if (isTransient(code) || (requested?.wasLive && code === 'INTERNAL_ERROR')) {
      this.retryAfterMs = retryAfterMs(error);
      this.connection?.close();
    } else if (!this.isReady) this.fail(error);
    else if (requested === undefined) this.report(error);
    else {
      this.requested = undefined;
      if (details.field === 'sequence' && requested.forget()) requested.stage = 'waiting';
      else this.drop(requested, error);
      this.requestNext();
    }
  }

  private drop(subscription: Subscription, error: Error): void {
    if (this.subscriptions.get(subscription.key) !== subscription) return;
    this.subscriptions.delete(subscription.key);
    subscription.reject(error);
    if (subscription.wasLive) this.report(error);
  }

  private unsubscribe(subscription: Subscription): void {
    if (this.subscriptions.get(subscription.key) !== subscription) return;
    this.subscriptions.delete(subscription.key);
    subscription.stopPause();
    if (subscription.stage === 'live') this.connection?.send(subscription.unsubscribeRequest());
  }

  private connectionClosed(code: number, reason: string): void {
    this.connection = undefined;
    this.isReady = false;
    this.requested = undefined;
    if (this.end !== undefined) return;
    // A session may continue under a new cookie, as after a change of password, so reconnecting decides.
    if (code === CREDENTIALS_ENDED && this.options.session !== true) {
      this.fail(new StreamClosedError(reason));
      return;
    }
    if (this.subscriptions.size === 0) return;
    for (const subscription of this.subscriptions.values()) subscription.stage = 'waiting';
    const waitMs = Math.max(backoffMs(this.failures++, this.options), this.retryAfterMs);
    this.retryAfterMs = 0;
    this.reconnection = setTimeout(() => this.connect(), waitMs);
  }

  /** Ends the streams. Pending `subscribe` calls reject; otherwise the error is reported to `onError`. */
  private fail(error: Error): void {
    const waiting = [...this.subscriptions.values()].filter(({ wasLive }) => !wasLive);
    const isReported = waiting.length > 0 && waiting.length === this.subscriptions.size;
    this.finish(error);
    if (!isReported) this.report(error);
  }

  private finish(error: Error): void {
    this.end ??= error;
    clearTimeout(this.reconnection);
    for (const subscription of this.subscriptions.values()) {
      subscription.stopPause();
      subscription.reject(error);
    }
    this.subscriptions.clear();
    this.connection?.close();
  }

  private report(error: Error): void {
    const { onError } = this.options;
    if (onError !== undefined) onError(error);
    else
      queueMicrotask(() => {
        throw error;
      });
  }
}

type Message =
  | ({ readonly op: 'snapshot' | 'update' } & StreamMessage<never> & TopicFields)
  | { readonly op: 'authenticated' | 'unsubscribed' | 'pong' }
  | ErrorMessage;

/** If it has the fields of a topic, the error has ended the subscription to that topic. */
interface ErrorMessage extends Partial<TopicFields>, ErrorFields {
  readonly op: 'error';
}

function retryAfterMs({ retryAfterSeconds = 0 }: ApiRequestError): number {
  return retryAfterSeconds * 1000;
}
