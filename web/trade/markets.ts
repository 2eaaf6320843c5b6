import { batch, computed, signal } from '@preact/signals';
import Big from 'big.js';
import { api } from '../api.ts';
import { countDecimals, fixed } from '../format.ts';
import { setAssetNames } from './asset-names.ts';
import { withoutDelisted } from './listings.ts';
import type { ExactMarket, ExactPrice } from './records.ts';

/** All listed markets, grouped by quote asset. */
export const markets = signal<readonly ExactMarket[]>([]);
/** Latest prices and 24h statistics by symbol. */
export const prices = signal<ReadonlyMap<string, ExactPrice>>(new Map());
/** Decimals of each asset. */
export const assetDecimals = signal<ReadonlyMap<string, number>>(new Map());
/** Symbol of the current market; empty until the markets have loaded. */
export const symbol = signal('');

export const price = computed(() => prices.value.get(symbol.value));
/** The current market; undefined until the markets have loaded. */
export const market = computed(() => markets.value.find((each) => each.symbol === symbol.value));
/** The auction that the current market is in; null if it is in none. */
export const auction = computed(() => price.value?.auction ?? null);
export const lastPrice = computed(() => price.value?.price ?? market.value?.last);
export const priceDecimals = computed(() => priceDecimalsFor(symbol.value));

/** Returns the decimals of a market's prices. */
export function priceDecimalsFor(wanted: string): number {
  const listed = markets.value.find((each) => each.symbol === wanted);
  return countDecimals(listed?.tickSize ?? '0.01');
}

/** Returns the price nearest to a double that is a multiple of the market's tick size. */
export function nearestTick(price: number, wanted: string): string {
  const tick = new Big(markets.value.find((each) => each.symbol === wanted)?.tickSize ?? '0.01');
  const ticks = new Big(price).div(tick).round(0, Big.roundHalfUp);
  return ticks.times(tick).toFixed(priceDecimalsFor(wanted));
}

/** Formats a price of a market with all its digits, and at least as many decimals as its tick size. */
export function priceText(text: string, wanted: string): string {
  return fixed(text, Math.max(countDecimals(text), priceDecimalsFor(wanted)));
}

const MIN_AMOUNT_DECIMALS = 3;

/** Decimals of displayed amounts: the last digit is worth about one unit of the quote asset. */
export const amountDecimals = computed(() => {
  const { stepSize = '0.001', last = '1' } = market.value ?? {};
  const whole = last.split('.')[0]!;
  const wanted = whole === '0' ? MIN_AMOUNT_DECIMALS : whole.length - 1;
  return Math.min(countDecimals(stepSize), Math.max(wanted, MIN_AMOUNT_DECIMALS));
});

const MARKET_STORAGE_KEY = 'buttonwood-market';

/** Loads markets and assets, then shows the market in the path, else the last one seen, else the first. */
export async function loadMarkets(): Promise<void> {
  const [listed, { prices: figures }, { assets }] = await Promise.all([
    api.getMarkets(),
    api.getPrices(),
    api.getAssets(),
  ]);
  batch(() => {
    markets.value = withoutDelisted(listed.markets, '');
    prices.value = new Map(figures.map((each) => [each.symbol, each]));
    assetDecimals.value = new Map(assets.map(({ asset, decimals }) => [asset, decimals]));
    setAssetNames(assets);
    const wanted = localStorage.getItem(MARKET_STORAGE_KEY);
    const known = markets.value.find((each) => each.symbol === wanted) ?? markets.value[0];
    const isNamed = readPathSymbol() !== undefined;
    if (!isNamed && symbol.value === '' && known !== undefined) {
      show(known.symbol);
      history.replaceState(null, '', marketPath(known.symbol));
    }
    followPath();
  });
}

/** Shows another market and updates the URL. */
export function select(wanted: string): void {
  if (wanted === symbol.value) return;
  history.pushState(null, '', marketPath(wanted));
  show(wanted);
}

export function marketPath(wanted: string): string {
  return `/trade/${wanted.replace('/', '-')}`;
}

/** The market that the URL names, if the exchange does not list it. No other market is shown in its place. */
export const missingMarket = signal<string | undefined>(undefined);

function show(wanted: string): void {
  missingMarket.value = undefined;
  symbol.value = wanted;
  localStorage.setItem(MARKET_STORAGE_KEY, wanted);
}

function readPathSymbol(): string | undefined {
  return /^\/trade\/([^/]+)/.exec(location.pathname)?.[1]?.replace('-', '/').toUpperCase();
}

/** Keeps the current market in step with the URL, so that no order goes to another market than the URL names. */
function followPath(): void {
  const wanted = readPathSymbol();
  if (wanted === undefined) return;
  if (markets.value.some((each) => each.symbol === wanted)) {
    show(wanted);
    history.replaceState(null, '', marketPath(wanted));
    return;
  }
  symbol.value = '';
  missingMarket.value = wanted;
}

addEventListener('popstate', followPath);
