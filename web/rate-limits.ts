import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { RateLimit } from '../src/client/index.ts';

/** Part of a limit below which the page shows what is left of it. */
const LOW_PART = 0.2;
/** Maximum length of a window. Bounds the wait where the clock of this computer is wrong. */
const WINDOW_MS = 60_000;
const TICK_MS = 1000;

interface Window {
  readonly limit: number;
  readonly remaining: number;
  readonly endMs: number;
}

export interface LowLimit {
  /** Requests left until the window ends. */
  readonly remaining: number;
  /** Time until the window ends, in whole seconds, at least 1. */
  readonly seconds: number;
}

/** The last known windows by endpoint, such as `POST /api/orders`. Reads are left out: no user runs out of them. */
const windows = signal<ReadonlyMap<string, Window>>(new Map());
const now = signal(Date.now());

/** Notes the state of a rate limit that a response reported. */
export function noteRateLimit(endpoint: string, { limit, remaining, resetMs }: RateLimit): void {
  if (endpoint.startsWith('GET ')) return;
  now.value = Date.now();
  const endMs = Math.min(resetMs, now.value + WINDOW_MS);
  windows.value = new Map(windows.value).set(endpoint, { limit, remaining, endMs });
}

/** Returns what is left of an endpoint's limit while that is little, else undefined. */
export function lowLimit(endpoint: string): LowLimit | undefined {
  const window = windows.value.get(endpoint);
  if (window === undefined || !isLow(window)) return undefined;
  const leftMs = window.endMs - now.value;
  return leftMs <= 0
    ? undefined
    : { remaining: window.remaining, seconds: Math.ceil(leftMs / TICK_MS) };
}

function isLow({ remaining, limit }: Window): boolean {
  return remaining < limit * LOW_PART;
}

/** Whether some window is low, whose seconds are shown. */
const isCounting: ReadonlySignal<boolean> = computed(() =>
  [...windows.value.values()].some((each) => isLow(each) && each.endMs > now.value),
);
effect(() => {
  if (!isCounting.value) return undefined;
  const timer = setInterval(() => {
    now.value = Date.now();
  }, TICK_MS);
  return () => clearInterval(timer);
});
