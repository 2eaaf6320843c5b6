/** `setMarketStatus` → `Set market status`. */
export function describeAction(action: string): string {
  const text = action.replace(/([A-Z])/g, ' $1').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Told by the entry's subject already. */
const LEFT_OUT = new Set(['accountId', 'symbol']);

/** `{"frozen":true,"reason":"asked"}` → `frozen: true, reason: asked`. */
export function describeDetails(details: Readonly<Record<string, unknown>>): string {
  return Object.entries(details)
    .filter(([name, value]) => !LEFT_OUT.has(name) && !isNothing(value))
    .map(([name, value]) => `${name}: ${valueText(value)}`)
    .join(', ');
}

function isNothing(value: unknown): boolean {
  return value === '' || value === null || (Array.isArray(value) && value.length === 0);
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(' ');
  if (typeof value !== 'object' || value === null) return `${value}`;
  const parts = Object.entries(value).map(([name, part]) => `${name} ${valueText(part)}`);
  return parts.join(', ');
}
