import type { Attached, MarketRules } from '../command.ts';
import { ENGINE_VERSION, Exchange } from '../exchange.ts';
import { Account } from '../ledger/accounts.ts';
import { NO_AUCTIONS, type NumericRule, numericRules } from '../markets/market-rules.ts';
import { Market } from '../markets/markets.ts';
import { ByteReader, ByteWriter } from '../numbers/bytes.ts';
import { setOtherLeg } from '../orders/contingent/bracket-store.ts';
import { invariant } from '../rejection.ts';
import type { State } from '../state.ts';
import type { Side } from '../terms.ts';
import { readAttached, writeAttached } from './brackets.ts';
import { readConnections, writeConnections } from './connections.ts';
import { readDeduplication, writeDeduplication } from './deduplication.ts';
import { readPortions, writePortions } from './portions.ts';

/**
 * The snapshot format depends on the engine version: a state of version 1 has the bytes that its
 * release wrote.
 */
const FORMAT_OF_VERSION_1 = 5;
/** Without keys that sign, and without connections. */
const FIRST_FORMAT_OF_VERSION_2 = 6;
/** Without keys that sign with HMAC, and without the times of the last changes of books. */
const SECOND_FORMAT_OF_VERSION_2 = 7;
/** Without the other legs of OCO orders. */
const THIRD_FORMAT_OF_VERSION_2 = 8;
/** Without the state parts, and with permissions of one byte. */
const FOURTH_FORMAT_OF_VERSION_2 = 9;
const FORMAT = 10;
/** Estimates with which the buffer of most snapshots need not grow. */
const BYTES_PER_ORDER = 90;
const BYTES_PER_CLIENT_ORDER_ID = 24;
const MIN_BYTES = 1 << 16;
const NO_BYTES = new Uint8Array(0);

/**
 * Writes the whole state as bytes. Equal states give equal bytes, whatever their history:
 * everything is sorted (by index, queue or id), never by slot or in the order of a hash table.
 */
export function writeSnapshot(exchange: Exchange): Uint8Array {
  const { state } = exchange;
  const writer = new ByteWriter(
    MIN_BYTES +
      state.orders.size * BYTES_PER_ORDER +
      state.clientOrderIds.size * BYTES_PER_CLIENT_ORDER_ID,
  );
  const format = state.version < 2 ? FORMAT_OF_VERSION_1 : FORMAT;
  writer.byte(format);
  writer.uint32(state.version);
  writer.byte(state.sandbox ? 1 : 0);
  for (const value of [
    state.time,
    state.nextOrderId,
    state.nextTradeId,
    state.nextTransferId,
    state.ledger.nextEntryId,
  ]) {
    writer.number(value);
  }
  writeListings(writer, state);
  writeAccounts(writer, state);
  writeDeduplication(writer, state);
  writeOrders(writer, state);
  writeOcoLinks(writer, state);
  writeBrackets(writer, state);
  if (state.version >= 2) writeOtherLegs(writer, state);
  writeDeadlines(writer, state);
  if (state.version >= 2) writePortions(writer, state);
  if (format === FORMAT) {
    writeSignatures(writer, state);
    writeConnections(writer, state);
  }
  state.feeTiers.write(writer);
  if (format === FORMAT) state.parts.write(writer);
  writer.uint32(state.digest);
  return writer.bytes();
}

/**
 * Restores the exchange from a snapshot.
 * @throws InvariantError or RangeError if the bytes are not a valid snapshot.
 */
export function readSnapshot(bytes: Uint8Array): Exchange {
  const reader = new ByteReader(bytes);
  const exchange = new Exchange();
  const { state } = exchange;
  const format = reader.byte();
  invariant(
    format >= FORMAT_OF_VERSION_1 && format <= FORMAT,
    `the snapshot has format ${format}, but this release reads ${FORMAT_OF_VERSION_1} to ${FORMAT}: start the release that wrote it. If the log is in files, you may instead move an older snapshot away: it is rebuilt from the log`,
  );
  state.version = reader.uint32();
  invariant(
    state.version <= ENGINE_VERSION,
    `the snapshot has engine version ${state.version}, but this release knows ${ENGINE_VERSION}: start a newer release`,
  );
  invariant(
    state.version < 2 === (format === FORMAT_OF_VERSION_1),
    `snapshot format ${format} does not match engine version ${state.version}`,
  );
  state.sandbox = reader.byte() === 1;
  state.time = reader.number();
  state.ledger.time = state.time;
  state.nextOrderId = reader.number();
  state.nextTradeId = reader.number();
  state.nextTransferId = reader.number();
  const nextEntryId = reader.number();
  readListings(reader, exchange, format);
  readAccounts(reader, exchange, format);
  readDeduplication(reader, exchange, format === FORMAT_OF_VERSION_1);
  readOrders(reader, state);
  readOcoLinks(reader, state);
  readBrackets(reader, state);
  if (format > THIRD_FORMAT_OF_VERSION_2) readOtherLegs(reader, state);
  readDeadlines(reader, state);
  if (format !== FORMAT_OF_VERSION_1) readPortions(reader, state);
  if (format > FIRST_FORMAT_OF_VERSION_2) {
    readSignatures(reader, state);
    readConnections(reader, state);
  }
  state.feeTiers.read(reader);
  if (format === FORMAT) state.parts.read(reader);
  state.ledger.nextEntryId = nextEntryId;
  const digest = reader.uint32();
  invariant(reader.isAtEnd, 'the snapshot has trailing bytes');
  invariant(digest === state.digest, 'the digest of the snapshot does not match its content');
  return exchange;
}

function writeListings(writer: ByteWriter, state: State): void {
  writer.uint32(state.assets.length);
  for (const asset of state.assets) {
    writer.text(asset.asset);
    writer.text(asset.name);
    writer.byte(asset.decimals);
    writer.exact(state.ledger.fees[asset.index]!);
    writer.exact(state.ledger.external[asset.index]!);
  }
  writer.uint32(state.markets.length);
  for (const market of state.markets) {
    writer.uint32(market.base.index);
    writer.uint32(market.quote.index);
    for (const rule of numericRules) writer.number(market.rules[rule]);
    writer.exact(market.rules.minNotional);
    writer.number(market.listedAt);
    writer.byte(market.status);
    writer.number(market.lastPrice);
    writer.number(market.bookSequence);
    if (state.version >= 2) writer.number(market.bookChangedAt);
  }
}

function readListings(reader: ByteReader, exchange: Exchange, format: number): void {
  const { state, administration } = exchange;
  const assetCount = reader.uint32();
  for (let index = 0; index < assetCount; index++) {
    const asset = { index, asset: reader.text(), name: reader.text(), decimals: reader.byte() };
    administration.addAsset(asset, reader.exact(), reader.exact());
  }
  const marketCount = reader.uint32();
  for (let index = 0; index < marketCount; index++) {
    const base = state.assets[reader.uint32()]!;
    const quote = state.assets[reader.uint32()]!;
    const numbers = {} as Record<NumericRule, number>;
    for (const rule of numericRules) numbers[rule] = reader.number();
    const rules: MarketRules = { ...numbers, minNotional: reader.exact(), ...NO_AUCTIONS };
    const market = new Market(
      index,
      base,
      quote,
      rules,
      reader.number(),
      state.orders,
      state.details,
    );
    market.status = reader.byte();
    market.lastPrice = reader.number();
    market.bookSequence = reader.number();
    market.bookChangedAt = format > SECOND_FORMAT_OF_VERSION_2 ? reader.number() : 0;
    administration.addMarket(market);
  }
}

function writeAccounts(writer: ByteWriter, state: State): void {
  writer.uint32(state.accounts.length);
  for (const account of state.accounts) {
    writer.text(account.id);
    writer.uint32(account.limitClass);
    writer.byte(account.frozen ? 1 : 0);
    writer.int32(account.feeTier);
    writer.number(account.createdAt);
    writer.uint32(account.balances.filter((balance) => balance !== undefined).length);
    account.balances.forEach((balance, asset) => {
      if (balance === undefined) return;
      writer.uint32(asset);
      writer.exact(balance.available);
      writer.exact(balance.held);
    });
  }
  const keys = state.keys.filter((key) => key !== undefined);
  if (state.version >= 2) writer.uint32(state.keys.length);
  writer.uint32(keys.length);
  for (const key of keys) {
    if (state.version >= 2) writer.uint32(key.index);
    writer.text(key.apiKey);
    writer.uint32(key.account.index);
    writer.raw(key.secretHash);
    if (state.version >= 2) {
      writer.raw(key.publicKey ?? NO_BYTES);
      writer.raw(key.sealedSecret ?? NO_BYTES);
    }
    if (state.version >= 2) writer.uint32(key.permissions);
    else writer.byte(key.permissions);
    writer.text(key.label);
    writer.uint32(key.addresses.length);
    for (const address of key.addresses) writer.text(address);
    writer.number(key.createdAt);
    writer.number(key.expiresAt);
    writer.number(key.revokedAt);
  }
}

function readAccounts(reader: ByteReader, exchange: Exchange, format: number): void {
  const { state, administration, keyAdministration } = exchange;
  const accountCount = reader.uint32();
  for (let index = 0; index < accountCount; index++) {
    const id = reader.text();
    const limitClass = reader.uint32();
    const frozen = reader.byte() === 1;
    const feeTier = reader.int32();
    const account = new Account(index, id, limitClass, reader.number());
    account.frozen = frozen;
    account.feeTier = feeTier;
    administration.addAccount(account);
    for (let left = reader.uint32(); left > 0; left--) {
      state.ledger.restore(account, reader.uint32(), reader.exact(), reader.exact());
    }
  }
  if (state.version >= 2) state.keys.length = reader.uint32();
  const keyCount = reader.uint32();
  for (let place = 0; place < keyCount; place++) {
    const index = state.version >= 2 ? reader.uint32() : place;
    const apiKey = reader.text();
    const account = state.accounts[reader.uint32()]!;
    const secretHash = reader.raw();
    const publicKey = format > FIRST_FORMAT_OF_VERSION_2 ? reader.raw() : NO_BYTES;
    const sealedSecret = format > SECOND_FORMAT_OF_VERSION_2 ? reader.raw() : NO_BYTES;
    const permissions = format > FOURTH_FORMAT_OF_VERSION_2 ? reader.uint32() : reader.byte();
    const label = reader.text();
    const addresses = Array.from({ length: reader.uint32() }, () => reader.text());
    keyAdministration.addKey({
      index,
      apiKey,
      account,
      secretHash,
      ...(publicKey.length > 0 && { publicKey }),
      ...(sealedSecret.length > 0 && { sealedSecret }),
      permissions,
      label,
      addresses,
      createdAt: reader.number(),
      expiresAt: reader.number(),
      revokedAt: reader.number(),
    });
  }
}

function writeSignatures(writer: ByteWriter, { signatures }: State): void {
  writer.uint32(signatures.size);
  for (const { key, hash, usedAt } of signatures.all()) {
    writer.uint32(key);
    writer.raw(Uint8Array.fromHex(hash));
    writer.number(usedAt);
  }
}

function readSignatures(reader: ByteReader, { signatures }: State): void {
  for (let left = reader.uint32(); left > 0; left--) {
    const key = reader.uint32();
    const hash = reader.raw().toHex();
    signatures.add({ key, hash, usedAt: reader.number() });
  }
}

function writeOrders(writer: ByteWriter, state: State): void {
  const { orders, details } = state;
  writer.uint32(orders.size);
  state.forEachOrder((slot) => {
    writer.number(orders.price(slot));
    writer.number(orders.remaining(slot));
    writer.uint32(orders.account(slot));
    writer.byte(orders.side[slot]!);
    details.write(writer, slot);
  });
}

function writeOcoLinks(writer: ByteWriter, { links, details }: State): void {
  const ocoOrders: (readonly [number, number])[] = [];
  links.forEachOco((holding, other) => ocoOrders.push([details.id(holding), details.id(other)]));
  writer.uint32(ocoOrders.length);
  for (const [holding, other] of ocoOrders.sort(([a], [b]) => a - b)) {
    writer.number(holding);
    writer.number(other);
  }
}

function readOcoLinks(reader: ByteReader, state: State): void {
  for (let left = reader.uint32(); left > 0; left--) {
    const holding = state.index.find(reader.number());
    state.linkOco(holding, state.index.find(reader.number()));
  }
}

function readOrders(reader: ByteReader, state: State): void {
  const { orders, details } = state;
  const count = reader.uint32();
  state.reserve(count);
  for (let left = count; left > 0; left--) {
    const slot = orders.allocate();
    orders.setPrice(slot, reader.number());
    orders.setRemaining(slot, reader.number());
    orders.setAccount(slot, reader.uint32());
    orders.side[slot] = reader.byte();
    details.read(reader, slot, orders.side[slot] as Side);
    state.insertOrder(slot);
    state.link(slot);
  }
}

function writeBrackets(writer: ByteWriter, { attachments, details }: State): void {
  const attached: (readonly [number, Attached])[] = [];
  attachments.forEachAttached((slot, each) => attached.push([details.id(slot), each]));
  writer.uint32(attached.length);
  for (const [id, each] of attached.sort(([a], [b]) => a - b)) {
    writer.number(id);
    writeAttached(writer, each);
  }
  const parents: (readonly [number, number])[] = [];
  attachments.forEachParent((slot, parentId) => parents.push([details.id(slot), parentId]));
  writer.uint32(parents.length);
  for (const [id, parentId] of parents.sort(([a], [b]) => a - b)) {
    writer.number(id);
    writer.number(parentId);
  }
}

function readBrackets(reader: ByteReader, state: State): void {
  for (let left = reader.uint32(); left > 0; left--) {
    const slot = state.index.find(reader.number());
    state.attach(slot, readAttached(reader));
  }
  for (let left = reader.uint32(); left > 0; left--) {
    const slot = state.index.find(reader.number());
    state.setParent(slot, reader.number());
  }
}

function writeOtherLegs(writer: ByteWriter, { attachments, details }: State): void {
  const legs: (readonly [number, number])[] = [];
  attachments.forEachOtherLeg((slot, otherId) => legs.push([details.id(slot), otherId]));
  writer.uint32(legs.length);
  for (const [id, otherId] of legs.sort(([a], [b]) => a - b)) {
    writer.number(id);
    writer.number(otherId);
  }
}

function readOtherLegs(reader: ByteReader, state: State): void {
  for (let left = reader.uint32(); left > 0; left--) {
    const slot = state.index.find(reader.number());
    setOtherLeg(state, slot, reader.number());
  }
}

function writeDeadlines(writer: ByteWriter, { deadlines }: State): void {
  writer.uint32(deadlines.size);
  for (const { account, key, market, dueAt } of deadlines.all()) {
    writer.uint32(account);
    writer.int32(key);
    writer.int32(market);
    writer.number(dueAt);
  }
}

function readDeadlines(reader: ByteReader, state: State): void {
  for (let left = reader.uint32(); left > 0; left--) {
    const account = reader.uint32();
    const key = reader.int32();
    const market = reader.int32();
    state.arm({ account, key, market, dueAt: reader.number() });
  }
}
