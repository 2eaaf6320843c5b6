import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { exchangeNow } from '../exchange-clock.ts';
import { grouped, rounded } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { amountDecimals, auction, market, priceDecimals } from './markets.ts';

const TITLES = {
  opening: msg('Opening auction'),
  operator: msg('Auction'),
  volatility: msg('Volatility halt: auction'),
} as const;
const TICK_MS = 1000;

/** The indicative price and volume of the current market's auction, its end, and the orders that it accepts. */
export function AuctionPanel() {
  const current = auction.value;
  if (current === null) return null;
  const { base = '', quote = '' } = market.value ?? {};
  const { price, amount, surplus, surplusSide } = current;
  const inBase = (text: string) => `${grouped(rounded(text, amountDecimals.value))} ${base}`;
  return (
    <section class="auction" aria-label={t('Auction')}>
      <h3>{t(TITLES[current.cause])}</h3>
      <dl>
        <dt>{t('Indicative price')}</dt>
        <dd>
          {price === null
            ? t('No orders cross')
            : `${rounded(price, priceDecimals.value)} ${quote}`}
        </dd>
        <dt>{t('Indicative volume')}</dt>
        <dd>{inBase(amount)}</dd>
        <dt>{t('Surplus')}</dt>
        <dd>
          {surplusSide === null
            ? t('None')
            : `${inBase(surplus)} (${surplusSide === 'buy' ? t('Buy') : t('Sell')})`}
        </dd>
        <dt>{current.extended ? t('Extended, ends in') : t('Ends in')}</dt>
        <dd>
          <TimeLeft endsAt={current.endsAt} />
        </dd>
      </dl>
      <p class="muted">
        {t(
          'Limit orders rest and fill at one price when the auction ends. Market, IOC and FOK orders are not accepted. Stop orders do not trigger.',
        )}
      </p>
    </section>
  );
}

/** The time until an auction ends, counted down every second. */
function TimeLeft({ endsAt }: { endsAt: string | null }) {
  const now = useSignal(exchangeNow());
  useEffect(() => {
    const timer = setInterval(() => {
      now.value = exchangeNow();
    }, TICK_MS);
    return () => clearInterval(timer);
  }, []);
  if (endsAt === null) return <>{t('Until the exchange ends it')}</>;
  const seconds = Math.max(0, Math.ceil((Date.parse(endsAt) - now.value) / TICK_MS));
  const minutes = Math.floor(seconds / 60);
  return <>{`${minutes}:${String(seconds % 60).padStart(2, '0')}`}</>;
}
