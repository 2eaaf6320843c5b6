import type { PlaceOco } from '../../src/engine/command.ts';
import { RejectionCode } from '../../src/engine/rejection.ts';
import { reject } from './naive-administration.ts';
import { checkClientOrderId, remember } from './naive-client-orders.ts';
import { legOrders } from './naive-leg-orders.ts';
import { openLegs, validateLegs } from './naive-legs.ts';
import { toPlaceOrder } from './naive-matching.ts';
import type { NaiveState } from './naive-state.ts';
import type { NaiveTradeOutcome } from './naive-trading.ts';

/** Places an OCO order: two legs with one hold. */
export function placeOco(state: NaiveState, command: PlaceOco): NaiveTradeOutcome {
  const market = state.markets[command.market];
  if (market === undefined) return reject(RejectionCode.unknownMarket);
  const { account, clientOrderId } = command;
  const terms = ocoTerms(command);
  const [first, second] = legOrders(command, command.takeProfit, command.stopLoss);
  const legs = [{ ...first!, clientOrderId }, second!];
  const outcome = checkClientOrderId(state, command, terms) ?? validateLegs(state, market, legs);
  if (outcome !== undefined) return outcome;
  remember(state, account, clientOrderId, state.nextOrderId, terms);
  const orders = legs.map((leg) => toPlaceOrder(state, leg, state.nextOrderId++));
  return { kind: 'oco', orders: openLegs(state, market, legs, orders) };
}

export function ocoTerms(command: PlaceOco): string {
  const { account, clientOrderId, searchedBelow, kind, key, ...terms } = command;
  return JSON.stringify(terms);
}
