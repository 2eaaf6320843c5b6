import type { Trailing } from '../../command.ts';
import { mix, mixNumber } from '../../digest.ts';
import type { ByteReader, ByteWriter } from '../../numbers/bytes.ts';

export function mixTrailing(hash: number, terms: Trailing): number {
  return mixNumber(mix(mixNumber(hash, terms.amount), terms.basisPoints), terms.activationPrice);
}

export function writeTrailing(writer: ByteWriter, terms: Trailing): void {
  writer.number(terms.amount);
  writer.uint32(terms.basisPoints);
  writer.number(terms.activationPrice);
}

export function readTrailing(reader: ByteReader): Trailing {
  return {
    amount: reader.number(),
    basisPoints: reader.uint32(),
    activationPrice: reader.number(),
  };
}
