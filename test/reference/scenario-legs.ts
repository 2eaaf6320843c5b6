import {
  CommandKind,
  type OtoTerms,
  type PlaceBracket,
  type PlaceOco,
  type PlaceOrder,
} from '../../src/engine/command.ts';
import { OrderType, TimeInForce } from '../../src/engine/terms.ts';
import type { NaiveMarket } from './naive-state.ts';
import { BUY, readPrice, SELL } from './naive-values.ts';
import { type Special, toDisplayAmount, toTrailing } from './scenario-special.ts';

/** The fields of a placing move that OCO and bracket orders use. */
interface LegMove {
  readonly attached: 'none' | 'takeProfit' | 'stopLoss' | 'both';
  readonly oto: 'none' | 'legs' | 'order';
  readonly stopType: number;
  readonly triggerTicks: number;
  readonly ticks: number;
  readonly postOnly: boolean;
  readonly oddity: string;
  readonly expiresIn: number;
  readonly special: Special | null;
}

/**
 * Converts an order to an OCO order around the last price: the take profit on the winning side, the
 * stop loss on the losing one.
 */
export function toOco(what: LegMove, order: PlaceOrder, market: NaiveMarket): PlaceOco {
  const { account, key, side, amount, selfTradePrevention, clientOrderId } = order;
  const { tick } = market.rules;
  const good = (side === BUY ? -1 : 1) * tick;
  const last = readPrice(market) + (what.oddity === 'offTick' ? 1 : 0);
  const ticks = what.triggerTicks;
  const takeProfits = [
    { price: last + ticks * good, triggerPrice: 0 },
    { price: last + ticks * good, triggerPrice: 0 },
    { price: 0, triggerPrice: last + ticks * good },
    { price: last + what.ticks * tick, triggerPrice: last + ticks * good },
  ];
  const triggerPrice = last - Math.max(ticks, 1) * good;
  const takeProfit = takeProfits[what.stopType - OrderType.stop]!;
  const { special } = what;
  const isIceberg = special !== null && takeProfit.triggerPrice === 0;
  return {
    kind: CommandKind.placeOco,
    account,
    key,
    market: order.market,
    side,
    amount,
    selfTradePrevention,
    clientOrderId,
    expiresAt: order.expiresAt,
    takeProfit: isIceberg
      ? { ...takeProfit, displayAmount: toDisplayAmount(special, amount, market) }
      : takeProfit,
    stopLoss:
      special === null
        ? { price: what.postOnly ? 0 : triggerPrice - what.ticks * tick, triggerPrice }
        : { price: 0, triggerPrice: 0, trailing: toTrailing(special, side, market) },
  };
}

/** Adds bracket legs around the price of the order, rarely on the wrong side. */
export function toBracket(what: LegMove, order: PlaceOrder, market: NaiveMarket): PlaceBracket {
  const { tick } = market.rules;
  const price = order.price || readPrice(market);
  const good = (order.side === BUY ? 1 : -1) * tick;
  const target = price + what.triggerTicks * good;
  const takeProfits = [
    { price: target, triggerPrice: 0 },
    { price: 0, triggerPrice: target },
    { price: target + what.ticks * tick, triggerPrice: target },
    { price: target, triggerPrice: 0 },
  ];
  const triggerPrice = price - Math.max(what.triggerTicks, 1) * good;
  const fixed = { price: what.expiresIn % 2 === 0 ? 0 : triggerPrice - good, triggerPrice };
  const { special } = what;
  const stopLoss =
    special === null
      ? fixed
      : { price: 0, triggerPrice: 0, trailing: toTrailing(special, 1 - order.side, market) };
  const oto = what.oto === 'none' ? undefined : toOto(what, order, price, market);
  if (oto !== undefined && oto.order !== null) {
    const attached = { takeProfit: null, stopLoss: null, oto };
    return { kind: CommandKind.placeBracket, order, attached };
  }
  return {
    kind: CommandKind.placeBracket,
    order,
    attached: {
      ...(oto !== undefined && { oto }),
      takeProfit:
        what.attached === 'stopLoss' ? null : takeProfits[what.stopType - OrderType.stop]!,
      stopLoss: what.attached === 'takeProfit' ? null : stopLoss,
    },
  };
}

/** Returns terms of legs that await the complete fill: mostly those that other legs have, for less than the amount. */
function toOto(what: LegMove, order: PlaceOrder, price: number, market: NaiveMarket): OtoTerms {
  const { tick, step } = market.rules;
  const side = what.expiresIn % 4 === 0 ? order.side : order.side === BUY ? SELL : BUY;
  const amount = Math.max(order.amount - (what.expiresIn % 3) * step, step);
  if (what.oto === 'legs') return { side, amount, order: null };
  const isLimit = what.stopType % 2 === 0;
  const type = isLimit ? OrderType.limit : OrderType.market;
  const timeInForce = isLimit ? what.stopType % 3 : TimeInForce.ioc;
  const leg = { type, timeInForce, price: isLimit ? price + what.ticks * tick : 0 };
  return { side, amount, order: leg };
}
