import { computed, effect, signal } from '@preact/signals';
import { api } from '../api.ts';
import { ResponseOrder } from '../components/response-order.ts';
import { announceError } from '../components/toast.tsx';
import { msg } from '../i18n/index.ts';
import { preference } from '../preferences.ts';
import { group, selectedAccount } from '../selected-account.ts';
import { loadGroup } from '../session.ts';
import { balances, shownQuote } from './holdings.ts';
import { coverAge, INTERVALS_MS } from './intervals.ts';
import { type Gains, performanceOver, toChartPoints } from './performance.ts';

/** Ranges of the page: the points at the ends of intervals, one more than intervals. */
export const RANGES = {
  '24h': { interval: '15m', limit: 97, title: msg('24 hours') },
  '7d': { interval: '1h', limit: 169, title: msg('7 days') },
  '30d': { interval: '4h', limit: 181, title: msg('30 days') },
  '1y': { interval: '1d', limit: 366, title: msg('1 year') },
  /** Since the account was created; its intervals follow from the age of the account. */
  all: { title: msg('all time') },
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

/** Profit and loss over the range, and the width of its intervals; undefined until loaded. */
export const gains = signal<(Gains & { readonly intervalMs: number }) | undefined>(undefined);
const order = new ResponseOrder();
let timer: ReturnType<typeof setTimeout> | undefined;

export const performance = computed(() => performanceOver(gains.value?.points ?? []));

/** Points of the charts. Undefined until all of the ledger is included. */
export const chartPoints = computed(() => {
  const found = gains.value;
  if (found === undefined || !found.isComplete) return undefined;
  return toChartPoints(found.points, found.flows, found.intervalMs, Date.parse(found.timestamp));
});

/** Loads the profit and loss of the chosen range, in the chosen currency and by the chosen method. */
export async function loadGains(): Promise<void> {
  const quote = shownQuote.value;
  if (quote === '') return;
  const chosen = range.value;
  const costs = method.value;
  const isNewest = order.begin();
  clearTimeout(timer);
  const { interval, limit } = chosen === 'all' ? await chooseIntervals() : RANGES[chosen];
  const found = await api.getProfitAndLoss({ quote, method: costs, interval, limit });
  // The range may have been changed in the meantime.
  if (!isNewest() || range.value !== chosen) return;
  gains.value = { ...found, intervalMs: INTERVALS_MS[interval] };
  if (!found.isComplete) timer = setTimeout(() => loadGains().catch(announceError), CONTINUE_MS);
}

/** Returns the intervals from the creation of the account until now. */
async function chooseIntervals() {
  const [{ timestamp }] = await Promise.all([
    api.getTime(),
    group.value.length === 0 ? loadGroup() : undefined,
  ]);
  const now = Date.parse(timestamp);
  return coverAge(now - Date.parse(selectedAccount.value?.createdAt ?? timestamp));
}

/** Loads whenever the balances were loaded or a choice was changed. @returns A function that ends it. */
export function followGains(): () => void {
  return effect(() => {
    void [range.value, method.value, shownQuote.value];
    if (balances.value !== undefined) loadGains().catch(announceError);
  });
}
