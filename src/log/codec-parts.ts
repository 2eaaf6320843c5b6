import {
  type Actor,
  type AmendOrder,
  type Attached,
  type ChangeableRules,
  type CloseConnection,
  type CloseNodeConnections,
  CommandKind,
  type FeeTier,
  type ListMarket,
  type Open,
  type OrderSelection,
  type OtoTerms,
  type PlaceOco,
  type PlainLeg,
  type RenewNodeConnections,
  type SetAccountStatus,
  type Skip,
  type Tick,
  type Trailing,
  type Transfer,
} from '../engine/command.ts';
import { auctionRules, type NumericRule, numericRules } from '../engine/markets/market-rules.ts';
import type { ByteReader, ByteWriter } from '../engine/numbers/bytes.ts';
import type { Side } from '../engine/terms.ts';

/**
 * Parts of commands that several layouts share, or that repeat. Their layouts never change either.
 */

const HAS_ORDER_IDS = 1;
const HAS_CLIENT_ORDER_ID = 2;

export function encodeSelection(writer: ByteWriter, selection: OrderSelection): void {
  const { market, orderIds, clientOrderId } = selection;
  writer.int32(market);
  writer.byte(
    (orderIds === null ? 0 : HAS_ORDER_IDS) | (clientOrderId === null ? 0 : HAS_CLIENT_ORDER_ID),
  );
  if (orderIds !== null) {
    writer.uint32(orderIds.length);
    for (const id of orderIds) writer.number(id);
  }
  if (clientOrderId !== null) writer.text(clientOrderId);
}

export function decodeSelection(reader: ByteReader): OrderSelection {
  const market = reader.int32();
  const flags = reader.byte();
  const hasIds = (flags & HAS_ORDER_IDS) !== 0;
  return {
    market,
    orderIds: hasIds ? Array.from({ length: reader.uint32() }, () => reader.number()) : null,
    clientOrderId: (flags & HAS_CLIENT_ORDER_ID) === 0 ? null : reader.text(),
  };
}

type AccountStatus = Pick<SetAccountStatus, 'frozen' | 'reason'>;

const FROZEN = 1;
const HAS_REASON = 2;

export function encodeAccountStatus(writer: ByteWriter, { frozen, reason }: AccountStatus): void {
  writer.byte((frozen ? FROZEN : 0) | (reason === undefined ? 0 : HAS_REASON));
  if (reason !== undefined) writer.text(reason);
}

export function decodeAccountStatus(reader: ByteReader): AccountStatus {
  const flags = reader.byte();
  const frozen = (flags & FROZEN) !== 0;
  return (flags & HAS_REASON) === 0 ? { frozen } : { frozen, reason: reader.text() };
}

/** A numeric rule of the first listings, which had no collar. */
export type ListedNumber = Exclude<NumericRule, 'collar'>;

/** These rules, in the order of the log. */
export const LISTED_NUMBERS = numericRules.filter((rule): rule is ListedNumber => {
  return rule !== 'collar';
});

/** A rule is stored after its index in this list; new rules are appended. */
const CHANGEABLE: readonly (keyof ChangeableRules)[] = [
  ...numericRules.filter(
    (rule): rule is ListedNumber & keyof ChangeableRules =>
      rule !== 'collar' && rule !== 'priceDecimals' && rule !== 'amountDecimals',
  ),
  'minNotional',
  'collar',
  ...auctionRules,
];

export function encodeRuleChanges(writer: ByteWriter, rules: Partial<ChangeableRules>): void {
  writer.byte(Object.keys(rules).length);
  CHANGEABLE.forEach((name, place) => {
    const value = rules[name];
    if (value === undefined) return;
    writer.byte(place);
    writer.exact(value);
  });
}

export function decodeRuleChanges(reader: ByteReader): Partial<ChangeableRules> {
  const rules: Record<string, unknown> = {};
  for (let left = reader.byte(); left > 0; left--)
    rules[CHANGEABLE[reader.byte()]!] = reader.exact();
  return rules;
}

/** Returns whether a listing has terms of auctions, which the first layouts of listings do not have. */
export function hasAuctionTerms(command: ListMarket): boolean {
  return command.opensAt !== undefined || auctionRules.some((rule) => command[rule] !== undefined);
}

const HAS_OPENING = 1;

export function encodeAuctionTerms(writer: ByteWriter, command: ListMarket): void {
  for (const rule of auctionRules) writer.number(command[rule] ?? 0);
  writer.byte(command.opensAt === undefined ? 0 : HAS_OPENING);
  if (command.opensAt !== undefined) writer.number(command.opensAt);
}

export function decodeAuctionTerms(
  reader: ByteReader,
): Pick<ListMarket, 'opensAt' | (typeof auctionRules)[number]> {
  const terms = {
    staticBand: reader.number(),
    dynamicBand: reader.number(),
    auctionMs: reader.number(),
  };
  return (reader.byte() & HAS_OPENING) === 0 ? terms : { ...terms, opensAt: reader.number() };
}

export function encodeFeeTiers(writer: ByteWriter, tiers: readonly FeeTier[]): void {
  writer.uint32(tiers.length);
  for (const { minVolume, makerFee, takerFee } of tiers) {
    writer.exact(minVolume);
    writer.int32(makerFee);
    writer.uint32(takerFee);
  }
}

export function decodeFeeTiers(reader: ByteReader): FeeTier[] {
  return Array.from({ length: reader.uint32() }, () => {
    return { minVolume: reader.exact(), makerFee: reader.int32(), takerFee: reader.uint32() };
  });
}

export function encodeOco(writer: ByteWriter, command: PlaceOco): void {
  const { displayAmount } = command.takeProfit;
  const { trailing } = command.stopLoss;
  writer.uint32(command.market);
  writer.byte(command.side);
  writer.byte(command.selfTradePrevention);
  writer.number(command.amount);
  writer.number(command.expiresAt);
  for (const { price, triggerPrice } of [command.takeProfit, command.stopLoss]) {
    writer.number(price);
    writer.number(triggerPrice);
  }
  writer.byte(
    (command.clientOrderId === null ? 0 : OCO_HAS_CLIENT_ORDER_ID) |
      (command.searchedBelow === undefined ? 0 : OCO_HAS_SEARCHED_BELOW) |
      (displayAmount === undefined ? 0 : OCO_HAS_DISPLAY_AMOUNT) |
      (trailing === undefined ? 0 : OCO_HAS_TRAILING),
  );
  if (command.clientOrderId !== null) writer.text(command.clientOrderId);
  if (command.searchedBelow !== undefined) writer.number(command.searchedBelow);
  if (displayAmount !== undefined) writer.number(displayAmount);
  if (trailing !== undefined) encodeTrailing(writer, trailing);
}

const OCO_HAS_CLIENT_ORDER_ID = 1;
const OCO_HAS_SEARCHED_BELOW = 2;
/** The take-profit leg is an iceberg. */
const OCO_HAS_DISPLAY_AMOUNT = 4;
/** The stop-loss leg is a trailing stop. */
const OCO_HAS_TRAILING = 8;

export function decodeOco(reader: ByteReader): Omit<PlaceOco, 'kind' | keyof Actor> {
  const terms = {
    market: reader.uint32(),
    side: reader.byte() as Side,
    selfTradePrevention: reader.byte(),
    amount: reader.number(),
    expiresAt: reader.number(),
    takeProfit: { price: reader.number(), triggerPrice: reader.number() },
    stopLoss: { price: reader.number(), triggerPrice: reader.number() },
  };
  const flags = reader.byte();
  return {
    ...terms,
    clientOrderId: (flags & OCO_HAS_CLIENT_ORDER_ID) !== 0 ? reader.text() : null,
    ...((flags & OCO_HAS_SEARCHED_BELOW) === 0 ? {} : { searchedBelow: reader.number() }),
    takeProfit:
      (flags & OCO_HAS_DISPLAY_AMOUNT) === 0
        ? terms.takeProfit
        : { ...terms.takeProfit, displayAmount: reader.number() },
    stopLoss:
      (flags & OCO_HAS_TRAILING) === 0
        ? terms.stopLoss
        : { ...terms.stopLoss, trailing: decodeTrailing(reader) },
  };
}

export function encodeTrailing(writer: ByteWriter, trailing: Trailing): void {
  writer.number(trailing.amount);
  writer.uint32(trailing.basisPoints);
  writer.number(trailing.activationPrice);
}

export function decodeTrailing(reader: ByteReader): Trailing {
  return {
    amount: reader.number(),
    basisPoints: reader.uint32(),
    activationPrice: reader.number(),
  };
}

const AMENDS_DISPLAY_AMOUNT = 1;
const AMENDS_TRAILING = 2;
const REDUCES_ONLY = 4;

export function encodeSpecialAmendment(writer: ByteWriter, command: AmendOrder): void {
  const { displayAmount, trailing, reduceOnly } = command;
  writer.byte(
    (displayAmount === undefined ? 0 : AMENDS_DISPLAY_AMOUNT) |
      (trailing === undefined ? 0 : AMENDS_TRAILING) |
      (reduceOnly ? REDUCES_ONLY : 0),
  );
  if (displayAmount !== undefined) writer.number(displayAmount);
  if (trailing !== undefined) encodeTrailing(writer, trailing);
}

export function decodeSpecialAmendment(
  reader: ByteReader,
): Pick<AmendOrder, 'displayAmount' | 'trailing' | 'reduceOnly'> {
  const flags = reader.byte();
  return {
    ...((flags & AMENDS_DISPLAY_AMOUNT) === 0 ? {} : { displayAmount: reader.number() }),
    ...((flags & AMENDS_TRAILING) === 0 ? {} : { trailing: decodeTrailing(reader) }),
    ...((flags & REDUCES_ONLY) === 0 ? {} : { reduceOnly: true }),
  };
}

const HAS_TAKE_PROFIT = 1;
const HAS_STOP_LOSS = 2;
/** The stop-loss leg is a trailing stop. */
const HAS_TRAILING_STOP_LOSS = 4;
/** The legs have terms of their own. */
const IS_OTO = 8;

export function encodeBracketLegs(writer: ByteWriter, attached: Attached): void {
  const { takeProfit, stopLoss, oto } = attached;
  writer.byte(
    (oto === undefined ? 0 : IS_OTO) |
      (takeProfit === null ? 0 : HAS_TAKE_PROFIT) |
      (stopLoss === null ? 0 : HAS_STOP_LOSS) |
      (stopLoss?.trailing === undefined ? 0 : HAS_TRAILING_STOP_LOSS),
  );
  for (const leg of [takeProfit, stopLoss]) {
    if (leg === null) continue;
    writer.number(leg.price);
    writer.number(leg.triggerPrice);
    if (leg.trailing !== undefined) encodeTrailing(writer, leg.trailing);
  }
  if (oto !== undefined) encodeOto(writer, oto);
}

export function decodeBracketLegs(reader: ByteReader): Attached {
  const flags = reader.byte();
  const legs = decodeLegs(reader, flags);
  return (flags & IS_OTO) === 0 ? legs : { ...legs, oto: decodeOto(reader) };
}

function decodeLegs(reader: ByteReader, flags: number): Attached {
  const readLeg = () => ({ price: reader.number(), triggerPrice: reader.number() });
  const takeProfit = (flags & HAS_TAKE_PROFIT) === 0 ? null : readLeg();
  const stopLoss = (flags & HAS_STOP_LOSS) === 0 ? null : readLeg();
  if (stopLoss === null || (flags & HAS_TRAILING_STOP_LOSS) === 0) return { takeProfit, stopLoss };
  return { takeProfit, stopLoss: { ...stopLoss, trailing: decodeTrailing(reader) } };
}

const OTO_HAS_ORDER = 2;

/** Encodes the terms of legs that are activated only if their order is filled. */
function encodeOto(writer: ByteWriter, { side, amount, order }: OtoTerms): void {
  writer.byte(side | (order === null ? 0 : OTO_HAS_ORDER));
  writer.number(amount);
  if (order === null) return;
  writer.byte(order.type);
  writer.byte(order.timeInForce);
  writer.number(order.price);
}

function decodeOto(reader: ByteReader): OtoTerms {
  const flags = reader.byte();
  const side = (flags & 1) as Side;
  const amount = reader.number();
  if ((flags & OTO_HAS_ORDER) === 0) return { side, amount, order: null };
  const type = reader.byte() as PlainLeg['type'];
  return { side, amount, order: { type, timeInForce: reader.byte(), price: reader.number() } };
}

export function encodeTransfer(writer: ByteWriter, command: Transfer): void {
  writer.uint32(command.owner);
  writer.uint32(command.asset);
  writer.exact(command.amount);
  writer.text(command.reference);
  writer.text(command.reason);
  if (command.searchedBelow !== undefined) writer.number(command.searchedBelow);
}

export function decodeTransfer(reader: ByteReader): Omit<Transfer, 'kind' | keyof Actor> {
  return {
    owner: reader.uint32(),
    asset: reader.uint32(),
    amount: reader.exact(),
    reference: reader.text(),
    reason: reader.text(),
  };
}

/** A command that the process itself sends. */
type OwnCommand =
  | Tick
  | Open
  | Skip
  | CloseConnection
  | RenewNodeConnections
  | CloseNodeConnections;

/** Encodes a command without an actor, with its kind. */
export function encodeWithoutActor(writer: ByteWriter, command: OwnCommand): void {
  writer.byte(command.kind);
  switch (command.kind) {
    case CommandKind.open:
      writer.uint32(command.version);
      writer.byte(command.sandbox ? 1 : 0);
      break;
    case CommandKind.skip:
      writer.number(command.sequence);
      writer.uint32(command.index);
      writer.text(command.reason);
      break;
    case CommandKind.closeConnection:
      writer.number(command.connection);
      break;
    case CommandKind.renewNodeConnections:
    case CommandKind.closeNodeConnections:
      writer.text(command.node);
  }
}
