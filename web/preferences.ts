import { effect, type Signal, signal } from '@preact/signals';

const PREFIX = 'buttonwood-';
const storage = openStorage();

/**
 * Returns a signal that this browser keeps, such as an open tab or the grouping of a book.
 * @param key Name in localStorage, without the prefix; each key is used once.
 * @param choices All valid values; others that are found count as the fallback.
 */
export function preference<Value extends string>(
  key: string,
  choices: readonly Value[],
  fallback: Value,
): Signal<Value> {
  return storedSignal(
    key,
    fallback,
    (text) => choices.find((choice) => choice === text),
    (value) => value,
  );
}

/**
 * Returns a signal that this browser keeps as JSON, such as a layout.
 * @param parse Returns the value of parsed JSON; undefined if it is not valid, which counts as the fallback.
 */
export function storedValue<Value>(
  key: string,
  parse: (json: unknown) => Value | undefined,
  fallback: Value,
): Signal<Value> {
  return storedSignal(key, fallback, (text) => parse(parseJson(text)), JSON.stringify);
}

/** Creates a signal that is written to localStorage when it changes, and follows changes by other tabs. */
function storedSignal<Value>(
  key: string,
  fallback: Value,
  read: (text: string) => Value | undefined,
  write: (value: Value) => string,
): Signal<Value> {
  const name = PREFIX + key;
  const current = (text: string | null | undefined) =>
    (typeof text === 'string' ? read(text) : undefined) ?? fallback;
  const kept = signal(current(storage?.getItem(name)));
  let isFirst = true;
  effect(() => {
    const text = write(kept.value);
    if (!isFirst && storage?.getItem(name) !== text) storage?.setItem(name, text);
    isFirst = false;
  });
  globalThis.addEventListener?.('storage', (event) => {
    // Types of the browser are missing where tests import this.
    const { key, newValue } = event as Event & { key?: string; newValue?: string | null };
    if (key === name) kept.value = current(newValue);
  });
  return kept;
}

/** Returns undefined where the user blocks site data, which makes reading the property throw. */
function openStorage(): Storage | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined;
  }
}

/** Returns undefined for text that is not JSON, such as that of an older version of the page. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Time zone of all times and charts. */
export const CLOCKS = ['local', 'utc'] as const;
export const clock = preference('clock', CLOCKS, 'local');

/** Colors of rising and falling prices, and of buying and selling: the first is for up. */
export const MARKET_COLORS = ['green-red', 'red-green', 'blue-orange'] as const;
export const marketColors = preference('colors', MARKET_COLORS, 'green-red');
