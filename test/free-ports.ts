/** Below those that systems give to connections and to who asks for any: none of them comes between. */
const FIRST = 10_000;
const COUNT = 20_000;
const given = new Set<number>();

/** Ports of loopback that nobody listened on a moment ago, each another: also while a server on one starts anew. */
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
