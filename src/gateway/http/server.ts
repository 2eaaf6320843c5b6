import type { Config } from '../../config/config.ts';
import { retry } from '../../monitoring/retry.ts';
import type { StreamOrigin } from '../auth/authorization.ts';
import { sessionSecret } from '../auth/cookies.ts';
import type { BinanceSockets } from '../binance/sockets/binance-sockets.ts';
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
/** Close code of a message that is too big (RFC 6455, 7.4.1). */
const MESSAGE_TOO_BIG = 1009;
/** Maximum bytes of UTF-8 per unit of a JavaScript string. */
const MAX_BYTES_PER_UNIT = 3;

type Server = Bun.Server<SocketState>;
type ServerConfig = Pick<Config, 'port' | 'host' | 'certificate' | 'rateLimits' | 'trustedProxies'>;

/** A port that is being served. */
export interface Listening {
  readonly port: number;
  /** Open streams. */
  readonly sockets: number;
  /** Requests in progress. */
  readonly requests: number;
  /** Closes each connection after its next response, so that none is in use at the time of the stop. */
  drain(): void;
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
): Listening {
  const connections = new Connections(config);
  let isDraining = false;
  const respond = (request: Request, server: Server) => {
    const response = gateway.fetch(request, server);
    return isDraining ? closeAfter(response) : response;
  };
  const open = (request: Request, server: Server, connect: Connect) => {
    if (hasSeveralHosts(request)) return respond(request, server);
    const address = connections.clientAddress(request, server.requestIP(request)?.address ?? '');
    const rejection = connections.open(address, now(), streams.reachability?.isLost);
    if (rejection !== undefined) return gateway.delayFlood(request, server, rejection);
    const { headers } = request;
    const session = sessionSecret(headers.get('cookie'));
    const from = { address, origin: headers.get('origin'), host: headers.get('host'), session };
    if (server.upgrade(request, { data: connect(from) })) return undefined;
    connections.close(address);
    return respond(request, server);
  };
  const openStream = (request: Request, server: Server) =>
    open(request, server, (from) => streams.connection(from));
  const server = Bun.serve<SocketState>({
    ...serverOptions(config),
    routes: { [STREAM_PATH]: { GET: openStream } },
    fetch: (request, server) => {
      if (isStream(request)) return openStream(request, server);
      const connect = binance?.find(request);
      return connect === undefined ? respond(request, server) : open(request, server, connect);
    },
    websocket: websocketHandler(connections),
  });
  streams.publish = (topic, message) => server.publish(topic, message);
  if (binance !== undefined) binance.publish = streams.publish;
  streams.onUnreachable = (code, reason) => binance?.closeAll(code, reason);
  return {
    port: server.port ?? config.port,
    get sockets() {
      return server.pendingWebSockets;
    },
    get requests() {
      return server.pendingRequests;
    },
    drain: () => {
      isDraining = true;
    },
    stop: () => stop(server, streams, binance),
  };
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

function websocketHandler(connections: Connections): Bun.WebSocketHandler<SocketState> {
  return {
    maxPayloadLength: LARGEST_MESSAGE_BYTES,
    backpressureLimit: MAX_BACKPRESSURE_BYTES,
    // Otherwise Bun would silently drop the messages that do not fit.
    closeOnBackpressureLimit: true,
    // Silent clients are pinged; those that do not respond within this time are closed.
    idleTimeout: IDLE_TIMEOUT_SECONDS,
    open: (socket) => socket.data.protocol.open(socket),
    drain: (socket) => socket.data.protocol.drain(socket),
    message: (socket, message) => {
      const { protocol } = socket.data;
      if (isLongerThan(protocol.maxMessageBytes, message)) socket.close(MESSAGE_TOO_BIG);
      else protocol.message(socket, message);
    },
    close: (socket) => {
      connections.close(socket.data.from.address);
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

async function stop(
  server: Bun.Server<SocketState>,
  streams: Streams,
  binance: BinanceSockets | undefined,
): Promise<void> {
  void server.stop(false);
  // Idle connections, and requests that never end, must not delay the stop for longer.
  const { metrics } = streams;
  await waitUntil(() => server.pendingRequests === 0 && metrics.operationsInFlight === 0);
  // Streams end last, so that they deliver the effects of those requests.
  const reason = 'The exchange is shutting down. Reconnect.';
  streams.endAll(GOING_AWAY, reason);
  binance?.shutDown(GOING_AWAY, reason);
  await waitUntil(() => server.pendingWebSockets === 0);
  await server.stop(true);
}

/** Polls a condition until it holds, for at most STOP_GRACE_MS. */
async function waitUntil(condition: () => boolean): Promise<void> {
  const until = performance.now() + STOP_GRACE_MS;
  await retry(condition, { every: STOP_POLL_MS, until, isDone: Boolean });
}
