import type { NotionalLimit, TradeTerms, TradingLimits } from '../command.ts';
import type { ByteReader, ByteWriter } from '../numbers/bytes.ts';
import type { Side } from '../terms.ts';

/** The bytes that the log and snapshots share. */

/** Writes the terms of a trade. */
export function writeTrade(writer: ByteWriter, trade: TradeTerms): void {
  writer.number(trade.id);
  writer.uint32(trade.market);
  writer.number(trade.price);
  writer.number(trade.amount);
  writer.byte(trade.takerSide);
  writer.number(trade.makerOrderId);
  writer.uint32(trade.makerAccount);
  writer.exact(trade.makerFeePaid);
  writer.number(trade.takerOrderId);
  writer.uint32(trade.takerAccount);
  writer.exact(trade.takerFeePaid);
  writer.number(trade.time);
}

/** Reads what `writeTrade` wrote. */
export function readTrade(reader: ByteReader): TradeTerms {
  return {
    id: reader.number(),
    market: reader.uint32(),
    price: reader.number(),
    amount: reader.number(),
    takerSide: reader.byte() as Side,
    makerOrderId: reader.number(),
    makerAccount: reader.uint32(),
    makerFeePaid: reader.exact(),
    takerOrderId: reader.number(),
    takerAccount: reader.uint32(),
    takerFeePaid: reader.exact(),
    time: reader.number(),
  };
}

/** Writes limits of trading, or none. */
export function writeLimits(writer: ByteWriter, limits: TradingLimits | null): void {
  writer.byte(limits === null ? 0 : 1);
  if (limits === null) return;
  writer.uint32(limits.orderRate);
  writer.uint32(limits.ordersPerTrade);
  writer.uint32(limits.freeOrders);
  writer.uint32(limits.openNotional.length);
  for (const { asset, limit } of limits.openNotional) {
    writer.uint32(asset);
    writer.exact(limit);
  }
}

/** Reads what `writeLimits` wrote. */
export function readLimits(reader: ByteReader): TradingLimits | null {
  if (reader.byte() === 0) return null;
  const [orderRate, ordersPerTrade] = [reader.uint32(), reader.uint32()];
  const freeOrders = reader.uint32();
  const openNotional: NotionalLimit[] = [];
  for (let left = reader.uint32(); left > 0; left--) {
    openNotional.push({ asset: reader.uint32(), limit: reader.exact() });
  }
  return { orderRate, ordersPerTrade, freeOrders, openNotional };
}
