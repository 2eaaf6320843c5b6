/** `setMarketStatus` → `Set market status`. */
export function actionWords(action: string): string {
  const text = action.replace(/([A-Z])/g, ' $1').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Told by the entry's subject already, or numbers that only the log knows. */
const LEFT_OUT = new Set(['owner', 'market', 'base', 'quote']);

/** `{"frozen":true,"reason":"asked"}` → `frozen: true, reason: asked`. */
export function detailWords(details: Readonly<Record<string, unknown>>): string {
  return Object.entries(details)
    .filter(([name, value]) => !LEFT_OUT.has(name) && value !== '' && value !== null)
    .map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(', ');
}
