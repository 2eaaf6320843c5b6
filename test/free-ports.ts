/** Ports below the ephemeral range, so that the system does not assign them. */
const COUNT = 2_000;
/** Test processes that run at the same time rarely share a range: a port may be free and already given. */
const FIRST = 10_000 + (process.pid % 10) * COUNT;
const given = new Set<number>();

/** Returns distinct loopback ports that are currently free, and stay reserved while a server restarts. */
export function freePorts(count: number): number[] {
  return Array.from({ length: count }, freePort);
}

export function freePort(): number {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    if (given.has(port) || !isFree(port)) continue;
    given.add(port);
    return port;
  }
}

function isFree(port: number): boolean {
  try {
    Bun.listen({ hostname: '127.0.0.1', port, socket: { data: () => {} } }).stop(true);
    return true;
  } catch {
    return false;
  }
}
