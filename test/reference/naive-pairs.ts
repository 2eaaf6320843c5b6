import type { PlacePair } from '../../src/engine/command.ts';
import { RejectionCode } from '../../src/engine/rejection.ts';
import { refuse } from './naive-administration.ts';
import { legOrders } from './naive-leg-orders.ts';
import { placeLegs, refusalOfLegs } from './naive-legs.ts';
import type { NaiveState } from './naive-state.ts';
import { type NaiveTradeOutcome, placedBefore, remember } from './naive-trading.ts';

/** Two orders with the hold of one. */
export function placePair(state: NaiveState, command: PlacePair): NaiveTradeOutcome {
  const market = state.markets[command.market];
  if (market === undefined) return refuse(RejectionCode.unknownMarket);
  const { account, clientOrderId, kind, key, ...asked } = command;
  const terms = JSON.stringify(asked);
  const [first, second] = legOrders(command, command.takeProfit, command.stopLoss);
  const legs = [{ ...first!, clientOrderId }, second!];
  const outcome =
    placedBefore(state, account, clientOrderId, terms) ?? refusalOfLegs(state, market, legs);
  if (outcome !== undefined) return outcome;
  remember(state, account, clientOrderId, state.nextOrderId, terms);
  return { kind: 'pair', orders: placeLegs(state, market, legs, 0) };
}
