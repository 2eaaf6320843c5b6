import type { ComponentChildren } from 'preact';
import { t } from '../i18n/index.ts';
import { hasBinance, isSandbox } from '../sandbox.ts';

/** The strengths of the exchange, each with a way to try it. */
export function Features() {
  return (
    <ul class="home-features">
      <Feature
        title={t('One API for everything')}
        link={<a href="/docs">{t('API documentation')}</a>}
      >
        {t(
          'REST and WebSocket, with clients for TypeScript and Python and a class for CCXT. These pages use the same API.',
        )}
      </Feature>
      {hasBinance ? (
        <Feature title={t('Your bot connects')} link={<a href="/bots">{t('Connect a bot')}</a>}>
          {t('Programs for the Binance Spot API trade here after a change of address and keys.')}
        </Feature>
      ) : null}
      <Feature title={t('Exact and durable')} link={<a href="/status">{t('Status')}</a>}>
        {t(
          'Prices, amounts and fees are exact decimals. An order is on disk before it is acknowledged.',
        )}
      </Feature>
      <Feature
        title={isSandbox ? t('Nothing to lose') : t('Provable balances')}
        link={
          isSandbox ? (
            <a href="/sign-up">{t('Create a demo account')}</a>
          ) : (
            <a href="/portfolio">{t('Verify your balances')}</a>
          )
        }
      >
        {isSandbox
          ? t('Market makers quote around the clock, and the faucet refills your test funds.')
          : t('Verify that your balances are included in the liabilities of the exchange.')}
      </Feature>
    </ul>
  );
}

interface FeatureProps {
  readonly title: string;
  readonly link: ComponentChildren;
  readonly children: string;
}

function Feature({ title, link, children }: FeatureProps) {
  return (
    <li>
      <h2>{title}</h2>
      <p>{children}</p>
      {link}
    </li>
  );
}
