import { grouped, recentTime } from '../format.ts';
import { t } from '../i18n/index.ts';
import { openOrders } from './account.ts';
import { priceText } from './markets.ts';
import { shortTypeName, triggerSign, typeName } from './order-names.ts';
import { findOcoPartner } from './partner.ts';
import type { ExactOrder } from './records.ts';

/**
 * Lists what is special about an order, its time in force if nothing is. The trigger price has its own column.
 * @param isShort Whether it is for a cell, which has little room
 */
export function describeConditions(order: ExactOrder, isShort = false): string {
  const parts = [...listConditions(order, isShort), ...listLinks(order, isShort)];
  return parts.length === 0 ? order.timeInForce : parts.join(' · ');
}

/** Returns the conditions of an order other than its prices, its amount and linked orders. */
export function listConditions(order: ExactOrder, isShort = false): readonly string[] {
  const { expiresAt, postOnly, attached, displayAmount } = order;
  // The take profit of an OCO order is always post-only.
  const isLeg = findOcoPartner(order, openOrders.value) !== undefined;
  return [
    expiresAt === null ? '' : t('GTD {time}', { time: recentTime(expiresAt) }),
    postOnly && !isLeg ? t('Post-only') : '',
    attached?.takeProfit
      ? t('TP {price}', {
          price: price(attached.takeProfit.price ?? attached.takeProfit.triggerPrice, order),
        })
      : '',
    ...describeTrailing(order, isShort),
    displayAmount === null ? '' : describeIceberg(grouped(displayAmount), isShort),
    attached?.stopLoss ? describeStop(attached.stopLoss, order) : '',
    attached?.amount ? describeTriggered(attached, order) : '',
  ].filter((part) => part !== '');
}

function listLinks(order: ExactOrder, isShort: boolean): readonly string[] {
  const { parentOrderId } = order;
  const partner = findOcoPartner(order, openOrders.value);
  return [
    ...(parentOrderId === null ? [] : [t('Attached to order {id}', { id: parentOrderId })]),
    ...(partner === undefined ? [] : [describePartner(partner, order, isShort)]),
  ];
}

/** Returns the trigger price with the direction in which the last price reaches it: `≤ 117,000.00`. */
export function triggerText(order: ExactOrder): string {
  return `${triggerSign(order)} ${price(order.triggerPrice, order)}`;
}

function describePartner(partner: ExactOrder, order: ExactOrder, isShort: boolean): string {
  if (isShort) {
    return t('OCO: {type} {price}', {
      type: shortTypeName(partner.type),
      price: partner.triggerPrice === null ? price(partner.price, order) : triggerText(partner),
    });
  }
  return t('OCO with {type} at {price}', {
    type: typeName(partner.type).toLowerCase(),
    price: price(partner.triggerPrice ?? partner.price, order),
  });
}

function describeIceberg(amount: string, isShort: boolean): string {
  return isShort ? t('Iceberg {amount}', { amount }) : t('Iceberg, {amount} visible', { amount });
}

function describeTrailing(order: ExactOrder, isShort: boolean): readonly string[] {
  if (order.trailingAmount === null && order.trailingPercent === null) return [];
  const distance = describeDistance(order, order);
  const trails = isShort
    ? t('Trails {distance}', { distance })
    : t('Trails by {distance}', { distance });
  if (order.triggerPrice !== null) return [trails];
  const at = price(order.activationPrice, order);
  return [trails, t('activates at {price}', { price: at })];
}

/** Describes orders that this one triggers once it is filled completely. */
function describeTriggered(
  { side, amount, order: other }: NonNullable<ExactOrder['attached']>,
  order: ExactOrder,
): string {
  const size = grouped(amount!);
  if (!other?.price) {
    return side === 'buy'
      ? t('Once filled, buy {amount}', { amount: size })
      : t('Once filled, sell {amount}', { amount: size });
  }
  const values = { amount: size, price: price(other.price, order) };
  return side === 'buy'
    ? t('Once filled, buy {amount} at {price}', values)
    : t('Once filled, sell {amount} at {price}', values);
}

interface Distance {
  readonly trailingAmount: string | null;
  readonly trailingPercent: string | null;
}

function describeDistance(
  { trailingAmount, trailingPercent }: Distance,
  order: ExactOrder,
): string {
  return trailingPercent === null ? price(trailingAmount, order) : `${trailingPercent}%`;
}

function describeStop(
  leg: Distance & { readonly triggerPrice: string | null },
  order: ExactOrder,
): string {
  return leg.triggerPrice === null
    ? t('SL trails by {distance}', { distance: describeDistance(leg, order) })
    : t('SL {price}', { price: price(leg.triggerPrice, order) });
}

function price(text: string | null, { symbol }: ExactOrder): string {
  return text === null ? '–' : priceText(text, symbol);
}
