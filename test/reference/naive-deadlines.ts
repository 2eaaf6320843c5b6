import type { CancelAfter } from '../../src/engine/command.ts';
import { MAX_DEADLINES_PER_ACCOUNT } from '../../src/engine/limits.ts';
import { type Rejection, RejectionCode } from '../../src/engine/rejection.ts';
import { OrderReason, OrderStatus } from '../../src/engine/terms.ts';
import { reject } from './naive-administration.ts';
import { activateBrackets } from './naive-brackets.ts';
import { end } from './naive-matching.ts';
import type { NaiveDeadline, NaiveOrder, NaiveState } from './naive-state.ts';
import { endEach } from './naive-trading.ts';

export interface NaiveDeadlines {
  readonly kind: 'deadlines';
  readonly deadlines: readonly NaiveDeadline[];
}

export function cancelAfter(state: NaiveState, command: CancelAfter): Rejection | NaiveDeadlines {
  const { account, key, market, timeoutMs } = command;
  if (market !== -1 && state.markets[market] === undefined) {
    return reject(RejectionCode.unknownMarket);
  }
  const own = state.deadlines.filter((each) => each.account === account);
  const replaced = own
    .filter((each) => each.key === key)
    .filter((each) => each.market === market || (timeoutMs === 0 && market === -1));
  const isNew = timeoutMs !== 0 && replaced.length === 0;
  if (isNew && own.length >= MAX_DEADLINES_PER_ACCOUNT) return reject(RejectionCode.limitReached);
  state.deadlines = state.deadlines.filter((each) => !replaced.includes(each));
  if (timeoutMs !== 0) {
    state.deadlines.push({ account, key, market, dueAt: state.time + timeoutMs });
  }
  const left = state.deadlines.filter((each) => each.account === account && each.key === key);
  return { kind: 'deadlines', deadlines: inOrder(left) };
}

export function inOrder(deadlines: readonly NaiveDeadline[]): NaiveDeadline[] {
  return deadlines.toSorted(
    (a, b) => a.dueAt - b.dueAt || a.account - b.account || a.key - b.key || a.market - b.market,
  );
}

/** Runs everything that is due in order of time, and at equal times expiries before deadlines. */
export function runDue(state: NaiveState): void {
  const times = [
    ...state.open.map(({ expiresAt }) => expiresAt),
    ...state.deadlines.map(({ dueAt }) => dueAt),
  ];
  const due = times.filter((time) => time !== 0 && time <= state.time);
  for (const dueTime of [...new Set(due)].sort((a, b) => a - b)) {
    for (const order of findByAge(state, (each) => each.expiresAt === dueTime)) {
      // May have ended with the other leg of its OCO order.
      if (!state.open.includes(order)) continue;
      end(state, order, OrderStatus.expired, OrderReason.expired);
      activateBrackets(state);
    }
    for (const deadline of inOrder(state.deadlines.filter(({ dueAt }) => dueAt === dueTime))) {
      state.deadlines = state.deadlines.filter((each) => each !== deadline);
      const { account, key, market } = deadline;
      const matching = findByAge(
        state,
        (each) =>
          each.account === account && each.key === key && (market === -1 || each.market === market),
      );
      endEach(state, matching, OrderReason.cancelAfter);
    }
  }
}

/** Returns the matching open orders, the oldest first. */
function findByAge(state: NaiveState, matches: (order: NaiveOrder) => boolean): NaiveOrder[] {
  return state.open.filter(matches).sort((a, b) => a.id - b.id);
}
