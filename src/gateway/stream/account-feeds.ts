import type { Event } from '../../engine/event.ts';
import { Permission } from '../../engine/terms.ts';
import { ApiError } from '../errors.ts';
import { invalid } from '../query.ts';
import type { Services } from '../services.ts';
import { AccountFeed, type Listener, updateText } from './account-feed.ts';
import { missedBy } from './missed.ts';
import type { Ask, Past } from './past.ts';
import type { AccountChannel } from './request.ts';
import { room } from './room.ts';
import type { Socket } from './streams.ts';

/** The private channels of all accounts that somebody listens to. */
export class AccountFeeds {
  private readonly feeds = new Map<number, AccountFeed>();
  /** Those with something to send. */
  private readonly noted = new Set<AccountFeed>();

  /** @param refuse Tells a socket of an error. */
  constructor(
    private readonly services: Services,
    private readonly past: Past,
    private readonly refuse: (socket: Socket, error: unknown) => void,
  ) {}

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
    const { holder } = socket.data;
    if (holder === undefined) throw new ApiError('UNAUTHORIZED');
    if ((holder.permissions & Permission.read) === 0) {
      throw new ApiError('INSUFFICIENT_PERMISSIONS', undefined, { required: 'read' });
    }
    const { account } = holder;
    const feed = this.feeds.get(account.index) ?? new AccountFeed(account, this.services.replica);
    const listeners = feed.listeners[channel];
    if (listeners.has(socket)) throw invalid('channel', 'subscribedOnce', 'You have it already.');
    if (since !== undefined && since > this.reached(channel)) throw ahead();
    const listener: Listener = { socket, gathered: since === undefined ? undefined : [] };
    this.feeds.set(account.index, feed);
    listeners.set(socket, listener);
    if (since === undefined) socket.send(feed.snapshot(channel));
    else void this.resume(feed, listener, channel, since);
  }

  leave(socket: Socket, channel: AccountChannel): void {
    const { holder } = socket.data;
    const feed = holder === undefined ? undefined : this.feeds.get(holder.account.index);
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
    const { socket } = listener;
    const isThere = () => feed.listeners[channel].get(socket) === listener;
    const ask: Ask = (query) => this.past.ask(socket, query);
    try {
      let previous = since;
      for await (const { texts, sequence } of missedBy(feed, channel, since, ask)) {
        if (!isThere()) return;
        socket.send(updateText(channel, previous, sequence, texts));
        previous = sequence;
        await room(socket);
      }
      if (!isThere()) return;
      for (const message of listener.gathered!) socket.send(message);
      listener.gathered = undefined;
    } catch (error) {
      if (isThere()) this.leave(socket, channel);
      this.refuse(socket, error);
    }
  }
}

/** The sequence is one that the exchange has not reached: that of another exchange, or made up. */
export function ahead(): ApiError {
  const message = 'The exchange has not reached this sequence. Subscribe without one.';
  return invalid('sequence', 'reached', message);
}
