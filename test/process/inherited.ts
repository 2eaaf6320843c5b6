/**
 * The environment of this process for child processes, without the large pages that the launcher enables: these suit
 * a long-running exchange, and double the time of a start.
 */
export function inherited(): Record<string, string> {
  const all = Object.entries(process.env) as [string, string][];
  return Object.fromEntries(all.filter(([name]) => name !== 'MIMALLOC_ALLOW_THP'));
}
