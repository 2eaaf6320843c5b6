import type { ExactOrder } from './records.ts';

/**
 * The other order of a pair, of those that are open. It is inferred: the order record has no field that names
 * it, only `parentOrderId`, which attached orders share. A pair is known by what it has in common and
 * nothing else is likely to: neighbouring ids, made in the same millisecond, with the same terms.
 */
export function partnerOf(order: ExactOrder, open: readonly ExactOrder[]): ExactOrder | undefined {
  const isStop = stops(order);
  if (!isStop && !takesProfit(order)) return undefined;
  return open.find((other) => {
    const isOther = isStop ? takesProfit(other) : stops(other);
    return isOther && (isStop ? isPair(other, order) : isPair(order, other));
  });
}

function isPair(profit: ExactOrder, stop: ExactOrder): boolean {
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

function stops({ type }: ExactOrder): boolean {
  return type === 'stop' || type === 'stop_limit';
}

function takesProfit({ type, postOnly }: ExactOrder): boolean {
  return type === 'take_profit' || type === 'take_profit_limit' || (type === 'limit' && postOnly);
}
