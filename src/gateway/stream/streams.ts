import type { Event } from '../../engine/event.ts';
import { NONE, Permission } from '../../engine/terms.ts';
import type { Authorization, StreamOrigin } from '../auth/authorization.ts';
import type { Caller } from '../auth/caller.ts';
import { MAX_BODY_BYTES } from '../http/request/call.ts';
import { invalid } from '../http/request/query.ts';
import { ApiError } from '../http/response/errors.ts';
import { rejectionError } from '../orders/rejections.ts';
import type { Services } from '../services.ts';
import { errorMessage } from './error-message.ts';
import { Operations } from './operations/operations.ts';
import { AccountFeeds } from './private-channels/account-feeds.ts';
import { MarketSubscriptions } from './public-channels/market-subscriptions.ts';
import type { Readers } from './public-channels/readers.ts';
import { StatusFeed } from './public-channels/status-feed.ts';
import { Backfill } from './replay/backfill.ts';
import { PositionWaiters, type StreamWaiters } from './replay/position-waiters.ts';
import {
  ACCOUNT_CHANNELS,
  isAccountChannel,
  readChannel,
  readMessage,
  readRequest,
  type StreamRequest,
} from './request.ts';
import { CloseCode } from './sockets/close-codes.ts';
import { CredentialSockets } from './sockets/credential-sockets.ts';
import { notifyDrained } from './sockets/drain.ts';
import { flush as sendOutgoing, sendSoon } from './sockets/outgoing.ts';
import { Reachability } from './sockets/reachability.ts';
import { type Connection, newConnection, READY_BYTES, type Socket } from './sockets/socket.ts';
import { StreamMetrics } from './stream-metrics.ts';

/** Maximum size of a client's message. A longer one closes the connection with 1009. */
export const MAX_MESSAGE_BYTES = MAX_BODY_BYTES + 1024;
export const MAX_MESSAGES_PER_SECOND = 50;
/** Maximum length of the messages that wait for the credentials of their connection: some thousands of orders. */
export const MAX_HELD_BYTES = 1024 * 1024;

/** The WebSocket streams: handles the clients' messages and sends them the changes that commands make. */
export class Streams {
  /** Sends a message to all sockets that are subscribed to a topic. Set by the server. */
  publish: (topic: string, message: string) => void = () => {};
  /** Called when this node has not reached the clustered log for seconds. Set by the server. */
  onUnreachable: (code: number, reason: string) => void = () => {};
  readonly maxMessageBytes = MAX_MESSAGE_BYTES;
  readonly metrics = new StreamMetrics();
  readonly readers: Readers;
  /** Undefined on a single node. */
  readonly reachability: Reachability | undefined;
  private readonly markets: MarketSubscriptions;
  private readonly feeds: AccountFeeds;
  private readonly statuses: StatusFeed;
  private readonly backfill: Backfill;
  private readonly waiters: StreamWaiters;
  private readonly credentials: CredentialSockets;
  private readonly operations: Operations;
  private isUpdateDue = false;

  constructor(
    private readonly services: Services,
    private readonly authorization: Pick<
      Authorization,
      'authorizeStream' | 'authorizeStreamBySession' | 'authorizeStreamBySignature' | 'operations'
    >,
  ) {
    const { replica, bus } = services;
    this.backfill = new Backfill(services);
    this.waiters = {
      trades: new PositionWaiters(() => replica.exchange.state.nextTradeId - 1),
      batches: new PositionWaiters(() => replica.position),
    };
    this.markets = new MarketSubscriptions(
      services,
      this.backfill,
      this.waiters,
      this.metrics,
      (topic, message) => this.publish(topic, message),
      () => this.flush(),
    );
    this.readers = this.markets.readers;
    this.feeds = new AccountFeeds(services, this.backfill, this.waiters, this.metrics);
    this.statuses = new StatusFeed(services, this.metrics);
    this.credentials = new CredentialSockets(services, authorization.operations, (socket) =>
      this.leaveFeeds(socket),
    );
    this.operations = new Operations(services, authorization.operations, this.metrics);
    if (bus === undefined) return;
    this.reachability = new Reachability(
      () => replica.isUnreachable,
      (code, reason) => {
        this.readers.closeAll(code, reason);
        this.onUnreachable(code, reason);
      },
    );
  }

  connection(from: StreamOrigin): Connection {
    return newConnection(from, this);
  }

  /** Collects the changes of a command. Costs almost nothing without subscribers. */
  note(events: readonly Event[]): void {
    this.credentials.noteRestrictions();
    // The commands of a batch are applied in one go: microtasks run after the last of them.
    const { trades, batches } = this.waiters;
    if (trades.hasWaiters) queueMicrotask(() => trades.notify());
    if (batches.hasWaiters) queueMicrotask(() => batches.notify());
    const { topics } = this.markets;
    if (topics.isEmpty && this.feeds.isEmpty && this.statuses.isEmpty) return;
    if (events.length === 0 && !this.markets.hasNewStatuses) return;
    this.markets.note(events);
    this.feeds.note(events);
    if (this.isUpdateDue) return;
    this.isUpdateDue = true;
    queueMicrotask(() => this.update());
  }

  open(socket: Socket): void {
    this.readers.open(socket);
  }

  /** Handles a message, or holds it while the credentials of the socket are being checked. */
  message(socket: Socket, message: string | Uint8Array): void {
    const { data } = socket;
    if (data.heldMessages === undefined) {
      this.handle(socket, message);
      return;
    }
    data.heldBytes += message.length;
    if (data.heldBytes <= MAX_HELD_BYTES) data.heldMessages.push(message);
    else socket.close(CloseCode.policyViolation, 'too many messages before the response to auth');
  }

  private handle(socket: Socket, message: string | Uint8Array): void {
    let isCounted = false;
    try {
      const bytes = typeof message === 'string' ? Buffer.from(message) : message;
      const body = readMessage(bytes);
      if (this.operations.execute(socket, body)) return;
      isCounted = true;
      if (this.closeIfFlood(socket)) return;
      const request = readRequest(body);
      if (request.op === 'ping') socket.send('{"op":"pong"}');
      else if (request.op === 'auth') this.authenticate(socket, request);
      else if (request.op === 'subscribe') this.subscribe(socket, request);
      else this.unsubscribe(socket, request);
    } catch (error) {
      if (isCounted || !this.closeIfFlood(socket)) this.sendError(socket, error);
    }
  }

  /** Counts a message that is no operation. @returns Whether it was too many and the connection is closed */
  private closeIfFlood(socket: Socket): boolean {
    if (!this.isFlood(socket.data)) return false;
    this.sendError(socket, new ApiError('RATE_LIMIT_EXCEEDED', undefined, { retryAfter: 1 }));
    socket.close(CloseCode.policyViolation, 'too many messages');
    return true;
  }

  drain(socket: Socket): void {
    if (socket.getBufferedAmount() <= READY_BYTES) notifyDrained(socket);
    this.readers.drained(socket);
  }

  close(socket: Socket): void {
    const { caller, connectionId } = socket.data;
    if (connectionId !== undefined) this.services.connections.disconnect(connectionId);
    notifyDrained(socket);
    this.markets.leaveAll(socket);
    this.statuses.unsubscribe(socket);
    this.leaveFeeds(socket);
    if (caller !== undefined) this.credentials.remove(socket, caller);
    this.readers.close(socket);
  }

  private leaveFeeds(socket: Socket): void {
    for (const channel of ACCOUNT_CHANNELS) this.feeds.unsubscribe(socket, channel);
  }

  /** Closes every socket, after sending everything that is due. */
  endAll(code: number, reason: string): void {
    this.reachability?.stop();
    this.flush();
    sendOutgoing();
    this.readers.closeAll(code, reason);
  }

  /** Closes the sockets of sessions that have ended. */
  endSessions(ids: ReadonlySet<string>): void {
    this.credentials.noteEnded(ids);
  }

  /** Authenticates a socket by key or, without one, by the session of the browser that opened it. */
  private authenticate(socket: Socket, { fields, cancelOnDisconnect }: StreamRequest): void {
    const { data } = socket;
    if (data.caller !== undefined) {
      const message =
        'This connection is already authenticated. Open another one for other credentials.';
      throw invalid('op', 'authenticatedOnce', message);
    }
    const { apiKey, apiSecret, signature } = fields;
    const authorized =
      signature !== undefined && apiSecret === undefined
        ? this.authorization.authorizeStreamBySignature({ ...fields, signature }, data.from)
        : apiKey === undefined && apiSecret === undefined
          ? this.authorization.authorizeStreamBySession(data.from)
          : this.authorization.authorizeStream(apiKey ?? '', apiSecret ?? '', data.from);
    if (cancelOnDisconnect) void this.authenticateLater(socket, this.connect(socket, authorized));
    else if (authorized instanceof Promise) void this.authenticateLater(socket, authorized);
    else this.setCaller(socket, authorized);
  }

  /**
   * Opens a connection in the log, whose orders are canceled when the socket closes.
   * @throws ApiError INSUFFICIENT_PERMISSIONS, OVERLOADED or the engine's rejection
   */
  private async connect(socket: Socket, authorized: Caller | Promise<Caller>): Promise<Caller> {
    const caller = await authorized;
    if ((caller.permissions & Permission.trade) === 0) {
      throw new ApiError('INSUFFICIENT_PERMISSIONS', undefined, { required: 'trade' });
    }
    const { connections, replica } = this.services;
    const actor = {
      account: caller.account.index,
      key: 'session' in caller ? NONE : caller.index,
    };
    const id = await connections.connect(actor, () =>
      socket.close(
        CloseCode.tryAgainLater,
        'the exchange has canceled the orders of this connection',
      ),
    );
    if (typeof id !== 'number') throw rejectionError(id, replica.exchange.state);
    if (socket.readyState === WebSocket.OPEN) socket.data.connectionId = id;
    else connections.disconnect(id);
    return caller;
  }

  /** Holds the socket's messages until its credentials are checked, then handles them in order. */
  private async authenticateLater(socket: Socket, authorized: Promise<Caller>): Promise<void> {
    const held: (string | Uint8Array)[] = [];
    socket.data.heldMessages = held;
    socket.data.heldBytes = 0;
    try {
      const caller = await authorized;
      if (socket.readyState === WebSocket.OPEN) this.setCaller(socket, caller);
    } catch (error) {
      this.sendError(socket, error);
    }
    socket.data.heldMessages = undefined;
    for (let next = held.shift(); next !== undefined; next = held.shift()) {
      if (socket.readyState !== WebSocket.OPEN) return;
      this.message(socket, next);
    }
  }

  private setCaller(socket: Socket, caller: Caller): void {
    socket.data.caller = caller;
    socket.data.owner = caller;
    this.credentials.add(socket, caller);
    socket.send('{"op":"authenticated"}');
  }

  private subscribe(socket: Socket, request: StreamRequest): void {
    const channel = readChannel(request);
    if (this.services.replica.isStale) throw new ApiError('STALE');
    // Pending updates are older than the snapshot that the socket gets.
    this.flush();
    if (channel === 'markets') this.statuses.subscribe(socket);
    else if (isAccountChannel(channel)) this.feeds.subscribe(socket, channel, request);
    else this.markets.subscribe(socket, channel, request);
  }

  private unsubscribe(socket: Socket, request: StreamRequest): void {
    const channel = readChannel(request);
    if (channel === 'markets' || isAccountChannel(channel)) {
      if (channel === 'markets') this.statuses.unsubscribe(socket);
      else this.feeds.unsubscribe(socket, channel);
      sendSoon(socket, `{"op":"unsubscribed","channel":"${channel}"}`);
    } else this.markets.unsubscribe(socket, channel, request);
  }

  advanceTime(): void {
    this.markets.advanceTime();
  }

  /** Builds and sends the updates for the changes collected so far. */
  private update(): void {
    this.isUpdateDue = false;
    this.markets.update();
    this.statuses.update();
    this.feeds.flush();
  }

  /** Sends everything that is due to all subscribers. */
  private flush(): void {
    this.update();
    this.markets.topics.flush();
  }

  private isFlood(connection: Connection): boolean {
    const second = Math.floor(this.services.now() / 1000);
    if (connection.windowStart !== second) {
      connection.windowStart = second;
      connection.messages = 0;
    }
    return ++connection.messages > MAX_MESSAGES_PER_SECOND;
  }

  private sendError(socket: Socket, error: unknown): void {
    socket.send(errorMessage(error));
  }
}
