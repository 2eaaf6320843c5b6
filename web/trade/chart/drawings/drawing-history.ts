import { drawings, type Shape } from './shapes.ts';

/** Maximum changes of a market's drawings that users can undo. */
const MAX_CHANGES = 50;
/** Maximum drawings of a market; the oldest are removed. */
const MAX_DRAWINGS = 200;

/** The drawings of each market before each of the last changes, oldest first. */
const earlier = new Map<string, (readonly Shape[])[]>();
/** Markets in the order of their changes, the last one at the end. */
let changed: readonly string[] = [];

export function readShapes(symbol: string): readonly Shape[] {
  return drawings.peek()[symbol] ?? [];
}

/** Replaces the drawings of a market by a change that users can undo. */
export function changeDrawings(symbol: string, shapes: readonly Shape[]): void {
  earlier.set(symbol, [...(earlier.get(symbol) ?? []), readShapes(symbol)].slice(-MAX_CHANGES));
  changed = [...changed.filter((each) => each !== symbol), symbol];
  continueChange(symbol, shapes);
}

/** Replaces the drawings of a market as a part of the last change, such as while a drawing follows the pointer. */
export function continueChange(symbol: string, shapes: readonly Shape[]): void {
  drawings.value = { ...drawings.peek(), [symbol]: shapes.slice(-MAX_DRAWINGS) };
}

/** Undoes the last change of a market. Returns whether there was one. */
export function undo(symbol: string): boolean {
  const shapes = earlier.get(symbol)?.pop();
  if (shapes === undefined) return false;
  continueChange(symbol, shapes);
  return true;
}

/** Returns the market whose drawings were changed last. */
export function lastChanged(): string | undefined {
  return changed.at(-1);
}

/** Removes all drawings of markets. Returns a function that restores them; undefined if there were none. */
export function removeDrawings(symbols: readonly string[]): (() => void) | undefined {
  const removed = [...new Set(symbols)].filter((symbol) => readShapes(symbol).length > 0);
  if (removed.length === 0) return undefined;
  for (const symbol of removed) changeDrawings(symbol, []);
  return () => {
    // A later drawing stays, and then only Ctrl+Z undoes the removal.
    for (const symbol of removed) if (readShapes(symbol).length === 0) undo(symbol);
  };
}
