import { msg, t } from '../i18n/t.ts';
/** Events of an account, by name, with what a user calls them and what they are. */
export const EVENTS = [
  ['order.filled', msg('Order filled'), msg('An order was filled completely')],
  ['order.canceled', msg('Order canceled'), msg('By you, an operator or a rule of the market')],
  ['order.expired', msg('Order expired'), msg('Its time ended, or its rest could not fill')],
  [
    'order.rejected',
    msg('Order rejected'),
    msg('A triggered or attached order could not be placed'),
  ],
  ['fill.created', msg('Trade||execution'), msg('Each fill of an order, including partial fills')],
  ['price.alert', msg('Price alert'), msg('A market reached the price of an alert')],
  ['deposit.*', msg('Deposit||event'), msg('Each step from seen to credited')],
  ['withdrawal.*', msg('Withdrawal'), msg('Each step from requested to completed')],
] as const;

/** Returns whether patterns such as `order.*` have an event, or some events of a group such as `deposit.*`. */
export function includesEvent(patterns: readonly string[], name: string): boolean {
  return patterns.some(
    (each) =>
      each === '*' ||
      each === name ||
      (name.endsWith('.*') && each.startsWith(name.slice(0, -1))) ||
      (each.endsWith('.*') && name.startsWith(each.slice(0, -1))),
  );
}

/** Returns the patterns as a user reads them. */
export function eventsText(patterns: readonly string[]): string {
  const found = EVENTS.filter(([name]) => includesEvent(patterns, name));
  return found.length === EVENTS.length
    ? t('All events')
    : found.map(([, label]) => t(label)).join(', ');
}
