import { batch, computed, signal } from '@preact/signals';
import { api } from '../api.ts';
import { announce } from '../components/toast.tsx';
import { countDecimals } from '../decimal.ts';
import type { ExactMarket, ExactPrice } from './records.ts';

/** Every market that is listed, those of one quote together. */
export const markets = signal<readonly ExactMarket[]>([]);
/** The latest figures of each, by symbol. */
export const prices = signal<ReadonlyMap<string, ExactPrice>>(new Map());
/** Decimals of each asset's smallest unit. */
export const assetDecimals = signal<ReadonlyMap<string, number>>(new Map());
/** What the page shows; empty until the markets are known. */
export const symbol = signal('');

export const market = computed(() => markets.value.find((each) => each.symbol === symbol.value));
export const price = computed(() => prices.value.get(symbol.value));
export const lastPrice = computed(() => price.value?.price ?? market.value?.last);
export const priceDecimals = computed(() => countDecimals(market.value?.tickSize ?? '0.01'));

const MIN_AMOUNT_DECIMALS = 3;

/** Decimals of amounts where they move: one unit of the last is worth about one of the quote. */
export const amountDecimals = computed(() => {
  const { stepSize = '0.001', last = '1' } = market.value ?? {};
  const whole = last.split('.')[0]!;
  const wanted = whole === '0' ? MIN_AMOUNT_DECIMALS : whole.length - 1;
  return Math.min(countDecimals(stepSize), Math.max(wanted, MIN_AMOUNT_DECIMALS));
});

const FAVOURITE = 'buttonwood-market';

/** Reads markets and assets, and shows the market of the path, else the one last seen, else the first. */
export async function loadMarkets(): Promise<void> {
  const [listed, { prices: figures }, { assets }] = await Promise.all([
    api.getMarkets(),
    api.getPrices(),
    api.getAssets(),
  ]);
  batch(() => {
    markets.value = listed.markets.filter(({ status }) => status !== 'delisted');
    prices.value = new Map(figures.map((each) => [each.symbol, each]));
    assetDecimals.value = new Map(assets.map(({ asset, decimals }) => [asset, decimals]));
    const wanted = symbolOfPath() ?? localStorage.getItem(FAVOURITE);
    const known = markets.value.find((each) => each.symbol === wanted) ?? markets.value[0];
    if (symbol.value === '' && known !== undefined) show(known.symbol);
    followPath();
  });
}

/** The rules and the status of markets change, if seldom. */
export async function refreshMarkets(): Promise<void> {
  const { markets: listed } = await api.getMarkets();
  markets.value = listed.filter(({ status }) => status !== 'delisted');
}

/** Shows another market, under an address of its own. */
export function select(wanted: string): void {
  if (wanted === symbol.value) return;
  history.pushState(null, '', pathOf(wanted));
  show(wanted);
}

export function pathOf(wanted: string): string {
  return `/trade/${wanted.replace('/', '-')}`;
}

function show(wanted: string): void {
  symbol.value = wanted;
  localStorage.setItem(FAVOURITE, wanted);
}

function symbolOfPath(): string | undefined {
  return /^\/trade\/([^/]+)/.exec(location.pathname)?.[1]?.replace('-', '/').toUpperCase();
}

/** The address never names another market than the one that orders are for. */
function followPath(): void {
  const wanted = symbolOfPath();
  if (wanted === undefined || symbol.value === '') return;
  if (markets.value.some((each) => each.symbol === wanted)) show(wanted);
  else announce(`There is no market ${wanted}. This is ${symbol.value}.`, 'error');
  history.replaceState(null, '', pathOf(symbol.value));
}

addEventListener('popstate', followPath);
