import type { OrderRecord } from '../../engine/event.ts';
import type { Market } from '../../engine/markets/markets.ts';
import { formatUnits } from '../../engine/numbers/units.ts';
import type { PreviewedFill, PreviewedHold } from '../../engine/orders/preview/preview.ts';
import type { State } from '../../engine/state.ts';
import { Side } from '../../engine/terms.ts';
import { amountText, orderText } from './records.ts';

/** The beginning of the record of an order that was not placed. */
const WITHOUT_ID = '{"orderId":"0",';

/** Returns the record of a tested order: `orderId` is null unless it was placed before. */
export function testedOrderText(order: OrderRecord, market: Market): string {
  const text = orderText(order, market);
  return order.id === 0 ? `{"orderId":null,${text.slice(WITHOUT_ID.length)}` : text;
}

export function testedFillText(fill: PreviewedFill, side: Side, market: Market): string {
  const { rules, base, quote } = market;
  const fee = amountText(side === Side.buy ? base : quote, fill.fee);
  return (
    `{"price":${formatUnits(fill.price, rules.priceDecimals)},` +
    `"amount":${formatUnits(fill.amount, rules.amountDecimals)},` +
    `"cost":${formatUnits(fill.cost, quote.decimals)},"fee":${fee}}`
  );
}

export function holdText(hold: PreviewedHold | null, { assets }: State): string {
  if (hold === null) return 'null';
  const { asset, decimals } = assets[hold.asset]!;
  return `{"asset":"${asset}","amount":${formatUnits(hold.amount, decimals)}}`;
}
