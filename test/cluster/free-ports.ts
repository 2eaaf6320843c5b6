/** Ports of loopback that nobody listened on a moment ago, each another. */
export function freePorts(count: number): number[] {
  const listeners = Array.from({ length: count }, () =>
    Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => {} } }),
  );
  const ports = listeners.map(({ port }) => port);
  for (const listener of listeners) listener.stop(true);
  return ports;
}
