import { ApiRequestError, StreamClosedError } from '../errors.ts';
import { codecOf, type NumberOf } from '../numbers.ts';
import { isPassing } from '../retry.ts';
import { Connection, type StreamSocketClass } from './connection.ts';
import { Subscription } from './subscription.ts';
import {
  type ChannelData,
  type StreamMessage,
  type Topic,
  type TopicFields,
  topicKey,
} from './topics.ts';

export interface StreamsOptions<Exact extends boolean = boolean> {
  /** Where the exchange is, as for the client. */
  readonly baseUrl: string;
  /** Of a key with the permission `read`; needed for orders, fills and balances. */
  readonly apiKey?: string | undefined;
  readonly apiSecret?: string | undefined;
  /** Prices and amounts as texts with their exact digits, not as doubles. */
  readonly exactNumbers?: Exact;
  /** Orders, fills and balances by the session cookie of the exchange's own page, instead of a key. */
  readonly session?: boolean;
  /**
   * Told when the connection is made, whenever something came over it, when a sign of life that was asked for
   * has not come, and when it has ended.
   */
  readonly onConnection?: (event: 'open' | 'heard' | 'silent' | 'closed') => void;
  /** Takes what ends a subscription or all of them. Unless given, it is thrown where nobody catches it. */
  readonly onError?: (error: Error) => void;
  /** How often to ask the exchange for a sign of life, of which two may stay out: 10,000 unless given. */
  readonly pingMs?: number;
  /** For Node before 22, which has none: that of the package `ws`, say. */
  readonly WebSocket?: StreamSocketClass;
}

const PING_MS = 10_000;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 30_000;
/** The key or session was ended, or has expired. */
const ENDED = 4001;

/**
 * The streams of an exchange over one connection, which is made again whenever it ends, however long that
 * takes. Every subscription then goes on where it was: trades, orders, fills and balances with all that was
 * missed, a book from a new snapshot. A message that does not follow the one before is never passed on.
 */
export class Streams<Exact extends boolean = false> {
  private readonly options: StreamsOptions<Exact>;
  private readonly url: string;
  private readonly read: (text: string) => unknown;
  private readonly subscriptions = new Map<string, Subscription>();
  private connection: Connection | undefined;
  private reconnection: ReturnType<typeof setTimeout> | undefined;
  private isReady = false;
  /** Is asked for alone, so that an error can only be about it. */
  private asked: Subscription | undefined;
  private failures = 0;
  private retryAfterMs = 0;
  private end: Error | undefined;

  constructor(options: StreamsOptions<Exact>) {
    this.options = options;
    this.url = new URL(`${options.baseUrl.replace(/\/+$/, '').replace(/^http/, 'ws')}/ws`).href;
    this.read = codecOf(options.exactNumbers === true).read;
  }

  /**
   * Resolves once the exchange has answered, with what ends the subscription; the first message has been
   * passed on then. No second one of a topic.
   * @throws ApiRequestError where the exchange refuses, StreamClosedError where the streams were closed.
   */
  async subscribe<T extends Topic>(
    topic: T,
    onMessage: (message: StreamMessage<ChannelData<NumberOf<Exact>>[T['channel']]>) => void,
  ): Promise<() => void> {
    if (this.end !== undefined) throw this.end;
    const subscription = new Subscription(topic, onMessage);
    const { key } = subscription;
    if (this.subscriptions.has(key)) throw new Error(`${key.trim()} is subscribed to already`);
    this.subscriptions.set(key, subscription);
    if (this.connection === undefined && this.reconnection === undefined) this.connect();
    this.askNext();
    await subscription.begun;
    return () => this.unsubscribe(subscription);
  }

  /** Ends the connection and all subscriptions. */
  close(): void {
    this.finish(new StreamClosedError('the streams were closed'));
  }

  private connect(): void {
    this.reconnection = undefined;
    const { apiKey, apiSecret, session, onConnection, pingMs = PING_MS } = this.options;
    const Socket =
      this.options.WebSocket ?? (globalThis.WebSocket as StreamSocketClass | undefined);
    if (Socket === undefined) {
      this.fail(
        new StreamClosedError('there is no WebSocket here: give one as the option WebSocket'),
      );
      return;
    }
    this.connection = new Connection(Socket, this.url, pingMs, {
      open: () => {
        onConnection?.('open');
        if (apiKey === undefined && session !== true) this.beReady();
        else this.connection?.send({ op: 'auth', apiKey, apiSecret });
      },
      message: (text) => {
        onConnection?.('heard');
        this.take(text);
      },
      silent: () => onConnection?.('silent'),
      close: (code, reason) => {
        onConnection?.('closed');
        this.closed(code, reason);
      },
    });
  }

  private beReady(): void {
    this.isReady = true;
    this.askNext();
  }

  private askNext(): void {
    if (!this.isReady || this.asked !== undefined) return;
    for (const subscription of this.subscriptions.values()) {
      if (subscription.stage !== 'waiting') continue;
      subscription.stage = 'asked';
      this.asked = subscription;
      this.connection?.send(subscription.request());
      return;
    }
  }

  private take(text: string): void {
    const message = this.read(text) as Message;
    if (message.op === 'authenticated') this.beReady();
    else if (message.op === 'error') this.takeError(message);
    else if (message.op === 'snapshot' || message.op === 'update') this.pass(message);
  }

  private pass(message: StreamMessage<never> & TopicFields): void {
    const key = topicKey(message);
    const subscription = this.subscriptions.get(key);
    const { asked } = this;
    if (
      asked !== undefined &&
      asked !== subscription &&
      asked.key === key &&
      asked.follows(message)
    ) {
      // It was unsubscribed from before it was answered.
      this.connection?.send(asked.farewell());
      this.asked = undefined;
      this.askNext();
      return;
    }
    if (subscription === undefined || subscription.stage === 'waiting') return;
    if (!subscription.follows(message)) {
      if (subscription.stage === 'live') this.askAgain(subscription);
      return;
    }
    if (subscription.stage !== 'live') this.begin(subscription);
    subscription.take(message);
  }

  private begin(subscription: Subscription): void {
    subscription.stage = 'live';
    subscription.wasLive = true;
    subscription.failures = 0;
    subscription.begin();
    if (this.asked === subscription) this.asked = undefined;
    this.failures = 0;
    this.askNext();
  }

  /** Something is missing before what came: leaves the topic and comes back. */
  private askAgain(subscription: Subscription): void {
    this.connection?.send(subscription.farewell());
    subscription.stage = 'waiting';
    this.askNext();
  }

  private takeError({ error, ...topic }: ErrorMessage): void {
    const { code, message, details } = error;
    const thrown = new ApiRequestError(0, code, message, details, undefined, undefined);
    if (topic.channel === undefined) this.refused(thrown);
    else this.ended(topicKey(topic as TopicFields), thrown);
  }

  /** The exchange has ended one subscription. The connection and all other subscriptions continue. */
  private ended(key: string, error: ApiRequestError): void {
    const isAnswer = this.asked?.key === key;
    const subscription = isAnswer ? this.asked! : this.subscriptions.get(key);
    if (isAnswer) this.asked = undefined;
    // One that waits was not asked for yet: an earlier one of its topic has ended.
    if (subscription !== undefined && subscription.stage !== 'waiting') {
      if (this.subscriptions.get(key) === subscription) this.recover(subscription, error);
    }
    this.askNext();
  }

  /** Asks again for a subscription that an error ended, once the error may have passed; else drops it. */
  private recover(subscription: Subscription, error: ApiRequestError): void {
    const { code, details } = error;
    if (details.field === 'sequence' && subscription.forget()) subscription.stage = 'waiting';
    else if (isPassing(code) || (subscription.wasLive && code === 'INTERNAL_ERROR')) {
      const waitMs = Math.max(backoffMs(subscription.failures++), retryAfterMs(error));
      subscription.rest(waitMs, () => this.askNext());
    } else this.drop(subscription, error);
  }

  private refused(error: ApiRequestError): void {
    const { code, details } = error;
    const { asked } = this;
    // Where it could be had before, the exchange may only be about to stop.
    if (isPassing(code) || (asked?.wasLive && code === 'INTERNAL_ERROR')) {
      this.retryAfterMs = retryAfterMs(error);
      this.connection?.close();
    } else if (!this.isReady) this.fail(error);
    else if (asked === undefined) this.report(error);
    else {
      this.asked = undefined;
      if (details.field === 'sequence' && asked.forget()) asked.stage = 'waiting';
      else this.drop(asked, error);
      this.askNext();
    }
  }

  private drop(subscription: Subscription, error: Error): void {
    if (this.subscriptions.get(subscription.key) !== subscription) return;
    this.subscriptions.delete(subscription.key);
    subscription.refuse(error);
    if (subscription.wasLive) this.report(error);
  }

  private unsubscribe(subscription: Subscription): void {
    if (this.subscriptions.get(subscription.key) !== subscription) return;
    this.subscriptions.delete(subscription.key);
    subscription.stopResting();
    if (subscription.stage === 'live') this.connection?.send(subscription.farewell());
  }

  private closed(code: number, reason: string): void {
    this.connection = undefined;
    this.isReady = false;
    this.asked = undefined;
    if (this.end !== undefined) return;
    // A session may go on under another cookie, as after a change of the password: the exchange tells.
    if (code === ENDED && this.options.session !== true) {
      this.fail(new StreamClosedError(reason));
      return;
    }
    if (this.subscriptions.size === 0) return;
    for (const subscription of this.subscriptions.values()) subscription.stage = 'waiting';
    const waitMs = Math.max(backoffMs(this.failures++), this.retryAfterMs);
    this.retryAfterMs = 0;
    this.reconnection = setTimeout(() => this.connect(), waitMs);
  }

  /** Nothing can go on. Who waits for an answer is told by it, anybody else by `onError`. */
  private fail(error: Error): void {
    const waiting = [...this.subscriptions.values()].filter(({ wasLive }) => !wasLive);
    const isTold = waiting.length > 0 && waiting.length === this.subscriptions.size;
    this.finish(error);
    if (!isTold) this.report(error);
  }

  private finish(error: Error): void {
    this.end ??= error;
    clearTimeout(this.reconnection);
    for (const subscription of this.subscriptions.values()) {
      subscription.stopResting();
      subscription.refuse(error);
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

/** With the fields of a topic, the error has ended the subscription to that topic. */
interface ErrorMessage extends Partial<TopicFields> {
  readonly op: 'error';
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details: Readonly<Record<string, unknown>>;
  };
}

function retryAfterMs({ details }: ApiRequestError): number {
  return Number(details.retryAfter ?? 0) * 1000;
}

function backoffMs(failures: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS) * (0.5 + Math.random() / 2);
}
