import type { Attached, OcoLeg } from '../command.ts';
import type { ByteReader, ByteWriter } from '../numbers/bytes.ts';
import { readTrailing, writeTrailing } from '../orders/triggers/trailing-terms.ts';

/** What is attached to an open order, in snapshots. */

/** The kind of a leg, in the lowest bits of its byte: none, one with fixed prices, or a trailing stop. */
enum Kind {
  none = 0,
  fixed = 1,
  trailing = 2,
  mask = 3,
}

/** In the byte of the first leg: the order ids of the legs are reserved (engine version 2). */
const HAS_ORDER_ID = 4;

export function writeAttached(writer: ByteWriter, attached: Attached): void {
  const { takeProfit, stopLoss, firstOrderId } = attached;
  writer.byte(findKind(takeProfit) | (firstOrderId === undefined ? 0 : HAS_ORDER_ID));
  writeLeg(writer, takeProfit);
  writer.byte(findKind(stopLoss));
  writeLeg(writer, stopLoss);
  if (firstOrderId !== undefined) writer.number(firstOrderId);
}

export function readAttached(reader: ByteReader): Attached {
  const flags = reader.byte();
  const takeProfit = readLeg(reader, flags & Kind.mask);
  const stopLoss = readLeg(reader, reader.byte());
  const hasOrderId = (flags & HAS_ORDER_ID) !== 0;
  return { takeProfit, stopLoss, ...(hasOrderId && { firstOrderId: reader.number() }) };
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
