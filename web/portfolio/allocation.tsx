import type Big from 'big.js';
import { AssetIcon, assetTone } from '../components/asset-icon.tsx';
import { fixed, rounded } from '../format.ts';
import { t } from '../i18n/index.ts';
import { Amount } from './amount.tsx';
import { hideable } from './hidden-amounts.tsx';
import { type Holding, holdings, total, valueDecimals } from './holdings.ts';
import { share } from './rates.ts';

/** Assets with a line of their own; the rest share one. */
const MAX_LINES = 6;

/** Space between two parts of the ring, in percent of it: two assets may have the same color. */
const GAP_PERCENT = 0.6;

/** Share of each asset in the portfolio value, as a ring and as a list. */
export function Allocation() {
  const parts = holdings.value.filter(({ value }) => value?.gt(0));
  const shown = parts.length > MAX_LINES ? parts.slice(0, MAX_LINES - 1) : parts;
  const rest = parts.slice(shown.length);
  const restValue = rest.reduce((sum, { value }) => sum.plus(value!), total.value.times(0));
  return (
    <section class="panel allocation-panel" aria-labelledby="allocation-title">
      <header>
        <h2 id="allocation-title">{t('Allocation')}</h2>
      </header>
      <div class="panel-body">
        {parts.length === 0 ? <p class="muted">{t('No assets yet')}</p> : <Ring parts={parts} />}
        <ul class="allocation">
          {shown.map(({ balance, value }) => (
            <li key={balance.asset}>
              <AssetIcon asset={balance.asset} />
              <span class="stacked">
                <b>{balance.asset}</b>
                <small class="muted">
                  {hideable(<Amount asset={balance.asset} amount={balance.total} />)}
                </small>
              </span>
              <ValueAndShare value={value!} />
            </li>
          ))}
          {rest.length === 0 ? null : (
            <li>
              <span class="swatch" aria-hidden="true" />
              <b>{t('{count} others', { count: rest.length })}</b>
              <ValueAndShare value={restValue} />
            </li>
          )}
        </ul>
      </div>
    </section>
  );
}

function ValueAndShare({ value }: { value: Big }) {
  return (
    <span class="stacked">
      {hideable(rounded(value, valueDecimals.value))}
      <small class="muted">{fixed(share(value, total.value), 2)}%</small>
    </span>
  );
}

/** The list has its figures. */
function Ring({ parts }: { parts: readonly Holding[] }) {
  let start = 0;
  return (
    <svg class="ring" viewBox="0 0 120 120" aria-hidden="true">
      {parts.map(({ balance, value }) => {
        const percent = share(value!, total.value).toNumber();
        const offset = -start;
        start += percent;
        const shownPercent =
          percent > 2 * GAP_PERCENT && percent < 100 ? percent - GAP_PERCENT : percent;
        return (
          <circle
            key={balance.asset}
            class={assetTone(balance.asset)}
            cx="60"
            cy="60"
            r="50"
            pathLength="100"
            stroke-dasharray={`${shownPercent} 100`}
            stroke-dashoffset={offset}
          />
        );
      })}
      <text class="ring-count" x="60" y="60">
        {parts.length}
      </text>
      <text class="ring-unit" x="60" y="76">
        {t('{count, plural, one {asset} other {assets}}', { count: parts.length })}
      </text>
    </svg>
  );
}
