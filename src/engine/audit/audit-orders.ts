import { hashBalance } from '../ledger/accounts.ts';
import { type Exact, sum } from '../numbers/exact.ts';
import { findPlaced } from '../orders/placement.ts';
import { invariant } from '../rejection.ts';
import type { State } from '../state.ts';
import { Side } from '../terms.ts';

/**
 * Checks what every open order is referred to by, and what it holds.
 *
 * All in one visit: orders lie apart in memory, so that with a million of them a visit is mostly
 * waiting for it.
 * @returns The sum of the orders' hashes.
 */
export function auditOrders(state: State): number {
  const reserved: Exact[][] = state.accounts.map(() => []);
  let left = state.orders.size;
  let expiring = 0;
  let pending = 0;
  let hashes = 0;
  state.forEachOrder((slot) => {
    // Damaged links must not lead in circles.
    invariant(left > 0, 'the books hold more orders than there are');
    left--;
    auditLinks(state, slot);
    reserve(state, slot, reserved);
    if (state.details.isPending(slot)) pending++;
    if (state.details.expiresAt(slot) !== 0) expiring++;
    hashes = (hashes + state.hashOrder(slot, state.orders.remaining(slot))) | 0;
  });
  invariant(left === 0, `${left} open orders are in no book`);
  auditCounts(state, expiring, pending);
  auditHolds(state, reserved);
  return hashes;
}

/** The order is found by its id, in its account's list and, if it expires, in that queue. */
function auditLinks(state: State, slot: number): void {
  const { orders, details, accounts, expiries } = state;
  const id = details.id(slot);
  invariant(state.index.find(id) === slot, `order ${id} is not found by its id`);
  const { openSlots } = accounts[orders.account(slot)]!;
  const isListed = openSlots[details.accountPlace(slot)] === slot;
  invariant(isListed, `order ${id} is not in the list of its account`);
  auditPending(state, slot);
  auditClientOrderId(state, slot);
  const isQueued = details.expiresAt(slot) === 0 || expiries.isInPlace(slot);
  invariant(isQueued, `order ${id} is not where it belongs in the expiries`);
}

/** The client order id of an open order is never forgotten. */
function auditClientOrderId(state: State, slot: number): void {
  const { orders, details, accounts } = state;
  const clientOrderId = details.clientOrderId(slot);
  if (clientOrderId === null) return;
  const known = findPlaced(state, accounts[orders.account(slot)]!, clientOrderId);
  const id = details.id(slot);
  invariant(known?.orderId === id, `order ${id} is not found by its client order id`);
}

/** An order that waits is where it is looked for, and has the price that it waits for. */
function auditPending({ details, markets, triggered }: State, slot: number): void {
  if (!details.isPending(slot)) return;
  const { triggers } = markets[details.market(slot)]!;
  const isInPlace = details.awaitsTrigger(slot) ? triggers.isInPlace(slot) : triggered.has(slot);
  const id = details.id(slot);
  invariant(isInPlace, `order ${id} is not where it belongs among the triggers`);
  invariant(details.triggerPrice(slot) > 0, `order ${id} waits for no price`);
}

/** Nothing else is listed, queued or waited for than open orders. */
function auditCounts(state: State, expiring: number, pending: number): void {
  const { accounts, orders, expiries, markets, triggered } = state;
  const listed = accounts.reduce((count, account) => count + account.openOrders, 0);
  invariant(listed === orders.size, 'the lists of accounts hold orders that are not open');
  invariant(expiring === expiries.size, 'the expiries hold orders that are not open');
  const waiting = markets.reduce((count, { triggers }) => count + triggers.size, 0);
  const expected = waiting + triggered.slots.length;
  invariant(pending === expected, 'the triggers hold orders that are not open');
}

/** Adds what the order holds to `reserved`, by account and asset. */
function reserve(
  { orders, details, markets, links }: State,
  slot: number,
  reserved: Exact[][],
): void {
  if (links.of(slot)?.holds === false) return;
  const market = markets[details.market(slot)]!;
  const remaining = orders.remaining(slot);
  invariant(remaining > 0, `order ${details.id(slot)} rests with nothing remaining`);
  const isBuy = orders.side[slot] === Side.buy;
  const { index } = isBuy ? market.quote : market.base;
  const own = reserved[orders.account(slot)]!;
  const hold = isBuy
    ? market.notional(orders.price(slot), remaining)
    : market.baseAmount(remaining);
  own[index] = sum(own[index] ?? 0, hold);
}

function auditHolds(state: State, reserved: readonly Exact[][]): void {
  for (const account of state.accounts) {
    account.balances.forEach((balance, asset) => {
      if (balance === undefined) return;
      const isSound = balance.available >= 0 && balance.held >= 0;
      invariant(isSound, `account ${account.id} has less than zero of asset ${asset}`);
      const expected = reserved[account.index]![asset] ?? 0;
      invariant(
        balance.held === expected,
        `account ${account.id} has ${balance.held} of asset ${asset} held, its orders reserve ${expected}`,
      );
      const isHashed = balance.hash === hashBalance(balance);
      invariant(isHashed, `account ${account.id} has asset ${asset} wrong in the digest`);
    });
  }
}
