import type { Event } from '../../engine/event.ts';
import { ApiError, errorText } from '../errors.ts';
import { INTERVAL_WORDS } from '../query.ts';
import type { Services } from '../services.ts';
import { Readers, type Reading } from './readers.ts';
import { CHANNELS, readRequest, wordOf } from './request.ts';
import { Topic } from './topic.ts';

/** Largest message taken, bytes; a longer one closes the connection with 1009. */
export const MAX_MESSAGE_BYTES = 4096;
const MAX_SUBSCRIPTIONS = 200;
const MAX_MESSAGES_PER_SECOND = 50;
const POLICY_VIOLATION = 1008;

/** What a socket carries. */
export interface Connection {
  /** The client's own, behind proxies too. */
  readonly address: string;
  readonly topics: Set<Topic>;
  readonly reading: Reading;
  windowStart: number;
  messages: number;
}
export type Socket = Bun.ServerWebSocket<Connection>;

/** The streams of API.md section 6: who listens to what, and what they are sent. */
export class Streams {
  private readonly topics = new Map<string, Topic>();
  private isGatherDue = false;
  /** Sends a message to all who subscribe to a topic; set by the server. */
  publish: (topic: string, message: string) => void = () => {};

  readonly readers: Readers;

  constructor(private readonly services: Services) {
    const refuse = (socket: Socket, error: unknown) => this.refuse(socket, error);
    this.readers = new Readers(() => this.sendAll(), refuse, services.now);
  }

  connection(address: string): Connection {
    const reading = { isBehind: false, stalledSinceMs: undefined, books: new Map() };
    return { address, topics: new Set(), reading, windowStart: 0, messages: 0 };
  }

  /** Takes what a command caused. Next to no cost while nobody listens. */
  note(events: readonly Event[]): void {
    if (this.topics.size === 0 || events.length === 0) return;
    const { vacated } = this.services.replica.exchange.state;
    for (const topic of this.topics.values()) {
      for (const order of vacated) {
        if (order.market === topic.market.index) topic.vacate(order.side, order.price);
      }
      for (const event of events) topic.note(event);
    }
    if (this.isGatherDue) return;
    this.isGatherDue = true;
    // The commands of a batch are applied without a pause: this runs after the last of them.
    queueMicrotask(() => this.gather());
  }

  message(socket: Socket, message: string | Uint8Array): void {
    try {
      if (this.isFlood(socket.data)) {
        this.refuse(socket, new ApiError('RATE_LIMIT_EXCEEDED', undefined, { retryAfter: 1 }));
        socket.close(POLICY_VIOLATION, 'too many messages');
        return;
      }
      const bytes = typeof message === 'string' ? Buffer.from(message) : message;
      const { op, fields } = readRequest(bytes);
      if (op === 'ping') socket.send('{"op":"pong"}');
      else this.change(socket, op === 'subscribe', fields);
    } catch (error) {
      this.refuse(socket, error);
    }
  }

  close(socket: Socket): void {
    for (const topic of socket.data.topics) this.leave(socket, topic);
    this.readers.close(socket);
  }

  private change(socket: Socket, joins: boolean, fields: Readonly<Record<string, string>>): void {
    const channel = wordOf(fields, 'channel', CHANNELS);
    const interval = channel === 'candles' ? wordOf(fields, 'interval', INTERVAL_WORDS) : undefined;
    if (interval === undefined && fields.interval !== undefined) {
      throw new ApiError('INVALID_REQUEST', undefined, { field: 'interval', rule: 'candlesOnly' });
    }
    const { state } = this.services.replica.exchange;
    const market = state.marketsBySymbol.get(fields.symbol ?? '');
    if (market === undefined) {
      throw new ApiError('INVALID_SYMBOL', undefined, { field: 'symbol', rule: 'known' });
    }
    const name = `${channel} ${market.symbol} ${interval ?? ''}`;
    const known = this.topics.get(name);
    const isMember = known !== undefined && socket.data.topics.has(known);
    if (!joins) {
      if (isMember) this.leave(socket, known);
      socket.send(`{"op":"unsubscribed","channel":"${channel}","symbol":"${market.symbol}"}`);
      return;
    }
    if (isMember) {
      throw new ApiError('INVALID_REQUEST', undefined, {
        field: 'channel',
        rule: 'subscribedOnce',
      });
    }
    if (socket.data.topics.size >= MAX_SUBSCRIPTIONS) {
      const rule = `at most ${MAX_SUBSCRIPTIONS} subscriptions`;
      throw new ApiError('INVALID_REQUEST', undefined, { rule, nearest: MAX_SUBSCRIPTIONS });
    }
    // What is still to be sent is older than the snapshot.
    this.sendAll();
    const topic =
      known ??
      new Topic(name, channel, market, interval, this.services, (text) => this.publish(name, text));
    this.topics.set(name, topic);
    topic.sockets.add(socket);
    socket.data.topics.add(topic);
    if (channel === 'orderbook') this.readers.begin(socket, topic);
    else this.readers.sendAndJoin(socket, topic, topic.snapshot());
  }

  private leave(socket: Socket, topic: Topic): void {
    this.readers.leave(socket, topic);
    socket.data.topics.delete(topic);
    topic.sockets.delete(socket);
    if (topic.sockets.size > 0) return;
    this.topics.delete(topic.name);
    topic.outbox.close();
  }

  /** Makes the updates of what commands have caused. */
  private gather(): void {
    this.isGatherDue = false;
    for (const topic of this.topics.values()) topic.update(() => this.readers.renew(topic));
  }

  private sendAll(): void {
    this.gather();
    for (const topic of this.topics.values()) topic.outbox.flush();
  }

  private isFlood(connection: Connection): boolean {
    const second = Math.floor(this.services.now() / 1000);
    if (connection.windowStart !== second) {
      connection.windowStart = second;
      connection.messages = 0;
    }
    return ++connection.messages > MAX_MESSAGES_PER_SECOND;
  }

  private refuse(socket: Socket, thrown: unknown): void {
    if (!(thrown instanceof ApiError)) console.error('a stream request failed:', thrown);
    const error = thrown instanceof ApiError ? thrown : new ApiError('INTERNAL_ERROR');
    socket.send(`{"op":"error","error":${errorText(error)}}`);
  }
}
