import { msg, t } from '../i18n/t.ts';
/** Events of an account, by name, with what a user calls them. */
export const EVENTS = [
  ['order.filled', msg('Order filled')],
  ['order.canceled', msg('Order canceled')],
  ['order.expired', msg('Order expired')],
  ['order.rejected', msg('Order rejected')],
  ['fill.created', msg('Trade||execution')],
  ['price.alert', msg('Price alert')],
  ['deposit.*', msg('Deposit||event')],
  ['withdrawal.*', msg('Withdrawal')],
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
