import { hashBalance } from '../ledger/accounts.ts';
import { type Exact, sum } from '../numbers/exact.ts';
import { isStop } from '../orders/order-terms.ts';
import { findPlaced } from '../orders/placement.ts';
import { invariant } from '../rejection.ts';
import type { State } from '../state.ts';
import { Side } from '../terms.ts';

/**
 * Checks all references to every open order, and the holds.
 * One pass does everything: orders are scattered over memory, so with a million of them a pass
 * mostly waits for memory.
 * @returns The sum of the hashes of the orders.
 */
export function auditOrders(state: State): number {
  const reserved: Exact[][] = state.accounts.map(() => []);
  let left = state.orders.size;
  let expiring = 0;
  let pending = 0;
  let hashes = 0;
  state.forEachOrder((slot) => {
    // Corrupt links must not cause an endless loop.
    invariant(left > 0, 'the books contain more orders than are open');
    left--;
    auditLinks(state, slot);
    reserve(state, slot, reserved);
    if (state.details.isPending(slot)) pending++;
    if (state.details.expiresAt(slot) !== 0) expiring++;
    const hash = state.hashOrder(slot, state.orders.remaining(slot));
    invariant(
      hash === state.orders.hash(slot),
      `order ${state.details.id(slot)} differs from its hash in the digest`,
    );
    hashes = (hashes + hash) | 0;
  });
  invariant(left === 0, `${left} open orders are in no book`);
  auditCounts(state, expiring, pending);
  state.parts.reserve((account, asset, amount) => {
    const own = reserved[account]!;
    own[asset] = sum(own[asset] ?? 0, amount);
  });
  auditHolds(state, reserved);
  return hashes;
}

/**
 * Checks that an order is found by its id, in the list of its account and, if it expires, in the
 * expiries.
 */
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
  invariant(isQueued, `order ${id} is in the wrong place of the expiries`);
}

/** Checks that the client order id of an open order is remembered. */
function auditClientOrderId(state: State, slot: number): void {
  const { orders, details, accounts } = state;
  const clientOrderId = details.clientOrderId(slot);
  if (clientOrderId === null) return;
  const known = findPlaced(state, accounts[orders.account(slot)]!, clientOrderId);
  const id = details.id(slot);
  invariant(known?.orderId === id, `order ${id} is not found by its client order id`);
}

/** Checks that a pending order is in its place among the triggers and has a trigger price. */
function auditPending({ details, markets, triggered }: State, slot: number): void {
  if (!details.isPending(slot)) return;
  const { triggers, trailing } = markets[details.market(slot)]!;
  const isTrailing = details.isTrailing(slot);
  const isInPlace = !details.awaitsTrigger(slot)
    ? triggered.has(slot)
    : isTrailing
      ? trailing.isInPlace(details.trail(slot))
      : triggers.isInPlace(slot);
  const id = details.id(slot);
  invariant(isInPlace, `order ${id} is in the wrong place of the triggers`);
  const waits = isTrailing && details.trail(slot).bestPrice === 0;
  const needsNone = details.isTriggered(slot) && !isStop(details.type(slot));
  invariant(
    waits || needsNone || details.triggerPrice(slot) > 0,
    `order ${id} is pending without a trigger price`,
  );
}

/** Checks that only open orders are listed, queued or pending. */
function auditCounts(state: State, expiring: number, pending: number): void {
  const { accounts, orders, expiries, markets, triggered } = state;
  const listed = accounts.reduce((count, account) => count + account.openOrders, 0);
  invariant(listed === orders.size, 'the lists of accounts contain orders that are not open');
  invariant(expiring === expiries.size, 'the expiries contain orders that are not open');
  const awaiting = markets.reduce(
    (count, { triggers, trailing }) => count + triggers.size + trailing.size,
    0,
  );
  const expected = awaiting + triggered.slots.length;
  invariant(pending === expected, 'the triggers contain orders that are not open');
}

/** Adds the hold of the order to `reserved`, by account and asset. */
function reserve(
  { orders, details, markets, links }: State,
  slot: number,
  reserved: Exact[][],
): void {
  if (links.get(slot)?.holds === false) return;
  const market = markets[details.market(slot)]!;
  const remaining = orders.remaining(slot) + details.hidden(slot);
  invariant(
    orders.remaining(slot) > 0,
    `order ${details.id(slot)} rests with no remaining quantity`,
  );
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
      invariant(isSound, `account ${account.id} has a negative balance of asset ${asset}`);
      const expected = reserved[account.index]![asset] ?? 0;
      invariant(
        balance.held === expected,
        `account ${account.id} holds ${balance.held} of asset ${asset}, but its orders, withdrawals and deposits need ${expected}`,
      );
      const isHashed = balance.hash === hashBalance(balance);
      invariant(
        isHashed,
        `the balance of account ${account.id} in asset ${asset} is wrong in the digest`,
      );
    });
  }
}
