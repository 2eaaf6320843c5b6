import type { TradingLimits } from '../../engine/command.ts';
import { withdrawnInDay } from '../../engine/custody/withdrawal-day.ts';
import type { Account } from '../../engine/ledger/accounts.ts';
import { ORDER_RATE_WINDOW_MS, ORDERS_PER_TRADE_WINDOW_MS } from '../../engine/limits.ts';
import { difference, type Exact } from '../../engine/numbers/exact.ts';
import { formatUnits } from '../../engine/numbers/units.ts';
import type { State } from '../../engine/state.ts';
import type { Call } from '../http/request/call.ts';
import { describe } from '../openapi/description.ts';
import { record } from '../openapi/json-schema.ts';
import { recordList, recordRef } from '../openapi/record-schemas.ts';
import { timeText } from './records.ts';

/** GET /api/limits: `{limits, used, withdrawals}`: the limits of the account, and what it has used of them. */
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
    `"openNotional":${usedNotionalText(account, state)}},` +
    `"withdrawals":${withdrawalLimitsText(account, state, time)}}`
  );
}
getLimits.description = describe({
  operationId: 'getLimits',
  tag: 'Account',
  summary: 'Limits of the account, and what is used of them',
  notes:
    'Orders and amendments beyond a limit are rejected with `ACCOUNT_LIMIT`; cancels, and amendments that only lower the amount, never are. ' +
    '`withdrawals` has the networks with a daily limit; it is empty for sub-accounts, which do not withdraw.',
  data: record({
    limits: recordRef('TradingLimits'),
    used: recordRef('UsedLimits'),
    withdrawals: recordList('WithdrawalLimit'),
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

/** Returns the daily limits of all networks that have one, with what the engine counts at `time`. */
function withdrawalLimitsText(account: Account, state: State, time: number): string {
  if (account.main !== undefined) return '[]';
  const { store } = state.parts.custody;
  const limited = [...store.networks.values()].filter(({ dailyLimit }) => dailyLimit > 0);
  const ofAsset = new Map<number, Exact>();
  for (const { asset } of limited) {
    if (!ofAsset.has(asset)) ofAsset.set(asset, withdrawnInDay(store, account.index, asset, time));
  }
  const texts = limited.map(({ asset: index, name, dailyLimit }) => {
    const { asset, decimals } = state.assets[index]!;
    const used = ofAsset.get(index)!;
    // A limit that an operator has lowered may be below what was used of it.
    const remaining = used < dailyLimit ? difference(dailyLimit, used) : 0;
    return (
      `{"asset":"${asset}","network":"${name}","dailyLimit":${formatUnits(dailyLimit, decimals)},` +
      `"used":${formatUnits(used, decimals)},"remaining":${formatUnits(remaining, decimals)}}`
    );
  });
  return `[${texts.join(',')}]`;
}

function windowEnd(time: number, lengthMs: number): number {
  return (Math.floor(time / lengthMs) + 1) * lengthMs;
}
