import { z } from 'zod';
import { CommandKind, type TradingLimits } from '../../../engine/command.ts';
import { MAX_TRADING_LIMIT } from '../../../engine/limits.ts';
import { parseUnits } from '../../../engine/numbers/units.ts';
import type { State } from '../../../engine/state.ts';
import { NONE } from '../../../engine/terms.ts';
import type { Call } from '../../http/request/call.ts';
import { invalid } from '../../http/request/query.ts';
import { ApiError, quoteSender } from '../../http/response/errors.ts';
import { checkBody, decimal, integer, optional } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { fromZod, record } from '../../openapi/json-schema.ts';
import { recordRef } from '../../openapi/record-schemas.ts';
import { accountLimitsText, limitsText } from '../trading-limits.ts';
import { approvalReason } from '../user/body-fields.ts';
import { readAccount } from './accounts.ts';
import { executeAsOperator } from './execute.ts';
import { expectOutcome } from './outcome.ts';

const count = () => integer(1, MAX_TRADING_LIMIT);

const fields = {
  orderRate: optional(count(), 'Orders and amendments per 10 seconds. Default: no limit.'),
  ordersPerTrade: optional(
    count(),
    'Orders and amendments per trade in each hour, beyond `freeOrders`. Default: no limit.',
  ),
  freeOrders: optional(
    count(),
    'Orders and amendments per hour that need no trade. Send it with `ordersPerTrade`.',
  ),
  openNotional: optional(
    z.array(z.strictObject({ asset: z.string(), amount: decimal })).max(1000),
    'Limits of price × unfilled amount of all open orders, by quote asset. Default: none.',
  ),
  reason: approvalReason,
};
const defaultLimits = z.strictObject(fields);
const ownLimits = z.strictObject({
  ...fields,
  useDefault: optional(
    z.boolean(),
    'Removes the limits of the account, so that it has the default ones. Send no other limit.',
  ),
});

const EXAMPLE = {
  orderRate: 100,
  ordersPerTrade: 50,
  freeOrders: 1000,
  openNotional: [{ asset: 'USDT', amount: 1000000 }],
};

/** GET /api/admin/trading-limits: `{limits}`, those of accounts without their own. */
export function getTradingLimits(call: Call): string {
  call.query([]);
  return defaultText(call.exchange.state);
}
getTradingLimits.description = describe({
  operationId: 'getTradingLimits',
  tag: 'Operator',
  summary: 'The trading limits of accounts without their own',
  data: record({ limits: recordRef('TradingLimits') }),
});

/** POST /api/admin/trading-limits: replaces them. */
export async function setTradingLimits(call: Call): Promise<string> {
  const { reason, ...body } = checkBody(defaultLimits, call.body());
  const { state } = call.exchange;
  const limits = readLimits(body, state);
  const isNone = limits.orderRate + limits.ordersPerTrade + limits.openNotional.length === 0;
  await execute(call, NONE, isNone ? null : limits, reason);
  return defaultText(state);
}
setTradingLimits.description = describe({
  operationId: 'setTradingLimits',
  tag: 'Operator',
  summary: 'Replace the trading limits of accounts without their own',
  notes:
    'They apply to each account by itself, sub-accounts included, from the next order on. Open orders stay open. ' +
    'Without a field there is no such limit. See the [limits of accounts](/docs/operating/protection#limits-of-accounts).',
  body: { schema: fromZod(defaultLimits), examples: { limits: EXAMPLE, none: {} } },
  data: record({ limits: recordRef('TradingLimits') }),
  errors: ['NOT_FOUND'],
  mayNeedApproval: true,
});

/** POST /api/admin/accounts/:id/trading-limits: sets the limits of an account, or removes them. */
export async function setAccountTradingLimits(call: Call): Promise<string> {
  const { reason, useDefault, ...body } = checkBody(ownLimits, call.body());
  const { state } = call.exchange;
  const account = readAccount(call);
  const isGiven = Object.values(body).some((value) => value != null);
  if (useDefault === true && isGiven) {
    throw invalid('useDefault', 'alone', 'Send either useDefault or limits, not both.');
  }
  await execute(call, account.index, useDefault === true ? null : readLimits(body, state), reason);
  return `{"limits":${accountLimitsText(account, state)}}`;
}
setAccountTradingLimits.description = describe({
  operationId: 'setAccountTradingLimits',
  tag: 'Operator',
  summary: 'Set the trading limits of an account',
  notes:
    'They replace the default ones for this account, all of them: without a field the account has no such limit. ' +
    'Open orders stay open.',
  path: { id: 'accountId' },
  body: {
    schema: fromZod(ownLimits),
    examples: { limits: EXAMPLE, unlimited: {}, asOthers: { useDefault: true } },
  },
  data: record({ limits: recordRef('TradingLimits') }),
  errors: ['NOT_FOUND'],
  mayNeedApproval: true,
});

async function execute(
  call: Call,
  owner: number,
  limits: TradingLimits | null,
  reason: string | null | undefined,
): Promise<void> {
  const kind = CommandKind.setTradingLimits;
  const outcome = await executeAsOperator(call, { kind, ...call.actor, owner, limits }, reason);
  expectOutcome(outcome, owner === NONE ? 'done' : 'account', call.exchange.state);
}

function readLimits(
  body: Omit<z.output<typeof defaultLimits>, 'reason'>,
  state: State,
): TradingLimits {
  const openNotional = (body.openNotional ?? []).map(({ asset: name, amount }, place) => {
    const asset = state.assetsByName.get(name);
    const field = `openNotional.${place}`;
    if (asset === undefined) {
      const message = `Unknown asset ${quoteSender(name)}.`;
      throw new ApiError('NOT_FOUND', message, { field: `${field}.asset` });
    }
    const units = parseUnits(amount.text, asset.decimals);
    if (typeof units === 'string') {
      const message = `amount must have at most ${asset.decimals} decimals.`;
      throw invalid(`${field}.amount`, 'decimals', message);
    }
    return { asset: asset.index, limit: units };
  });
  return {
    orderRate: body.orderRate ?? 0,
    ordersPerTrade: body.ordersPerTrade ?? 0,
    freeOrders: body.freeOrders ?? 0,
    openNotional,
  };
}

function defaultText(state: State): string {
  return `{"limits":${limitsText(state.parts.tradingLimits.standard, true, state)}}`;
}
