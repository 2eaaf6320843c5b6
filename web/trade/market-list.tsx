import { computed, useComputed, useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { AssetIcon } from '../components/asset-icon.tsx';
import { changeTone, compact, countDecimals, grouped, percent, rounded } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { preference, storedValue } from '../preferences.ts';
import { assetName } from './asset-names.ts';
import {
  commonQuote,
  listMarkets,
  MARKET_SORTS,
  type MarketFilter,
  type MarketSort,
  SORT_ORDERS,
  type SortOrder,
} from './market-order.ts';
import { STATUS_NAMES } from './market-status.ts';
import { marketPath, markets, prices, select, symbol } from './markets.ts';
import type { ExactMarket } from './records.ts';
import { Star } from './star.tsx';

const SORT_NAMES: Readonly<Record<MarketSort, string>> = {
  name: msg('Market'),
  price: msg('Price'),
  change: msg('Change'),
  volume: msg('Volume'),
};
const sort = preference<SortOrder>('market-sort', SORT_ORDERS, '-volume');
/** The quote asset of volumes that are shown without a unit. */
const common = computed(() => commonQuote(markets.value));
const favorites = storedValue<readonly string[]>('favorites', parseSymbols, []);

function parseSymbols(json: unknown): readonly string[] | undefined {
  return Array.isArray(json) ? json.filter((each) => typeof each === 'string') : undefined;
}

/** All markets with their price and 24h change, filtered by the search text, a quote asset, or the user's favorites. */
export function MarketList({ onSelect = () => {} }: { onSelect?: () => void }) {
  const query = useSignal('');
  const filter = useSignal<MarketFilter>('all');
  const found = useComputed(() =>
    listMarkets(markets.value, prices.value, {
      query: query.value,
      filter: filter.value,
      sort: sort.value,
      favorites: new Set(favorites.value),
    }),
  );
  const onPicked = () => {
    query.value = '';
    onSelect();
  };
  return (
    <div class="market-list">
      <MarketSearch
        value={query.value}
        onInput={(text) => {
          query.value = text;
        }}
        onEnter={() => {
          const [first] = found.value;
          if (first === undefined) return;
          select(first.symbol);
          // Lets keyboard shortcuts work again; a dialog restores the focus itself.
          document.getElementById('main')?.focus({ preventScroll: true });
          onPicked();
        }}
      />
      <MarketFilters
        chosen={filter.value}
        onChoose={(chosen) => {
          filter.value = chosen;
        }}
      />
      <SortButtons />
      {found.value.length === 0 ? (
        <p class="empty">
          {filter.value === 'favorites' && query.value === ''
            ? t('No favorites yet. Select the star of a market to add it.')
            : t('No markets match “{query}”.', { query: query.value })}
        </p>
      ) : (
        <MarketLinks found={found.value} onSelect={onPicked} />
      )}
    </div>
  );
}

interface SearchProps {
  readonly value: string;
  readonly onInput: (text: string) => void;
  readonly onEnter: () => void;
}

function MarketSearch({ value, onInput, onEnter }: SearchProps) {
  const id = useId();
  return (
    <div class="market-list-search">
      <label for={id} class="visually-hidden">
        {t('Search markets')}
      </label>
      <div class="input-box">
        <input
          id={id}
          class="market-search"
          type="search"
          placeholder={t('Search markets')}
          autocomplete="off"
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') onEnter();
          }}
        />
      </div>
    </div>
  );
}

interface FiltersProps {
  readonly chosen: MarketFilter;
  readonly onChoose: (filter: MarketFilter) => void;
}

function MarketFilters({ chosen, onChoose }: FiltersProps) {
  const quotes = [...new Set(markets.value.map(({ quote }) => quote))];
  const filters: readonly (readonly [MarketFilter, string])[] = [
    ['favorites', t('Favorites')],
    ['all', t('All')],
    ...quotes.map((quote) => [`quote:${quote}`, quote] as const),
  ];
  return (
    <fieldset class="market-filters">
      <legend class="visually-hidden">{t('Show markets')}</legend>
      {filters.map(([id, label]) => (
        <button
          key={id}
          type="button"
          aria-label={label}
          aria-pressed={id === chosen}
          onClick={() => onChoose(id)}
        >
          {id === 'favorites' ? <Star isFilled /> : label}
        </button>
      ))}
    </fieldset>
  );
}

function SortButtons() {
  return (
    <fieldset class="market-sorts">
      <legend class="visually-hidden">{t('Sort markets by')}</legend>
      {MARKET_SORTS.map((id) => {
        const isChosen = sort.value.replace('-', '') === id;
        const arrow = sort.value.startsWith('-') ? '↓' : '↑';
        return (
          <button
            key={id}
            type="button"
            aria-pressed={isChosen}
            onClick={() => {
              const first: SortOrder = id === 'name' ? 'name' : `-${id}`;
              const second: SortOrder = id === 'name' ? '-name' : id;
              sort.value = sort.value === first ? second : first;
            }}
          >
            {t(SORT_NAMES[id])}
            <span aria-hidden="true">{isChosen ? ` ${arrow}` : ''}</span>
          </button>
        );
      })}
    </fieldset>
  );
}

interface LinksProps {
  readonly found: readonly ExactMarket[];
  readonly onSelect: () => void;
}

/** The markets as one tab stop: arrow keys move between them, and `f` makes one a favorite. */
function MarketLinks({ found, onSelect }: LinksProps) {
  const list = useRef<HTMLUListElement>(null);
  const at = useSignal<string | undefined>(undefined);
  const isListed = found.some((each) => each.symbol === at.value);
  const isCurrentListed = found.some((each) => each.symbol === symbol.value);
  const stop = isListed ? at.value : isCurrentListed ? symbol.value : found[0]!.symbol;
  const current = symbol.value;
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [current, isCurrentListed]);
  const onKeyDown = (event: KeyboardEvent) => {
    const index = found.findIndex((each) => each.symbol === stop);
    if (event.key === 'f') toggleFavorite(stop!);
    const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: found.length - 1 }[
      event.key
    ];
    const wanted = next === undefined ? undefined : found[next];
    if (wanted === undefined) return;
    event.preventDefault();
    at.value = wanted.symbol;
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>('a[tabindex="0"]')?.focus(),
    );
  };
  return (
    <ul ref={list} onKeyDown={onKeyDown}>
      {found.map((each) => (
        <MarketLink
          key={each.symbol}
          market={each}
          isTabStop={each.symbol === stop}
          onSelect={onSelect}
        />
      ))}
    </ul>
  );
}

function toggleFavorite(wanted: string): void {
  const { value } = favorites;
  favorites.value = value.includes(wanted)
    ? value.filter((each) => each !== wanted)
    : [...value, wanted];
}

interface LinkProps {
  readonly market: ExactMarket;
  readonly isTabStop: boolean;
  readonly onSelect: () => void;
}

/** Characters of a symbol that fit next to a price in a narrow list. */
const LONG_SYMBOL = 11;

function MarketLink({ market, isTabStop, onSelect }: LinkProps) {
  const {
    price = market.last,
    percentage = market.percentage,
    quoteVolume = market.quoteVolume,
  } = prices.value.get(market.symbol) ?? {};
  const { quote } = market;
  const isFavorite = favorites.value.includes(market.symbol);
  return (
    <li>
      <a
        class={market.symbol.length > LONG_SYMBOL ? 'long' : ''}
        href={marketPath(market.symbol)}
        tabIndex={isTabStop ? 0 : -1}
        aria-current={market.symbol === symbol.value ? 'page' : undefined}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          select(market.symbol);
          onSelect();
        }}
      >
        <AssetIcon asset={market.base} />
        <b class="market-symbol" title={`${market.symbol} · ${assetName(market.base)}`}>
          <span>{market.base}</span>
          <span class="muted">/{market.quote}</span>
        </b>
        <span class="numeric market-price">{rounded(price, countDecimals(market.tickSize))}</span>
        <span class="muted small market-volume">
          <span class="market-name">{assetName(market.base)}</span>
          {market.status === 'online' ? null : (
            <span class="badge sandbox">{t(STATUS_NAMES[market.status])}</span>
          )}
          <span title={t('24h volume: {volume}', { volume: `${grouped(quoteVolume)} ${quote}` })}>
            {compact(quoteVolume)}
            {quote === common.value ? '' : ` ${quote}`}
          </span>
        </span>
        <span class={`numeric small ${changeTone(percentage)}`}>{percent(percentage)}</span>
      </a>
      <button
        type="button"
        class={`favorite ${isFavorite ? 'on' : ''}`}
        tabIndex={-1}
        aria-pressed={isFavorite}
        aria-label={t('Favorite: {symbol}', { symbol: market.symbol })}
        title={t('Favorite (F)')}
        onClick={() => toggleFavorite(market.symbol)}
      >
        <Star isFilled={isFavorite} />
      </button>
    </li>
  );
}
