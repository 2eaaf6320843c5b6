import type { CancelOrdersOf, DelistMarket } from '../../src/engine/command.ts';
import { RejectionCode } from '../../src/engine/rejection.ts';
import { MarketStatus, OrderReason, OrderStatus } from '../../src/engine/terms.ts';
import { refuse } from './naive-administration.ts';
import { BUY, end, SELL } from './naive-matching.ts';
import type { NaiveState } from './naive-state.ts';
import { type NaiveTradeOutcome, selected } from './naive-trading.ts';

export function cancelOrdersOf(state: NaiveState, command: CancelOrdersOf): NaiveTradeOutcome {
  if (state.accounts[command.owner] === undefined) return refuse(RejectionCode.unknownAccount);
  const orders = selected(state, command.owner, command).map((order) =>
    end(state, order, OrderStatus.canceled, OrderReason.operator),
  );
  return { kind: 'orders', orders };
}

/** All buys as they would have traded, then all sells. */
export function delist(state: NaiveState, command: DelistMarket): NaiveTradeOutcome {
  const market = state.markets[command.market];
  if (market === undefined) return refuse(RejectionCode.unknownMarket);
  const all = [BUY, SELL].flatMap((side) => state.side(market.index, side));
  market.status = MarketStatus.delisted;
  const orders = all.map((order) => end(state, order, OrderStatus.canceled, OrderReason.delisted));
  return { kind: 'orders', orders };
}
