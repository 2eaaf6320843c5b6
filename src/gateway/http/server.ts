import type { Config } from '../../config/config.ts';
import { sessionSecret } from '../auth/cookies.ts';
import { type Gateway, hasSeveralHosts, pathOf } from '../gateway.ts';
import { Connections } from '../stream/connections.ts';
import { STREAM_PATH } from '../stream/path.ts';
import type { Connection } from '../stream/socket.ts';
import { MAX_MESSAGE_BYTES, type Streams } from '../stream/streams.ts';

/** Far above what a body may have, so that too large a one is refused by us, in an envelope. */
const MAX_REQUEST_BYTES = 8 * 1024 * 1024;
const IDLE_TIMEOUT_SECONDS = 60;
/** Far above what a reader may leave unread: readers.ts looks from time to time, this holds between. */
const MAX_BACKPRESSURE_BYTES = 16 * 1024 * 1024;
/** How long a stop waits for requests under way: far longer than an order takes. */
const STOP_GRACE_MS = 1000;
const STOP_POLL_MS = 5;
/** The close code of an endpoint that goes away (RFC 6455, 7.4.1). */
const GOING_AWAY = 1001;
const SLASH = 0x2f;

type Peers = Bun.Server<Connection>;

/** A port that is served. */
export interface Listening {
  readonly port: number;
  /** Streams open, and requests that wait for their answer. */
  readonly sockets: number;
  readonly requests: number;
  /** From now on each answer is the last of its connection, so that none is used at the moment of the stop. */
  drain(): void;
  /** Takes no more connections, answers the requests under way, and ends all others: streams with 1001. */
  stop(): Promise<void>;
}

/** Serves the gateway on a port. @throws where the port is taken or not allowed */
export function listen(
  gateway: Pick<Gateway, 'fetch' | 'paced'>,
  config: Pick<Config, 'port' | 'host' | 'certificate' | 'rateLimits' | 'trustedProxies'>,
  streams: Streams,
  now: () => number = Date.now,
): Listening {
  const { port, host, certificate } = config;
  const connections = new Connections(config);
  let isDraining = false;
  const answer = (request: Request, peers: Peers) => {
    const response = gateway.fetch(request, peers);
    return isDraining ? lastOfConnection(response) : response;
  };
  const openStream = (request: Request, peers: Peers) => {
    if (hasSeveralHosts(request)) return answer(request, peers);
    const address = connections.addressOf(request, peers.requestIP(request)?.address ?? '');
    const refusal = connections.open(address, now(), streams.reachability?.isLost);
    if (refusal !== undefined) return gateway.paced(request, peers, refusal);
    const { headers } = request;
    const session = sessionSecret(headers.get('cookie'));
    const from = { address, origin: headers.get('origin'), host: headers.get('host'), session };
    if (peers.upgrade(request, { data: streams.connection(from) })) return undefined;
    connections.close(address);
    return answer(request, peers);
  };
  const server = Bun.serve<Connection>({
    port,
    hostname: host,
    maxRequestBodySize: MAX_REQUEST_BYTES,
    idleTimeout: IDLE_TIMEOUT_SECONDS,
    development: false,
    // Without development mode Bun would share the port with whoever listens there already.
    reusePort: false,
    routes: { [STREAM_PATH]: { GET: openStream } },
    fetch: (request, peers) =>
      hasRepeatedSlash(request.url) && request.method === 'GET' && pathOf(request) === STREAM_PATH
        ? openStream(request, peers)
        : answer(request, peers),
    websocket: {
      maxPayloadLength: MAX_MESSAGE_BYTES,
      backpressureLimit: MAX_BACKPRESSURE_BYTES,
      // Else what does not fit would be dropped unseen.
      closeOnBackpressureLimit: true,
      // A silent client is pinged; one that does not answer within this time is gone.
      idleTimeout: IDLE_TIMEOUT_SECONDS,
      open: (socket) => streams.readers.open(socket),
      drain: (socket) => streams.drained(socket),
      message: (socket, message) => streams.message(socket, message),
      close: (socket) => {
        connections.close(socket.data.from.address);
        streams.close(socket);
      },
    },
    ...(certificate === undefined
      ? {}
      : { tls: { cert: Bun.file(certificate.certPath), key: Bun.file(certificate.keyPath) } }),
  });
  streams.publish = (topic, message) => server.publish(topic, message);
  return {
    port: server.port ?? port,
    get sockets() {
      return server.pendingWebSockets;
    },
    get requests() {
      return server.pendingRequests;
    },
    drain: () => {
      isDraining = true;
    },
    stop: () => stop(server, streams),
  };
}

function hasRepeatedSlash(url: string): boolean {
  return url.includes('//', url.charCodeAt(0) === SLASH ? 0 : 'https://'.length);
}

async function lastOfConnection(response: Response | Promise<Response>): Promise<Response> {
  const answered = await response;
  answered.headers.set('Connection', 'close');
  return answered;
}

async function stop(server: Bun.Server<Connection>, streams: Streams): Promise<void> {
  void server.stop(false);
  // A connection that is idle, or a request that never comes to its end, must not hold it up.
  await until(() => server.pendingRequests === 0);
  // Last of all: what those requests did is in the streams then.
  streams.endAll(GOING_AWAY, 'the exchange stops: connect again');
  await until(() => server.pendingWebSockets === 0);
  await server.stop(true);
}

/** Waits for it, but not for ever. */
async function until(isSo: () => boolean): Promise<void> {
  const end = performance.now() + STOP_GRACE_MS;
  while (!isSo() && performance.now() < end) await Bun.sleep(STOP_POLL_MS);
}
