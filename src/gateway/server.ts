import type { Config } from '../config.ts';
import type { Gateway } from './gateway.ts';
import {
  type Connection,
  MAX_MESSAGE_BYTES,
  MAX_UNREAD_BYTES,
  type Streams,
} from './stream/streams.ts';

/** Far above what a body may have, so that too large a one is refused by us, in an envelope. */
const MAX_REQUEST_BYTES = 8 * 1024 * 1024;
const IDLE_TIMEOUT_SECONDS = 60;
/** How long a stop waits for requests under way: far longer than an order takes. */
const STOP_GRACE_MS = 1000;
const STOP_POLL_MS = 5;

type Peers = Bun.Server<Connection>;

/** Serves the gateway on a port. @throws where the port is taken or not allowed */
export function listen(
  gateway: Gateway,
  config: Pick<Config, 'port' | 'host' | 'certificate'>,
  streams: Streams,
): { readonly port: number; stop(): Promise<void> } {
  const { port, host, certificate } = config;
  const server = Bun.serve<Connection>({
    port,
    hostname: host,
    maxRequestBodySize: MAX_REQUEST_BYTES,
    idleTimeout: IDLE_TIMEOUT_SECONDS,
    development: false,
    // Without development mode Bun would share the port with whoever listens there already.
    reusePort: false,
    routes: {
      '/ws': {
        GET: (request: Request, peers: Peers) => {
          const upgraded = peers.upgrade(request, { data: streams.connection() });
          return upgraded ? undefined : gateway.fetch(request, peers);
        },
      },
    },
    fetch: (request, bunServer) => gateway.fetch(request, bunServer),
    websocket: {
      maxPayloadLength: MAX_MESSAGE_BYTES,
      backpressureLimit: MAX_UNREAD_BYTES,
      // Else what does not fit would be dropped unseen.
      closeOnBackpressureLimit: true,
      message: (socket, message) => streams.message(socket, message),
      close: (socket) => streams.close(socket),
    },
    ...(certificate === undefined
      ? {}
      : { tls: { cert: Bun.file(certificate.certPath), key: Bun.file(certificate.keyPath) } }),
  });
  streams.publish = (topic, message) => server.publish(topic, message);
  return { port: server.port ?? port, stop: () => stop(server) };
}

/** Takes no more connections, lets the requests under way be answered, and ends them all. */
async function stop(server: Bun.Server<Connection>): Promise<void> {
  void server.stop(false);
  const until = Date.now() + STOP_GRACE_MS;
  // A connection that is idle, or a request that never comes to its end, must not hold it up.
  while (server.pendingRequests > 0 && Date.now() < until) await Bun.sleep(STOP_POLL_MS);
  await server.stop(true);
}
