import type { Attached, OcoLeg, OtoTerms, PlainLeg } from '../command.ts';
import type { ByteReader, ByteWriter } from '../numbers/bytes.ts';
import { readTrailing, writeTrailing } from '../orders/triggers/trailing-terms.ts';
import type { Side } from '../terms.ts';

/** The snapshot layout of the legs attached to an open order. */

/** The kind of a leg, in the lowest bits of its byte: none, one with fixed prices, or a trailing stop. */
enum Kind {
  none = 0,
  fixed = 1,
  trailing = 2,
  mask = 3,
}

/** In the byte of the first leg: the order ids of the legs are reserved (engine version 2). */
const HAS_ORDER_ID = 4;
/** In the byte of the first leg: the legs have terms of their own. */
const IS_OTO = 8;
/** In the byte of the side of these terms. */
const HAS_ORDER = 2;

export function writeAttached(writer: ByteWriter, attached: Attached): void {
  const { takeProfit, stopLoss, firstOrderId, oto } = attached;
  writer.byte(
    findKind(takeProfit) |
      (firstOrderId === undefined ? 0 : HAS_ORDER_ID) |
      (oto === undefined ? 0 : IS_OTO),
  );
  writeLeg(writer, takeProfit);
  writer.byte(findKind(stopLoss));
  writeLeg(writer, stopLoss);
  if (oto !== undefined) writeOto(writer, oto);
  if (firstOrderId !== undefined) writer.number(firstOrderId);
}

export function readAttached(reader: ByteReader): Attached {
  const flags = reader.byte();
  const takeProfit = readLeg(reader, flags & Kind.mask);
  const stopLoss = readLeg(reader, reader.byte());
  // In the order of the placement: history stores them as JSON.
  return {
    takeProfit,
    stopLoss,
    ...((flags & IS_OTO) !== 0 && { oto: readOto(reader) }),
    ...((flags & HAS_ORDER_ID) !== 0 && { firstOrderId: reader.number() }),
  };
}

function writeOto(writer: ByteWriter, { side, amount, order }: OtoTerms): void {
  writer.byte(side | (order === null ? 0 : HAS_ORDER));
  writer.number(amount);
  if (order === null) return;
  writer.byte(order.type);
  writer.byte(order.timeInForce);
  writer.number(order.price);
}

function readOto(reader: ByteReader): OtoTerms {
  const flags = reader.byte();
  const side = (flags & 1) as Side;
  const amount = reader.number();
  if ((flags & HAS_ORDER) === 0) return { side, amount, order: null };
  const type = reader.byte() as PlainLeg['type'];
  return { side, amount, order: { type, timeInForce: reader.byte(), price: reader.number() } };
}

function findKind(leg: OcoLeg | null): Kind {
  if (leg === null) return Kind.none;
  return leg.trailing === undefined ? Kind.fixed : Kind.trailing;
}

function writeLeg(writer: ByteWriter, leg: OcoLeg | null): void {
  if (leg === null) return;
  writer.number(leg.price);
  writer.number(leg.triggerPrice);
  if (leg.trailing !== undefined) writeTrailing(writer, leg.trailing);
}

function readLeg(reader: ByteReader, kind: number): OcoLeg | null {
  if (kind === Kind.none) return null;
  const leg = { price: reader.number(), triggerPrice: reader.number() };
  return kind === Kind.trailing ? { ...leg, trailing: readTrailing(reader) } : leg;
}
