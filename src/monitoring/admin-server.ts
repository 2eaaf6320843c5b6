import { version } from '../../package.json';
import { exposition } from './metrics.ts';
import type { Monitor } from './monitor.ts';

const IDLE_TIMEOUT_SECONDS = 30;
const TEXT_FORMAT = { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' };

/**
 * Serves /healthz, /readyz and /metrics, apart from the exchange: before it has recovered, and while it ends.
 * @returns The port taken.
 * @throws where it is taken or not allowed
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
      Response.json({ error: 'There are GET /healthz, /readyz and /metrics.' }, { status: 404 }),
  });
  // What it serves alone must not keep the process alive.
  server.unref();
  return server.port ?? port;
}
