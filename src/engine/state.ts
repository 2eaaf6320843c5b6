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
import { PORTION } from './limits.ts';
import { type Asset, hashBookSequence, hashLastPrice, type Market } from './markets/markets.ts';
import { BookScan } from './orders/book-scan.ts';
import { BracketStore, hashBracketLegs, hashParent } from './orders/bracket-store.ts';
import { type Deadline, Deadlines, hashDeadline } from './orders/deadlines.ts';
import { Expiries } from './orders/expiries.ts';
import { hashOco, OcoLinks } from './orders/oco-links.ts';
import { hasLimit } from './orders/order-terms.ts';
import { Sweeps } from './orders/sweeps.ts';
import { TriggeredOrders } from './orders/triggered-orders.ts';
import { trigger } from './orders/triggering.ts';
import { NONE, OrderStatus, Side } from './terms.ts';

/** All that the exchange knows: what a snapshot holds and the digest covers. */
export class State {
  version = 0;
  sandbox = false;
  /** Time of the last command, milliseconds since 1970; never goes back. */
  time = 0;
  nextOrderId = 1;
  nextTradeId = 1;
  nextTransferId = 1;

  /** Id of the oldest transfer that is remembered, of the next one if none is. */
  get oldestTransferId(): number {
    for (const { id } of this.transfers.values()) return id;
    return this.nextTransferId;
  }

  /** Commands that this process has applied: tells one from the next, no part of the state. */
  applied = 0;
  /** Keys revoked since this process began: tells who serves them when to look, no part of the state. */
  revocations = 0;

  readonly assets: Asset[] = [];
  readonly assetsByName = new Map<string, Asset>();
  readonly markets: Market[] = [];
  readonly marketsBySymbol = new Map<string, Market>();
  readonly accounts: Account[] = [];
  readonly accountsById = new Map<string, Account>();
  /** By index; undefined where a key that ended long ago has been dropped. */
  readonly keys: (ApiKey | undefined)[] = [];
  readonly keysByApiKey = new Map<string, ApiKey>();
  readonly transfers = new Map<string, TransferRecord>();

  readonly orders = new OrderStore();
  readonly details = new OrderDetails();
  readonly index = new OrderIndex(this.details);
  readonly expiries = new Expiries(this.details);
  readonly deadlines = new Deadlines();
  /** Orders whose trigger a trade has reached, in the order in which they are to run. */
  readonly triggered = new TriggeredOrders();
  readonly sweeps = new Sweeps();
  readonly links = new OcoLinks();
  readonly attachments = new BracketStore();
  /** What the command being applied caused, in order. */
  readonly events: Event[] = [];
  /**
   * The levels that orders have left by the command being applied, other than by being filled: of
   * each the market, the side and the price, one after the other.
   */
  readonly freed: number[] = [];
  readonly ledger = new Ledger(this.events);
  readonly feeTiers = new FeeTiers();
  /** The client order ids that version 1 remembers, and those that later versions do. */
  readonly clientOrderQueue = new ClientOrderQueue(this);
  readonly clientOrderIds = new ClientOrderIds(this);
  /** Checks of a book before an order trades; no part of the state. */
  readonly scan = new BookScan(this);
  private hashes = 0;
  /** Markets whose book has changed since the digest was last asked for. */
  private readonly staleBooks: Market[] = [];

  /** One number for the whole state; equal on every replica that applied the same commands. */
  get digest(): number {
    for (const market of this.staleBooks) {
      const hash = hashBookSequence(market);
      this.hashes = (this.hashes - market.bookHash + hash) | 0;
      market.bookHash = hash;
      market.isBookStale = false;
    }
    this.staleBooks.length = 0;
    return this.digestOf(this.hashes, (this.ledger.digest + this.feeTiers.digest) | 0);
  }

  /** The digest, given the sums of the elements' hashes: those of balances and volumes apart. */
  digestOf(elements: number, balances: number): number {
    let hash = mixNumber(mix(elements, balances), this.time);
    hash = mixNumber(mixNumber(hash, this.nextOrderId), this.nextTradeId);
    hash = mixNumber(mixNumber(hash, this.nextTransferId), this.ledger.nextEntryId);
    hash = this.triggered.mixInto(hash, this.details);
    if (this.version >= 2) {
      hash = this.sweeps.mixInto(mix(hash, this.triggered.left));
    }
    const { sweptAccount } = this.clientOrderIds;
    if (sweptAccount !== 0) hash = mixNumber(hash, sweptAccount);
    return mix(hash, this.version * 2 + (this.sandbox ? 1 : 0)) >>> 0;
  }

  /** Puts an element's hash into the digest, or takes it out again. */
  include(hash: number): void {
    this.hashes = (this.hashes + hash) | 0;
  }

  exclude(hash: number): void {
    this.hashes = (this.hashes - hash) | 0;
  }

  setLastPrice(market: Market, price: number): void {
    if (market.lastPrice === price) return;
    this.exclude(hashLastPrice(market));
    market.lastPrice = price;
    this.include(hashLastPrice(market));
    if (market.triggers.isReachedBy(price)) trigger(this, market, price);
  }

  /** Counts a change of the market's book: all that one command does to it as one, loading as none. */
  noteBookChange(market: Market): void {
    if (market.bookChangedBy === this.applied) return;
    market.bookChangedBy = this.applied;
    market.bookSequence++;
    this.noteStaleBook(market);
  }

  /** Has the market's book sequence hashed when the digest is next asked for, not at every command. */
  noteStaleBook(market: Market): void {
    if (market.isBookStale) return;
    market.isBookStale = true;
    this.staleBooks.push(market);
  }

  /** Triggers those that have come to wait for a price which the last one has reached. */
  triggerReached(market: Market): void {
    if (market.triggers.isReachedBy(market.price)) trigger(this, market, market.price);
  }

  /** Begins a portion of the work that is done bit by bit. */
  renewPortion(): void {
    this.sweeps.endsLeft = PORTION.ends;
    this.triggered.left = PORTION.triggers;
  }

  /** Puts an order where its terms say: among those that wait, or run next, or into the book. */
  enter(slot: number): void {
    const { details } = this;
    const market = this.markets[details.market(slot)]!;
    if (!details.isPending(slot)) {
      this.noteBookChange(market);
      market.book.add(slot);
    } else if (details.waits(slot)) market.triggers.add(slot);
    else this.triggered.add(slot);
  }

  /** Takes an order out of its book, or from where it waits. */
  leave(slot: number): void {
    const { details } = this;
    const market = this.markets[details.market(slot)]!;
    if (!details.isPending(slot)) {
      this.removeFromBook(slot, market);
    } else if (details.waits(slot)) market.triggers.remove(slot);
    else this.triggered.delete(slot);
  }

  /** Takes an order that is not filled out of its book. */
  removeFromBook(slot: number, market: Market): void {
    const { orders } = this;
    this.noteBookChange(market);
    this.freed.push(market.index, orders.side[slot]!, orders.price(slot));
    market.book.remove(slot);
  }

  /** Makes room for `count` open orders at once, so that none has to wait until memory has grown. */
  reserve(count: number): void {
    this.orders.reserve(count);
    this.details.reserve(count);
    this.index.reserve(count);
  }

  /** Takes an open order into the index, its account's list, the expiries and the digest. */
  link(slot: number): void {
    const { orders, details } = this;
    this.index.add(slot);
    this.markets[details.market(slot)]!.openOrders++;
    if (details.expiresAt(slot) !== 0) this.expiries.add(slot);
    const { openSlots } = this.accounts[orders.account(slot)]!;
    details.setAccountPlace(slot, openSlots.length);
    openSlots.push(slot);
    this.include(this.hashOrder(slot, orders.remaining(slot)));
  }

  /** Takes an order that has left its book out of everything else, and frees its slot. */
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
    if (this.attachments.size > 0) this.forgetAttached(slot);
    this.index.remove(details.id(slot));
    details.clear(slot);
    orders.release(slot);
  }

  /** Attaches others to an open order, to which nothing is attached. */
  attach(slot: number, attached: Attached): void {
    this.attachments.attach(slot, attached);
    this.include(hashBracketLegs(this.details.id(slot), attached));
  }

  /** Drops what is attached to an open order, if anything is: it never comes alive. */
  detach(slot: number): void {
    const attached = this.attachments.of(slot);
    if (attached === null) return;
    this.exclude(hashBracketLegs(this.details.id(slot), attached));
    this.attachments.detach(slot);
  }

  /** Notes which order an open one was attached to. */
  setParent(slot: number, parentId: number): void {
    this.attachments.setParent(slot, parentId);
    this.include(hashParent(this.details.id(slot), parentId));
  }

  /** An order leaves the open ones; what is attached to it may be due. */
  private forgetAttached(slot: number): void {
    const { attachments } = this;
    const id = this.details.id(slot);
    const attached = attachments.of(slot);
    const parentId = attachments.parentOf(slot);
    if (attached !== null) {
      attachments.mayBeDue = true;
      this.exclude(hashBracketLegs(id, attached));
    }
    if (parentId !== 0) this.exclude(hashParent(id, parentId));
    attachments.forget(slot);
  }

  /** Makes two open orders a pair; the first is the one that holds. */
  join(holder: number, other: number): void {
    this.links.join(holder, other);
    this.include(hashOco(this.details.id(holder), this.details.id(other)));
  }

  /** Ends the pair of an order that is in one. */
  part(slot: number): void {
    const { other, holds } = this.links.of(slot)!;
    const [first, second] = holds ? [slot, other] : [other, slot];
    this.exclude(hashOco(this.details.id(first), this.details.id(second)));
    this.links.part(slot);
  }

  /** The open orders of an account, in the order in which they were placed. */
  openOrdersOf(account: Account): OrderRecord[] {
    return account.openSlots
      .map((slot) => this.record(slot, this.orders.remaining(slot), OrderStatus.open))
      .sort((a, b) => a.id - b.id);
  }

  /**
   * Every open order: market by market, side by side, the first to trade first, then what waits for
   * its trigger; at last all that are to run next.
   */
  forEachOrder(visit: (slot: number) => void): void {
    for (const { book, triggers } of this.markets) {
      book.forEachOrder(Side.buy, visit);
      book.forEachOrder(Side.sell, visit);
      triggers.forEachOrder(visit);
    }
    for (const slot of this.triggered.slots) visit(slot);
  }

  /** Every open order of a market, one after the other in the same order. */
  *slotsOf({ index, book, triggers }: Market): Iterable<number> {
    yield* book.slotsOf(Side.buy);
    yield* book.slotsOf(Side.sell);
    yield* triggers.rising.inOrder();
    yield* triggers.falling.inOrder();
    for (const slot of this.triggered.slots) if (this.details.market(slot) === index) yield slot;
  }

  /** The order in `slot` as a record, with the given remaining quantity, status and reason. */
  record(
    slot: number,
    remaining: number,
    status: number,
    filled: Fills = this.details.filled(slot),
  ): OrderRecord {
    const { orders, details, attachments } = this;
    const hasAttachments = attachments.size > 0;
    return {
      kind: 'order',
      id: details.id(slot),
      account: orders.account(slot),
      key: details.key(slot),
      market: details.market(slot),
      side: orders.side[slot] as Side,
      type: details.type(slot),
      timeInForce: details.timeInForce(slot),
      postOnly: details.postOnly(slot),
      selfTradePrevention: details.selfTradePrevention(slot),
      price: hasLimit(details.type(slot)) ? orders.price(slot) : 0,
      triggerPrice: details.triggerPrice(slot),
      amount: details.amount(slot),
      remaining,
      cost: 0,
      filledCost: filled.cost,
      fees: filled.fees,
      status,
      reason: details.reason(slot),
      clientOrderId: details.clientOrderId(slot),
      createdAt: details.createdAt(slot),
      updatedAt: details.updatedAt(slot),
      lastFillAt: details.lastFillAt(slot),
      expiresAt: details.expiresAt(slot),
      attached: hasAttachments ? attachments.of(slot) : null,
      parentId: hasAttachments ? attachments.parentOf(slot) : 0,
    };
  }

  /** The open order `id`, undefined where none is open. */
  openOrder(id: number): OrderRecord | undefined {
    const slot = this.index.find(id);
    if (slot === NONE) return undefined;
    return this.record(slot, this.orders.remaining(slot), OrderStatus.open);
  }

  /** Hash of an open order as it stands, but for the quantity remaining. */
  hashOrder(slot: number, remaining: number): number {
    const { orders, details } = this;
    const hash = mix(mix(9, orders.account(slot)), orders.side[slot]!);
    return details.mix(mixNumber(mixNumber(hash, orders.price(slot)), remaining), slot);
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
