import type { Event } from '../../engine/event.ts';
import { Permission } from '../../engine/terms.ts';
import { ApiError } from '../http/errors.ts';
import { invalid } from '../http/query.ts';
import type { Services } from '../services.ts';
import { AccountFeed, type Listener, updateText } from './account-feed.ts';
import { type Ask, type Backfill, LeftError, returning } from './backfill.ts';
import { waitForDrain } from './drain.ts';
import { errorMessage } from './error-message.ts';
import { type MissedEvents, missedEventsOf } from './missed-events.ts';
import type { PositionWaitersOf } from './position-waiters.ts';
import { ReplayBuffer } from './replay-buffer.ts';
import type { AccountChannel } from './request.ts';
import type { StreamMetrics } from './stream-metrics.ts';
import type { Socket } from './streams.ts';

/** The private channels of all accounts that somebody listens to. */
export class AccountFeeds {
  private readonly feeds = new Map<number, AccountFeed>();
  /** Those with something to send. */
  private readonly noted = new Set<AccountFeed>();

  constructor(
    private readonly services: Services,
    private readonly past: Backfill,
    private readonly arrivals: PositionWaitersOf,
    private readonly metrics: StreamMetrics,
  ) {}

  private get isAlone(): boolean {
    return this.services.bus === undefined;
  }

  get isEmpty(): boolean {
    return this.feeds.size === 0;
  }

  note(events: readonly Event[]): void {
    for (const event of events) {
      if (event.kind === 'trade') {
        this.noteOf(event.makerAccount, event);
        if (event.takerAccount !== event.makerAccount) this.noteOf(event.takerAccount, event);
      } else this.noteOf(event.account, event);
    }
  }

  private noteOf(account: number, event: Event): void {
    const feed = this.feeds.get(account);
    if (feed === undefined) return;
    feed.note(event);
    this.noted.add(feed);
  }

  flush(): void {
    for (const feed of this.noted) feed.flush();
    this.noted.clear();
  }

  /**
   * Sends what there is now, or what came since sequence `since`; then the socket hears the channel.
   * @throws ApiError UNAUTHORIZED, INSUFFICIENT_PERMISSIONS, INVALID_REQUEST
   */
  join(socket: Socket, channel: AccountChannel, since: number | undefined): void {
    const { caller } = socket.data;
    if (caller === undefined) throw new ApiError('UNAUTHORIZED');
    if ((caller.permissions & Permission.read) === 0) {
      throw new ApiError('INSUFFICIENT_PERMISSIONS', undefined, { required: 'read' });
    }
    const { account } = caller;
    const feed =
      this.feeds.get(account.index) ??
      new AccountFeed(account, this.services.replica, this.metrics);
    const listeners = feed.listeners[channel];
    if (listeners.has(socket)) throw invalid('channel', 'subscribedOnce', 'You have it already.');
    if (this.isAlone && since !== undefined && since > this.reached(channel)) throw ahead();
    const listener: Listener = {
      socket,
      returning: returning(`account ${account.index}`),
      gathered: new ReplayBuffer(),
    };
    this.feeds.set(account.index, feed);
    listeners.set(socket, listener);
    void (since === undefined
      ? this.begin(feed, listener, channel)
      : this.resume(feed, listener, channel, since));
  }

  /** Sends what there is. Open orders and balances may be many: clients that ask again and again take turns. */
  private async begin(
    feed: AccountFeed,
    listener: Listener,
    channel: AccountChannel,
  ): Promise<void> {
    const { socket, returning } = listener;
    const records = feed.presentRecords(channel);
    if (!this.past.takeAtOnce(records)) await this.past.takeInTurn(returning, records);
    if (returning.isOver) return;
    // What is noted and not sent yet is in the snapshot, and must not be told again as news.
    this.flush();
    listener.gathered = undefined;
    socket.send(feed.snapshot(channel));
  }

  leave(socket: Socket, channel: AccountChannel): void {
    const { caller } = socket.data;
    const feed = caller === undefined ? undefined : this.feeds.get(caller.account.index);
    const listener = feed?.listeners[channel].get(socket);
    if (listener !== undefined) this.past.end(listener.returning);
    feed?.listeners[channel].delete(socket);
    if (feed?.isUnheard) this.feeds.delete(feed.account.index);
  }

  /** The highest sequence of the channel that there can be, whoever was told of it. */
  private reached(channel: AccountChannel): number {
    const { replica } = this.services;
    return channel === 'fills' ? replica.exchange.state.nextTradeId - 1 : replica.position;
  }

  /** Sends what was missed before what happens meanwhile, none of it twice. */
  private async resume(
    feed: AccountFeed,
    listener: Listener,
    channel: AccountChannel,
    since: number,
  ): Promise<void> {
    const { socket, returning } = listener;
    const ask: Ask = (query) => this.past.ask(returning, query);
    try {
      if (since > this.reached(channel)) {
        const arrivals = this.arrivals[channel === 'fills' ? 'trades' : 'batches'];
        const isReached = await arrivals.wait(since);
        if (returning.isOver) return;
        if (!isReached) throw ahead();
        this.flush();
      }
      // Balances are all sent as they are now, without a question to history.
      if (channel === 'balances') {
        await this.past.takeInTurn(returning, feed.presentRecords(channel));
        if (returning.isOver) return;
        this.flush();
      }
      if (!this.isAlone) feed.advance(channel, since);
      // All of it is in what follows, or another node has told it.
      listener.gathered = new ReplayBuffer();
      let previous = since;
      for await (const page of missedEventsOf(feed, channel, since, ask)) {
        if (returning.isOver) return;
        if (page.isLast) {
          await this.finish(feed, listener, channel, previous, page);
          return;
        }
        socket.send(updateText(channel, previous, page.sequence, page.texts));
        previous = page.sequence;
        await waitForDrain(socket);
      }
    } catch (error) {
      if (error instanceof LeftError) return;
      const text = errorMessage(error, `"channel":"${channel}"`);
      if (returning.isOver) return;
      this.leave(socket, channel);
      socket.send(text);
    }
  }

  /**
   * Sends the last of what was missed and what was said meanwhile; of orders the open ones too, as
   * they are at the end of it: made at last, so that none are kept while others have their turn.
   */
  private async finish(
    feed: AccountFeed,
    listener: Listener,
    channel: AccountChannel,
    previous: number,
    { texts, sequence }: MissedEvents,
  ): Promise<void> {
    const { socket, returning } = listener;
    const records = channel === 'orders' ? feed.account.openOrders : 0;
    if (records > 0 && !this.past.takeAtOnce(records)) {
      await this.past.takeInTurn(returning, records);
      if (returning.isOver) return;
    }
    this.flush();
    const gathered = listener.gathered!.texts;
    listener.gathered = undefined;
    const openOrders = channel === 'orders' ? feed.openOrderTexts() : [];
    if (gathered.length === 0) {
      socket.send(updateText(channel, previous, sequence, [...texts, ...openOrders]));
      return;
    }
    socket.send(updateText(channel, previous, sequence, texts));
    for (const message of gathered) socket.send(message);
    if (openOrders.length === 0) return;
    const present = feed.sequences[channel];
    socket.send(updateText(channel, present, present, openOrders));
  }
}

/** The sequence is one that the exchange has not reached: that of another exchange, or made up. */
export function ahead(): ApiError {
  const message = 'The exchange has not reached this sequence. Subscribe without one.';
  return invalid('sequence', 'reached', message);
}
