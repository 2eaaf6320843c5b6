import type { Config } from '../config.ts';
import type { PeerSource } from './gateway.ts';

/** Far above what a body may have, so that too large a one is refused by us, in an envelope. */
const MAX_REQUEST_BYTES = 8 * 1024 * 1024;
const IDLE_TIMEOUT_SECONDS = 60;

/** A web-standard handler that may ask the server about a request's connection. */
export interface Gateway {
  fetch(request: Request, peers: PeerSource): Response | Promise<Response>;
}

/** Serves the gateway on a port. @throws where the port is taken or not allowed */
export function listen(
  app: Gateway,
  config: Pick<Config, 'port' | 'host' | 'certificate'>,
): { readonly port: number; stop(): Promise<void> } {
  const { port, host, certificate } = config;
  const server = Bun.serve({
    port,
    hostname: host,
    maxRequestBodySize: MAX_REQUEST_BYTES,
    idleTimeout: IDLE_TIMEOUT_SECONDS,
    development: false,
    fetch: (request, bunServer) => app.fetch(request, bunServer),
    ...(certificate === undefined
      ? {}
      : { tls: { cert: Bun.file(certificate.certPath), key: Bun.file(certificate.keyPath) } }),
  });
  return { port: server.port ?? port, stop: () => server.stop(false) };
}
