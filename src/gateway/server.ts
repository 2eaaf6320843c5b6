import type { Hono } from 'hono';
import type { Config } from '../config.ts';

/** Far above what a body may have, so that too large a one is refused by us, in an envelope. */
const MAX_REQUEST_BYTES = 8 * 1024 * 1024;
const IDLE_TIMEOUT_SECONDS = 60;

/** Serves the gateway on a port. @throws where the port is taken or not allowed */
export function listen(
  app: Hono<never>,
  config: Pick<Config, 'port' | 'host' | 'certificate'>,
): { readonly port: number; stop(): Promise<void> } {
  const { port, host, certificate } = config;
  const server = Bun.serve({
    port,
    hostname: host,
    maxRequestBodySize: MAX_REQUEST_BYTES,
    idleTimeout: IDLE_TIMEOUT_SECONDS,
    fetch: (request, bunServer) => app.fetch(request, bunServer as never),
    ...(certificate === undefined
      ? {}
      : { tls: { cert: Bun.file(certificate.certPath), key: Bun.file(certificate.keyPath) } }),
  });
  return { port: server.port ?? port, stop: () => server.stop(false) };
}
