import { hashAccount, hashBalance, hashClientOrder, hashKey } from '../ledger/accounts.ts';
import type { AssetTotals } from '../ledger/ledger.ts';
import { hashUsedSignature } from '../ledger/used-signatures.ts';
import { hashTransfer } from '../markets/administration.ts';
import {
  hashAsset,
  hashBookSequence,
  hashLastPrice,
  hashMarket,
  type Market,
} from '../markets/markets.ts';
import { type Exact, sum } from '../numbers/exact.ts';
import { hashBracketLegs, hashOtherLeg, hashParent } from '../orders/contingent/bracket-store.ts';
import { hashOco } from '../orders/contingent/oco-links.ts';
import { hashDeadline } from '../orders/endings/deadlines.ts';
import { hashSweep } from '../orders/endings/sweeps.ts';
import { invariant } from '../rejection.ts';
import type { State } from '../state.ts';
import { NONE, OrderType, Side } from '../terms.ts';
import { auditConnections, sumConnectionHashes } from './audit-connections.ts';
import { auditOrders } from './audit-orders.ts';

/** The totals of an asset, and whether they add up to zero. */
export interface AssetAudit extends AssetTotals {
  readonly asset: string;
  readonly decimals: number;
  /** Whether Σ available + Σ held + fees + external = 0. */
  readonly balances: boolean;
}

export function auditAssets(state: State): AssetAudit[] {
  return state.assets.map(({ index, asset, decimals }) => {
    const totals = state.ledger.totals(state.accounts, index);
    const inAccounts = sum(totals.available, totals.held);
    const all = sum(inAccounts, sum(totals.fees, totals.external));
    return { asset, decimals, ...totals, balances: all === 0 };
  });
}

/**
 * Checks the invariants that hold between any two commands: the digest matches the state, every
 * reference to an order finds it, books are sorted and not crossed, the totals of every asset add
 * up to zero, and holds match the open orders.
 * Takes time proportional to the size of the state: for snapshots, verification and tests.
 * @throws InvariantError naming the broken invariant.
 */
export function auditState(state: State): void {
  // Read first, because it updates the hashes of balances, which are checked too.
  const { digest } = state;
  const counted = countDigest(state, auditOrders(state));
  invariant(counted === digest, 'the state differs from its running digest');
  auditDeadlines(state);
  auditOcoLinks(state);
  auditBrackets(state);
  auditConnections(state);
  state.parts.audit();
  for (const market of state.markets) auditBook(state, market);
  for (const audit of auditAssets(state)) {
    invariant(audit.balances, `the totals of ${audit.asset} do not add up to zero`);
  }
}

/**
 * Checks that both legs of an OCO order are open, have the same account, market, side and amount,
 * and link to each other.
 */
function auditOcoLinks({ links, details, orders, index }: State): void {
  links.forEachOco((holding, other) => {
    const id = details.id(holding);
    const areOpen = index.find(id) === holding && index.find(details.id(other)) === other;
    const areAlike =
      orders.account(holding) === orders.account(other) &&
      details.market(holding) === details.market(other) &&
      orders.side[holding] === orders.side[other] &&
      orders.remaining(holding) + details.hidden(holding) ===
        orders.remaining(other) + details.hidden(other);
    const isMutual = links.get(other)?.other === holding && links.get(other)?.holds === false;
    invariant(areOpen && areAlike && isMutual, `order ${id} is in a broken OCO order`);
  });
}

/**
 * Checks that only open limit orders have bracket legs, whose order ids follow that of their order, and that a leg is
 * younger than its bracket order.
 */
function auditBrackets({ attachments, details, index, links }: State): void {
  attachments.forEachAttached((slot, { takeProfit, stopLoss, firstOrderId, oto }) => {
    const id = details.id(slot);
    const isFit = index.find(id) === slot && details.type(slot) === OrderType.limit;
    invariant(isFit, `order ${id} has bracket legs but is not an open limit order`);
    const hasLegs = takeProfit !== null || stopLoss !== null;
    const hasOrder = oto !== undefined && oto.order !== null;
    invariant(hasLegs !== hasOrder, `order ${id} has an empty bracket`);
    const isNext = firstOrderId === undefined || firstOrderId === id + 1;
    invariant(isNext, `the legs of order ${id} do not have the next order ids`);
  });
  attachments.forEachParent((slot, parentId) => {
    const id = details.id(slot);
    const isFit = index.find(id) === slot && parentId > 0 && parentId < id;
    invariant(isFit, `order ${id} cannot be a leg of order ${parentId}`);
  });
  attachments.forEachOtherLeg((slot, otherId) => {
    const id = details.id(slot);
    const link = links.get(slot);
    const isFit =
      index.find(id) === slot &&
      Math.abs(id - otherId) === 1 &&
      (link === undefined || details.id(link.other) === otherId);
    invariant(isFit, `order ${id} cannot be in an OCO order with order ${otherId}`);
  });
}

/** Checks that deadlines are queued in order and found by their account. */
function auditDeadlines({ deadlines, accounts }: State): void {
  for (const deadline of deadlines.all()) {
    invariant(deadlines.isQueued(deadline), 'a deadline is in the wrong place of the queue');
    const isListed = deadlines.get(deadline.account).includes(deadline);
    invariant(isListed, 'a deadline is not found by its account');
  }
  const listed = accounts.reduce((sum, { index }) => sum + deadlines.get(index).length, 0);
  invariant(listed === deadlines.size, 'an account has deadlines that are not armed');
}

/**
 * Checks that prices get worse from level to level and that totals match the orders. The part of auctions checks that
 * no book is crossed in a market that trades continuously.
 */
function auditBook(state: State, { symbol, book, index }: Market): void {
  const { orders, details } = state;
  for (const side of [Side.buy, Side.sell]) {
    let better = side === Side.buy ? Number.POSITIVE_INFINITY : 0;
    for (let level = book.bestLevel(side); level !== NONE; level = book.nextLevel(level)) {
      const price = book.levelPrice(level);
      const isWorse = side === Side.buy ? price < better : price > better;
      invariant(isWorse, `the book of ${symbol} is not sorted at ${price}`);
      better = price;
      let total: Exact = 0;
      let hidden: Exact = 0;
      let previous: number = NONE;
      for (let slot = book.firstOrder(level); slot !== NONE; slot = book.nextOrder(slot)) {
        const isAtHome =
          orders.level(slot) === level &&
          book.previousOrder(slot) === previous &&
          orders.price(slot) === price &&
          orders.side[slot] === side &&
          details.market(slot) === index;
        invariant(
          isAtHome,
          `order ${details.id(slot)} does not belong in this place of the book of ${symbol}`,
        );
        previous = slot;
        total = sum(total, orders.remaining(slot));
        hidden = sum(hidden, details.hidden(slot));
      }
      const isCounted = total === book.levelTotal(level) && hidden === book.levelHidden(level);
      invariant(isCounted, `the total of ${symbol} at ${price} does not match its orders`);
    }
  }
}

/** Computes the digest again from every element; `orderHashes` is the sum for the open orders. */
function countDigest(state: State, orderHashes: number): number {
  let elements = orderHashes;
  let balances = 0;
  const include = (hash: number): void => {
    elements = (elements + hash) | 0;
  };
  for (const asset of state.assets) {
    include(hashAsset(asset));
    balances = (balances + state.ledger.hashAssetTotals(asset.index)) | 0;
  }
  for (const market of state.markets) {
    include(hashMarket(market));
    include(hashLastPrice(market));
    include(hashBookSequence(market));
    include(market.trailing.countDigest());
  }
  for (const key of state.keys) if (key !== undefined) include(hashKey(key));
  for (const transfer of state.transfers.values()) include(hashTransfer(transfer));
  for (const used of state.signatures.all()) include(hashUsedSignature(used));
  for (const account of state.accounts) {
    include(hashAccount(account));
    for (const balance of account.balances) {
      if (balance !== undefined) balances = (balances + hashBalance(balance)) | 0;
    }
  }
  state.links.forEachOco((holding, other) =>
    include(hashOco(state.details.id(holding), state.details.id(other))),
  );
  const { attachments, details } = state;
  attachments.forEachAttached((slot, attached) =>
    include(hashBracketLegs(details.id(slot), attached)),
  );
  attachments.forEachParent((slot, parentId) => include(hashParent(details.id(slot), parentId)));
  attachments.forEachOtherLeg((slot, id) => include(hashOtherLeg(details.id(slot), id)));
  for (const deadline of state.deadlines.all()) include(hashDeadline(deadline));
  include(sumConnectionHashes(state));
  for (const sweep of state.sweeps.queue) include(hashSweep(sweep));
  for (const order of state.clientOrderQueue.all()) include(hashClientOrder(order));
  include(state.clientOrderIds.countDigest());
  include(state.parts.countDigest());
  return state.combineDigest(elements, (balances + state.feeTiers.countDigest()) | 0);
}
