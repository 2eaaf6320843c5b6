import { computed, effect, signal } from '@preact/signals';
import { api } from '../api.ts';
import { ResponseOrder } from '../components/response-order.ts';
import { announceError } from '../components/toast.tsx';
import { msg } from '../i18n/index.ts';
import { preference } from '../preferences.ts';
import { balances, shownQuote } from './holdings.ts';
import { type Gains, performanceOver, toChartPoints } from './performance.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Ranges of the page: the points at the ends of intervals, one more than intervals. */
export const RANGES = {
  '24h': { interval: '15m', intervalMs: 15 * MINUTE_MS, limit: 97, title: msg('24 hours') },
  '7d': { interval: '1h', intervalMs: HOUR_MS, limit: 169, title: msg('7 days') },
  '30d': { interval: '4h', intervalMs: 4 * HOUR_MS, limit: 181, title: msg('30 days') },
  '1y': { interval: '1d', intervalMs: 24 * HOUR_MS, limit: 366, title: msg('1 year') },
} as const;
export type Range = keyof typeof RANGES;
export const RANGE_IDS = Object.keys(RANGES) as Range[];

export const METHODS = ['fifo', 'average'] as const;
export type Method = (typeof METHODS)[number];
export const METHOD_LABELS = {
  fifo: msg('First in, first out'),
  average: msg('Average cost'),
} as const;

export const range = preference('portfolio-range', RANGE_IDS, '7d');
export const method = preference('cost-method', METHODS, 'fifo');

/** A long ledger takes several requests; this is the time between them. */
const CONTINUE_MS = 1000;

/** Profit and loss over the range; undefined until loaded. */
export const gains = signal<Gains | undefined>(undefined);
const order = new ResponseOrder();
let timer: ReturnType<typeof setTimeout> | undefined;

export const performance = computed(() => performanceOver(gains.value?.points ?? []));

/** Points of the charts. Undefined until all of the ledger is included. */
export const chartPoints = computed(() => {
  const found = gains.value;
  if (found === undefined || !found.isComplete) return undefined;
  const { intervalMs } = RANGES[range.value];
  return toChartPoints(found.points, found.flows, intervalMs, Date.parse(found.timestamp));
});

/** Loads the profit and loss of the chosen range, in the chosen currency and by the chosen method. */
export async function loadGains(): Promise<void> {
  const quote = shownQuote.value;
  if (quote === '') return;
  const { interval, limit } = RANGES[range.value];
  const isNewest = order.begin();
  clearTimeout(timer);
  const found = await api.getProfitAndLoss({ quote, method: method.value, interval, limit });
  // The range may have been changed in the meantime.
  if (!isNewest() || RANGES[range.value].interval !== interval) return;
  gains.value = found;
  if (!found.isComplete) timer = setTimeout(() => loadGains().catch(announceError), CONTINUE_MS);
}

/** Loads whenever the balances were loaded or a choice was changed. @returns A function that ends it. */
export function followGains(): () => void {
  return effect(() => {
    void [range.value, method.value, shownQuote.value];
    if (balances.value !== undefined) loadGains().catch(announceError);
  });
}
