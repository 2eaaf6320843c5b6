import type { Config } from '../../config/config.ts';
import { retry } from '../../monitoring/retry.ts';
import type { StreamOrigin } from '../auth/authorization.ts';
import { sessionSecret } from '../auth/cookies.ts';
import type { BinanceSockets } from '../binance/sockets/binance-sockets.ts';
import type { SocketFaults } from '../faults/socket-faults.ts';
import type { Gateway } from '../gateway.ts';
import { STREAM_PATH } from '../stream/path.ts';
import { Connections } from '../stream/sockets/connections.ts';
import { LARGEST_MESSAGE_BYTES, type SocketState } from '../stream/sockets/protocol.ts';
import type { Streams } from '../stream/streams.ts';
import { hasRepeatedSlash, hasSeveralHosts, readPath } from './request/request-path.ts';

/** Far above MAX_BODY_BYTES, so that larger bodies are rejected by the gateway, with an error envelope. */
const MAX_REQUEST_BYTES = 8 * 1024 * 1024;
const IDLE_TIMEOUT_SECONDS = 60;
/** Far above the unread bytes that readers.ts allows: that is checked from time to time, this limit applies in between. */
const MAX_BACKPRESSURE_BYTES = 16 * 1024 * 1024;
/** Maximum wait for requests and operations in progress at a stop; far longer than an order takes. */
const STOP_GRACE_MS = 1000;
const STOP_POLL_MS = 5;
/** Close code of an endpoint that is going away (RFC 6455, 7.4.1). */
const GOING_AWAY = 1001;
/** Close code of a service that restarts (IANA's registry of close codes). */
const SERVICE_RESTART = 1012;
const RESTORING = 'The sandbox is restored from a checkpoint. Reconnect.';
/** The answer to a new stream while none can be served. */
const UNAVAILABLE = { status: 503, headers: { 'Retry-After': '1' } };
/** Close code of a message that is too big (RFC 6455, 7.4.1). */
const MESSAGE_TOO_BIG = 1009;
/** Maximum bytes of UTF-8 per unit of a JavaScript string. */
const MAX_BYTES_PER_UNIT = 3;

type Server = Bun.Server<SocketState>;
type ServerConfig = Pick<Config, 'port' | 'host' | 'certificate' | 'rateLimits' | 'trustedProxies'>;

/** The parts that serve a port. */
export interface Served {
  readonly gateway: Pick<Gateway, 'fetch' | 'delayFlood'>;
  readonly streams: Streams;
  readonly now: () => number;
  readonly binance: BinanceSockets | undefined;
  /** Moves a stepped clock before a message of a stream; returns undefined if there is none. */
  readonly beforeMessage?: (() => Promise<void> | undefined) | undefined;
  /** The faults of a sandbox, on their way to sockets; undefined on a real exchange. */
  readonly faults?: SocketFaults | undefined;
}

/** A port that is being served. */
export interface Listening {
  readonly port: number;
  /** Open streams. */
  readonly sockets: number;
  /** Requests in progress. */
  readonly requests: number;
  /** Closes each connection after its next response, so that none is in use at the time of the stop. */
  drain(): void;
  /** Closes all streams with code 1012, and lets requests wait until `resume`. New streams are refused. */
  suspend(): void;
  /** Serves from now on by other parts. */
  resume(next: Served): void;
  /** Accepts no more connections, completes the requests and operations in progress, and closes all streams with code 1001. */
  stop(): Promise<void>;
}

/** Serves the gateway on a port. @throws Error if the port is in use or not permitted */
export function listen(
  gateway: Pick<Gateway, 'fetch' | 'delayFlood'>,
  config: ServerConfig,
  streams: Streams,
  now: () => number = Date.now,
  binance?: BinanceSockets,
  beforeMessage?: Served['beforeMessage'],
  faults?: SocketFaults,
): Listening {
  const connections = new Connections(config);
  const intake = new Intake({ gateway, streams, now, binance, beforeMessage, faults }, connections);
  const openStream = (request: Request, server: Server) =>
    intake.open(request, server, (from) => intake.served.streams.connection(from));
  const server = Bun.serve<SocketState>({
    ...serverOptions(config),
    routes: { [STREAM_PATH]: { GET: openStream } },
    fetch: (request, server) => {
      if (isStream(request)) return openStream(request, server);
      const connect = intake.served.binance?.find(request);
      return connect === undefined
        ? intake.respond(request, server)
        : intake.open(request, server, connect);
    },
    websocket: websocketHandler(connections, intake),
  });
  attach(intake.served, server);
  return {
    port: server.port ?? config.port,
    get sockets() {
      return server.pendingWebSockets;
    },
    get requests() {
      return server.pendingRequests;
    },
    drain: () => {
      intake.isDraining = true;
    },
    suspend: () => {
      intake.suspend();
      endStreams(intake.served, SERVICE_RESTART, RESTORING);
    },
    resume: (next) => {
      attach(next, server);
      intake.resume(next);
    },
    stop: () => stop(server, intake.served),
  };
}

/** Passes requests and new streams on to the parts that serve, or lets them wait for these. */
class Intake {
  isDraining = false;
  private suspension: PromiseWithResolvers<void> | undefined;

  constructor(
    public served: Served,
    private readonly connections: Connections,
  ) {}

  suspend(): void {
    this.suspension ??= Promise.withResolvers();
  }

  resume(next: Served): void {
    this.served = next;
    this.suspension?.resolve();
    this.suspension = undefined;
  }

  respond(request: Request, server: Server): Response | Promise<Response> {
    const { suspension } = this;
    if (suspension !== undefined) {
      return suspension.promise.then(() => this.respond(request, server));
    }
    const response = this.served.gateway.fetch(request, server);
    return this.isDraining ? closeAfter(response) : response;
  }

  /** Opens a stream. @returns undefined if it has */
  open(request: Request, server: Server, connect: Connect) {
    if (this.suspension !== undefined) return new Response(null, UNAVAILABLE);
    const { connections } = this;
    const { gateway, streams, now } = this.served;
    if (hasSeveralHosts(request)) return this.respond(request, server);
    const address = connections.clientAddress(request, server.requestIP(request)?.address ?? '');
    const rejection = connections.open(address, now(), streams.reachability?.isLost);
    if (rejection !== undefined) return gateway.delayFlood(request, server, rejection);
    const { headers } = request;
    const session = sessionSecret(headers.get('cookie'));
    const account = new URL(request.url).searchParams.get('account') ?? undefined;
    const from = {
      ...{ address, origin: headers.get('origin'), host: headers.get('host') },
      ...{ session, account },
    };
    if (server.upgrade(request, { data: connect(from) })) return undefined;
    connections.close(address);
    return this.respond(request, server);
  }
}

/** Lets the streams publish through a server. */
function attach({ streams, binance, faults }: Served, server: Server): void {
  streams.publish = (topic, message) => {
    server.publish(topic, message);
    faults?.publish(topic, message);
  };
  if (binance !== undefined) binance.publish = streams.publish;
  streams.onUnreachable = (code, reason) => binance?.closeAll(code, reason);
}

/** Returns the state of a new socket. */
type Connect = (from: StreamOrigin) => SocketState;

/** Returns whether a request opens a stream under a path that the server's own routes do not match. */
function isStream(request: Request): boolean {
  return (
    hasRepeatedSlash(request.url) && request.method === 'GET' && readPath(request) === STREAM_PATH
  );
}

function serverOptions({ port, host, certificate }: ServerConfig) {
  const options = {
    port,
    hostname: host,
    maxRequestBodySize: MAX_REQUEST_BYTES,
    idleTimeout: IDLE_TIMEOUT_SECONDS,
    development: false,
    // Outside development mode Bun would share the port with another process that listens on it.
    reusePort: false,
  };
  if (certificate === undefined) return options;
  const { certPath, keyPath } = certificate;
  return { ...options, tls: { cert: Bun.file(certPath), key: Bun.file(keyPath) } };
}

function websocketHandler(
  connections: Connections,
  intake: Intake,
): Bun.WebSocketHandler<SocketState> {
  return {
    maxPayloadLength: LARGEST_MESSAGE_BYTES,
    backpressureLimit: MAX_BACKPRESSURE_BYTES,
    // Otherwise Bun would silently drop the messages that do not fit.
    closeOnBackpressureLimit: true,
    // Silent clients are pinged; those that do not respond within this time are closed.
    idleTimeout: IDLE_TIMEOUT_SECONDS,
    open: (socket) => {
      intake.served.faults?.open(socket);
      socket.data.protocol.open(socket);
    },
    drain: (socket) => socket.data.protocol.drain(socket),
    message: (socket, message) => {
      const { protocol } = socket.data;
      const stepping = intake.served.beforeMessage?.();
      if (isLongerThan(protocol.maxMessageBytes, message)) socket.close(MESSAGE_TOO_BIG);
      else if (stepping === undefined) protocol.message(socket, message);
      // A clock that is stopped has no further requests.
      else stepping.then(() => protocol.message(socket, message)).catch(() => {});
    },
    close: (socket) => {
      connections.close(socket.data.from.address);
      intake.served.faults?.close(socket);
      socket.data.protocol.close(socket);
    },
  };
}

function isLongerThan(maxBytes: number, message: string | Uint8Array): boolean {
  // Short texts, as almost all are, need not be measured.
  if (message.length * MAX_BYTES_PER_UNIT <= maxBytes) return false;
  return Buffer.byteLength(message) > maxBytes;
}

async function closeAfter(pending: Response | Promise<Response>): Promise<Response> {
  const response = await pending;
  response.headers.set('Connection', 'close');
  return response;
}

function endStreams({ streams, binance }: Served, code: number, reason: string): void {
  streams.endAll(code, reason);
  binance?.shutDown(code, reason);
}

async function stop(server: Bun.Server<SocketState>, served: Served): Promise<void> {
  void server.stop(false);
  // Idle connections, and requests that never end, must not delay the stop for longer.
  const { metrics } = served.streams;
  await waitUntil(() => server.pendingRequests === 0 && metrics.operationsInFlight === 0);
  // Streams end last, so that they deliver the effects of those requests.
  endStreams(served, GOING_AWAY, 'The exchange is shutting down. Reconnect.');
  await waitUntil(() => server.pendingWebSockets === 0);
  await server.stop(true);
}

/** Polls a condition until it holds, for at most STOP_GRACE_MS. */
async function waitUntil(condition: () => boolean): Promise<void> {
  const until = performance.now() + STOP_GRACE_MS;
  await retry(condition, { every: STOP_POLL_MS, until, isDone: Boolean });
}
