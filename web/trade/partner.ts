import type { ExactOrder } from './records.ts';

/**
 * Returns the other leg of an OCO order among the open orders. It is inferred, because the order record does not
 * name it: the legs have consecutive ids, the same timestamp and the same terms.
 */
export function findOcoPartner(
  order: ExactOrder,
  open: readonly ExactOrder[],
): ExactOrder | undefined {
  const isStop = isStopLeg(order);
  if (!isStop && !isTakeProfitLeg(order)) return undefined;
  return open.find((other) => {
    const isOther = isStop ? isTakeProfitLeg(other) : isStopLeg(other);
    return isOther && (isStop ? isOcoPair(other, order) : isOcoPair(order, other));
  });
}

function isOcoPair(profit: ExactOrder, stop: ExactOrder): boolean {
  return (
    profit.timestamp === stop.timestamp &&
    profit.symbol === stop.symbol &&
    profit.side === stop.side &&
    profit.amount === stop.amount &&
    profit.expiresAt === stop.expiresAt &&
    profit.selfTradePrevention === stop.selfTradePrevention &&
    profit.parentOrderId === stop.parentOrderId &&
    stop.clientOrderId === null &&
    BigInt(profit.orderId) + 1n === BigInt(stop.orderId)
  );
}

function isStopLeg({ type }: ExactOrder): boolean {
  return type === 'stop' || type === 'stop_limit';
}

function isTakeProfitLeg({ type, postOnly }: ExactOrder): boolean {
  return type === 'take_profit' || type === 'take_profit_limit' || (type === 'limit' && postOnly);
}
