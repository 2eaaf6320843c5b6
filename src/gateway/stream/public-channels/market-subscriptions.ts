import { INTERVALS } from '../../../config/intervals.ts';
import type { Event } from '../../../engine/event.ts';
import { addressScope } from '../../http/request/client-address.ts';
import { ApiError } from '../../http/response/errors.ts';
import type { Services } from '../../services.ts';
import { errorMessage } from '../error-message.ts';
import {
  type Backfill,
  type QueryHistory,
  type ResumingSubscription,
  resumingSubscription,
  UnsubscribedError,
} from '../replay/backfill.ts';
import { backfillTrades } from '../replay/backfill-pages.ts';
import type { StreamWaiters } from '../replay/position-waiters.ts';
import { ReplayBuffer } from '../replay/replay-buffer.ts';
import { type MarketChannel, readChoice, type StreamRequest } from '../request.ts';
import { alreadySubscribed, sequenceNotReached } from '../request-errors.ts';
import { waitForDrain } from '../sockets/drain.ts';
import type { Socket, SocketTopic } from '../sockets/socket.ts';
import type { StreamMetrics } from '../stream-metrics.ts';
import { Outbox } from './outbox.ts';
import { PACES_MS } from './pace.ts';
import { Readers } from './readers.ts';
import { Topic, type TopicTerms } from './topic.ts';
import { Topics } from './topics.ts';

const MAX_SUBSCRIPTIONS = 200;

/** The public channels of all markets, and who subscribes to them. */
export class MarketSubscriptions {
  readonly topics: Topics;
  readonly readers: Readers;

  /**
   * @param publish Sends a message to all sockets that are subscribed to a topic.
   * @param flush Sends everything that is due on all channels.
   */
  constructor(
    private readonly services: Services,
    private readonly backfill: Backfill,
    private readonly waiters: StreamWaiters,
    private readonly metrics: StreamMetrics,
    private readonly publish: (topic: string, message: string) => void,
    private readonly flush: () => void,
  ) {
    this.topics = new Topics(services.now, () => this.advanceTime());
    this.readers = new Readers(
      flush,
      (socket, topic) => this.leave(socket, topic),
      (socket, topic) => () => this.waitForTurn(socket, topic),
      services.now,
      metrics.dropped,
    );
  }

  /** Single node: no other node can have delivered a sequence that this one has not reached. */
  private get isSingleNode(): boolean {
    return this.services.bus === undefined;
  }

  /** Whether the status of a market has changed since the last note, which is no event. */
  get hasNewStatuses(): boolean {
    return this.topics.hasNewStatuses(this.services.replica.exchange.state);
  }

  note(events: readonly Event[]): void {
    this.topics.note(events, this.services.replica.exchange.state);
  }

  /** Builds the updates for the changes collected so far. */
  update(): void {
    this.topics.update();
  }

  /**
   * Updates the topics that change with time. A stale node does not: it cannot know whether there were
   * trades.
   */
  advanceTime(): void {
    if (!this.services.replica.isStale) this.topics.advanceTime();
  }

  /** @throws ApiError INVALID_SYMBOL, INVALID_REQUEST */
  subscribe(socket: Socket, channel: MarketChannel, request: StreamRequest): void {
    const { sequence } = request;
    const { topics } = socket.data;
    const { name, terms } = this.readTopic(channel, request);
    const existing = this.topics.get(name);
    if (existing !== undefined && topics.has(existing)) throw alreadySubscribed();
    if (topics.size >= MAX_SUBSCRIPTIONS) {
      const rule = `at most ${MAX_SUBSCRIPTIONS} subscriptions`;
      throw new ApiError('INVALID_REQUEST', undefined, { rule, nearest: MAX_SUBSCRIPTIONS });
    }
    const { nextTradeId } = this.services.replica.exchange.state;
    if (this.isSingleNode && sequence !== undefined && sequence >= nextTradeId) {
      throw sequenceNotReached();
    }
    const topic = existing ?? this.addTopic(name, terms);
    topic.sockets.add(socket);
    topics.add(topic);
    if (sequence !== undefined) void this.resume(socket, topic, sequence);
    else if (topic.isBook) this.readers.startBook(socket, topic);
    else this.readers.start(socket, topic);
  }

  /** @throws ApiError INVALID_SYMBOL, INVALID_REQUEST */
  unsubscribe(socket: Socket, channel: MarketChannel, request: StreamRequest): void {
    const { name, terms } = this.readTopic(channel, request);
    const topic = this.topics.get(name);
    if (topic !== undefined && socket.data.topics.has(topic)) this.leave(socket, topic);
    socket.send(`{"op":"unsubscribed","channel":"${channel}","symbol":"${terms.market.symbol}"}`);
  }

  leaveAll(socket: Socket): void {
    for (const topic of socket.data.topics) this.leave(socket, topic);
  }

  private readTopic(
    channel: MarketChannel,
    { fields }: StreamRequest,
  ): { name: string; terms: TopicTerms } {
    const interval = channel === 'candles' ? readChoice(fields, 'interval', INTERVALS) : undefined;
    const everyMs =
      fields.everyMs === undefined ? undefined : readChoice(fields, 'everyMs', PACES_MS);
    const { marketsBySymbol } = this.services.replica.exchange.state;
    const market = marketsBySymbol.get(fields.symbol ?? '');
    if (market === undefined) {
      throw new ApiError('INVALID_SYMBOL', undefined, { field: 'symbol', rule: 'known' });
    }
    const name = `${channel} ${market.symbol} ${interval ?? ''} ${everyMs ?? ''}`;
    return { name, terms: { channel, market, interval, everyMs } };
  }

  private addTopic(name: string, terms: TopicTerms): SocketTopic {
    const publish = (text: string) => {
      this.publish(name, text);
      this.metrics.updates.add(this.metrics.channelSlot(terms.channel), topic.sockets.size);
      for (const [socket, buffer] of topic.replayBuffers) buffer.add(text, socket);
    };
    const onFailure = (error: unknown) => {
      const text = errorMessage(error, topic.head);
      for (const socket of [...topic.sockets]) {
        this.leave(socket, topic);
        socket.send(text);
      }
    };
    const resendBook = () => this.readers.resendBook(topic);
    const outbox = new Outbox(publish, this.topics.unsent);
    const topic: SocketTopic = new Topic(name, terms, this.services, outbox, {
      onFailure,
      resendBook,
    });
    this.topics.add(topic, this.services.replica.exchange.state);
    return topic;
  }

  private leave(socket: Socket, topic: SocketTopic): void {
    this.readers.leave(socket, topic);
    socket.data.topics.delete(topic);
    topic.replayBuffers.delete(socket);
    const resuming = topic.resuming.get(socket);
    if (resuming !== undefined) this.backfill.end(resuming);
    topic.resuming.delete(socket);
    if (topic.sockets.delete(socket) && topic.sockets.size === 0) this.topics.remove(topic);
  }

  /** Waits until the subscription may query history for a candle. @throws UnsubscribedError */
  private async waitForTurn(socket: Socket, topic: SocketTopic): Promise<void> {
    const resuming = resumingSubscription(addressScope(socket.data.from.address));
    topic.resuming.set(socket, resuming);
    await this.backfill.chargeInTurn(resuming, 1);
    if (resuming.isDone) throw new UnsubscribedError();
  }

  /** Sends missed trades, then live ones, without a gap or a repetition. */
  private async resume(socket: Socket, topic: SocketTopic, since: number): Promise<void> {
    let buffer = new ReplayBuffer();
    const resuming = resumingSubscription(addressScope(socket.data.from.address));
    topic.replayBuffers.set(socket, buffer);
    topic.resuming.set(socket, resuming);
    try {
      const { state } = this.services.replica.exchange;
      if (since >= state.nextTradeId) {
        const isReached = await this.waiters.trades.wait(since);
        if (resuming.isDone) return;
        if (!isReached) throw sequenceNotReached();
        this.flush();
      }
      // Advances as far as possible, so that the next client to resume does not cause another update.
      if (!this.isSingleNode && since > topic.sentTradeId) topic.advanceTo(state.nextTradeId - 1);
      topic.outbox.flush();
      // The backfill covers the messages buffered so far, or another node has delivered them.
      buffer = new ReplayBuffer();
      topic.replayBuffers.set(socket, buffer);
      await this.sendBackfill(socket, topic, since, resuming);
      if (resuming.isDone) return;
      this.flush();
      for (const message of buffer.texts) socket.send(message);
      topic.replayBuffers.delete(socket);
      topic.resuming.delete(socket);
      this.readers.join(socket, topic);
    } catch (error) {
      if (error instanceof UnsubscribedError) return;
      const text = errorMessage(error, topic.head);
      if (resuming.isDone) return;
      this.leave(socket, topic);
      socket.send(text);
    }
  }

  /** Sends the trades after `since`, page by page. Stops if the subscription ends. */
  private async sendBackfill(
    socket: Socket,
    topic: SocketTopic,
    since: number,
    resuming: ResumingSubscription,
  ): Promise<void> {
    const query: QueryHistory = (archiveQuery) => this.backfill.query(resuming, archiveQuery);
    let previous = since;
    for await (const page of backfillTrades(topic.market, since, topic.sentTradeId, query)) {
      if (resuming.isDone) return;
      const sequences = `"prevSequence":${previous},"sequence":${page.sequence}`;
      const data = `{"trades":[${page.texts.join(',')}]}`;
      socket.send(topic.message('update', `${sequences},"data":${data}`));
      previous = page.sequence;
      await waitForDrain(socket);
    }
  }
}
