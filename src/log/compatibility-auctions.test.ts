import { expect, test } from 'bun:test';
import { type Command, CommandKind } from '../engine/command.ts';
import { ByteReader, ByteWriter } from '../engine/numbers/bytes.ts';
import { decodeCommand, encodeCommand } from './codec.ts';

// Logs contain these bytes: they never change.

const actor = { account: 1, key: 2 };
const RULES = { staticBand: 12, dynamicBand: 13, auctionMs: 14 };
const LISTING: Command = {
  kind: CommandKind.listMarket,
  ...actor,
  ...{
    symbol: 'A/B',
    base: 'A',
    quote: 'B',
    priceDecimals: 1,
    amountDecimals: 2,
    tick: 1,
    step: 2,
  },
  ...{ minPrice: 3, maxPrice: 4, minAmount: 5, maxAmount: 6, minNotional: 7, makerFee: 8 },
  ...{ takerFee: 9, referencePrice: 10, collar: 11 },
};

function encode(command: Command): string {
  const writer = new ByteWriter();
  encodeCommand(writer, command);
  return writer.bytes().toHex();
}

test('a listing with rules of auctions and an opening auction has the fields of others, then its own', () => {
  const bands = '0000000000002840' + '0000000000002a40' + '0000000000002c40';
  const plain = encode(LISTING);
  expect(plain.slice(0, 2)).toBe('0f');
  for (const [command, tail] of [
    [{ ...LISTING, ...RULES }, `${bands}00`],
    [{ ...LISTING, ...RULES, opensAt: 15 }, `${bands}010000000000002e40`],
  ] as [Command, string][]) {
    const bytes = `64${plain.slice(2)}${tail}`;
    expect(encode(command)).toBe(bytes);
    expect(decodeCommand(new ByteReader(Uint8Array.fromHex(bytes)))).toEqual(command);
  }
});

test('a change of the rules of auctions', () => {
  const command: Command = {
    kind: CommandKind.changeMarketRules,
    ...actor,
    market: 3,
    rules: RULES,
  };
  const bytes =
    '17010000000200000003000000030b0200000000000028400c020000000000002a400d020000000000002c40';
  expect(encode(command)).toBe(bytes);
  expect(decodeCommand(new ByteReader(Uint8Array.fromHex(bytes)))).toEqual(command);
});
