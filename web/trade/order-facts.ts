import { dateTime, grouped } from '../format.ts';
import { msg, t } from '../i18n/t.ts';
import {
  type Clock,
  canAttach,
  canHide,
  type Draft,
  expiryMs,
  hasPrice,
  hasTrigger,
  isByCost,
} from './draft.ts';
import { TIME_IN_FORCE_NAMES, typeName } from './order-names.ts';
import type { ExactMarket } from './records.ts';

/** A label, marked with `msg`, and a value. */
export type Fact = readonly [label: string, value: string];

/** Returns one fact for each field that a valid draft sends, so that nothing is sent unseen. */
export function listFacts(
  now: Draft,
  { symbol, base, quote }: Pick<ExactMarket, 'symbol' | 'base' | 'quote'>,
  clock: Clock,
): Fact[] {
  const inQuote = (text: string) => `${grouped(text || '0')} ${quote}`;
  const facts: Fact[] = [
    [msg('Market'), symbol],
    [msg('Order type'), typeName(now.type)],
  ];
  if (hasTrigger(now)) facts.push([msg('Trigger price'), inQuote(now.triggerPrice)]);
  if (hasPrice(now)) facts.push([msg('Limit price'), inQuote(now.price)]);
  if (now.type === 'trailing_stop') {
    const isPercent = now.trailBy === 'percent';
    const distance = isPercent ? `${now.trailingPercent}%` : inQuote(now.trailingAmount);
    facts.push([msg('Trailing distance'), distance]);
    if (now.activationPrice !== '')
      facts.push([msg('Activation price'), inQuote(now.activationPrice)]);
  }
  facts.push(
    isByCost(now)
      ? [msg('Total'), inQuote(now.cost)]
      : [msg('Amount'), `${grouped(now.amount || '0')} ${base}`],
  );
  if (canHide(now) && now.displayAmount !== '')
    facts.push([msg('Visible amount'), `${grouped(now.displayAmount)} ${base}`]);
  if (now.type === 'oco' || (canAttach(now) && now.hasAttached)) {
    if (now.takeProfitPrice !== '')
      facts.push([
        msg('Take profit'),
        t('Limit at {price}', { price: inQuote(now.takeProfitPrice) }),
      ]);
    if (now.stopTrigger !== '') facts.push([msg('Stop loss'), describeStop(now, inQuote)]);
  }
  facts.push([
    msg('Time in force'),
    `${t(TIME_IN_FORCE_NAMES[now.timeInForce])} (${now.timeInForce})`,
  ]);
  const expiresMs = expiryMs(now.expiresAt, clock);
  if (now.timeInForce === 'GTD' && !Number.isNaN(expiresMs))
    facts.push([msg('Expires'), dateTime(new Date(expiresMs).toISOString())]);
  if (now.postOnly) facts.push([msg('Post only'), t('Yes')]);
  return facts;
}

function describeStop(
  { stopTrigger, stopPrice }: Draft,
  inQuote: (text: string) => string,
): string {
  const trigger = inQuote(stopTrigger);
  return stopPrice === ''
    ? t('Market at {trigger}', { trigger })
    : t('Trigger {trigger}, limit {limit}', { trigger, limit: inQuote(stopPrice) });
}
