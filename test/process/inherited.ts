/**
 * The environment of this process for those that it starts, without the large pages that the launcher asks for: they
 * are for an exchange that lives long, and double what a start costs.
 */
export function inherited(): Record<string, string> {
  const all = Object.entries(process.env) as [string, string][];
  return Object.fromEntries(all.filter(([name]) => name !== 'MIMALLOC_ALLOW_THP'));
}
