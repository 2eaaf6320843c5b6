import { z } from 'zod';
import { type Command, CommandKind } from '../../../engine/command.ts';
import { MAX_NOTICE_LENGTH } from '../../../engine/limits.ts';
import { MarketStatus } from '../../../engine/terms.ts';
import type { Call } from '../../http/request/call.ts';
import { checkBody, filledLine, time } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { fromZod, record } from '../../openapi/json-schema.ts';
import { EXCHANGE_STATUS_FIELDS, exchangeStatusText, TRADING_STATUSES } from '../trading-status.ts';
import { expectOutcome } from './outcome.ts';

const notice = filledLine(MAX_NOTICE_LENGTH);

const tradingStatus = z.strictObject({
  status: z.enum(TRADING_STATUSES).meta({
    description:
      '`cancel_only` and `halted` reject new orders and amendments in all markets; open orders can be canceled.',
  }),
  reason: notice.meta({ description: 'Shown to clients, and recorded in the audit trail.' }),
  cancelOrders: z
    .boolean()
    .optional()
    .meta({ description: 'Cancels all open orders. Not with `trading`.', default: false }),
});

/** POST /api/admin/trading-status: the kill switch. */
export async function setTradingStatus(call: Call): Promise<string> {
  const { status, reason, cancelOrders = false } = checkBody(tradingStatus, call.body());
  return execute(call, {
    kind: CommandKind.setTradingStatus,
    status: toMarketStatus(status),
    reason,
    cancelOrders,
  });
}
setTradingStatus.description = describe({
  operationId: 'setTradingStatus',
  tag: 'Operator',
  summary: 'Halt all markets, or resume trading (kill switch)',
  notes:
    'Applies to all markets at once, in addition to the status of each, so resuming restores them. Orders are canceled in ' +
    'portions with the reason `operator`; until the last one is, trading cannot be resumed.',
  body: {
    schema: fromZod(tradingStatus),
    examples: {
      halt: { status: 'halted', reason: 'Prices of the reference feed are wrong' },
      resume: { status: 'trading', reason: 'The feed is back' },
    },
  },
  data: record(EXCHANGE_STATUS_FIELDS),
});

const maintenance = z.strictObject({
  from: time.meta({ description: 'When it starts. A time that has passed starts it at once.' }),
  to: time.meta({ description: 'When it ends.' }),
  mode: z.enum(['cancel_only', 'halted']).meta({ description: 'The status of all markets.' }),
  message: notice.meta({ description: 'Shown to clients from now on.' }),
});

/** POST /api/admin/maintenance: announces a maintenance. */
export async function scheduleMaintenance(call: Call): Promise<string> {
  const { from, to, mode, message } = checkBody(maintenance, call.body());
  const kind = CommandKind.scheduleMaintenance;
  return execute(call, { kind, from, to, mode: toMarketStatus(mode), message });
}
scheduleMaintenance.description = describe({
  operationId: 'scheduleMaintenance',
  tag: 'Operator',
  summary: 'Announce a maintenance',
  notes:
    'The exchange starts and ends it by itself. One with the same `from` is replaced; it may not overlap another.',
  body: {
    schema: fromZod(maintenance),
    examples: {
      upgrade: {
        from: '2030-01-05T02:00:00Z',
        to: '2030-01-05T02:30:00Z',
        mode: 'cancel_only',
        message: 'New release',
      },
    },
  },
  data: record(EXCHANGE_STATUS_FIELDS),
});

const canceled = z.strictObject({ from: time.meta({ description: 'When it starts or started.' }) });

/** POST /api/admin/maintenance/cancel: withdraws a maintenance, or ends the current one. */
export async function cancelMaintenance(call: Call): Promise<string> {
  const { from } = checkBody(canceled, call.body());
  return execute(call, { kind: CommandKind.cancelMaintenance, from });
}
cancelMaintenance.description = describe({
  operationId: 'cancelMaintenance',
  tag: 'Operator',
  summary: 'Withdraw a maintenance, or end the current one',
  body: { schema: fromZod(canceled), examples: { withdraw: { from: '2030-01-05T02:00:00Z' } } },
  data: record(EXCHANGE_STATUS_FIELDS),
  errors: ['NOT_FOUND'],
});

type Terms =
  | Omit<Extract<Command, { kind: typeof CommandKind.setTradingStatus }>, 'account' | 'key'>
  | Omit<Extract<Command, { kind: typeof CommandKind.scheduleMaintenance }>, 'account' | 'key'>
  | Omit<Extract<Command, { kind: typeof CommandKind.cancelMaintenance }>, 'account' | 'key'>;

async function execute(call: Call, terms: Terms): Promise<string> {
  const { state } = call.exchange;
  const command = { ...terms, ...call.actor } as Command;
  expectOutcome(await call.services.replica.execute(command), 'done', state);
  return `{${exchangeStatusText(state)}}`;
}

function toMarketStatus(status: (typeof TRADING_STATUSES)[number]): number {
  if (status === 'trading') return MarketStatus.online;
  return status === 'halted' ? MarketStatus.halted : MarketStatus.cancelOnly;
}
