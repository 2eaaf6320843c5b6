import {
  type AmendOrder,
  type ApprovableCommand,
  type CancelCondition,
  type CancelOrder,
  type Command,
  CommandKind,
  type ExecuteBy,
  isExplained,
  isPlacing,
  type ListMarket,
  type PlaceBracket,
  type PlaceOrder,
  type PlaceStopOrder,
  type PlacingCommand,
  type RequestApproval,
} from '../engine/command.ts';
import type { ByteReader, ByteWriter } from '../engine/numbers/bytes.ts';
import { InvariantError } from '../engine/rejection.ts';
import type { Side } from '../engine/terms.ts';
import {
  decodeAmendment,
  decodeListing,
  LAYOUTS,
  type Layout,
  type TableCommand,
} from './codec-layouts.ts';
import {
  decodeAuctionTerms,
  decodeBracketLegs,
  decodeSpecialAmendment,
  decodeTrailing,
  encodeAuctionTerms,
  encodeBracketLegs,
  encodeSpecialAmendment,
  encodeTrailing,
  encodeWithoutActor,
  hasAuctionTerms,
} from './codec-parts.ts';

/**
 * Maximum encoded bytes of a command. The largest requests are bodies of 16 KiB and lists of 1,000
 * order ids, and a command takes at most a few hundred bytes more than its request.
 */
export const MAX_COMMAND_BYTES = 32 * 1024;

/** Kind bytes of alternative layouts: two older ones, and others with additional fields. */
const Legacy = {
  /** A listing from before markets had a collar. */
  listMarketWithoutCollar: 6,
  /** An amendment from before pending orders could be amended. */
  amendOrderWithoutTrigger: 20,
  /** A transfer for which history was searched. */
  searchedTransfer: 40,
  /** An amendment of the terms that only trailing stops and icebergs have, or one that only reduces the amount. */
  amendSpecialOrder: 45,
  /** A cancellation of an order with certain fills. */
  conditionalCancel: 46,
  /** A listing of a market with price bands, a length of auctions or an opening auction. */
  listMarketWithAuctions: 100,
  /** A command with the reason of its operator, followed by the layout of its kind. */
  explained: 101,
} as const;

const POST_ONLY = 1;
const HAS_COST = 2;
const HAS_EXPIRY = 4;
const HAS_CLIENT_ORDER_ID = 8;
const HAS_SEARCHED_BELOW = 16;
const HAS_DISPLAY_AMOUNT = 32;
const HAS_TRAILING = 64;

/**
 * Encodes a command for the log. The layout of a kind never changes: a different layout is a new
 * kind. Only an unused bit of a flags byte may be defined later to announce further fields.
 */
export function encodeCommand(writer: ByteWriter, command: Command): void {
  switch (command.kind) {
    case CommandKind.placeOrder:
      writer.byte(command.kind);
      encodePlaceOrder(writer, command);
      break;
    case CommandKind.placeStopOrder:
      writer.byte(command.kind);
      encodePlaceOrder(writer, command);
      writer.number(command.triggerPrice);
      break;
    case CommandKind.placeBracket:
      writer.byte(command.kind);
      encodePlaceOrder(writer, command.order);
      encodeBracketLegs(writer, command.attached);
      break;
    case CommandKind.cancelOrder:
      writer.byte(command.onlyIf === undefined ? command.kind : Legacy.conditionalCancel);
      writer.int32(command.account);
      writer.int32(command.key);
      writer.number(command.orderId);
      if (command.onlyIf !== undefined) writer.byte(command.onlyIf);
      break;
    case CommandKind.placeOnConnection:
      writer.byte(command.kind);
      writer.number(command.connection);
      encodeCommand(writer, command.command);
      break;
    case CommandKind.executeBy:
      writer.byte(command.kind);
      writer.number(command.deadline);
      encodeCommand(writer, command.command);
      break;
    case CommandKind.requestApproval:
      writer.byte(command.kind);
      writer.int32(command.account);
      writer.int32(command.key);
      writer.text(command.user);
      writer.text(command.reason);
      encodeCommand(writer, command.command);
      break;
    case CommandKind.tick:
    case CommandKind.open:
    case CommandKind.skip:
    case CommandKind.closeConnection:
    case CommandKind.renewNodeConnections:
    case CommandKind.closeNodeConnections:
      encodeWithoutActor(writer, command);
      break;
    default:
      encodeByTable(writer, command);
  }
}

function encodeReason(writer: ByteWriter, command: TableCommand): void {
  if (!isExplained(command) || command.reason === undefined) return;
  writer.byte(Legacy.explained);
  writer.text(command.reason);
}

function encodeByTable(writer: ByteWriter, command: TableCommand): void {
  encodeReason(writer, command);
  writer.byte(layoutByte(command));
  writer.int32(command.account);
  writer.int32(command.key);
  const layout = LAYOUTS[command.kind] as Layout<TableCommand>;
  layout.encode(writer, command);
  if (layoutByte(command) === Legacy.amendSpecialOrder) {
    encodeSpecialAmendment(writer, command as AmendOrder);
  }
  if (layoutByte(command) === Legacy.listMarketWithAuctions) {
    encodeAuctionTerms(writer, command as ListMarket);
  }
}

function layoutByte(command: TableCommand): number {
  if (command.kind === CommandKind.transfer && command.searchedBelow !== undefined) {
    return Legacy.searchedTransfer;
  }
  if (command.kind === CommandKind.listMarket && hasAuctionTerms(command)) {
    return Legacy.listMarketWithAuctions;
  }
  const isSpecial =
    command.kind === CommandKind.amendOrder &&
    (command.trailing !== undefined || command.displayAmount !== undefined || command.reduceOnly);
  return isSpecial ? Legacy.amendSpecialOrder : command.kind;
}

function encodePlaceOrder(writer: ByteWriter, command: PlaceOrder | PlaceStopOrder): void {
  const trailing = command.kind === CommandKind.placeStopOrder ? command.trailing : undefined;
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
      (command.searchedBelow !== undefined ? HAS_SEARCHED_BELOW : 0) |
      (command.displayAmount !== undefined ? HAS_DISPLAY_AMOUNT : 0) |
      (trailing !== undefined ? HAS_TRAILING : 0),
  );
  writer.number(command.price);
  writer.number(command.amount);
  if (command.cost !== 0) writer.exact(command.cost);
  if (command.expiresAt !== 0) writer.number(command.expiresAt);
  if (command.clientOrderId !== null) writer.text(command.clientOrderId);
  if (command.searchedBelow !== undefined) writer.number(command.searchedBelow);
  if (command.displayAmount !== undefined) writer.number(command.displayAmount);
  if (trailing !== undefined) encodeTrailing(writer, trailing);
}

/** Decodes the next command of a batch. @throws InvariantError for an unknown kind. */
export function decodeCommand(reader: ByteReader): Command {
  const kind = reader.byte();
  switch (kind) {
    case CommandKind.placeOrder:
      return decodePlaceOrder(reader);
    case CommandKind.placeStopOrder:
      return decodePlaceStopOrder(reader);
    case CommandKind.placeBracket:
      return decodePlaceBracket(reader);
    case CommandKind.cancelOrder:
      return decodeCancel(reader);
    case Legacy.conditionalCancel:
      return { ...decodeCancel(reader), onlyIf: reader.byte() as CancelCondition };
    case CommandKind.placeOnConnection:
      return { kind, connection: reader.number(), command: decodePlacing(reader) };
    case CommandKind.executeBy:
      return { kind, deadline: reader.number(), command: decodeLimited(reader) };
    case CommandKind.requestApproval:
      return decodeApprovalRequest(reader);
    case CommandKind.closeConnection:
      return { kind, connection: reader.number() };
    case CommandKind.renewNodeConnections:
    case CommandKind.closeNodeConnections:
      return { kind, node: reader.text() };
    case CommandKind.tick:
      return { kind };
    case CommandKind.open:
      return { kind, version: reader.uint32(), sandbox: reader.byte() === 1 };
    case CommandKind.skip:
      return { kind, sequence: reader.number(), index: reader.uint32(), reason: reader.text() };
    default:
      return decodeByTable(kind, reader);
  }
}

function decodeByTable(kind: number, reader: ByteReader): Command {
  switch (kind) {
    case Legacy.listMarketWithoutCollar:
      return {
        kind: CommandKind.listMarket,
        ...decodeActor(reader),
        ...decodeListing(reader),
        collar: 0,
      };
    case Legacy.listMarketWithAuctions:
      return {
        kind: CommandKind.listMarket,
        ...decodeActor(reader),
        ...LAYOUTS[CommandKind.listMarket].decode(reader),
        ...decodeAuctionTerms(reader),
      };
    case Legacy.amendOrderWithoutTrigger:
      return {
        kind: CommandKind.amendOrder,
        ...decodeActor(reader),
        ...decodeAmendment(reader),
        triggerPrice: 0,
      };
    case Legacy.amendSpecialOrder:
      return {
        kind: CommandKind.amendOrder,
        ...decodeActor(reader),
        ...LAYOUTS[CommandKind.amendOrder].decode(reader),
        ...decodeSpecialAmendment(reader),
      };
    case Legacy.searchedTransfer:
      return {
        kind: CommandKind.transfer,
        ...decodeActor(reader),
        ...LAYOUTS[CommandKind.transfer].decode(reader),
        searchedBelow: reader.number(),
      };
    case Legacy.explained:
      return decodeExplained(reader);
  }
  if (!isTableKind(kind)) {
    throw new InvariantError(
      `the log holds a command of kind ${kind}, which this release does not know: start a newer one`,
    );
  }
  return { kind, ...decodeActor(reader), ...LAYOUTS[kind].decode(reader) } as Command;
}

function decodeExplained(reader: ByteReader): Command {
  const reason = reader.text();
  const command = decodeCommand(reader);
  if (isExplained(command)) return { ...command, reason };
  throw new InvariantError(`a command of kind ${command.kind} has no reason`);
}

function decodePlacing(reader: ByteReader): PlacingCommand {
  const command = decodeCommand(reader);
  if (isPlacing(command)) return command;
  throw new InvariantError(`a command of kind ${command.kind} cannot be placed on a connection`);
}

function decodeLimited(reader: ByteReader): ExecuteBy['command'] {
  const command = decodeCommand(reader);
  const { kind } = command;
  if (
    isPlacing(command) ||
    kind === CommandKind.placeOnConnection ||
    kind === CommandKind.amendOrder ||
    kind === CommandKind.cancelOrder ||
    kind === CommandKind.cancelOrders
  ) {
    return command as ExecuteBy['command'];
  }
  throw new InvariantError(`a command of kind ${kind} cannot have a deadline`);
}

function decodeApprovalRequest(reader: ByteReader): RequestApproval {
  const request = {
    kind: CommandKind.requestApproval,
    ...decodeActor(reader),
    user: reader.text(),
    reason: reader.text(),
  };
  // The engine rejects a request for a command of another kind, as it did when the log was written.
  return { ...request, command: decodeCommand(reader) as ApprovableCommand };
}

function isTableKind(kind: number): kind is TableCommand['kind'] {
  return Object.hasOwn(LAYOUTS, kind);
}

function decodeActor(reader: ByteReader): { account: number; key: number } {
  return { account: reader.int32(), key: reader.int32() };
}

function decodeCancel(reader: ByteReader): CancelOrder {
  const kind = CommandKind.cancelOrder;
  return { kind, account: reader.int32(), key: reader.int32(), orderId: reader.number() };
}

function decodePlaceStopOrder(reader: ByteReader): PlaceStopOrder {
  const order = decodePlaceOrder(reader);
  return { ...order, kind: CommandKind.placeStopOrder, triggerPrice: reader.number() };
}

function decodePlaceBracket(reader: ByteReader): PlaceBracket {
  const order = decodePlaceOrder(reader);
  return { kind: CommandKind.placeBracket, order, attached: decodeBracketLegs(reader) };
}

function decodePlaceOrder(reader: ByteReader): PlaceOrder & Pick<PlaceStopOrder, 'trailing'> {
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
  return flags < HAS_SEARCHED_BELOW ? order : { ...order, ...decodeRareFields(flags, reader) };
}

function decodeRareFields(flags: number, reader: ByteReader) {
  return {
    ...((flags & HAS_SEARCHED_BELOW) === 0 ? {} : { searchedBelow: reader.number() }),
    ...((flags & HAS_DISPLAY_AMOUNT) === 0 ? {} : { displayAmount: reader.number() }),
    ...((flags & HAS_TRAILING) === 0 ? {} : { trailing: decodeTrailing(reader) }),
  };
}

/** Encodes a batch of commands as one payload, valid until the next write. */
export function encodeBatch(writer: ByteWriter, commands: readonly Command[]): Uint8Array {
  writer.reset();
  for (const command of commands) encodeCommand(writer, command);
  return writer.bytes();
}
