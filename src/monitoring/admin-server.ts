import { version } from '../../package.json';
import { exposition } from './metrics.ts';
import type { Monitor } from './monitor.ts';

const IDLE_TIMEOUT_SECONDS = 30;
const TEXT_FORMAT = { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' };

/**
 * Serves /healthz, /readyz and /metrics independently of the exchange, also during recovery and shutdown.
 * @returns the port listened on
 * @throws if the port is in use or not permitted
 */
export function serveAdmin(
  { host, port }: { host: string; port: number },
  monitor: Monitor,
): number {
  const { readiness, metrics } = monitor;
  const server = Bun.serve({
    port,
    hostname: host,
    idleTimeout: IDLE_TIMEOUT_SECONDS,
    development: false,
    reusePort: false,
    routes: {
      '/healthz': {
        GET: () => Response.json({ status: 'alive', version, uptimeSeconds: process.uptime() }),
      },
      '/readyz': {
        GET: () => {
          const { reasons, notes } = readiness;
          const isReady = reasons.length === 0;
          const noted = notes.length === 0 ? {} : { notes };
          const status = isReady ? 200 : 503;
          return Response.json({ ready: isReady, reasons, ...noted }, { status });
        },
      },
      '/metrics': { GET: () => new Response(exposition(metrics), { headers: TEXT_FORMAT }) },
    },
    fetch: () =>
      Response.json(
        { error: 'No such endpoint. Use GET /healthz, /readyz or /metrics.' },
        { status: 404 },
      ),
  });
  // The server must not keep the process alive.
  server.unref();
  return server.port ?? port;
}
