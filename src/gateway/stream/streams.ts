import type { Event } from '../../engine/event.ts';
import type { Market } from '../../engine/markets/markets.ts';
import type { Authorization, StreamOrigin } from '../auth/authorization.ts';
import type { Caller } from '../auth/caller.ts';
import { addressScope } from '../http/client-address.ts';
import { ApiError } from '../http/errors.ts';
import { INTERVAL_WORDS, invalid } from '../http/query.ts';
import type { Services } from '../services.ts';
import { AccountFeeds, ahead } from './account-feeds.ts';
import { type Ask, Backfill, LeftError, returning } from './backfill.ts';
import { CredentialSockets } from './credential-sockets.ts';
import { notifyDrained, waitForDrain } from './drain.ts';
import { errorMessage } from './error-message.ts';
import { missedTrades } from './missed-events.ts';
import { Outbox } from './outbox.ts';
import { PositionWaiters, type PositionWaitersOf } from './position-waiters.ts';
import { Reachability } from './reachability.ts';
import { READY_BYTES, Readers, type Subscription } from './readers.ts';
import { ReplayBuffer } from './replay-buffer.ts';
import {
  ACCOUNT_CHANNELS,
  channelOf,
  isAccountChannel,
  type MarketChannel,
  readRequest,
  type StreamRequest,
  wordOf,
} from './request.ts';
import { StreamMetrics } from './stream-metrics.ts';
import { Topic } from './topic.ts';
import { Topics } from './topics.ts';

/** Largest message taken, bytes; a longer one closes the connection with 1009. */
export const MAX_MESSAGE_BYTES = 4096;
const MAX_SUBSCRIPTIONS = 200;
const MAX_MESSAGES_PER_SECOND = 50;
const POLICY_VIOLATION = 1008;

/** What a socket carries. */
export interface Connection {
  readonly from: StreamOrigin;
  /** Whose it is, once it has shown a key or a session. */
  caller: Caller | undefined;
  readonly topics: Set<Topic>;
  readonly reading: Subscription;
  /** Those who wait until most of what was sent is read. */
  readonly waitingForRoom: (() => void)[];
  windowStart: number;
  messages: number;
  /** What came while a session is looked up that the socket shows. */
  held: (string | Uint8Array)[] | undefined;
}
export type Socket = Bun.ServerWebSocket<Connection>;

/** The streams of API.md section 6: who listens to what, and what they are sent. */
export class Streams {
  private readonly topics: Topics;
  private isGatherDue = false;
  /** Sends a message to all who subscribe to a topic; set by the server. */
  publish: (topic: string, message: string) => void = () => {};

  readonly metrics = new StreamMetrics();
  readonly readers: Readers;
  /** Of the log, where nodes share one. */
  readonly reach: Reachability | undefined;
  private readonly feeds: AccountFeeds;
  private readonly past: Backfill;
  private readonly arrivals: PositionWaitersOf;
  private readonly sessions: CredentialSockets;

  constructor(
    private readonly services: Services,
    private readonly authorization: Pick<
      Authorization,
      'authorizeStream' | 'authorizeStreamBySession'
    >,
  ) {
    this.topics = new Topics(services.now, () => this.passTime());
    this.past = new Backfill(services);
    this.readers = new Readers(
      () => this.sendAll(),
      (socket, topic) => this.leave(socket, topic),
      (socket, topic) => () => this.turn(socket, topic),
      services.now,
      this.metrics.dropped,
    );
    const { replica } = services;
    this.arrivals = {
      trades: new PositionWaiters(() => replica.exchange.state.nextTradeId - 1),
      batches: new PositionWaiters(() => replica.position),
    };
    this.feeds = new AccountFeeds(services, this.past, this.arrivals, this.metrics);
    this.sessions = new CredentialSockets(services);
    if (this.isAlone) return;
    const end = (code: number, reason: string) => this.readers.closeAll(code, reason);
    this.reach = new Reachability(() => services.replica.isUnreachable, end);
  }

  connection(from: StreamOrigin): Connection {
    const reading = { isBehind: false, stalledSinceMs: undefined, books: new Map() };
    return {
      ...{ from, reading, caller: undefined, topics: new Set<Topic>() },
      ...{ waitingForRoom: [], windowStart: 0, messages: 0, held: undefined },
    };
  }

  /** Takes what a command caused. Next to no cost while nobody listens. */
  note(events: readonly Event[]): void {
    this.sessions.noteRevocations();
    // All of a batch is applied before this runs.
    const { trades, batches } = this.arrivals;
    if (trades.isAwaited) queueMicrotask(() => trades.look());
    if (batches.isAwaited) queueMicrotask(() => batches.look());
    if (events.length === 0 || (this.topics.isEmpty && this.feeds.isEmpty)) return;
    this.topics.note(events, this.services.replica.exchange.state.freed);
    this.feeds.note(events);
    if (this.isGatherDue) return;
    this.isGatherDue = true;
    // The commands of a batch are applied without a pause: this runs after the last of them.
    queueMicrotask(() => this.gather());
  }

  message(socket: Socket, message: string | Uint8Array): void {
    const { data } = socket;
    if (this.isFlood(data)) {
      this.refuse(socket, new ApiError('RATE_LIMIT_EXCEEDED', undefined, { retryAfter: 1 }));
      socket.close(POLICY_VIOLATION, 'too many messages');
    } else this.take(socket, message);
  }

  private take(socket: Socket, message: string | Uint8Array): void {
    const { held } = socket.data;
    if (held === undefined) this.answer(socket, message);
    else held.push(message);
  }

  private answer(socket: Socket, message: string | Uint8Array): void {
    try {
      const bytes = typeof message === 'string' ? Buffer.from(message) : message;
      const request = readRequest(bytes);
      if (request.op === 'ping') socket.send('{"op":"pong"}');
      else if (request.op === 'auth') this.authenticate(socket, request);
      else this.change(socket, request);
    } catch (error) {
      this.refuse(socket, error);
    }
  }

  drained(socket: Socket): void {
    if (socket.getBufferedAmount() <= READY_BYTES) notifyDrained(socket);
    this.readers.drained(socket);
  }

  close(socket: Socket): void {
    const { data } = socket;
    notifyDrained(socket);
    for (const topic of data.topics) this.leave(socket, topic);
    for (const channel of ACCOUNT_CHANNELS) this.feeds.leave(socket, channel);
    if (data.caller !== undefined) this.sessions.end(socket, data.caller);
    this.readers.close(socket);
  }

  /** Closes every socket, once all that was to be sent is sent. */
  endAll(code: number, reason: string): void {
    this.reach?.stop();
    this.sendAll();
    this.readers.closeAll(code, reason);
  }

  /** Closes what sessions that are no more have opened. */
  endSessions(ids: ReadonlySet<string>): void {
    this.sessions.noteEnded(ids);
  }

  /** Shows whose the socket is: by a key, or without one by the session that it was opened with. */
  private authenticate(socket: Socket, { fields }: StreamRequest): void {
    const { data } = socket;
    if (data.caller !== undefined) {
      throw invalid('op', 'authenticatedOnce', 'This connection is authenticated already.');
    }
    const { apiKey, apiSecret } = fields;
    const authorized =
      apiKey === undefined && apiSecret === undefined
        ? this.authorization.authorizeStreamBySession(data.from)
        : this.authorization.authorizeStream(apiKey ?? '', apiSecret ?? '', data.from);
    if (authorized instanceof Promise) void this.authenticateLater(socket, authorized);
    else this.begin(socket, authorized);
  }

  /** What comes meanwhile is answered after it, in its order. */
  private async authenticateLater(socket: Socket, authorized: Promise<Caller>): Promise<void> {
    const held: (string | Uint8Array)[] = [];
    socket.data.held = held;
    try {
      const caller = await authorized;
      if (socket.readyState === WebSocket.OPEN) this.begin(socket, caller);
    } catch (error) {
      this.refuse(socket, error);
    }
    socket.data.held = undefined;
    for (let next = held.shift(); next !== undefined; next = held.shift()) {
      if (socket.readyState !== WebSocket.OPEN) return;
      this.take(socket, next);
    }
  }

  private begin(socket: Socket, caller: Caller): void {
    socket.data.caller = caller;
    this.sessions.begin(socket, caller);
    socket.send('{"op":"authenticated"}');
  }

  private change(socket: Socket, request: StreamRequest): void {
    const channel = channelOf(request);
    const joins = request.op === 'subscribe';
    if (joins && this.services.replica.isStale) throw new ApiError('STALE');
    // What is still to be sent is older than what the socket gets now.
    if (joins) this.sendAll();
    if (!isAccountChannel(channel)) this.changeTopic(socket, channel, request);
    else if (joins) this.feeds.join(socket, channel, request.sequence);
    else {
      this.feeds.leave(socket, channel);
      socket.send(`{"op":"unsubscribed","channel":"${channel}"}`);
    }
  }

  private changeTopic(socket: Socket, channel: MarketChannel, request: StreamRequest): void {
    const { op, fields, sequence } = request;
    const { topics } = socket.data;
    const interval = channel === 'candles' ? wordOf(fields, 'interval', INTERVAL_WORDS) : undefined;
    const { state } = this.services.replica.exchange;
    const market = state.marketsBySymbol.get(fields.symbol ?? '');
    if (market === undefined) {
      throw new ApiError('INVALID_SYMBOL', undefined, { field: 'symbol', rule: 'known' });
    }
    const name = `${channel} ${market.symbol} ${interval ?? ''}`;
    const known = this.topics.get(name);
    const isMember = known !== undefined && topics.has(known);
    if (op === 'unsubscribe') {
      if (isMember) this.leave(socket, known);
      socket.send(`{"op":"unsubscribed","channel":"${channel}","symbol":"${market.symbol}"}`);
      return;
    }
    if (isMember) throw invalid('channel', 'subscribedOnce', 'You have it already.');
    if (topics.size >= MAX_SUBSCRIPTIONS) {
      const rule = `at most ${MAX_SUBSCRIPTIONS} subscriptions`;
      throw new ApiError('INVALID_REQUEST', undefined, { rule, nearest: MAX_SUBSCRIPTIONS });
    }
    if (this.isAlone && sequence !== undefined && sequence >= state.nextTradeId) throw ahead();
    const topic = known ?? this.addTopic(name, channel, market, interval);
    topic.sockets.add(socket);
    topics.add(topic);
    if (sequence !== undefined) void this.resume(socket, topic, sequence);
    else if (channel === 'orderbook') this.readers.begin(socket, topic);
    else this.readers.start(socket, topic);
  }

  /** Waits until a subscription may ask history for a candle. Addresses take turns. @throws LeftError */
  private async turn(socket: Socket, topic: Topic): Promise<void> {
    const one = returning(addressScope(socket.data.from.address));
    topic.returning.set(socket, one);
    await this.past.takeInTurn(one, 1);
    if (one.isOver) throw new LeftError();
  }

  private addTopic(
    name: string,
    channel: MarketChannel,
    market: Market,
    interval: (typeof INTERVAL_WORDS)[number] | undefined,
  ): Topic {
    const publish = (text: string) => {
      this.publish(name, text);
      this.metrics.updates.add(this.metrics.slotOf(channel), topic.sockets.size);
      for (const [reader, gathered] of topic.gathering) gathered.add(text, reader);
    };
    const fail = (error: unknown) => {
      const text = errorMessage(error, topic.head);
      for (const socket of [...topic.sockets]) {
        this.leave(socket, topic);
        socket.send(text);
      }
    };
    const outbox = new Outbox(publish, this.topics.unsent);
    const topic = new Topic(name, channel, market, interval, this.services, outbox, fail);
    this.topics.add(topic);
    return topic;
  }

  /** Sends the trades that were missed before those that happen meanwhile, none of them twice. */
  private async resume(socket: Socket, topic: Topic, since: number): Promise<void> {
    let gathered = new ReplayBuffer();
    const one = returning(addressScope(socket.data.from.address));
    topic.gathering.set(socket, gathered);
    topic.returning.set(socket, one);
    const ask: Ask = (query) => this.past.ask(one, query);
    try {
      const { state } = this.services.replica.exchange;
      if (since >= state.nextTradeId) {
        const isReached = await this.arrivals.trades.wait(since);
        if (one.isOver) return;
        if (!isReached) throw ahead();
        this.sendAll();
      }
      // As far as can be: the next of many that come back from there does not cause another update.
      if (!this.isAlone && since > topic.sentTradeId) topic.advance(state.nextTradeId - 1);
      topic.outbox.flush();
      // All of it is in what follows, or another node has told it.
      gathered = new ReplayBuffer();
      topic.gathering.set(socket, gathered);
      let previous = since;
      const pages = missedTrades(topic.market, since, topic.sentTradeId, ask);
      for await (const { texts, sequence } of pages) {
        if (one.isOver) return;
        const numbers = `"prevSequence":${previous},"sequence":${sequence}`;
        socket.send(topic.message('update', `${numbers},"data":{"trades":[${texts.join(',')}]}`));
        previous = sequence;
        await waitForDrain(socket);
      }
      if (one.isOver) return;
      this.sendAll();
      for (const message of gathered.texts) socket.send(message);
      topic.gathering.delete(socket);
      topic.returning.delete(socket);
      this.readers.join(socket, topic);
    } catch (error) {
      if (error instanceof LeftError) return;
      const text = errorMessage(error, topic.head);
      if (one.isOver) return;
      this.leave(socket, topic);
      socket.send(text);
    }
  }

  /** Sends what has changed with time. A node out of touch with the log does not know whether there were trades. */
  passTime(): void {
    if (!this.services.replica.isStale) this.topics.passTime();
  }

  /** No other node tells of a sequence that this one has not reached. */
  private get isAlone(): boolean {
    return this.services.bus === undefined;
  }

  private leave(socket: Socket, topic: Topic): void {
    this.readers.leave(socket, topic);
    socket.data.topics.delete(topic);
    topic.gathering.delete(socket);
    const one = topic.returning.get(socket);
    if (one !== undefined) this.past.end(one);
    topic.returning.delete(socket);
    if (topic.sockets.delete(socket) && topic.sockets.size === 0) this.topics.remove(topic);
  }

  /** Makes the updates of what commands have caused. */
  private gather(): void {
    this.isGatherDue = false;
    this.topics.update((topic) => this.readers.renew(topic));
    this.feeds.flush();
  }

  private sendAll(): void {
    this.gather();
    this.topics.flush();
  }

  private isFlood(connection: Connection): boolean {
    const second = Math.floor(this.services.now() / 1000);
    if (connection.windowStart !== second) {
      connection.windowStart = second;
      connection.messages = 0;
    }
    return ++connection.messages > MAX_MESSAGES_PER_SECOND;
  }

  private refuse(socket: Socket, error: unknown): void {
    socket.send(errorMessage(error));
  }
}
