import type { DetectorStatus } from '../../src/client/index.ts';
import { duration } from '../custody/network-text.ts';
import { grouped } from '../format.ts';
import { msg, t } from '../i18n/index.ts';

/** When each detector raises an alert. The placeholders are the names of its parameters. */
const CONDITIONS: Readonly<Record<DetectorStatus['detector'], readonly string[]>> = {
  wash_trading: [
    msg('Trades that fill two orders of the same amount, the older at most {maxAgeMs} old'),
    msg('At least {minTrades} such trades, {minTradesPerDirection} in each direction'),
    msg('Amounts of the two directions: at most {maxNetPercent}% apart'),
  ],
  spoofing: [
    msg(
      'Orders placed at most {maxAgeMs} before a trade on the other side, and canceled unfilled within {maxReactionMs} after it',
    ),
    msg('At least {minOrders} such orders, after {minRounds} different trades'),
    msg('Their amount: at least {minRatio} times the amount traded on the other side'),
    msg('Orders placed on their side: at least {minBias} times those on the other side'),
    msg('Amount traded on the other side: at least {minTradedBias} times that on their side'),
  ],
  quote_stuffing: [
    msg('Orders canceled unfilled within {maxLifeMs}'),
    msg('At least {minOrders} such orders, and {minPerFilled} for each order that was filled'),
  ],
  marking_the_close: [
    msg('Price move before midnight UTC: at least {minMoveBasisPoints} basis points'),
    msg(
      'Net amount of the user’s taking orders, in the direction of the move: at least {minSharePercent}% of the volume',
    ),
    msg('At least {minTrades} trades of these orders'),
  ],
  pump: [
    msg('Price rise: at least {minRisePercent}%'),
    msg('Bought by the user’s taking orders: at least {minSharePercent}% of the volume'),
    msg('Sold after that: at least {minSoldPercent}% of what was bought'),
    msg('Average price of the sales: at least {minGainPercent}% above that of the purchases'),
  ],
};

const SECOND_MS = 1000;

/** The thresholds of a detector, on request. */
export function DetectorParameters({ of: { detector, windowMs, parameters } }: Props) {
  const values = Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [name, valueText(name, Number(value))]),
  );
  return (
    <details class="detector-parameters">
      <summary>{t('When it raises an alert')}</summary>
      <ul>
        {windowMs === null ? null : (
          <li>{t('Counted in windows of {length}', { length: duration(windowMs) })}</li>
        )}
        {CONDITIONS[detector].map((text) => (
          <li key={text}>{t(text, values)}</li>
        ))}
      </ul>
    </details>
  );
}

interface Props {
  readonly of: DetectorStatus;
}

function valueText(name: string, value: number): string {
  if (!name.endsWith('Ms')) return grouped(`${value}`);
  return value < SECOND_MS ? t('{ms} ms', { ms: value }) : duration(value);
}
