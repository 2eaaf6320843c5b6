import type { State } from '../../engine/state.ts';
import { MarketStatus } from '../../engine/terms.ts';
import { quote } from '../http/json.ts';
import {
  boolean,
  enumeration,
  list,
  nullable,
  record,
  text,
  timestamp,
} from '../openapi/json-schema.ts';
import { timeText } from './records.ts';

export const TRADING_STATUSES = ['trading', 'cancel_only', 'halted'] as const;

/** The fields that `restrictionsText` returns. */
export const RESTRICTION_FIELDS = {
  trading: record({
    status: enumeration(
      TRADING_STATUSES,
      'The status of all markets together. Except while `trading`, new orders are rejected everywhere, and open ones can be canceled.',
    ),
    reason: nullable(
      text('Why trading is restricted, or the reason of the last change.', 'Trading resumed'),
    ),
    since: nullable(timestamp('When an operator last changed it.')),
  }),
  maintenance: list(
    record({
      from: timestamp('When it starts.'),
      to: timestamp('When it ends.'),
      mode: enumeration(['cancel_only', 'halted'], 'The status of all markets in the meantime.'),
      message: text('What the operator announced.', 'New release'),
      active: boolean('Whether it is in progress.', false),
    }),
    'Announced maintenance and the current one, in order of time.',
  ),
};

/** Returns the restrictions of all markets, as fields. */
export function restrictionsText({ parts: { tradingStatus } }: State): string {
  const { killSwitch, status } = tradingStatus;
  const { since, reason } = killSwitch;
  const periods = tradingStatus.maintenance.map(
    ({ from, to, mode, message, isActive }) =>
      `{"from":${timeText(from)},"to":${timeText(to)},"mode":"${toStatusName(mode)}",` +
      `"message":${quote(message)},"active":${isActive}}`,
  );
  const [change, when] = since === 0 ? ['null', 'null'] : [quote(reason), timeText(since)];
  return (
    `"trading":{"status":"${toStatusName(status)}","reason":${change},"since":${when}},` +
    `"maintenance":[${periods.join()}]`
  );
}

function toStatusName(status: number): (typeof TRADING_STATUSES)[number] {
  if (status === MarketStatus.online) return 'trading';
  return status === MarketStatus.halted ? 'halted' : 'cancel_only';
}
