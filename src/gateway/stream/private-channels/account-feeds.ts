import type { Event } from '../../../engine/event.ts';
import type { Account } from '../../../engine/ledger/accounts.ts';
import { Permission } from '../../../engine/terms.ts';
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
import { type BackfillPage, backfillAccount } from '../replay/backfill-pages.ts';
import type { StreamWaiters } from '../replay/position-waiters.ts';
import { ReplayBuffer } from '../replay/replay-buffer.ts';
import type { AccountChannel, StreamRequest } from '../request.ts';
import { alreadySubscribed, sequenceNotReached } from '../request-errors.ts';
import { waitForDrain } from '../sockets/drain.ts';
import { sendSoon } from '../sockets/outgoing.ts';
import type { Socket } from '../sockets/socket.ts';
import type { StreamMetrics } from '../stream-metrics.ts';
import { AccountFeed, type AccountSubscription, updateText } from './account-feed.ts';

/** The private channels of all accounts that have subscribers. */
export class AccountFeeds {
  /** By the account's index. */
  private readonly feeds = new Map<number, AccountFeed>();
  /** Feeds with something to send. */
  private readonly noted = new Set<AccountFeed>();
  /** Moves of trailing stops whose new triggers have been noted. */
  private trailingMoves = 0;

  constructor(
    private readonly services: Services,
    private readonly backfill: Backfill,
    private readonly waiters: StreamWaiters,
    private readonly metrics: StreamMetrics,
  ) {}

  /** Single node: no other node can have delivered a sequence that this one has not reached. */
  private get isSingleNode(): boolean {
    return this.services.bus === undefined;
  }

  get isEmpty(): boolean {
    return this.feeds.size === 0;
  }

  note(events: readonly Event[]): void {
    for (const event of events) {
      if (event.kind === 'trade') {
        this.noteFor(event.makerAccount, event);
        if (event.takerAccount !== event.makerAccount) this.noteFor(event.takerAccount, event);
      } else this.noteFor(event.account, event);
    }
  }

  private noteFor(account: number, event: Event): void {
    const feed = this.feeds.get(account);
    if (feed === undefined) return;
    feed.note(event);
    this.noted.add(feed);
  }

  flush(): void {
    this.noteMovedTriggers();
    for (const feed of this.noted) feed.flush();
    this.noted.clear();
  }

  /** Collects moved triggers of trailing stops, which no event reports. */
  private noteMovedTriggers(): void {
    const { moves, byAccount } = this.services.replica.exchange.state.trailingSlots;
    if (moves === this.trailingMoves) return;
    this.trailingMoves = moves;
    const accounts = byAccount.size < this.feeds.size ? byAccount.keys() : this.feeds.keys();
    for (const account of accounts) {
      const feed = this.feeds.get(account);
      if (feed?.noteMovedTriggers()) this.noted.add(feed);
    }
  }

  /**
   * Subscribes a socket to a channel of its account. Sends a snapshot first, or the events missed after
   * sequence `since`.
   * @throws ApiError UNAUTHORIZED, INSUFFICIENT_PERMISSIONS, INVALID_REQUEST
   */
  subscribe(
    socket: Socket,
    channel: AccountChannel,
    {
      sequence: since,
      queueAhead = false,
      fills = false,
    }: Pick<StreamRequest, 'sequence' | 'queueAhead' | 'fills'>,
  ): void {
    const { caller } = socket.data;
    if (caller === undefined) throw new ApiError('UNAUTHORIZED');
    if ((caller.permissions & Permission.read) === 0) {
      throw new ApiError('INSUFFICIENT_PERMISSIONS', undefined, { required: 'read' });
    }
    const { account } = caller;
    const feed = this.feeds.get(account.index) ?? this.newFeed(account);
    const subscriptions = feed.subscriptions[channel];
    if (subscriptions.has(socket)) throw alreadySubscribed();
    if (this.isSingleNode && since !== undefined && since > this.appliedSequence(channel)) {
      throw sequenceNotReached();
    }
    const subscription: AccountSubscription = {
      socket,
      resuming: resumingSubscription(`account ${account.index}`),
      queueAhead,
      fills,
      replayBuffer: new ReplayBuffer(),
    };
    this.feeds.set(account.index, feed);
    subscriptions.set(socket, subscription);
    void (since === undefined
      ? this.sendSnapshot(feed, subscription, channel)
      : this.resume(feed, subscription, channel, since));
  }

  /** Sends a snapshot. Large ones wait for their turn, or clients that resubscribe would slow the node. */
  private async sendSnapshot(
    feed: AccountFeed,
    subscription: AccountSubscription,
    channel: AccountChannel,
  ): Promise<void> {
    const { socket, resuming } = subscription;
    const records = feed.snapshotRecords(channel);
    if (!this.backfill.tryCharge(records)) await this.backfill.chargeInTurn(resuming, records);
    if (channel === 'orders' && subscription.queueAhead) await feed.prepareQueues();
    if (resuming.isDone) return;
    // The snapshot contains the changes that are collected but unsent: they must not be sent again as an update.
    this.flush();
    subscription.replayBuffer = undefined;
    sendSoon(socket, feed.snapshot(channel, subscription.queueAhead));
  }

  private newFeed(account: Account): AccountFeed {
    const { replica, queuePositions } = this.services;
    return new AccountFeed(account, replica, queuePositions, this.metrics);
  }

  unsubscribe(socket: Socket, channel: AccountChannel): void {
    const { caller } = socket.data;
    const feed = caller === undefined ? undefined : this.feeds.get(caller.account.index);
    const subscription = feed?.subscriptions[channel].get(socket);
    if (subscription !== undefined) this.backfill.end(subscription.resuming);
    feed?.subscriptions[channel].delete(socket);
    if (feed?.isEmpty) this.feeds.delete(feed.account.index);
  }

  /** Returns the highest sequence of the channel that this node has applied. */
  private appliedSequence(channel: AccountChannel): number {
    const { replica } = this.services;
    return channel === 'fills' ? replica.exchange.state.nextTradeId - 1 : replica.position;
  }

  /** Sends missed events, then live ones, without a gap or a repetition. */
  private async resume(
    feed: AccountFeed,
    subscription: AccountSubscription,
    channel: AccountChannel,
    since: number,
  ): Promise<void> {
    const { socket, resuming } = subscription;
    const query: QueryHistory = (archiveQuery) => this.backfill.query(resuming, archiveQuery);
    try {
      await this.waitUntilResumable(feed, resuming, channel, since);
      if (resuming.isDone) return;
      this.flush();
      if (!this.isSingleNode) feed.advanceTo(channel, since);
      // The backfill covers the messages buffered so far, or another node has delivered them.
      subscription.replayBuffer = new ReplayBuffer();
      let previous = since;
      for await (const page of backfillAccount(feed, subscription, channel, since, query)) {
        if (resuming.isDone) return;
        if (page.isLast) {
          await this.finishResume(feed, subscription, channel, previous, page);
          return;
        }
        sendSoon(socket, updateText(channel, previous, page.sequence, page.texts));
        previous = page.sequence;
        await waitForDrain(socket);
      }
    } catch (error) {
      if (error instanceof UnsubscribedError) return;
      const text = errorMessage(error, `"channel":"${channel}"`);
      if (resuming.isDone) return;
      this.unsubscribe(socket, channel);
      sendSoon(socket, text);
    }
  }

  /** Waits until this node has applied `since`, and, for balances, for the group's turn. @throws ApiError */
  private async waitUntilResumable(
    feed: AccountFeed,
    resuming: ResumingSubscription,
    channel: AccountChannel,
    since: number,
  ): Promise<void> {
    if (since > this.appliedSequence(channel)) {
      const waiters = this.waiters[channel === 'fills' ? 'trades' : 'batches'];
      const isReached = await waiters.wait(since);
      if (resuming.isDone) return;
      if (!isReached) throw sequenceNotReached();
    }
    // Balances are sent as they are now, without a query to history.
    if (channel === 'balances') {
      await this.backfill.chargeInTurn(resuming, feed.snapshotRecords(channel));
    }
  }

  /**
   * Sends the last page of a backfill and the buffered live updates. `orders` gets the open orders too:
   * they are read only now, so that none are kept in memory while others have their turn.
   */
  private async finishResume(
    feed: AccountFeed,
    subscription: AccountSubscription,
    channel: AccountChannel,
    previous: number,
    { texts, sequence }: BackfillPage,
  ): Promise<void> {
    const { socket, resuming } = subscription;
    const records = channel === 'orders' ? feed.account.openOrders : 0;
    if (records > 0 && !this.backfill.tryCharge(records)) {
      await this.backfill.chargeInTurn(resuming, records);
    }
    if (channel === 'orders' && subscription.queueAhead) await feed.prepareQueues();
    if (resuming.isDone) return;
    this.flush();
    const buffered = subscription.replayBuffer!.texts;
    subscription.replayBuffer = undefined;
    const openOrders = channel === 'orders' ? feed.openOrderTexts(subscription.queueAhead) : [];
    if (buffered.length === 0) {
      sendSoon(socket, updateText(channel, previous, sequence, [...texts, ...openOrders]));
      return;
    }
    sendSoon(socket, updateText(channel, previous, sequence, texts));
    for (const message of buffered) sendSoon(socket, message);
    if (openOrders.length === 0) return;
    const current = feed.sequences[channel];
    sendSoon(socket, updateText(channel, current, current, openOrders));
  }
}
