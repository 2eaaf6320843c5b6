import type { CancelOrdersOf, DelistMarket } from '../../src/engine/command.ts';
import { RejectionCode } from '../../src/engine/rejection.ts';
import { MarketStatus, OrderReason } from '../../src/engine/terms.ts';
import { reject } from './naive-administration.ts';
import { dropCall } from './naive-auctions.ts';
import { cancelMarketInPortions, cancelSelected } from './naive-portions.ts';
import { untrigger } from './naive-protection.ts';
import type { NaiveState } from './naive-state.ts';
import { triggersOnRise } from './naive-stops.ts';
import { endEach, type NaiveTradeOutcome, selected } from './naive-trading.ts';
import { BUY, SELL } from './naive-values.ts';

export function cancelOrdersOf(state: NaiveState, command: CancelOrdersOf): NaiveTradeOutcome {
  if (state.accounts[command.owner] === undefined) return reject(RejectionCode.unknownAccount);
  if (state.version >= 2)
    return cancelSelected(state, command.owner, command, OrderReason.operator);
  const chosen = selected(state, command.owner, command);
  const orders = endEach(state, chosen, OrderReason.operator);
  return { kind: 'orders', orders };
}

/** Cancels all bids and then all asks by priority, then the pending orders. */
export function delist(state: NaiveState, command: DelistMarket): NaiveTradeOutcome {
  const market = state.markets[command.market];
  if (market === undefined) return reject(RejectionCode.unknownMarket);
  if (state.version >= 2) {
    dropCall(state, market);
    market.status = MarketStatus.delisted;
    untrigger(state, market.index);
    return cancelMarketInPortions(state, market.index, OrderReason.delisted);
  }
  const stops = state.stops.filter((order) => order.market === market.index);
  const rising = stops.filter(triggersOnRise).sort((a, b) => a.triggerPrice - b.triggerPrice);
  const falling = stops
    .filter((order) => !triggersOnRise(order))
    .sort((a, b) => b.triggerPrice - a.triggerPrice);
  const all = [
    ...state.side(market.index, BUY),
    ...state.side(market.index, SELL),
    ...rising,
    ...falling,
    ...state.triggered.filter((order) => order.market === market.index),
  ];
  market.status = MarketStatus.delisted;
  const orders = endEach(state, all, OrderReason.delisted);
  return { kind: 'orders', orders };
}
