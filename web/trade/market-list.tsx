import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { changeTone, compact, countDecimals, percent, rounded } from '../format.ts';
import { marketPath, markets, prices, select, symbol } from './markets.ts';
import type { ExactMarket } from './records.ts';

/** All markets with their price and 24h change, filtered by the search text. */
export function MarketList({ onSelect = () => {} }: { onSelect?: () => void }) {
  const wanted = useSignal('');
  const id = useId();
  const query = wanted.value.trim().toUpperCase();
  const found = markets.value.filter(({ symbol: each }) =>
    each.replace('/', '').includes(query.replace(/[/\s-]/g, '')),
  );
  const onPicked = () => {
    wanted.value = '';
    onSelect();
  };
  return (
    <div class="market-list">
      <div class="market-list-search">
        <label for={id} class="visually-hidden">
          Search markets
        </label>
        <div class="input-box">
          <input
            id={id}
            class="market-search"
            type="search"
            placeholder="Search markets"
            autocomplete="off"
            value={wanted.value}
            onInput={(event) => {
              wanted.value = event.currentTarget.value;
            }}
            onKeyDown={(event) => {
              const [first] = found;
              if (event.key !== 'Enter' || first === undefined) return;
              select(first.symbol);
              // Lets keyboard shortcuts work again; a dialog restores the focus itself.
              document.getElementById('main')?.focus({ preventScroll: true });
              onPicked();
            }}
          />
        </div>
      </div>
      {found.length === 0 ? (
        <p class="empty">No markets match “{wanted.value}”.</p>
      ) : (
        <ul>
          {found.map((each) => (
            <MarketLink key={each.symbol} market={each} onSelect={onPicked} />
          ))}
        </ul>
      )}
    </div>
  );
}

function MarketLink({ market, onSelect }: { market: ExactMarket; onSelect: () => void }) {
  const {
    price = market.last,
    percentage = market.percentage,
    quoteVolume = market.quoteVolume,
  } = prices.value.get(market.symbol) ?? {};
  return (
    <li>
      <a
        href={marketPath(market.symbol)}
        aria-current={market.symbol === symbol.value ? 'page' : undefined}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          select(market.symbol);
          onSelect();
        }}
      >
        <b>
          {market.base}
          <span class="muted">/{market.quote}</span>
        </b>
        <span class="numeric">{rounded(price, countDecimals(market.tickSize))}</span>
        <span class="muted small">
          Vol {compact(quoteVolume)}
          {market.status === 'online' ? '' : ` · ${market.status.replace('_', ' ')}`}
        </span>
        <span class={`numeric small ${changeTone(percentage)}`}>{percent(percentage)}</span>
      </a>
    </li>
  );
}
