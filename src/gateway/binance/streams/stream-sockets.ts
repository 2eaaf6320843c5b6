import type { Event } from '../../../engine/event.ts';
import type { StreamOrigin } from '../../auth/authorization.ts';
import { addressScope } from '../../http/request/client-address.ts';
import { Backfill, resumingSubscription } from '../../stream/replay/backfill.ts';
import { CloseCode } from '../../stream/sockets/close-codes.ts';
import { sendSoon } from '../../stream/sockets/outgoing.ts';
import {
  type AnySocket,
  LARGEST_MESSAGE_BYTES,
  type SocketProtocol,
} from '../../stream/sockets/protocol.ts';
import type { Dialect } from '../dialect.ts';
import { toBinanceError } from '../errors.ts';
import type { OpenSockets } from '../sockets/open-sockets.ts';
import type { EventConnection, EventSocket } from '../sockets/socket.ts';
import type { SocketMetrics } from '../sockets/socket-metrics.ts';
import type { HistoryTurn } from './kline-stream.ts';
import { createStream } from './names.ts';
import {
  invalidRequest,
  readId,
  readMessage,
  readRequest,
  StreamError,
  type StreamRequest,
} from './request.ts';
import { formatMessage, type MessageForm, messageForm, Topics } from './topics.ts';

/** Maximum streams of a connection (web-socket-streams.md, "WebSocket Limits"). */
const MAX_STREAMS = 1024;
/** Maximum messages of a client in a second; one that sends more is disconnected. */
const MAX_MESSAGES_PER_SECOND = 5;
const LISTEN_KEY = /^[A-Za-z0-9]{40,100}$/;

/**
 * Sends a socket the events of the account that a listen key belongs to.
 * @param wrapEvent Returns the message with an event.
 * @returns Stops sending them.
 * @throws Error if the listen key is not valid
 */
export type AttachUser = (
  socket: EventSocket,
  listenKey: string,
  wrapEvent: (event: string) => string,
) => () => void;

/** The terms of a connection that its URL determines. */
interface StreamTerms {
  /** The streams that it names. */
  readonly first: readonly string[];
  /** Whether messages are wrapped with the name of their stream, until the client changes that. */
  readonly isCombined: boolean;
  /** Whether times are in microseconds. */
  readonly inMicroseconds: boolean;
}

/** The state of a connection to the streams. */
interface StreamConnection extends EventConnection, StreamTerms {
  /** Subscribed names, with what ends a listen key's. Names without a stream are among them. */
  readonly names: Map<string, (() => void) | undefined>;
  isCombined: boolean;
  /** Start of the current second, seconds since 1970, and the messages received in it. */
  windowStart: number;
  messages: number;
}

type StreamSocket = Bun.ServerWebSocket<StreamConnection>;

/** The connections to the streams of market data and of listen keys (web-socket-streams.md). */
export class StreamSockets implements SocketProtocol {
  /** One message can subscribe to all streams of a connection. */
  readonly maxMessageBytes = LARGEST_MESSAGE_BYTES;
  readonly topics: Topics;
  private readonly backfill: Backfill;

  /** @param attachUser Undefined if there are no listen keys. */
  constructor(
    private readonly dialect: Dialect,
    private readonly sockets: OpenSockets,
    private readonly metrics: Pick<SocketMetrics, 'noteEvent'>,
    private readonly attachUser?: AttachUser,
  ) {
    const { services } = dialect;
    const { replica, now } = services;
    this.backfill = new Backfill(services);
    this.topics = new Topics(
      () => replica.exchange.state,
      now,
      () => replica.isStale,
      metrics,
    );
  }

  /** @param terms The streams that the URL names, and the form of messages. */
  connection(from: StreamOrigin, terms: StreamTerms): StreamConnection {
    const names = new Map<string, undefined>();
    const window = { windowStart: 0, messages: 0 };
    return { from, protocol: this, outgoing: [], names, ...terms, ...window };
  }

  /** Collects the changes of a command. */
  note(events: readonly Event[]): void {
    this.topics.note(events);
  }

  open(anySocket: AnySocket): void {
    const socket = anySocket as StreamSocket;
    const { data } = socket;
    this.sockets.add(socket, (event) => formatMessage(toForm(data), '!serverShutdown', event));
    if (this.dialect.limits.isBanned(addressScope(data.from.address))) {
      socket.close(CloseCode.policyViolation, 'the address is banned');
      return;
    }
    try {
      this.subscribe(socket, data.first);
    } catch (error) {
      socket.close(CloseCode.policyViolation, toStreamError(error).message);
    }
  }

  drain(): void {}

  close(anySocket: AnySocket): void {
    const socket = anySocket as StreamSocket;
    this.sockets.remove(socket);
    for (const name of [...socket.data.names.keys()]) this.leave(socket, name);
  }

  message(anySocket: AnySocket, message: string | Uint8Array): void {
    const socket = anySocket as StreamSocket;
    if (this.isFlood(socket.data)) {
      socket.close(CloseCode.policyViolation, 'too many messages');
      return;
    }
    let id = 'null';
    try {
      const body = readMessage(message);
      id = readId(body);
      const result = this.execute(socket, readRequest(body));
      socket.send(`{"result":${result},"id":${id}}`);
    } catch (error) {
      const { code, message: text } = toStreamError(error);
      socket.send(`{"error":{"code":${code},"msg":${JSON.stringify(text)}},"id":${id}}`);
    }
  }

  private isFlood(connection: StreamConnection): boolean {
    const second = Math.floor(this.dialect.services.now() / 1000);
    if (connection.windowStart !== second) {
      connection.windowStart = second;
      connection.messages = 0;
    }
    return ++connection.messages > MAX_MESSAGES_PER_SECOND;
  }

  /** Returns the result as JSON. @throws StreamError */
  private execute(socket: StreamSocket, request: StreamRequest): string {
    const { data } = socket;
    switch (request.method) {
      case 'SUBSCRIBE':
        this.subscribe(socket, request.names);
        return 'null';
      case 'UNSUBSCRIBE':
        for (const name of request.names) this.leave(socket, name);
        return 'null';
      case 'LIST_SUBSCRIPTIONS':
        return JSON.stringify([...data.names.keys()]);
      case 'GET_PROPERTY':
        return `${data.isCombined}`;
      case 'SET_PROPERTY':
        this.setCombined(socket, request.isCombined);
        return 'null';
    }
  }

  /**
   * Subscribes to all names, or to none if a listen key is not valid. Names without a stream are accepted and never have a
   * message, as those of an unknown symbol.
   * @throws StreamError, and the errors of listen keys
   */
  private subscribe(socket: StreamSocket, names: readonly string[]): void {
    const { data } = socket;
    const added = new Set(names.filter((name) => !data.names.has(name)));
    if (data.names.size + added.size > MAX_STREAMS) {
      throw invalidRequest(`a connection has at most ${MAX_STREAMS} streams`);
    }
    if (!this.backfill.hasCapacity(addressScope(data.from.address), added.size)) {
      throw invalidRequest('too many streams of this address wait for their first event');
    }
    const listenKeys = this.attachUsers(socket, added);
    for (const name of added) {
      const detach = listenKeys.get(name);
      data.names.set(name, detach);
      if (detach === undefined) this.join(socket, name);
    }
  }

  /** Attaches the listen keys among names. @returns What ends each of them @throws the error of one that is not valid */
  private attachUsers(socket: StreamSocket, names: ReadonlySet<string>): Map<string, () => void> {
    const attached = new Map<string, () => void>();
    const { attachUser } = this;
    if (attachUser === undefined) return attached;
    try {
      for (const name of names) {
        if (!LISTEN_KEY.test(name)) continue;
        const toMessage = (event: string) => formatMessage(toForm(socket.data), name, event);
        attached.set(name, attachUser(socket, name, toMessage));
      }
    } catch (error) {
      for (const detach of attached.values()) detach();
      throw error;
    }
    return attached;
  }

  private join(socket: StreamSocket, name: string): void {
    const create = () => this.create(socket, name);
    const current = this.topics.subscribe(socket, name, toForm(socket.data), create)?.current();
    if (current === undefined) return;
    const message = formatMessage(toForm(socket.data), name, current);
    sendSoon(socket, message);
    this.metrics.noteEvent('market_data', message);
  }

  private create(socket: StreamSocket, name: string) {
    const { services, symbols } = this.dialect;
    return createStream(name, { services, symbols, createTurn: () => this.createTurn(socket) });
  }

  /** Returns a turn of the address of a stream's first subscriber. */
  private createTurn({ data }: StreamSocket): HistoryTurn {
    const subscription = resumingSubscription(addressScope(data.from.address));
    return {
      run: (query, countRows) => this.backfill.inTurn(subscription, query, countRows),
      end: () => this.backfill.end(subscription),
    };
  }

  private leave(socket: StreamSocket, name: string): void {
    const { names } = socket.data;
    names.get(name)?.();
    if (names.delete(name)) this.topics.unsubscribe(socket, name, toForm(socket.data));
  }

  private setCombined(socket: StreamSocket, isCombined: boolean): void {
    const { data } = socket;
    if (data.isCombined === isCombined) return;
    const before = toForm(data);
    data.isCombined = isCombined;
    for (const name of data.names.keys()) this.topics.move(socket, name, before, toForm(data));
  }
}

function toForm({ isCombined, inMicroseconds }: StreamConnection): MessageForm {
  return messageForm(isCombined, inMicroseconds);
}

function toStreamError(thrown: unknown): StreamError {
  return thrown instanceof StreamError ? thrown : invalidRequest(toBinanceError(thrown).message);
}
