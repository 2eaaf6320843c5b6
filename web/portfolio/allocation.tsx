import { t } from '../i18n/index.ts';
import { holdings, total } from './holdings.ts';
import { share } from './rates.ts';

/** Number of allocation colors. */
const TONES = 6;
/** Assets with a line of their own; the rest share one. */
const MAX_LINES = 7;

/** Returns the color class of the asset with the nth highest value. */
export function toneClass(index: number): string {
  return `tone-${index % TONES}`;
}

/** Share of each asset in the portfolio value, as a bar and as a list. */
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
        {parts.length === 0 ? <p class="muted">{t('No assets yet')}</p> : null}
        <div class="allocation-bar" aria-hidden="true">
          {parts.map(({ balance, value }, index) => (
            <span
              key={balance.asset}
              class={toneClass(index)}
              style={{ flexGrow: share(value!, total.value).toNumber() }}
            />
          ))}
        </div>
        <ul class="allocation">
          {shown.map(({ balance, value }, index) => (
            <li key={balance.asset}>
              <span class={`swatch ${toneClass(index)}`} aria-hidden="true" />
              <b>{balance.asset}</b>
              <span>{share(value!, total.value).toFixed(2)}%</span>
            </li>
          ))}
          {rest.length === 0 ? null : (
            <li>
              <span class="swatch" aria-hidden="true" />
              <b>{t('{count} others', { count: rest.length })}</b>
              <span>{share(restValue, total.value).toFixed(2)}%</span>
            </li>
          )}
        </ul>
      </div>
    </section>
  );
}
