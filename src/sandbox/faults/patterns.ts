/** Returns whether a name fits a pattern, in which each `*` stands for any text, also none. */
export function matchesPattern(pattern: string, name: string): boolean {
  const parts = pattern.split('*');
  const first = parts[0]!;
  if (parts.length === 1) return name === pattern;
  const last = parts.at(-1)!;
  if (name.length < first.length + last.length) return false;
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  const end = name.length - last.length;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

/** Returns whether a pattern can fit the name of a stream of the Binance dialect, such as `stream btcusdt@trade`. */
export function isStreamPattern(pattern: string): boolean {
  return pattern.startsWith('stream ');
}
