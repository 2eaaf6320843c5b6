import type { Event, OrderRecord } from '../../../engine/event.ts';
import type { ApiKey } from '../../../engine/ledger/accounts.ts';
import type { Authorization } from '../../auth/authorization.ts';
import { ApiError } from '../../http/response/errors.ts';
import type { Services } from '../../services.ts';
import { CloseCode } from '../../stream/sockets/close-codes.ts';
import { sendSoon } from '../../stream/sockets/outgoing.ts';
import { noSuchListenKey } from '../errors.ts';
import { maySign } from '../security.ts';
import type { EventSocket } from '../sockets/socket.ts';
import type { Symbols } from '../symbols.ts';
import { AccountFeed, type FeedSource } from './account-feed.ts';
import { JoinedFills } from './joined-fills.ts';
import { ListenKeys } from './listen-keys.ts';

/** Interval of the checks of keys and listen keys for expiry. */
const CHECK_EVERY_MS = 1000;

/** A subscription to the events of an account. */
export interface UserSubscription {
  readonly key: ApiKey;
  /** The address of the client. */
  readonly address: string;
  /** Undefined for a subscription that was authorized by a signature or a session. */
  readonly listenKey: string | undefined;
  /** Receives an event as JSON. */
  readonly send: (event: string) => void;
  /** Called once the key or listen key has ended, or the address is not allowed any more; the subscription has then ended too. */
  readonly onEnd: () => void;
}

/** The user data streams of the dialect (user-data-stream.md): every change to an account, in the order of the log. */
export class UserData {
  readonly listenKeys: ListenKeys;
  /** Called with each event, once for each subscriber. */
  onSent: (event: string) => void = () => {};
  private readonly feeds = new Map<number, AccountFeed>();
  private readonly subscriptions = new Set<UserSubscription>();
  private timer: ReturnType<typeof setInterval> | undefined;
  /** The engine's count of restricted keys at the last check. */
  private keyRestrictions = 0;
  /** The next order id after the last command. */
  private nextOrderId = 0;
  private executionId = 0;
  private readonly amendmentIds = new WeakMap<OrderRecord, number>();

  constructor(
    private readonly services: Services,
    private readonly authorization: Authorization,
    private readonly symbols: Symbols,
  ) {
    this.listenKeys = new ListenKeys(services);
  }

  /** Takes the events of the command that was applied last. Costs almost nothing without subscribers. */
  note(events: readonly Event[]): void {
    if (this.feeds.size === 0) return;
    const { state } = this.services.replica.exchange;
    const firstNewId = this.nextOrderId;
    this.nextOrderId = state.nextOrderId;
    if (state.keyRestrictions !== this.keyRestrictions) this.check();
    const feeds = this.findFeeds(events);
    if (feeds.size === 0) return;
    const applied = { events, fills: new JoinedFills(events), firstNewId };
    for (const feed of feeds) feed.note(applied);
  }

  /** Begins a subscription. @returns Ends it. @throws ApiError STALE */
  subscribe(subscription: UserSubscription): () => void {
    const { replica } = this.services;
    if (replica.isStale) throw new ApiError('STALE');
    const { account } = subscription.key;
    if (this.feeds.size === 0) this.nextOrderId = replica.exchange.state.nextOrderId;
    let feed = this.feeds.get(account.index);
    if (feed === undefined) {
      feed = new AccountFeed(this.source, account);
      this.feeds.set(account.index, feed);
    }
    feed.subscribers.add(subscription);
    this.subscriptions.add(subscription);
    this.timer ??= setInterval(() => this.check(), CHECK_EVERY_MS);
    return () => this.unsubscribe(subscription);
  }

  /** @throws ApiError INSUFFICIENT_PERMISSIONS, UNAUTHORIZED */
  checkPermission(key: ApiKey, address: string): void {
    const error = this.authorization.operations.authorize(key, 'read', address);
    if (error !== undefined) throw error;
  }

  /**
   * Sends a socket the events of the account that a listen key belongs to. When the listen key or its API key ends, the
   * socket is closed.
   * @param wrap Returns the message with an event.
   * @returns Stops sending them.
   * @throws BinanceError -1125; ApiError
   */
  attach(
    socket: EventSocket,
    listenKey: string,
    wrap: (event: string) => string = (event) => event,
  ): () => void {
    const found = this.listenKeys.find(listenKey);
    if (found === undefined || !maySign(found.key, this.services)) throw noSuchListenKey();
    const { from } = socket.data;
    const { address } = from;
    const key = this.authorization.streams.checkKey(found.key, from);
    this.checkPermission(key, address);
    const send = (event: string) => sendSoon(socket, wrap(event));
    const onEnd = () => {
      send(`{"e":"listenKeyExpired","E":${this.services.now()},"listenKey":"${listenKey}"}`);
      setImmediate(() => socket.close(CloseCode.credentialEnded, 'listen key expired'));
    };
    socket.data.owner = key;
    return this.subscribe({ key, address, listenKey, send, onEnd });
  }

  /** Ends the subscriptions whose keys or listen keys have ended, or whose keys have other allowlists now. */
  check(): void {
    const { state } = this.services.replica.exchange;
    this.keyRestrictions = state.keyRestrictions;
    const { operations } = this.authorization;
    for (const subscription of [...this.subscriptions]) {
      const { key, address, listenKey, onEnd } = subscription;
      const isValid = listenKey === undefined || this.listenKeys.isValid(listenKey);
      if (isValid && operations.checkKey(key, address) === undefined) continue;
      this.unsubscribe(subscription);
      onEnd();
    }
  }

  private unsubscribe(subscription: UserSubscription): void {
    if (!this.subscriptions.delete(subscription)) return;
    const { index } = subscription.key.account;
    const feed = this.feeds.get(index)!;
    feed.subscribers.delete(subscription);
    if (feed.subscribers.size === 0) this.feeds.delete(index);
    if (this.subscriptions.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** Returns the feeds of the accounts that events concern. */
  private findFeeds(events: readonly Event[]): Set<AccountFeed> {
    const found = new Set<AccountFeed>();
    const add = (account: number) => {
      const feed = this.feeds.get(account);
      if (feed !== undefined) found.add(feed);
    };
    for (const event of events) {
      if (event.kind === 'trade') {
        add(event.makerAccount);
        add(event.takerAccount);
      } else add(event.account);
    }
    return found;
  }

  private get source(): FeedSource {
    const { services, symbols } = this;
    const { state } = services.replica.exchange;
    return {
      state,
      symbols,
      now: services.now,
      onSent: (event) => this.onSent(event),
      executionId: ({ type, order }) =>
        type === 'REPLACED' ? this.amendmentId(order) : this.newExecutionId(),
      findOrder: async ({ index: account }, orderId) => {
        const { archivist, replica } = services;
        const query = { kind: 'order', account, orderId } as const;
        return (await archivist.query(query, replica.position)) as OrderRecord | undefined;
      },
    };
  }

  /** Returns the execution id of an amendment, the same in its answer and in the report of this node. */
  amendmentId(amended: OrderRecord): number {
    let id = this.amendmentIds.get(amended);
    if (id === undefined) {
      id = this.newExecutionId();
      this.amendmentIds.set(amended, id);
    }
    return id;
  }

  /** Ids grow with time, also over restarts of the node. */
  private newExecutionId(): number {
    this.executionId = Math.max(this.executionId + 1, this.services.now() * 1000);
    return this.executionId;
  }
}
