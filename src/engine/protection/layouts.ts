import type { TradeTerms } from '../command.ts';
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
