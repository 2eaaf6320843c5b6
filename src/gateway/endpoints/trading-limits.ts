import type { TradingLimits } from '../../engine/command.ts';
import type { Account } from '../../engine/ledger/accounts.ts';
import { ORDER_RATE_WINDOW_MS, ORDERS_PER_TRADE_WINDOW_MS } from '../../engine/limits.ts';
import { formatUnits } from '../../engine/numbers/units.ts';
import type { State } from '../../engine/state.ts';
import type { Call } from '../http/request/call.ts';
import { describe } from '../openapi/description.ts';
import { record } from '../openapi/json-schema.ts';
import { recordRef } from '../openapi/record-schemas.ts';
import { timeText } from './records.ts';

/** GET /api/limits: `{limits, used}`: the limits on the trading of the account, and what it has used of them. */
export function getLimits(call: Call): string {
  call.query([]);
  const { account } = call;
  const { state } = call.exchange;
  const { tradingLimits } = state.parts;
  const used = tradingLimits.usage(account.index);
  const time = Math.max(call.services.now(), state.time);
  return (
    `{"limits":${accountLimitsText(account, state)},"used":{"orders":${used.rateOrders},` +
    `"ordersResetAt":${timeText(windowEnd(time, ORDER_RATE_WINDOW_MS))},"hourlyOrders":${used.orders},` +
    `"hourlyTrades":${used.trades},"hourlyResetAt":${timeText(windowEnd(time, ORDERS_PER_TRADE_WINDOW_MS))},` +
    `"openNotional":${usedNotionalText(account, state)}}}`
  );
}
getLimits.description = describe({
  operationId: 'getLimits',
  tag: 'Account',
  summary: 'Limits on the trading of the account, and what is used of them',
  notes:
    'Orders and amendments beyond a limit are rejected with `ACCOUNT_LIMIT`; cancels, and amendments that only lower the amount, never are.',
  data: record({
    limits: recordRef('TradingLimits'),
    used: recordRef('UsedLimits'),
  }),
});

/** Returns the limits of an account as JSON. */
export function accountLimitsText(account: Account, state: State): string {
  const { tradingLimits } = state.parts;
  const isDefault = !tradingLimits.hasOwn(account.index);
  return limitsText(tradingLimits.find(account.index), isDefault, state);
}

/** Returns limits as JSON; null stands for no limit. */
export function limitsText(limits: TradingLimits, isDefault: boolean, { assets }: State): string {
  const { orderRate, ordersPerTrade, freeOrders } = limits;
  const openNotional = limits.openNotional.map(({ asset: index, limit }) => {
    const { asset, decimals } = assets[index]!;
    return `{"asset":"${asset}","amount":${formatUnits(limit, decimals)}}`;
  });
  return (
    `{"isDefault":${isDefault},"orderRate":${orderRate || null},"ordersPerTrade":${ordersPerTrade || null},` +
    `"freeOrders":${freeOrders || null},"openNotional":[${openNotional.join(',')}]}`
  );
}

function usedNotionalText(account: Account, { assets, parts: { tradingLimits } }: State): string {
  const texts = tradingLimits.find(account.index).openNotional.map(({ asset: index }) => {
    const { asset, decimals } = assets[index]!;
    const used = formatUnits(tradingLimits.openNotional.total(account, index), decimals);
    return `{"asset":"${asset}","used":${used}}`;
  });
  return `[${texts.join(',')}]`;
}

function windowEnd(time: number, lengthMs: number): number {
  return (Math.floor(time / lengthMs) + 1) * lengthMs;
}
