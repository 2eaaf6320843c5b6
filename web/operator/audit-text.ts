export { describeAction } from './audit-actions.ts';

/** Fields already shown in the Target column. */
const OMITTED = new Set(['accountId', 'symbol']);

/** Formats details: `{"frozen":true,"reason":"asked"}` → `frozen: true, reason: asked`. */
export function describeDetails(details: Readonly<Record<string, unknown>>): string {
  return Object.entries(details)
    .filter(([name, value]) => !OMITTED.has(name) && !isEmpty(value))
    .map(([name, value]) => `${name}: ${valueText(value)}`)
    .join(', ');
}

function isEmpty(value: unknown): boolean {
  return value === '' || value === null || (Array.isArray(value) && value.length === 0);
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(' ');
  if (typeof value !== 'object' || value === null) return `${value}`;
  const parts = Object.entries(value).map(([name, part]) => `${name} ${valueText(part)}`);
  return parts.join(', ');
}
