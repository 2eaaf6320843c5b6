import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Dialog } from '../components/dialog.tsx';
import { StaleNote } from '../components/stale-note.tsx';
import { ARROWS, changeTone, compact, percent, rounded, sentenceCase } from '../format.ts';
import { t } from '../i18n/index.ts';
import { AlertButton } from '../notifications/alert-button.tsx';
import { isSignedIn } from './account.ts';
import { lastSide } from './feed.ts';
import { MarketList } from './market-list.tsx';
import { lastPrice, market, price, priceDecimals } from './markets.ts';

/** The current market with its 24h statistics. */
export function Ticker() {
  const isChoosing = useSignal(false);
  const { symbol = '', base = '', quote = '', status = 'online' } = market.value ?? {};
  const { change, percentage = '0', high, low, baseVolume, quoteVolume } = price.value ?? {};
  const tone = changeTone(percentage);
  return (
    <section class="panel ticker" aria-label={t('Market')}>
      <StaleNote />
      <h1>
        <button
          type="button"
          class="market-button"
          aria-haspopup="dialog"
          onClick={() => {
            isChoosing.value = true;
          }}
        >
          {symbol || 'Markets'}
          <svg viewBox="0 0 20 20" aria-hidden="true">
            <path d="m5 8 5 5 5-5" />
          </svg>
        </button>
      </h1>
      {status === 'online' ? null : <span class="badge sandbox">{sentenceCase(status)}</span>}
      <p class={`last ${lastSide.value ?? ''}`}>
        <span class="visually-hidden">{t('Last price')}</span>
        {shown(lastPrice.value)}
      </p>
      <dl tabIndex={0}>
        <Figure title={t('24h change')}>
          <span class={tone}>
            {ARROWS[tone]}
            {shown(change)} ({percent(percentage)})
          </span>
        </Figure>
        <Figure title={t('24h high')}>{shown(high)}</Figure>
        <Figure title={t('24h low')}>{shown(low)}</Figure>
        <Figure title={t('24h volume ({base})', { base })}>
          {baseVolume ? compact(baseVolume) : '–'}
        </Figure>
        <Figure title={t('24h volume ({quote})', { quote })}>
          {quoteVolume ? compact(quoteVolume) : '–'}
        </Figure>
      </dl>
      {isSignedIn.value && symbol !== '' ? <AlertButton symbol={symbol} /> : null}
      <Dialog
        title={t('Markets')}
        open={isChoosing.value}
        onClose={() => {
          isChoosing.value = false;
        }}
      >
        <MarketList
          onSelect={() => {
            isChoosing.value = false;
          }}
        />
      </Dialog>
    </section>
  );
}

function Figure({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function shown(text: string | null | undefined): string {
  if (text === null || text === undefined) return '–';
  return rounded(text, priceDecimals.value).replace('-', '−');
}
