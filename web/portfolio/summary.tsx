import type Big from 'big.js';
import type { ComponentChildren } from 'preact';
import { Select } from '../components/field.tsx';
import { Facts } from '../components/panel.tsx';
import { changeTone, percent, rounded, signed } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { gains, performance, RANGES, range } from './gains.ts';
import { hideable } from './hidden-amounts.tsx';
import { balances, quote, quotes, shownQuote, total, valueDecimals } from './holdings.ts';
import { shownNetDeposits } from './performance.ts';

const MEANINGS = {
  return: msg('Time-weighted: deposits and withdrawals do not change it.'),
  unrealized: msg('Value less cost of everything that you hold.'),
  realized: msg('Gains less losses of everything that you sold.'),
  withdrawnGains: msg('Value less cost of everything that you withdrew, at that time.'),
  netDeposits: msg('Deposits less withdrawals, at their value at that time.'),
} as const;

/** The currency of all values. */
export function CurrencyChoice() {
  return (
    <Select
      label={t('Currency')}
      hiddenLabel
      value={shownQuote.value}
      options={quotes.value.map((each) => [each, each])}
      onChange={(chosen) => {
        quote.value = chosen;
      }}
    />
  );
}

/** The value of the portfolio and its gains. */
export function Summary() {
  const found = gains.value;
  const change = performance.value;
  const title = t(RANGES[range.value].title);
  return (
    <section class="portfolio-summary" aria-label={t('Summary')}>
      <div>
        <h2>{t('Total value')}</h2>
        <p class="portfolio-total">
          {balances.value === undefined ? '–' : hideable(rounded(total.value, valueDecimals.value))}{' '}
          <span class="muted">{shownQuote.value}</span>
        </p>
      </div>
      <dl class="figures">
        <Figure name={t('P&L, {range}', { range: title })}>
          <Money value={change?.gain} />
        </Figure>
        <Figure name={t('Return, {range}', { range: title })} hint={t(MEANINGS.return)}>
          {change === undefined ? '–' : <Return value={change.returnPercent} />}
        </Figure>
        <Figure name={t('Unrealized')} hint={t(MEANINGS.unrealized)}>
          <Money value={found?.unrealized} />
        </Figure>
        <Figure name={t('Realized')} hint={t(MEANINGS.realized)}>
          <Money value={found?.realized} />
        </Figure>
        {found === undefined || Number(found.withdrawnGain) === 0 ? null : (
          <Figure name={t('Withdrawn gains')} hint={t(MEANINGS.withdrawnGains)}>
            <Money value={found.withdrawnGain} />
          </Figure>
        )}
        <Figure name={t('Net deposits')} hint={t(MEANINGS.netDeposits)}>
          {found === undefined
            ? '–'
            : hideable(
                rounded(
                  shownNetDeposits(found, total.value, valueDecimals.value),
                  valueDecimals.value,
                ),
              )}
        </Figure>
      </dl>
      <Meanings />
    </section>
  );
}

/** The meanings of the figures, for users without a pointer that hovers. */
function Meanings() {
  return (
    <details class="figure-meanings">
      <summary>{t('What do these figures mean?')}</summary>
      <Facts
        facts={[
          [msg('Return'), t(MEANINGS.return)],
          [msg('Unrealized'), t(MEANINGS.unrealized)],
          [msg('Realized'), t(MEANINGS.realized)],
          [msg('Withdrawn gains'), t(MEANINGS.withdrawnGains)],
          [msg('Net deposits'), t(MEANINGS.netDeposits)],
        ]}
      />
    </details>
  );
}

function Money({ value }: { value: string | Big | undefined }) {
  return value === undefined ? <>–</> : <Gain value={value} />;
}

interface FigureProps {
  readonly name: string;
  readonly hint?: string;
  readonly children: ComponentChildren;
}

function Figure({ name, hint, children }: FigureProps) {
  return (
    <div title={hint}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A gain or loss in the chosen currency. */
export function Gain({ value }: { value: string | Big }) {
  const text = signed(value, valueDecimals.value);
  const tone = signTone(text);
  return <span class={tone}>{hideable(text)}</span>;
}

function Return({ value }: { value: Big }) {
  const text = value.toFixed(4);
  return <span class={changeTone(text)}>{percent(text)}</span>;
}

function signTone(text: string): string {
  if (text.startsWith('+')) return 'buy';
  return text.startsWith('−') ? 'sell' : '';
}
