import type { State } from '../../engine/state.ts';
import { announcementSeverities, MarketStatus } from '../../engine/terms.ts';
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

/** The fields that `exchangeStatusText` returns. */
export const EXCHANGE_STATUS_FIELDS = {
  trading: record({
    status: enumeration(
      TRADING_STATUSES,
      'The status of all markets together. Except while `trading`, new orders are rejected everywhere, and open ones can be canceled.',
    ),
    killSwitch: enumeration(
      TRADING_STATUSES,
      'What operators set by the kill switch; maintenance may restrict trading although it is `trading`.',
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
  announcements: list(
    record({
      id: text('Id of the announcement.', '1'),
      severity: enumeration(
        announcementSeverities,
        '`warning` for what clients must know before they trade.',
      ),
      title: text('The announcement in a line.', 'SOL/USDT opens on Monday'),
      text: text('More about it; may be empty.', 'Deposits of SOL are open.'),
      timestamp: timestamp('When it was made.'),
      until: nullable(timestamp('When it is removed; null until operators withdraw it.')),
    }),
    'Announcements of the operators that stand, the newest first.',
  ),
};

/** Returns the restrictions of all markets and the announcements, as fields. */
export function exchangeStatusText({ parts: { tradingStatus, announcements } }: State): string {
  const { killSwitch, status } = tradingStatus;
  const { since, reason } = killSwitch;
  const periods = tradingStatus.maintenance.map(
    ({ from, to, mode, message, isActive }) =>
      `{"from":${timeText(from)},"to":${timeText(to)},"mode":"${toStatusName(mode)}",` +
      `"message":${quote(message)},"active":${isActive}}`,
  );
  const [change, when] = since === 0 ? ['null', 'null'] : [quote(reason), timeText(since)];
  return (
    `"trading":{"status":"${toStatusName(status)}","killSwitch":"${toStatusName(killSwitch.status)}","reason":${change},"since":${when}},` +
    `"maintenance":[${periods.join()}],` +
    `"announcements":[${announcements.all.toReversed().map(announcementText).join()}]`
  );
}

function announcementText(announcement: State['parts']['announcements']['all'][number]): string {
  const { id, severity, title, text, time, until } = announcement;
  return (
    `{"id":"${id}","severity":"${announcementSeverities[severity]}","title":${quote(title)},` +
    `"text":${quote(text)},"timestamp":${timeText(time)},` +
    `"until":${until === 0 ? 'null' : timeText(until)}}`
  );
}

function toStatusName(status: number): (typeof TRADING_STATUSES)[number] {
  if (status === MarketStatus.online) return 'trading';
  return status === MarketStatus.halted ? 'halted' : 'cancel_only';
}
