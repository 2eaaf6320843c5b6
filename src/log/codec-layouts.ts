import {
  type Actor,
  type AmendOrder,
  type CancelOrder,
  type Command,
  CommandKind,
  type ListMarket,
  type PlaceOrder,
  type PlaceStopOrder,
} from '../engine/command.ts';
import type { ByteReader, ByteWriter } from '../engine/numbers/bytes.ts';
import {
  decodeAccountStatus,
  decodeFeeTiers,
  decodeKeyTerms,
  decodeOco,
  decodeRuleChanges,
  decodeSelection,
  decodeTransfer,
  encodeAccountStatus,
  encodeFeeTiers,
  encodeKeyTerms,
  encodeOco,
  encodeRuleChanges,
  encodeSelection,
  encodeTransfer,
  LISTED_NUMBERS,
  type ListedNumber,
} from './codec-parts.ts';

/**
 * A command that is encoded by the table: kind, account, key, then its fields. The codec encodes the
 * most frequent commands itself.
 */
export type TableCommand = Exclude<
  Extract<Command, Actor>,
  PlaceOrder | PlaceStopOrder | CancelOrder
>;

/** The layout of the fields after kind, account and key. */
export interface Layout<C extends Command> {
  encode(writer: ByteWriter, command: C): void;
  decode(reader: ByteReader): Omit<C, 'kind' | keyof Actor>;
}

type Layouts = {
  readonly [Kind in TableCommand['kind']]: Layout<Extract<TableCommand, { readonly kind: Kind }>>;
};

/** The layouts by kind. Fields are decoded in the order in which they are encoded. */
export const LAYOUTS: Layouts = {
  [CommandKind.placeOco]: { encode: encodeOco, decode: decodeOco },
  [CommandKind.amendOrder]: {
    encode(writer, command) {
      writer.number(command.orderId);
      writer.number(command.price);
      writer.number(command.amount);
      writer.number(command.triggerPrice);
    },
    decode: (reader) => ({ ...decodeAmendment(reader), triggerPrice: reader.number() }),
  },
  [CommandKind.cancelOrders]: { encode: encodeSelection, decode: decodeSelection },
  [CommandKind.cancelAfter]: {
    encode(writer, command) {
      writer.int32(command.market);
      writer.number(command.timeoutMs);
    },
    decode: (reader) => ({ market: reader.int32(), timeoutMs: reader.number() }),
  },
  [CommandKind.changeMarketRules]: {
    encode(writer, command) {
      writer.uint32(command.market);
      encodeRuleChanges(writer, command.rules);
    },
    decode: (reader) => ({ market: reader.uint32(), rules: decodeRuleChanges(reader) }),
  },
  [CommandKind.delistMarket]: {
    encode: (writer, command) => writer.uint32(command.market),
    decode: (reader) => ({ market: reader.uint32() }),
  },
  [CommandKind.cancelOrdersOf]: {
    encode(writer, command) {
      writer.uint32(command.owner);
      encodeSelection(writer, command);
    },
    decode: (reader) => ({ owner: reader.uint32(), ...decodeSelection(reader) }),
  },
  [CommandKind.setFeeTiers]: {
    encode(writer, command) {
      writer.uint32(command.asset);
      encodeFeeTiers(writer, command.tiers);
    },
    decode: (reader) => ({ asset: reader.uint32(), tiers: decodeFeeTiers(reader) }),
  },
  [CommandKind.setAccountFeeTier]: {
    encode(writer, command) {
      writer.uint32(command.owner);
      writer.int32(command.tier);
    },
    decode: (reader) => ({ owner: reader.uint32(), tier: reader.int32() }),
  },
  [CommandKind.createAsset]: {
    encode(writer, command) {
      writer.text(command.asset);
      writer.text(command.name);
      writer.byte(command.decimals);
    },
    decode: (reader) => ({ asset: reader.text(), name: reader.text(), decimals: reader.byte() }),
  },
  [CommandKind.listMarket]: {
    encode(writer, command) {
      writer.text(command.symbol);
      writer.text(command.base);
      writer.text(command.quote);
      for (const rule of LISTED_NUMBERS) writer.number(command[rule]);
      writer.exact(command.minNotional);
      writer.uint32(command.collar);
    },
    decode: (reader) => ({ ...decodeListing(reader), collar: reader.uint32() }),
  },
  [CommandKind.setMarketStatus]: {
    encode(writer, command) {
      writer.uint32(command.market);
      writer.byte(command.status);
    },
    decode: (reader) => ({ market: reader.uint32(), status: reader.byte() }),
  },
  [CommandKind.createAccount]: {
    encode(writer, command) {
      writer.text(command.accountId);
      writer.uint32(command.limitClass);
    },
    decode: (reader) => ({ accountId: reader.text(), limitClass: reader.uint32() }),
  },
  [CommandKind.setAccountStatus]: {
    encode(writer, command) {
      writer.uint32(command.owner);
      encodeAccountStatus(writer, command);
    },
    decode: (reader) => ({ owner: reader.uint32(), ...decodeAccountStatus(reader) }),
  },
  [CommandKind.setAccountLimitClass]: {
    encode(writer, command) {
      writer.uint32(command.owner);
      writer.uint32(command.limitClass);
    },
    decode: (reader) => ({ owner: reader.uint32(), limitClass: reader.uint32() }),
  },
  [CommandKind.createKey]: {
    encode(writer, command) {
      writer.uint32(command.owner);
      writer.text(command.apiKey);
      writer.raw(command.secretHash);
      encodeKeyTerms(writer, command);
    },
    decode: (reader) => ({
      owner: reader.uint32(),
      apiKey: reader.text(),
      secretHash: reader.raw(),
      ...decodeKeyTerms(reader),
    }),
  },
  [CommandKind.createSignedKey]: {
    encode(writer, command) {
      writer.uint32(command.owner);
      writer.text(command.apiKey);
      writer.raw(command.publicKey);
      encodeKeyTerms(writer, command);
    },
    decode: (reader) => ({
      owner: reader.uint32(),
      apiKey: reader.text(),
      publicKey: reader.raw(),
      ...decodeKeyTerms(reader),
    }),
  },
  [CommandKind.createHmacKey]: {
    encode(writer, command) {
      writer.uint32(command.owner);
      writer.text(command.apiKey);
      writer.raw(command.sealedSecret);
      encodeKeyTerms(writer, command);
    },
    decode: (reader) => ({
      owner: reader.uint32(),
      apiKey: reader.text(),
      sealedSecret: reader.raw(),
      ...decodeKeyTerms(reader),
    }),
  },
  [CommandKind.resealKey]: {
    encode(writer, command) {
      writer.text(command.apiKey);
      writer.raw(command.sealedSecret);
    },
    decode: (reader) => ({ apiKey: reader.text(), sealedSecret: reader.raw() }),
  },
  [CommandKind.useSignature]: {
    encode(writer, command) {
      writer.raw(command.hash);
      writer.number(command.expiresAt);
    },
    decode: (reader) => ({ hash: reader.raw(), expiresAt: reader.number() }),
  },
  [CommandKind.revokeKey]: {
    encode: (writer, command) => writer.text(command.apiKey),
    decode: (reader) => ({ apiKey: reader.text() }),
  },
  [CommandKind.transfer]: { encode: encodeTransfer, decode: decodeTransfer },
  [CommandKind.openConnection]: {
    encode: (writer, command) => writer.text(command.node),
    decode: (reader) => ({ node: reader.text() }),
  },
  [CommandKind.upgrade]: {
    encode: (writer, command) => writer.uint32(command.version),
    decode: (reader) => ({ version: reader.uint32() }),
  },
};

/** Decodes an amendment without its trigger price. */
export function decodeAmendment(
  reader: ByteReader,
): Pick<AmendOrder, 'orderId' | 'price' | 'amount'> {
  return { orderId: reader.number(), price: reader.number(), amount: reader.number() };
}

/** Decodes a listing without its collar. */
export function decodeListing(
  reader: ByteReader,
): Omit<ListMarket, 'kind' | keyof Actor | 'collar'> {
  const symbol = reader.text();
  const base = reader.text();
  const quote = reader.text();
  const rules = {} as Record<ListedNumber, number>;
  for (const rule of LISTED_NUMBERS) rules[rule] = reader.number();
  return { symbol, base, quote, ...rules, minNotional: reader.exact() };
}
