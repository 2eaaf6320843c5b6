import {
  type AmendOrder,
  type Command,
  CommandKind,
  type ListMarket,
  type MarketRules,
  type PlaceBracket,
  type PlaceOrder,
  type PlaceStopOrder,
} from '../engine/command.ts';
import type { ByteReader, ByteWriter } from '../engine/numbers/bytes.ts';
import { InvariantError } from '../engine/rejection.ts';
import type { Side } from '../engine/terms.ts';
import {
  decodeAccountStatus,
  decodeBracketLegs,
  decodeFeeTiers,
  decodeOco,
  decodeRuleChanges,
  decodeSelection,
  decodeTransfer,
  encodeAccountStatus,
  encodeBracketLegs,
  encodeFeeTiers,
  encodeOco,
  encodeRuleChanges,
  encodeSelection,
  encodeTransfer,
} from './codec-parts.ts';

/**
 * Maximum encoded bytes of a command. The largest requests are bodies of 16 KiB and lists of 1,000 order ids, and no
 * command takes more bytes than its request, apart from a few hundred for fields that the request leaves out.
 */
export const MAX_COMMAND_BYTES = 32 * 1024;

/**
 * Commands as they stand in the log. A kind's layout never changes: another layout is another kind.
 * Only a bit of a flags byte that was never set may come to say that more follows.
 */
export function encodeCommand(writer: ByteWriter, command: Command): void {
  const isSearched = command.kind === CommandKind.transfer && command.searchedBelow !== undefined;
  writer.byte(isSearched ? SEARCHED_TRANSFER : command.kind);
  switch (command.kind) {
    case CommandKind.tick:
      break;
    case CommandKind.placeOrder:
      encodePlaceOrder(writer, command);
      break;
    case CommandKind.placeStopOrder:
      encodePlaceOrder(writer, command);
      writer.number(command.triggerPrice);
      break;
    case CommandKind.placeBracket:
      encodePlaceOrder(writer, command.order);
      encodeBracketLegs(writer, command.attached);
      break;
    case CommandKind.open:
      writer.uint32(command.version);
      writer.byte(command.sandbox ? 1 : 0);
      break;
    case CommandKind.skip:
      writer.number(command.sequence);
      writer.uint32(command.index);
      writer.text(command.reason);
      break;
    default:
      writer.int32(command.account);
      writer.int32(command.key);
      encodeRest(writer, command);
  }
}

type Administrative = Exclude<
  Command,
  | PlaceOrder
  | PlaceStopOrder
  | PlaceBracket
  | { readonly kind: typeof CommandKind.tick }
  | { readonly kind: typeof CommandKind.open }
  | { readonly kind: typeof CommandKind.skip }
>;

/** A listing from before markets had a collar. */
const LIST_MARKET_WITHOUT_COLLAR = 6;
/** A change from before waiting orders were changed. */
const AMEND_ORDER_WITHOUT_TRIGGER = 20;

/** A transfer whose reference history was asked for. */
const SEARCHED_TRANSFER = 40;

const POST_ONLY = 1;
const HAS_COST = 2;
const HAS_EXPIRY = 4;
const HAS_CLIENT_ORDER_ID = 8;
const HAS_SEARCHED_BELOW = 16;

function encodePlaceOrder(writer: ByteWriter, command: PlaceOrder | PlaceStopOrder): void {
  writer.int32(command.account);
  writer.int32(command.key);
  writer.uint32(command.market);
  writer.byte(command.side | (command.type << 1));
  writer.byte(command.timeInForce | (command.selfTradePrevention << 4));
  writer.byte(
    (command.postOnly ? POST_ONLY : 0) |
      (command.cost !== 0 ? HAS_COST : 0) |
      (command.expiresAt !== 0 ? HAS_EXPIRY : 0) |
      (command.clientOrderId !== null ? HAS_CLIENT_ORDER_ID : 0) |
      (command.searchedBelow !== undefined ? HAS_SEARCHED_BELOW : 0),
  );
  writer.number(command.price);
  writer.number(command.amount);
  if (command.cost !== 0) writer.exact(command.cost);
  if (command.expiresAt !== 0) writer.number(command.expiresAt);
  if (command.clientOrderId !== null) writer.text(command.clientOrderId);
  if (command.searchedBelow !== undefined) writer.number(command.searchedBelow);
}

function encodeRest(writer: ByteWriter, command: Administrative): void {
  switch (command.kind) {
    case CommandKind.cancelOrder:
      writer.number(command.orderId);
      break;
    case CommandKind.placeOco:
      encodeOco(writer, command);
      break;
    case CommandKind.amendOrder:
      writer.number(command.orderId);
      writer.number(command.price);
      writer.number(command.amount);
      writer.number(command.triggerPrice);
      break;
    case CommandKind.cancelOrders:
      encodeSelection(writer, command);
      break;
    case CommandKind.cancelAfter:
      writer.int32(command.market);
      writer.number(command.timeoutMs);
      break;
    case CommandKind.changeMarketRules:
      writer.uint32(command.market);
      encodeRuleChanges(writer, command.rules);
      break;
    case CommandKind.delistMarket:
      writer.uint32(command.market);
      break;
    case CommandKind.cancelOrdersOf:
      writer.uint32(command.owner);
      encodeSelection(writer, command);
      break;
    case CommandKind.setFeeTiers:
      writer.uint32(command.asset);
      encodeFeeTiers(writer, command.tiers);
      break;
    case CommandKind.setAccountFeeTier:
      writer.uint32(command.owner);
      writer.int32(command.tier);
      break;
    case CommandKind.createAsset:
      writer.text(command.asset);
      writer.text(command.name);
      writer.byte(command.decimals);
      break;
    case CommandKind.listMarket:
      writer.text(command.symbol);
      writer.text(command.base);
      writer.text(command.quote);
      for (const rule of RULES) writer.number(command[rule]);
      writer.exact(command.minNotional);
      writer.uint32(command.collar);
      break;
    case CommandKind.upgrade:
      writer.uint32(command.version);
      break;
    case CommandKind.setMarketStatus:
      writer.uint32(command.market);
      writer.byte(command.status);
      break;
    case CommandKind.createAccount:
      writer.text(command.accountId);
      writer.uint32(command.limitClass);
      break;
    case CommandKind.setAccountStatus:
      writer.uint32(command.owner);
      encodeAccountStatus(writer, command);
      break;
    case CommandKind.setAccountLimitClass:
      writer.uint32(command.owner);
      writer.uint32(command.limitClass);
      break;
    case CommandKind.createKey:
      writer.uint32(command.owner);
      writer.text(command.apiKey);
      writer.raw(command.secretHash);
      writer.byte(command.permissions);
      writer.text(command.label);
      writer.uint32(command.addresses.length);
      for (const address of command.addresses) writer.text(address);
      writer.number(command.expiresAt);
      break;
    case CommandKind.revokeKey:
      writer.text(command.apiKey);
      break;
    case CommandKind.transfer:
      encodeTransfer(writer, command);
      break;
  }
}

/** Numbers of kinds only grow: beyond it are those of later releases. */
const NEWEST_KIND = Math.max(...Object.values(CommandKind), SEARCHED_TRANSFER);

/** The next command of a batch. @throws InvariantError for a kind that is not known. */
export function decodeCommand(reader: ByteReader): Command {
  const kind = reader.byte();
  switch (kind) {
    case CommandKind.placeOrder:
      return decodePlaceOrder(reader);
    case CommandKind.placeStopOrder: {
      const order = decodePlaceOrder(reader);
      return { ...order, kind, triggerPrice: reader.number() };
    }
    case CommandKind.placeBracket: {
      const order = decodePlaceOrder(reader);
      return { kind, order, attached: decodeBracketLegs(reader) };
    }
    case CommandKind.tick:
      return { kind };
    case CommandKind.open:
      return { kind, version: reader.uint32(), sandbox: reader.byte() === 1 };
    case CommandKind.skip:
      return { kind, sequence: reader.number(), index: reader.uint32(), reason: reader.text() };
    default:
      return decodeRest(kind, reader);
  }
}

function decodePlaceOrder(reader: ByteReader): PlaceOrder {
  const account = reader.int32();
  const key = reader.int32();
  const market = reader.uint32();
  const sideAndType = reader.byte();
  const terms = reader.byte();
  const flags = reader.byte();
  const price = reader.number();
  const amount = reader.number();
  const order = {
    kind: CommandKind.placeOrder,
    account,
    key,
    market,
    side: (sideAndType & 1) as Side,
    type: sideAndType >> 1,
    timeInForce: terms & 15,
    postOnly: (flags & POST_ONLY) !== 0,
    selfTradePrevention: terms >> 4,
    price,
    amount,
    cost: (flags & HAS_COST) !== 0 ? reader.exact() : 0,
    expiresAt: (flags & HAS_EXPIRY) !== 0 ? reader.number() : 0,
    clientOrderId: (flags & HAS_CLIENT_ORDER_ID) !== 0 ? reader.text() : null,
  };
  return (flags & HAS_SEARCHED_BELOW) === 0 ? order : { ...order, searchedBelow: reader.number() };
}

function decodeRest(kind: number, reader: ByteReader): Command {
  // What follows may have any form.
  if (kind > NEWEST_KIND) throw unknownKind(kind);
  const account = reader.int32();
  const key = reader.int32();
  switch (kind) {
    case CommandKind.cancelOrder:
      return { kind, account, key, orderId: reader.number() };
    case CommandKind.placeOco:
      return { kind, account, key, ...decodeOco(reader) };
    case CommandKind.amendOrder:
      return { ...decodeAmendment(account, key, reader), triggerPrice: reader.number() };
    case AMEND_ORDER_WITHOUT_TRIGGER:
      return decodeAmendment(account, key, reader);
    case CommandKind.cancelOrders:
      return { kind, account, key, ...decodeSelection(reader) };
    case CommandKind.cancelAfter:
      return { kind, account, key, market: reader.int32(), timeoutMs: reader.number() };
    case CommandKind.changeMarketRules:
      return { kind, account, key, market: reader.uint32(), rules: decodeRuleChanges(reader) };
    case CommandKind.delistMarket:
      return { kind, account, key, market: reader.uint32() };
    case CommandKind.cancelOrdersOf:
      return { kind, account, key, owner: reader.uint32(), ...decodeSelection(reader) };
    case CommandKind.setFeeTiers:
      return { kind, account, key, asset: reader.uint32(), tiers: decodeFeeTiers(reader) };
    case CommandKind.setAccountFeeTier:
      return { kind, account, key, owner: reader.uint32(), tier: reader.int32() };
    case CommandKind.createAsset:
      return {
        kind,
        account,
        key,
        asset: reader.text(),
        name: reader.text(),
        decimals: reader.byte(),
      };
    case CommandKind.listMarket:
      return { ...decodeListMarket(account, key, reader), collar: reader.uint32() };
    case LIST_MARKET_WITHOUT_COLLAR:
      return decodeListMarket(account, key, reader);
    case CommandKind.setMarketStatus:
      return { kind, account, key, market: reader.uint32(), status: reader.byte() };
    case CommandKind.createAccount:
      return { kind, account, key, accountId: reader.text(), limitClass: reader.uint32() };
    case CommandKind.setAccountStatus:
      return { kind, account, key, owner: reader.uint32(), ...decodeAccountStatus(reader) };
    case CommandKind.upgrade:
      return { kind, account, key, version: reader.uint32() };
    case CommandKind.setAccountLimitClass:
      return { kind, account, key, owner: reader.uint32(), limitClass: reader.uint32() };
    case CommandKind.createKey:
      return {
        kind,
        account,
        key,
        owner: reader.uint32(),
        apiKey: reader.text(),
        secretHash: reader.raw(),
        permissions: reader.byte(),
        label: reader.text(),
        addresses: Array.from({ length: reader.uint32() }, () => reader.text()),
        expiresAt: reader.number(),
      };
    case CommandKind.revokeKey:
      return { kind, account, key, apiKey: reader.text() };
    case CommandKind.transfer:
      return decodeTransfer(account, key, reader);
    case SEARCHED_TRANSFER: {
      const transfer = decodeTransfer(account, key, reader);
      return { ...transfer, searchedBelow: reader.number() };
    }
    default:
      throw unknownKind(kind);
  }
}

function unknownKind(kind: number): InvariantError {
  return new InvariantError(
    `the log holds a command of kind ${kind}, which this release does not know: start a newer one`,
  );
}

function decodeAmendment(account: number, key: number, reader: ByteReader): AmendOrder {
  const orderId = reader.number();
  const [price, amount] = [reader.number(), reader.number()];
  return { kind: CommandKind.amendOrder, account, key, orderId, price, amount, triggerPrice: 0 };
}

function decodeListMarket(account: number, key: number, reader: ByteReader): ListMarket {
  const symbol = reader.text();
  const base = reader.text();
  const quote = reader.text();
  const numbers = {} as Record<(typeof RULES)[number], number>;
  for (const rule of RULES) numbers[rule] = reader.number();
  const minNotional = reader.exact();
  return {
    kind: CommandKind.listMarket,
    account,
    key,
    symbol,
    base,
    quote,
    ...numbers,
    minNotional,
    collar: 0,
  };
}

/** The numbers of a market's rules, in the order of the log. */
const RULES = [
  'priceDecimals',
  'amountDecimals',
  'tick',
  'step',
  'minPrice',
  'maxPrice',
  'minAmount',
  'maxAmount',
  'makerFee',
  'takerFee',
  'referencePrice',
] as const satisfies readonly Exclude<keyof MarketRules, 'minNotional' | 'collar'>[];

/** A batch of commands as one payload. */
export function encodeBatch(writer: ByteWriter, commands: readonly Command[]): Uint8Array {
  writer.reset();
  for (const command of commands) encodeCommand(writer, command);
  return writer.bytes();
}
