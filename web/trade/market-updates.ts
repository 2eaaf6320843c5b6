import { batch, signal } from '@preact/signals';
import { api } from '../api.ts';
import { announce, announceError } from '../components/toast.tsx';
import { t } from '../i18n/index.ts';
import { setAssetNames } from './asset-names.ts';
import { applyChanges, type ListingChanges, withoutDelisted } from './listings.ts';
import { assetDecimals, markets, symbol } from './markets.ts';

/** Incremented with each change of some market's rules, fees included. */
export const ruleChanges = signal(0);
/** The number of changes received, so that a response from before one of them does not undo it. */
let changes = 0;

/** Applies changes of statuses and rules, and new markets. */
export function applyMarketChanges(sent: ListingChanges): void {
  changes++;
  const { listings = [] } = sent;
  const isOurs = listings.some((each) => each.symbol === symbol.value && isKnown(each.symbol));
  batch(() => {
    markets.value = withoutDelisted(applyChanges(markets.value, sent), symbol.value);
    if (listings.length > 0) ruleChanges.value++;
  });
  if (isOurs) announce(t('The trading rules of {symbol} have changed.', { symbol: symbol.value }));
  loadNewAssets().catch(announceError);
}

/** Reads the rules and statuses of all markets, of which the stream sends only changes. */
export async function refreshMarkets(): Promise<void> {
  const before = changes;
  const { markets: listed } = await api.getMarkets();
  if (changes !== before) return refreshMarkets();
  markets.value = withoutDelisted(listed, symbol.value);
  await loadNewAssets();
}

async function loadNewAssets(): Promise<void> {
  const known = assetDecimals.value;
  const isNew = (asset: string) => !known.has(asset);
  if (!markets.value.some(({ base, quote }) => isNew(base) || isNew(quote))) return;
  const { assets } = await api.getAssets();
  assetDecimals.value = new Map(assets.map(({ asset, decimals }) => [asset, decimals]));
  setAssetNames(assets);
}

function isKnown(wanted: string): boolean {
  return markets.value.some((each) => each.symbol === wanted);
}
