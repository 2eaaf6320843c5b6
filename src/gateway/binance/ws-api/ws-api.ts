import type { StreamOrigin } from '../../auth/authorization.ts';
import { toBinanceFault } from '../../faults/fault-errors.ts';
import { methodOccasion, readKey, readWithoutSignature } from '../../faults/occasions.ts';
import { operateWithFaults } from '../../faults/request-faults.ts';
import type { JsonObject } from '../../http/json.ts';
import { addressScope } from '../../http/request/client-address.ts';
import { CloseCode } from '../../stream/sockets/close-codes.ts';
import { sendSoon } from '../../stream/sockets/outgoing.ts';
import type { AnySocket, SocketProtocol } from '../../stream/sockets/protocol.ts';
import { MAX_MESSAGE_BYTES } from '../../stream/streams.ts';
import type { BinanceCall } from '../call.ts';
import type { Dialect } from '../dialect.ts';
import type { BinanceEndpoint } from '../endpoint.ts';
import { BINANCE_ENDPOINTS } from '../endpoints.ts';
import { BinanceError, errorText, toBinanceError } from '../errors.ts';
import { BANNED, BASE_WEIGHT, type Usage } from '../limits.ts';
import type { Parameters } from '../parameters.ts';
import type { OpenSockets } from '../sockets/open-sockets.ts';
import type { ApiConnection, ApiSocket } from '../sockets/socket.ts';
import type { SocketMetrics } from '../sockets/socket-metrics.ts';
import { inTimeUnit } from '../time-unit.ts';
import { readId, readMessage, readRequest, signedPayload } from './request.ts';
import { ApiSubscriptions } from './subscriptions.ts';

/** Maximum requests of one connection without a response; a client that sends more is disconnected. */
const MAX_IN_FLIGHT = 1000;
/** The weight of opening a connection, and of the methods about its session. */
const CONNECTION_WEIGHT = 2;

/** The endpoints by the name of their method. */
const ENDPOINTS: ReadonlyMap<string, BinanceEndpoint> = new Map(
  BINANCE_ENDPOINTS.flatMap((endpoint) =>
    endpoint.operation === undefined ? [] : [[endpoint.operation, endpoint] as const],
  ),
);

/** The methods about a connection itself. */
const SESSION_METHODS = [
  'session.logon',
  'session.status',
  'session.logout',
  'session.subscriptions',
  'userDataStream.subscribe',
  'userDataStream.subscribe.signature',
  'userDataStream.unsubscribe',
] as const;
type SessionMethodName = (typeof SESSION_METHODS)[number];
/** All methods of the WebSocket API. */
export const API_METHODS: readonly string[] = [...ENDPOINTS.keys(), ...SESSION_METHODS];

/** A method about the connection itself. */
type SessionMethod = (socket: ApiSocket, given: Parameters) => string | Promise<string>;

/** The WebSocket API of the dialect (web-socket-api.md): the endpoints of the REST API, over one connection. */
export class WsApi implements SocketProtocol {
  readonly maxMessageBytes = MAX_MESSAGE_BYTES;
  private readonly sessionMethods: Readonly<Record<SessionMethodName, SessionMethod>> = {
    'session.logon': (socket, given) => this.logOn(socket, given),
    'session.status': (socket, given) => this.status(socket, given),
    'session.logout': (socket, given) => this.logOut(socket, given),
    'session.subscriptions': (socket, given) => this.subscriptions.list(socket, given),
    'userDataStream.subscribe': (socket, given) => this.subscriptions.begin(socket, given),
    'userDataStream.subscribe.signature': (socket, given) =>
      this.subscriptions.beginSigned(socket, given),
    'userDataStream.unsubscribe': (socket, given) => this.subscriptions.end(socket, given),
  };

  private readonly subscriptions: ApiSubscriptions;

  constructor(
    private readonly dialect: Dialect,
    private readonly sockets: OpenSockets,
    private readonly metrics: Pick<SocketMetrics, 'noteResponse'>,
  ) {
    this.subscriptions = new ApiSubscriptions(dialect);
  }

  /** @param showsLimits Whether responses show the limits, unless a request says otherwise. */
  connection(from: StreamOrigin, showsLimits: boolean, inMicroseconds: boolean): ApiConnection {
    return {
      from,
      protocol: this,
      connectedAt: this.dialect.services.now(),
      scope: addressScope(from.address),
      showsLimits,
      inMicroseconds,
      session: undefined,
      inFlight: 0,
      subscriptions: new Map(),
      nextSubscriptionId: 0,
      outgoing: [],
    };
  }

  open(socket: AnySocket): void {
    const { data } = socket as ApiSocket;
    this.sockets.add(socket as ApiSocket, (event) => `{"event":${inTimeUnit(data, event)}}`);
    try {
      this.dialect.limits.takeWeight((socket as ApiSocket).data.scope, CONNECTION_WEIGHT);
    } catch {
      socket.close(CloseCode.policyViolation, 'too much request weight used');
    }
  }

  drain(): void {}

  close(anySocket: AnySocket): void {
    const socket = anySocket as ApiSocket;
    this.sockets.remove(socket);
    for (const { end } of socket.data.subscriptions.values()) end();
  }

  message(anySocket: AnySocket, message: string | Uint8Array): void {
    const socket = anySocket as ApiSocket;
    let first: Usage;
    try {
      first = this.dialect.limits.takeWeight(socket.data.scope, BASE_WEIGHT);
    } catch (error) {
      this.reject(socket, findId(message), error);
      return;
    }
    let id = 'null';
    try {
      const body = readMessage(message);
      id = readId(body);
      if (socket.data.inFlight >= MAX_IN_FLIGHT) {
        socket.close(CloseCode.policyViolation, 'too many requests in progress');
        return;
      }
      void this.respond(socket, id, body, first);
    } catch (error) {
      this.reject(socket, id, error);
    }
  }

  private reject(socket: ApiSocket, id: string, error: unknown): void {
    const rejection = toBinanceError(error);
    this.metrics.noteResponse(undefined, rejection.status);
    this.send(socket, id, rejection, undefined, false);
  }

  /**
   * Executes a request and sends its response. Never throws.
   * @param first What the address has used, with BASE_WEIGHT of this request.
   */
  private async respond(
    socket: ApiSocket,
    id: string,
    body: JsonObject,
    first: Usage,
  ): Promise<void> {
    const { data } = socket;
    let call: BinanceCall | undefined;
    let { showsLimits } = data;
    let result: string | BinanceError;
    let method: string | undefined;
    data.inFlight++;
    try {
      const request = readRequest(body);
      const { given } = request;
      ({ method } = request);
      showsLimits = given.boolean('returnRateLimits') ?? showsLimits;
      const session = this.findSessionMethod(method);
      const endpoint = ENDPOINTS.get(method);
      if (session !== undefined) {
        this.dialect.limits.takeWeight(data.scope, CONNECTION_WEIGHT - BASE_WEIGHT);
        result = await session(socket, given);
      } else if (endpoint === undefined) {
        throw new BinanceError(-1020, 'This operation is not supported.');
      } else {
        call = this.dialect.open(endpoint, given, data.scope, first);
        result = await this.runWithFaults(socket, id, call, endpoint);
      }
    } catch (error) {
      result = toBinanceError(error);
    }
    data.inFlight--;
    this.metrics.noteResponse(method, toStatus(result));
    this.send(socket, id, result, call, showsLimits);
  }

  private findSessionMethod(method: string): SessionMethod | undefined {
    const { sessionMethods } = this;
    if (!Object.hasOwn(sessionMethods, method)) return undefined;
    return sessionMethods[method as SessionMethodName];
  }

  /** Runs a request with the faults of the sandbox, if this is one. */
  private runWithFaults(
    socket: ApiSocket,
    id: string,
    call: BinanceCall,
    endpoint: BinanceEndpoint,
  ): string | Promise<string> {
    const { faults, now } = this.dialect.services;
    if (faults === undefined || !faults.isActive) return this.run(socket, call, endpoint, 0);
    const apiKey = call.given.value('apiKey') ?? socket.data.session?.key.apiKey;
    const { replica } = this.dialect.services;
    const occasion = methodOccasion(endpoint, apiKey, replica.exchange.state);
    const parameters = readWithoutSignature(call.given.all);
    return operateWithFaults(faults, {
      occasion,
      read: readKey(endpoint.access === 'public', apiKey, occasion.name, parameters),
      id,
      run: (skewMs) => this.run(socket, call, endpoint, skewMs),
      toError: (hit) => toBinanceFault(hit, now()),
      disconnect: () => socket.terminate(),
    });
  }

  private run(
    socket: ApiSocket,
    call: BinanceCall,
    endpoint: BinanceEndpoint,
    skewMs: number,
  ): string | Promise<string> {
    const { session } = socket.data;
    const from = skewMs === 0 ? socket.data.from : { ...socket.data.from, skewMs };
    call.skewMs = skewMs;
    const { access } = endpoint;
    const { given } = call;
    const isSession = session !== undefined && !given.has('apiKey') && !given.has('signature');
    if (isSession && access !== 'public' && access !== 'key') {
      return this.dialect.runLoggedOn(call, endpoint, access, session.key, from);
    }
    const apiKey = given.value('apiKey') ?? (isSession ? session.key.apiKey : undefined);
    return this.dialect.run(call, endpoint, apiKey, () => signedPayload(given), from);
  }

  /** `session.logon`: later requests need no signature. The signature is used once, or a thief of a copy could trade. */
  private async logOn(socket: ApiSocket, given: Parameters): Promise<string> {
    const { from } = socket.data;
    const apiKey = given.value('apiKey');
    const signed = await this.dialect.verify(apiKey, given, signedPayload(given), from);
    given.ignore('timestamp', 'recvWindow', 'signature');
    given.checkAllRead();
    await this.dialect.authorization.useSignature(signed);
    socket.data.session = { key: signed.key, since: this.dialect.services.now() };
    return this.statusText(socket);
  }

  private status(socket: ApiSocket, given: Parameters): string {
    given.checkAllRead();
    return this.statusText(socket);
  }

  private logOut(socket: ApiSocket, given: Parameters): string {
    given.checkAllRead();
    this.subscriptions.endOfSession(socket);
    socket.data.session = undefined;
    return this.statusText(socket);
  }

  private statusText({ data }: ApiSocket): string {
    const { services } = this.dialect;
    const { session } = data;
    const now = services.now();
    const { operations } = this.dialect.authorization;
    const isLoggedOn =
      session !== undefined && operations.checkKey(session.key, data.from.address) === undefined;
    return (
      `{"apiKey":${isLoggedOn ? `"${session.key.apiKey}"` : 'null'},` +
      `"authorizedSince":${isLoggedOn ? session.since : 'null'},` +
      `"connectedSince":${data.connectedAt},"returnRateLimits":${data.showsLimits},` +
      `"serverTime":${now},"userDataStream":${data.subscriptions.size > 0}}`
    );
  }

  private send(
    socket: ApiSocket,
    id: string,
    result: string | BinanceError,
    call: BinanceCall | undefined,
    showsLimits: boolean,
  ): void {
    const isError = typeof result !== 'string';
    const status = toStatus(result);
    const content = isError
      ? `"error":${errorText(withRetry(result, this.dialect.services.now()))}`
      : `"result":${result}`;
    const limits = showsLimits ? `,"rateLimits":${this.limitsText(socket, call)}` : '';
    const text = inTimeUnit(socket.data, content);
    sendSoon(socket, `{"id":${id},"status":${status},${text}${limits}}`);
    if (status === BANNED) {
      setImmediate(() => socket.close(CloseCode.policyViolation, 'the address is banned'));
    }
  }

  private limitsText({ data }: ApiSocket, call: BinanceCall | undefined): string {
    const { used, limit } = call?.weight ?? this.dialect.limits.usedWeight(data.scope);
    const weight = limitText('REQUEST_WEIGHT', 'MINUTE', 1, limit, used);
    if (call?.orderCounts === undefined) return `[${weight}]`;
    const { tenSeconds, day } = call.orderCounts;
    const orders = limitText('ORDERS', 'SECOND', 10, tenSeconds.limit, tenSeconds.used);
    return `[${orders},${limitText('ORDERS', 'DAY', 1, day.limit, day.used)},${weight}]`;
  }
}

/** Returns the JSON text of the id of a message that is not executed; `null` if it has none that is valid. */
function findId(message: string | Uint8Array): string {
  try {
    return readId(readMessage(message));
  } catch {
    return 'null';
  }
}

function toStatus(result: string | BinanceError): number {
  return typeof result === 'string' ? 200 : result.status;
}

function limitText(
  type: string,
  interval: string,
  intervalNum: number,
  limit: number,
  count: number,
): string {
  return `{"rateLimitType":"${type}","interval":"${interval}","intervalNum":${intervalNum},"limit":${limit},"count":${count}}`;
}

/** Adds when to try again, which HTTP has in a header, to an error. */
function withRetry(error: BinanceError, now: number): BinanceError {
  const { code, message, status, retryAfter, data } = error;
  if (retryAfter === undefined || data !== undefined) return error;
  const until = `{"serverTime":${now},"retryAfter":${now + retryAfter * 1000}}`;
  return new BinanceError(code, message, status, retryAfter, until);
}
