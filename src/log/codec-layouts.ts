import {
  type Actor,
  type AmendOrder,
  type CancelOrder,
  type Command,
  CommandKind,
  type ListMarket,
  type PlaceOrder,
  type PlaceStopOrder,
  type RequestApproval,
} from '../engine/command.ts';
import type { AuctionRule } from '../engine/markets/market-rules.ts';
import type { ByteReader, ByteWriter } from '../engine/numbers/bytes.ts';
import { readLimits, readTrade, writeLimits, writeTrade } from '../engine/protection/layouts.ts';
import { decodeApproval, decodePolicy, encodeApproval, encodePolicy } from './codec-approvals.ts';
import { CUSTODY_LAYOUTS } from './codec-custody.ts';
import { decodePermissions, encodePermissions, KEY_LAYOUTS } from './codec-keys.ts';
import {
  decodeAccountStatus,
  decodeFeeTiers,
  decodeOco,
  decodeRuleChanges,
  decodeSelection,
  decodeTransfer,
  encodeAccountStatus,
  encodeFeeTiers,
  encodeOco,
  encodeRuleChanges,
  encodeSelection,
  encodeTransfer,
  LISTED_NUMBERS,
  type ListedNumber,
} from './codec-parts.ts';
import { SUB_ACCOUNT_LAYOUTS } from './codec-sub-accounts.ts';

/**
 * A command that is encoded by the table: kind, account, key, then its fields. The codec encodes the
 * most frequent commands itself.
 */
export type TableCommand = Exclude<
  Extract<Command, Actor>,
  PlaceOrder | PlaceStopOrder | CancelOrder | RequestApproval
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
  [CommandKind.setFeeDiscount]: {
    encode(writer, command) {
      writer.uint32(command.asset);
      writer.exact(command.minBalance);
      writer.uint32(command.rate);
    },
    decode: (reader) => ({
      asset: reader.uint32(),
      minBalance: reader.exact(),
      rate: reader.uint32(),
    }),
  },
  [CommandKind.setReferralShare]: {
    encode: (writer, command) => writer.uint32(command.share),
    decode: (reader) => ({ share: reader.uint32() }),
  },
  [CommandKind.setReferrer]: {
    encode(writer, command) {
      writer.uint32(command.owner);
      writer.uint32(command.referrer);
    },
    decode: (reader) => ({ owner: reader.uint32(), referrer: reader.uint32() }),
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
  [CommandKind.setTradingStatus]: {
    encode(writer, command) {
      writer.byte(command.status);
      writer.text(command.reason);
      writer.byte(command.cancelOrders ? 1 : 0);
    },
    decode: (reader) => ({
      status: reader.byte(),
      reason: reader.text(),
      cancelOrders: reader.byte() === 1,
    }),
  },
  [CommandKind.scheduleMaintenance]: {
    encode(writer, command) {
      writer.number(command.from);
      writer.number(command.to);
      writer.byte(command.mode);
      writer.text(command.message);
    },
    decode: (reader) => ({
      from: reader.number(),
      to: reader.number(),
      mode: reader.byte(),
      message: reader.text(),
    }),
  },
  [CommandKind.cancelMaintenance]: {
    encode(writer, command) {
      writer.number(command.from);
    },
    decode: (reader) => ({ from: reader.number() }),
  },
  [CommandKind.announce]: {
    encode(writer, command) {
      writer.byte(command.severity);
      writer.text(command.title);
      writer.text(command.text);
      writer.number(command.until);
    },
    decode: (reader) => ({
      severity: reader.byte(),
      title: reader.text(),
      text: reader.text(),
      until: reader.number(),
    }),
  },
  [CommandKind.withdrawAnnouncement]: {
    encode(writer, command) {
      writer.number(command.id);
    },
    decode: (reader) => ({ id: reader.number() }),
  },
  [CommandKind.setTradingLimits]: {
    encode(writer, command) {
      writer.int32(command.owner);
      writeLimits(writer, command.limits);
    },
    decode: (reader) => ({ owner: reader.int32(), limits: readLimits(reader) }),
  },
  [CommandKind.bustTrade]: {
    encode(writer, command) {
      writeTrade(writer, command.trade);
      writer.text(command.reason);
    },
    decode: (reader) => ({ trade: readTrade(reader), reason: reader.text() }),
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
  [CommandKind.transfer]: { encode: encodeTransfer, decode: decodeTransfer },
  [CommandKind.openConnection]: {
    encode: (writer, command) => writer.text(command.node),
    decode: (reader) => ({ node: reader.text() }),
  },
  [CommandKind.setApprovalPolicy]: { encode: encodePolicy, decode: decodePolicy },
  [CommandKind.approve]: { encode: encodeApproval, decode: decodeApproval },
  [CommandKind.rejectApproval]: {
    encode(writer, command) {
      writer.number(command.id);
      writer.text(command.user);
      writer.text(command.reason);
    },
    decode: (reader) => ({ id: reader.number(), user: reader.text(), reason: reader.text() }),
  },
  [CommandKind.grantAccess]: {
    encode(writer, command) {
      writer.uint32(command.owner);
      writer.text(command.user);
      encodePermissions(writer, command.permissions);
    },
    decode: (reader) => ({
      owner: reader.uint32(),
      user: reader.text(),
      permissions: decodePermissions(reader),
    }),
  },
  [CommandKind.addNote]: {
    encode(writer, command) {
      writer.uint32(command.owner);
      writer.text(command.user);
      writer.text(command.text);
    },
    decode: (reader) => ({ owner: reader.uint32(), user: reader.text(), text: reader.text() }),
  },
  [CommandKind.reviewAlert]: {
    encode(writer, command) {
      writer.text(command.alert);
      writer.byte(command.isClosed ? 1 : 0);
      writer.int32(command.assignee);
      writer.text(command.user);
      writer.text(command.note);
    },
    decode: (reader) => ({
      alert: reader.text(),
      isClosed: reader.byte() === 1,
      assignee: reader.int32(),
      user: reader.text(),
      note: reader.text(),
    }),
  },
  [CommandKind.removeNote]: {
    encode: (writer, command) => writer.number(command.id),
    decode: (reader) => ({ id: reader.number() }),
  },
  [CommandKind.upgrade]: {
    encode: (writer, command) => writer.uint32(command.version),
    decode: (reader) => ({ version: reader.uint32() }),
  },
  ...CUSTODY_LAYOUTS,
  ...SUB_ACCOUNT_LAYOUTS,
  ...KEY_LAYOUTS,
};

/** Decodes an amendment without its trigger price. */
export function decodeAmendment(
  reader: ByteReader,
): Pick<AmendOrder, 'orderId' | 'price' | 'amount'> {
  return { orderId: reader.number(), price: reader.number(), amount: reader.number() };
}

/** Decodes a listing without its collar and its terms of auctions. */
export function decodeListing(
  reader: ByteReader,
): Omit<ListMarket, 'kind' | keyof Actor | 'collar' | AuctionRule | 'opensAt'> {
  const symbol = reader.text();
  const base = reader.text();
  const quote = reader.text();
  const rules = {} as Record<ListedNumber, number>;
  for (const rule of LISTED_NUMBERS) rules[rule] = reader.number();
  return { symbol, base, quote, ...rules, minNotional: reader.exact() };
}
