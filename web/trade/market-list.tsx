import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { countDecimals, exact, rounded, toFixedText } from '../decimal.ts';
import { changeTone, compact, grouped, percent } from '../format.ts';
import { markets, pathOf, prices, select, symbol } from './markets.ts';
import type { ExactMarket } from './records.ts';

/** Every market with its price and what it did in 24 hours; typing narrows the list. */
export function MarketList({ onSelect = () => {} }: { onSelect?: () => void }) {
  const wanted = useSignal('');
  const id = useId();
  const query = wanted.value.trim().toUpperCase();
  const found = markets.value.filter(({ symbol: each }) =>
    each.replace('/', '').includes(query.replace(/[/\s-]/g, '')),
  );
  const onChosen = () => {
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
              // What is typed next is for the page again; a dialog gives the focus back by itself.
              document.getElementById('main')?.focus({ preventScroll: true });
              onChosen();
            }}
          />
        </div>
      </div>
      {found.length === 0 ? (
        <p class="empty">No market has “{wanted.value}” in its name.</p>
      ) : (
        <ul>
          {found.map((each) => (
            <MarketLink key={each.symbol} market={each} onSelect={onChosen} />
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
  const shown = toFixedText(rounded(exact(price), countDecimals(market.tickSize), 'half'));
  return (
    <li>
      <a
        href={pathOf(market.symbol)}
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
        <span class="numeric">{grouped(shown)}</span>
        <span class="muted small">
          Vol {compact(quoteVolume)}
          {market.status === 'online' ? '' : ` · ${market.status.replace('_', ' ')}`}
        </span>
        <span class={`numeric small ${changeTone(percentage)}`}>{percent(percentage)}</span>
      </a>
    </li>
  );
}
