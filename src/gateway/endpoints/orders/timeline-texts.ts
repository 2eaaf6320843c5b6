import type { Ahead, Obstacle, QueuePoint, TimelineEvent } from '../../../archivist/archivist.ts';
import type { OrderRecord } from '../../../engine/event.ts';
import type { Market } from '../../../engine/markets/markets.ts';
import { formatUnits } from '../../../engine/numbers/units.ts';
import { marketStatuses, oppositeSide, orderReasons, Side, sides } from '../../../engine/terms.ts';
import { quote } from '../../http/json.ts';
import { timeText } from '../records.ts';

/** Returns an event of a timeline as JSON. */
export function eventText(event: TimelineEvent, order: OrderRecord, market: Market): string {
  const { kind, isTaker, tradeId } = event;
  const isFill = kind === 'fill';
  const reason = orderReasons[event.reason] ?? null;
  return (
    `{"position":${event.position},"timestamp":${timeText(event.time)},"kind":"${kind}",` +
    `"price":${priceText(event.price, market)},"amount":${amountText(event.amount, market)},` +
    `"filled":${amountText(event.filled, market)},` +
    `"triggerPrice":${priceText(event.triggerPrice, market)},"reason":${JSON.stringify(reason)},` +
    `"tradeId":${isFill ? `"${tradeId}"` : 'null'},` +
    `"liquidity":${isFill ? (isTaker ? '"taker"' : '"maker"') : 'null'},` +
    `"counterpartySide":${isFill ? `"${sides[oppositeSide(order.side)]}"` : 'null'},` +
    `"marketStatus":"${marketStatuses[event.marketStatus]}",${aheadText(event.ahead, market)}}`
  );
}

/** Returns a point of a timeline as JSON. */
export function pointText({ position, time, ahead }: QueuePoint, market: Market): string {
  return `{"position":${position},"timestamp":${timeText(time)},${aheadText(ahead, market)}}`;
}

/** Returns why an order has not filled as JSON. */
export function obstacleText(obstacle: Obstacle, order: OrderRecord, market: Market): string {
  const distance = distancePercent(obstacle, order);
  const words = obstacleWords(obstacle, order, market, distance);
  return (
    `{"code":"${obstacle.code}","text":${quote(words)},${aheadText(obstacle.ahead, market)},` +
    `"marketStatus":"${marketStatuses[obstacle.marketStatus]}",` +
    `"lastPrice":${priceText(obstacle.lastPrice, market)},` +
    `"triggerPrice":${priceText(obstacle.triggerPrice, market)},` +
    `"activationPrice":${priceText(obstacle.activationPrice, market)},` +
    `"counterPrice":${priceText(obstacle.counterPrice, market)},"distancePercent":${distance}}`
  );
}

function obstacleWords(
  obstacle: Obstacle,
  order: OrderRecord,
  market: Market,
  distance: string,
): string {
  const price = (units: number) => `${priceText(units, market)} ${market.quote.asset}`;
  const away = distance === 'null' ? '' : `, ${distance} % away`;
  switch (obstacle.code) {
    case 'market_unavailable':
      return `The market does not trade: its status is ${marketStatuses[obstacle.marketStatus]}.`;
    case 'auction':
      return 'The market is in an auction, which fills orders at its end.';
    case 'awaiting_activation':
      return `The last price has not reached its activation price of ${price(obstacle.activationPrice)}${away}.`;
    case 'awaiting_trigger':
      return `The last price has not reached its trigger price of ${price(obstacle.triggerPrice)}${away}.`;
    case 'triggered':
      return 'It was triggered, and runs with the next commands.';
    case 'orders_ahead':
      return aheadWords(obstacle.ahead!, market);
    case 'no_counter_orders':
      return `It is first in the queue, but the book has no ${order.side === Side.buy ? 'asks' : 'bids'}.`;
    case 'price_not_reached': {
      const isBuy = order.side === Side.buy;
      const [best, relation] = isBuy ? ['ask', 'above'] : ['bid', 'below'];
      return `It is first in the queue. The best ${best} is ${distance} % ${relation} its limit price.`;
    }
  }
}

function aheadWords({ levels, amount }: Ahead, market: Market): string {
  const total = `${amountText(amount, market)} ${market.base.asset}`;
  if (levels === 0) return `${total} is ahead of it in the queue of its price.`;
  const prices = levels === 1 ? '1 price level' : `${levels} price levels`;
  return `${prices} and ${total} are ahead of it.`;
}

/** Returns the distance that is left, rounded to four decimals, or `null` if there is none. */
function distancePercent(
  { code, lastPrice, triggerPrice, activationPrice, counterPrice, ahead }: Obstacle,
  { price }: OrderRecord,
): string {
  if (code === 'awaiting_activation') return percentText(lastPrice, activationPrice);
  if (code === 'awaiting_trigger') return percentText(lastPrice, triggerPrice);
  return ahead === undefined ? 'null' : percentText(price, counterPrice);
}

function percentText(from: number, to: number): string {
  if (from === 0 || to === 0) return 'null';
  const scaled = BigInt(Math.abs(to - from)) * 1_000_000n;
  const base = BigInt(from);
  return formatUnits((scaled * 2n + base) / (base * 2n), 4);
}

function aheadText(ahead: Ahead | undefined, market: Market): string {
  if (ahead === undefined) return '"levelsAhead":null,"amountAhead":null,"queueAhead":null';
  return (
    `"levelsAhead":${ahead.levels},"amountAhead":${amountText(ahead.amount, market)},` +
    `"queueAhead":${amountText(ahead.queue, market)}`
  );
}

/** Returns a price in price units; `null` for 0. */
function priceText(units: number, { rules }: Market): string {
  return units === 0 ? 'null' : formatUnits(units, rules.priceDecimals);
}

function amountText(units: Ahead['amount'], { rules }: Market): string {
  return formatUnits(units, rules.amountDecimals);
}
