import { type Fills, OrderDetails } from './book/order-details.ts';
import { OrderIndex } from './book/order-index.ts';
import { OrderStore } from './book/order-store.ts';
import { ClientOrderIds } from './client-order-ids/client-order-ids.ts';
import { ClientOrderQueue } from './client-order-ids/queue.ts';
import type { Attached } from './command.ts';
import { mix, mixNumber } from './digest.ts';
import type { Event, OrderRecord, TransferRecord } from './event.ts';
import type { Account, ApiKey } from './ledger/accounts.ts';
import { FeeTiers } from './ledger/fee-tiers.ts';
import { Ledger } from './ledger/ledger.ts';
import { UsedSignatures } from './ledger/used-signatures.ts';
import { PORTION } from './limits.ts';
import { type Asset, hashBookSequence, hashLastPrice, type Market } from './markets/markets.ts';
import { ConnectionStore } from './orders/connections/connection-store.ts';
import { BracketStore, hashBracketLegs, hashParent } from './orders/contingent/bracket-store.ts';
import { hashOco, OcoLinks } from './orders/contingent/oco-links.ts';
import { type Deadline, Deadlines, hashDeadline } from './orders/endings/deadlines.ts';
import { Expiries } from './orders/endings/expiries.ts';
import { Sweeps } from './orders/endings/sweeps.ts';
import { BookScan } from './orders/matching/book-scan.ts';
import { toRecord } from './orders/order-records.ts';
import { TrailingSlots } from './orders/triggers/trailing-slots.ts';
import { TriggeredOrders } from './orders/triggers/triggered-orders.ts';
import { followPrice, trigger } from './orders/triggers/triggering.ts';
import { StateParts } from './state-parts.ts';
import { NONE, OrderStatus, Side } from './terms.ts';

/** The complete state of the exchange: snapshots store it and the digest covers it. */
export class State {
  version = 0;
  sandbox = false;
  /** Time of the last command, in milliseconds since 1970; never decreases. */
  time = 0;
  nextOrderId = 1;
  nextTradeId = 1;
  nextTransferId = 1;

  /** Id of the oldest remembered transfer, or of the next one if none is remembered. */
  get oldestTransferId(): number {
    for (const { id } of this.transfers.values()) return id;
    return this.nextTransferId;
  }

  /** Number of commands applied by this process, to distinguish them; not part of the state. */
  applied = 0;
  /**
   * Number of keys revoked, or moved to other addresses, since this process started; servers of
   * connections compare it to find out when to check their keys. Not part of the state.
   */
  keyRestrictions = 0;

  readonly assets: Asset[] = [];
  readonly assetsByName = new Map<string, Asset>();
  readonly markets: Market[] = [];
  readonly marketsBySymbol = new Map<string, Market>();
  readonly accounts: Account[] = [];
  readonly accountsById = new Map<string, Account>();
  /** By index; undefined for keys that were dropped after they ended. */
  readonly keys: (ApiKey | undefined)[] = [];
  readonly keysByApiKey = new Map<string, ApiKey>();
  readonly transfers = new Map<string, TransferRecord>();
  readonly signatures = new UsedSignatures(this);

  readonly orders = new OrderStore();
  readonly details = new OrderDetails();
  readonly index = new OrderIndex(this.details);
  readonly expiries = new Expiries(this.details);
  readonly deadlines = new Deadlines();
  /** Triggered orders, in the order in which they will run. */
  readonly triggered = new TriggeredOrders(this);
  readonly trailingSlots = new TrailingSlots();
  readonly sweeps = new Sweeps();
  readonly links = new OcoLinks();
  readonly attachments = new BracketStore();
  readonly connections = new ConnectionStore(this);
  readonly parts = new StateParts(this);
  /** The events of the command being applied, in order. */
  readonly events: Event[] = [];
  /** The orders that left their place in a book during the current command other than by a fill, as flat groups of four: market, side, price, order id. An order may be back at another place. */
  readonly freed: number[] = [];
  /** The pending orders that were removed during the current command, and the attached orders that were placed, as flat pairs: market, order id. They may be in the book now. */
  readonly removedPending: number[] = [];
  readonly ledger = new Ledger(this.events);
  readonly feeTiers = new FeeTiers();
  /** Client order ids of engine version 1, and of later versions. */
  readonly clientOrderQueue = new ClientOrderQueue(this);
  readonly clientOrderIds = new ClientOrderIds(this);
  /** Checks of a book before an order trades; no part of the state. */
  readonly scan = new BookScan(this);
  private hashes = 0;
  /** Markets whose book changed since the digest was last read. */
  private readonly staleBooks: Market[] = [];

  /** Hash of the whole state; equal on every replica that applied the same commands. */
  get digest(): number {
    for (const market of this.staleBooks) {
      const hash = hashBookSequence(market);
      this.hashes = (this.hashes - market.bookHash + hash) | 0;
      market.bookHash = hash;
      market.isBookStale = false;
    }
    this.staleBooks.length = 0;
    return this.combineDigest(this.hashes, (this.ledger.digest + this.feeTiers.digest) | 0);
  }

  /**
   * Combines the digest from the sums of the element hashes: of balances and volumes, and of
   * everything else.
   */
  combineDigest(elements: number, balances: number): number {
    let hash = mixNumber(mix(elements, balances), this.time);
    hash = mixNumber(mixNumber(hash, this.nextOrderId), this.nextTradeId);
    hash = mixNumber(mixNumber(hash, this.nextTransferId), this.ledger.nextEntryId);
    hash = this.triggered.mixInto(hash, this.details);
    if (this.version >= 2) hash = this.sweeps.mixInto(mix(hash, this.triggered.left));
    const { sweptAccount } = this.clientOrderIds;
    if (sweptAccount !== 0) hash = mixNumber(hash, sweptAccount);
    const { nextId } = this.connections;
    if (nextId !== 1) hash = mixNumber(hash, nextId);
    return mix(hash, this.version * 2 + (this.sandbox ? 1 : 0)) >>> 0;
  }

  /** Adds an element's hash to the digest. */
  include(hash: number): void {
    this.hashes = (this.hashes + hash) | 0;
  }

  /** Removes an element's hash from the digest. */
  exclude(hash: number): void {
    this.hashes = (this.hashes - hash) | 0;
  }

  setLastPrice(market: Market, price: number): void {
    if (market.lastPrice === price) return;
    this.exclude(hashLastPrice(market));
    market.lastPrice = price;
    this.include(hashLastPrice(market));
    if (market.triggers.isReachedBy(price)) trigger(this, market, price);
    if (market.trailing.size > 0) followPrice(this, market, price);
  }

  /** Increments the market's book sequence, at most once per command; loading a snapshot does not. */
  noteBookChange(market: Market): void {
    if (market.bookChangedBy === this.applied) return;
    market.bookChangedBy = this.applied;
    market.bookSequence++;
    if (this.version >= 2) market.bookChangedAt = this.time;
    this.noteStaleBook(market);
  }

  /** Defers hashing the market's book sequence until the digest is next read. */
  noteStaleBook(market: Market): void {
    if (market.isBookStale) return;
    market.isBookStale = true;
    this.staleBooks.push(market);
  }

  /** Triggers pending orders that were added after the last price had reached their trigger. */
  triggerReached(market: Market): void {
    if (market.triggers.isReachedBy(market.price)) trigger(this, market, market.price);
  }

  /** Resets the work budget of a portion. */
  renewPortion(): void {
    this.sweeps.endsLeft = PORTION.ends;
    this.triggered.left = PORTION.triggers;
  }

  /** Adds an order to the book, the pending triggers or the triggered orders. */
  insertOrder(slot: number): void {
    const { details } = this;
    const market = this.markets[details.market(slot)]!;
    if (!details.isPending(slot)) {
      this.noteBookChange(market);
      this.addToBook(slot, market);
    } else if (!details.awaitsTrigger(slot)) this.triggered.add(slot);
    else if (details.isTrailing(slot)) market.trailing.add(details.trail(slot), this);
    else market.triggers.add(slot);
  }

  /** Removes an order from the book, the pending triggers or the triggered orders. */
  removeOrder(slot: number): void {
    const { details } = this;
    const market = this.markets[details.market(slot)]!;
    if (!details.isPending(slot)) {
      this.removeFromBook(slot, market);
      return;
    }
    this.removedPending.push(market.index, details.id(slot));
    if (!details.awaitsTrigger(slot)) this.triggered.delete(slot);
    else if (details.isTrailing(slot)) market.trailing.remove(details.trail(slot), this);
    else market.triggers.remove(slot);
  }

  /** Adds an order at the end of its price level. */
  addToBook(slot: number, { book }: Market): void {
    const { orders } = this;
    book.add(slot);
    const hidden = this.details.hidden(slot);
    if (hidden > 0) book.addHidden(orders.side[slot] as Side, orders.price(slot), hidden);
  }

  /** Removes an order that is not filled from its book. */
  removeFromBook(slot: number, market: Market): void {
    const { orders, details } = this;
    const side = orders.side[slot] as Side;
    const price = orders.price(slot);
    const hidden = details.hidden(slot);
    this.noteBookChange(market);
    this.freed.push(market.index, side, price, details.id(slot));
    market.book.remove(slot);
    if (hidden > 0) market.book.takeHidden(side, price, hidden);
  }

  /** Returns the unfilled quantity of an open order, with what the book does not show of an iceberg. */
  remaining(slot: number): number {
    return this.orders.remaining(slot) + this.details.hidden(slot);
  }

  /** Reserves memory for `count` open orders, so that growing it does not delay a command. */
  reserve(count: number): void {
    this.orders.reserve(count);
    this.details.reserve(count);
    this.index.reserve(count);
  }

  /** Adds an open order to the index, its account's list, the expiries and the digest. */
  link(slot: number): void {
    const { orders, details } = this;
    this.index.add(slot);
    this.markets[details.market(slot)]!.openOrders++;
    if (details.expiresAt(slot) !== 0) this.expiries.add(slot);
    const { openSlots } = this.accounts[orders.account(slot)]!;
    details.setAccountPlace(slot, openSlots.length);
    openSlots.push(slot);
    if (details.isTrailing(slot)) this.trailingSlots.add(orders.account(slot), slot);
    this.includeOrder(slot, orders.remaining(slot));
  }

  /** Removes an order that has left its book from everything else, and frees its slot. */
  unlink(slot: number): void {
    const { orders, details } = this;
    const { openSlots } = this.accounts[orders.account(slot)]!;
    const last = openSlots.pop()!;
    if (last !== slot) {
      const place = details.accountPlace(slot);
      openSlots[place] = last;
      details.setAccountPlace(last, place);
    }
    this.markets[details.market(slot)]!.openOrders--;
    if (details.expiresAt(slot) !== 0) this.expiries.remove(slot);
    if (this.attachments.size > 0) this.forgetBracket(slot);
    if (this.connections.orderCount > 0) this.connections.forget(slot);
    const { openNotional } = this.parts.tradingLimits;
    if (openNotional.isFollowing) openNotional.forget(slot);
    if (details.isTrailing(slot)) this.trailingSlots.remove(orders.account(slot), slot);
    this.index.remove(details.id(slot));
    details.clear(slot);
    orders.release(slot);
  }

  /** Attaches bracket legs to an open order that has none. */
  attach(slot: number, attached: Attached): void {
    this.attachments.attach(slot, attached);
    this.include(hashBracketLegs(this.details.id(slot), attached));
  }

  /** Drops the bracket legs of an open order that ends now, if any: they will never be activated. */
  detach(slot: number): void {
    const attached = this.attachments.get(slot);
    if (attached === null) return;
    const id = this.details.id(slot);
    if (attached.firstOrderId !== undefined) {
      this.attachments.dropped.add(id);
      return;
    }
    this.exclude(hashBracketLegs(id, attached));
    this.attachments.detach(slot);
  }

  /** Records the bracket order that an open order is a leg of. */
  setParent(slot: number, parentId: number): void {
    this.attachments.setParent(slot, parentId);
    this.include(hashParent(this.details.id(slot), parentId));
  }

  /** Removes the bracket data of an order that ends; its legs may be due for activation. */
  private forgetBracket(slot: number): void {
    const { attachments } = this;
    const id = this.details.id(slot);
    const attached = attachments.get(slot);
    if (attached !== null) {
      attachments.mayBeDue = true;
      this.connections.noteBracket(id, this.connections.find(slot));
      this.exclude(hashBracketLegs(id, attached));
    }
    this.exclude(attachments.hashLinks(slot, id));
    attachments.forget(slot);
  }

  /** Links two open orders as an OCO order; the hold of `holding` is for both. */
  linkOco(holding: number, other: number): void {
    this.links.link(holding, other);
    this.include(hashOco(this.details.id(holding), this.details.id(other)));
  }

  /** Unlinks the OCO order of a leg. */
  unlinkOco(slot: number): void {
    const { other, holds } = this.links.get(slot)!;
    const [first, second] = holds ? [slot, other] : [other, slot];
    this.exclude(hashOco(this.details.id(first), this.details.id(second)));
    this.links.unlink(slot);
  }

  /** Returns the open orders of an account, the oldest first. */
  accountOpenOrders(account: Account): OrderRecord[] {
    return account.openSlots.map((slot) => this.openRecord(slot)).sort((a, b) => a.id - b.id);
  }

  /**
   * Visits every open order: for each market the bids and asks by priority, the pending triggers and
   * the trailing stops; at the end all triggered orders.
   */
  forEachOrder(visit: (slot: number) => void): void {
    for (const { book, triggers, trailing } of this.markets) {
      book.forEachOrder(Side.buy, visit);
      book.forEachOrder(Side.sell, visit);
      triggers.forEachOrder(visit);
      trailing.forEachOrder(visit);
    }
    for (const slot of this.triggered.slots) visit(slot);
  }

  /** Yields every open order of a market in the same order. */
  *marketSlots({ index, book, triggers, trailing }: Market): Iterable<number> {
    yield* book.sideSlots(Side.buy);
    yield* book.sideSlots(Side.sell);
    yield* triggers.rising.inOrder();
    yield* triggers.falling.inOrder();
    yield* trailing.inOrder();
    for (const slot of this.triggered.slots) if (this.details.market(slot) === index) yield slot;
  }

  /** Returns the order in `slot` as a record with the given remaining quantity and status. */
  record(
    slot: number,
    remaining: number,
    status: number,
    filled: Fills = this.details.filled(slot),
  ): OrderRecord {
    const order = toRecord(this, slot, remaining, status, filled);
    const triggeredAt = this.details.triggers.time(slot);
    return triggeredAt === 0 ? order : { ...order, triggeredAt };
  }

  /** Returns an open order as a record. */
  openRecord(slot: number): OrderRecord {
    return this.record(slot, this.remaining(slot), OrderStatus.open);
  }

  /** Returns the open order `id`, or undefined if it is not open. */
  openOrder(id: number): OrderRecord | undefined {
    const slot = this.index.find(id);
    return slot === NONE ? undefined : this.openRecord(slot);
  }

  /** Returns the hash of an open order, with the given remaining quantity in the book. */
  hashOrder(slot: number, remaining: number): number {
    const { orders, details } = this;
    const hash = mix(mix(9, orders.account(slot)), orders.side[slot]!);
    return details.mix(mixNumber(mixNumber(hash, orders.price(slot)), remaining), slot);
  }

  /** Adds an order's hash to the digest, with the given remaining quantity in the book. */
  includeOrder(slot: number, remaining: number): void {
    const hash = this.hashOrder(slot, remaining);
    this.orders.setHash(slot, hash);
    this.include(hash);
    const { openNotional } = this.parts.tradingLimits;
    if (openNotional.isFollowing) openNotional.note(slot, remaining);
  }

  /** Removes an order's hash from the digest, whether the order has changed since or not. */
  excludeOrder(slot: number): void {
    this.exclude(this.orders.hash(slot));
  }

  arm(deadline: Deadline): void {
    this.deadlines.arm(deadline);
    this.include(hashDeadline(deadline));
  }

  disarm(deadline: Deadline): void {
    this.deadlines.disarm(deadline);
    this.exclude(hashDeadline(deadline));
  }
}
