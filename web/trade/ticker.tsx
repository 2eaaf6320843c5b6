import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { Dialog } from '../components/dialog.tsx';
import { Icon } from '../components/icon.tsx';
import { useScrollFade } from '../components/scroll-fade.ts';
import { StaleBanner, StaleNote } from '../components/stale-note.tsx';
import { ARROWS, changeTone, grouped, percent, rounded, volumeText } from '../format.ts';
import { t } from '../i18n/index.ts';
import { AlertButton } from '../notifications/alert-button.tsx';
import { isSignedIn } from './account.ts';
import { lastSide } from './feed.ts';
import { MarketList } from './market-list.tsx';
import { STATUS_NAMES } from './market-status.ts';
import { lastPrice, market, price, priceDecimals } from './markets.ts';

/** The current market with its 24h statistics. */
export function Ticker() {
  const isChoosing = useSignal(false);
  const figures = useRef<HTMLDListElement>(null);
  useScrollFade(figures);
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
          <span>{symbol || t('Markets')}</span>
          <Icon name="chevron" />
        </button>
      </h1>
      {status === 'online' ? null : <span class="badge sandbox">{t(STATUS_NAMES[status])}</span>}
      <p class={`last ${lastSide.value ?? ''}`}>
        <span class="visually-hidden">{t('Last price')}</span>
        {shown(lastPrice.value)}
      </p>
      <dl ref={figures} tabIndex={0}>
        <Figure title={t('24h change')}>
          <span class={tone}>
            {ARROWS[tone]}
            {shown(change)} ({percent(percentage)})
          </span>
        </Figure>
        <Figure title={t('24h high')} class="high">
          {shown(high)}
        </Figure>
        <Figure title={t('24h low')} class="low">
          {shown(low)}
        </Figure>
        <Figure title={t('24h volume ({base})', { base })} class="base-volume">
          <Volume text={baseVolume} />
        </Figure>
        <Figure title={t('24h volume ({quote})', { quote })}>
          <Volume text={quoteVolume} />
        </Figure>
      </dl>
      <StaleBanner />
      {isSignedIn.value && symbol !== '' ? (
        <AlertButton symbol={symbol} readLast={() => lastPrice.peek()} />
      ) : null}
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

interface FigureProps {
  readonly title: string;
  /** Narrow panels hide some figures by it. */
  readonly class?: string;
  readonly children: ComponentChildren;
}

function Figure({ title, children, ...rest }: FigureProps) {
  return (
    <div class={rest.class}>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Volume({ text }: { text: string | null | undefined }) {
  return text ? <span title={grouped(text)}>{volumeText(text)}</span> : <>–</>;
}

function shown(text: string | null | undefined): string {
  if (text === null || text === undefined) return '–';
  return rounded(text, priceDecimals.value).replace('-', '−');
}
