import { z } from 'zod';
import { type Announce, CommandKind, type WithdrawAnnouncement } from '../../../engine/command.ts';
import {
  MAX_ANNOUNCEMENT_LENGTH,
  MAX_ANNOUNCEMENTS,
  MAX_TITLE_LENGTH,
} from '../../../engine/limits.ts';
import { RejectionCode, rejected } from '../../../engine/rejection.ts';
import { AnnouncementSeverity, announcementSeverities } from '../../../engine/terms.ts';
import type { Call } from '../../http/request/call.ts';
import { invalid } from '../../http/request/query.ts';
import { checkBody, expiry, filledLine, line, optional } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { fromZod, record } from '../../openapi/json-schema.ts';
import { rejectionError } from '../../orders/rejections.ts';
import { EXCHANGE_STATUS_FIELDS, exchangeStatusText } from '../trading-status.ts';
import { executeAsOperator } from './execute.ts';
import { expectOutcome } from './outcome.ts';

const announcement = z.strictObject({
  severity: z.enum(announcementSeverities).meta({
    description: '`warning` for what clients must know before they trade.',
  }),
  title: filledLine(MAX_TITLE_LENGTH).meta({ description: 'The announcement in a line.' }),
  text: optional(line(MAX_ANNOUNCEMENT_LENGTH), 'More about it. Default: empty.'),
  until: optional(expiry, 'When it is removed. Default: when it is withdrawn.'),
});

/** POST /api/admin/announcements: shows a text to all clients. */
export async function announce(call: Call): Promise<string> {
  const { severity, title, text, until } = checkBody(announcement, call.body());
  if (until === 0) throw invalid('until', 'future', 'until must be in the future.');
  const terms = { title, text: text ?? '', until: until ?? 0 };
  const kind = CommandKind.announce;
  return execute(call, { kind, ...call.actor, severity: AnnouncementSeverity[severity], ...terms });
}
announce.description = describe({
  operationId: 'announce',
  tag: 'Operator',
  summary: 'Announce something to all clients',
  notes:
    'Shown at once on the pages, in `GET /api/status` and on the channel `markets`. It restricts nothing: to stop trading, ' +
    `announce a maintenance or halt the markets. At most ${MAX_ANNOUNCEMENTS} announcements stand at a time.`,
  body: {
    schema: fromZod(announcement),
    examples: {
      news: {
        severity: 'info',
        title: 'SOL/USDT opens on Monday',
        text: 'Deposits of SOL are open.',
        until: '2030-01-07T00:00:00Z',
      },
      warning: { severity: 'warning', title: 'Withdrawals of BTC are delayed' },
    },
  },
  data: record(EXCHANGE_STATUS_FIELDS),
});

/** DELETE /api/admin/announcements/:id: removes an announcement, which stays in the audit. */
export async function withdrawAnnouncement(call: Call): Promise<string> {
  call.query([]);
  const { state } = call.exchange;
  const known = state.parts.announcements.all.find(({ id }) => String(id) === call.parameters.id);
  if (known === undefined) throw rejectionError(rejected(RejectionCode.unknownAnnouncement), state);
  const kind = CommandKind.withdrawAnnouncement;
  return execute(call, { kind, ...call.actor, id: known.id });
}
withdrawAnnouncement.description = describe({
  operationId: 'withdrawAnnouncement',
  tag: 'Operator',
  summary: 'Withdraw an announcement',
  path: { id: 'announcementId' },
  data: record(EXCHANGE_STATUS_FIELDS),
  errors: ['NOT_FOUND'],
});

async function execute(call: Call, command: Announce | WithdrawAnnouncement): Promise<string> {
  const { state } = call.exchange;
  expectOutcome(await executeAsOperator(call, command), 'done', state);
  return `{${exchangeStatusText(state)}}`;
}
