import { CommandKind } from '../../src/engine/command.ts';
import type { Ask, Asked } from './history.ts';
import {
  type Applied,
  countUpTo,
  type TrueOrder,
  type Truth,
  type Version,
  versionAt,
} from './truth.ts';

/**
 * Checks the responses that clients of a cluster received against the log.
 *
 * The log applies commands one after the other, so a history is correct if every response fits a position in
 * the log that is not before the position of any response received before its request was sent: a later request, to
 * any node, sees at least as much. Nor may it be after the position of any request sent after the response arrived.
 * Each response gets the earliest such position, which leaves the most positions to later responses.
 *
 * @returns One line for each violation.
 */
export function checkHistory(requests: readonly Asked[], truth: Truth): string[] {
  return [...checkMoments(requests, truth), ...checkEffects(requests, truth)];
}

/** Assigns each response its moment in the log, in order of time, and checks its claims there. */
function checkMoments(requests: readonly Asked[], truth: Truth): string[] {
  const wrong: string[] = [];
  const moments = new Map<Asked, number>();
  const notBefore = earliestTimes(requests, truth);
  const answered = requests.filter(({ endedAt }) => endedAt !== Infinity);
  const begins = answered.toSorted((a, b) => a.beganAt - b.beganAt);
  const ends = answered.toSorted((a, b) => a.endedAt - b.endedAt);
  /** The latest moment of the responses received so far. */
  let known = 0;
  let ended = 0;
  for (const asked of begins) {
    for (; ends[ended]!.endedAt < asked.beganAt; ended++) {
      known = Math.max(known, moments.get(ends[ended]!)!);
    }
    let moment = known;
    for (const claim of toClaims(asked, truth)) {
      const found = claim.earliest(known);
      if (found !== undefined && notBefore[found]! <= asked.endedAt) {
        moment = Math.max(moment, found);
        continue;
      }
      const before = claim.earliest(0);
      const isOld = before !== undefined && before < known;
      wrong.push(`${isOld ? claim.stale : claim.never}: ${describe(asked)}`);
    }
    moments.set(asked, moment);
  }
  return wrong;
}

/** Returns the earliest possible time of each state, when all of its commands had been sent. */
function earliestTimes(requests: readonly Asked[], truth: Truth): Float64Array {
  const times = new Float64Array(truth.index + 1);
  const asked = new Set<string>();
  for (const { ask, beganAt } of requests) {
    const effect = describeEffect(ask);
    if (effect === '' || asked.has(effect)) continue;
    asked.add(effect);
    const { first } = effectIn(truth, ask);
    if (first !== Infinity) times[first] = beganAt;
  }
  for (let moment = 1; moment < times.length; moment++) {
    times[moment] = Math.max(times[moment]!, times[moment - 1]!);
  }
  return times;
}

/** A response's statement about the state of the exchange. */
interface Claim {
  /** The first moment from `from` on at which it is true. */
  earliest(from: number): number | undefined;
  /** The violation if it was only true before. */
  readonly stale: string;
  /** The violation if it was never true. */
  readonly never: string;
}

function toClaims(asked: Asked, truth: Truth): Claim[] {
  const { ask, status, apiKey } = asked;
  // Timeouts and lost responses prove nothing.
  if (status === 0 || status >= 500) return [];
  const key = keyClaim(truth.keys.get(apiKey), status !== 401);
  const claim = status === 401 ? undefined : toClaim(ask, asked, truth);
  return claim === undefined ? [key] : [key, claim];
}

function keyClaim(
  key: { readonly from: number; readonly until: number } | undefined,
  isTaken: boolean,
): Claim {
  return {
    earliest: (from) => {
      if (!isTaken) {
        if (key === undefined || from < key.from) return from;
        return key.until === Infinity ? undefined : Math.max(from, key.until);
      }
      if (key === undefined || from >= key.until) return undefined;
      return Math.max(from, key.from);
    },
    stale: isTaken ? 'a revoked key was taken' : 'a key was refused that had been made',
    never: isTaken ? 'an unknown key was taken' : 'a key was refused that was in force',
  };
}

function toClaim(ask: Ask, { status, code, data }: Asked, truth: Truth): Claim | undefined {
  if (ask.kind === 'other') return undefined;
  if (ask.kind === 'makeKey' || ask.kind === 'revokeKey') {
    return status === 200 ? keyChangeClaim(ask, data, truth) : undefined;
  }
  if (ask.kind === 'balances') {
    if (status !== 200) return undefined;
    const versions = truth.balanceVersions.get(ask.account) ?? [];
    return seen(versions, (version) => version?.text === data, 'balances');
  }
  if (ask.kind === 'orders') {
    return status === 200
      ? listClaim(truth.ordersByAccount.get(ask.account) ?? [], ask, data)
      : undefined;
  }
  if (ask.kind === 'place') {
    if (status !== 200) return undefined;
    const order = findOrder(truth, ask.account, data);
    if (order?.clientOrderId !== ask.clientOrderId) return NOT_THERE;
    // A repeated request returns the order's current state.
    return seen(order.versions, (version) => version?.text === data, 'order');
  }
  const order = truth.orders.get(ask.orderId);
  const versions = order?.account === ask.account ? order.versions : [];
  if (status === 404) return seen(versions, (version) => version === undefined, 'order');
  if (code === 'ORDER_NOT_OPEN') {
    return seen(versions, (version) => version !== undefined && version === order?.end, 'order');
  }
  if (status !== 200) return undefined;
  if (ask.kind === 'order') return seen(versions, (version) => version?.text === data, 'order');
  return changed(
    versions,
    data,
    ask.kind === 'amend' ? CommandKind.amendOrder : CommandKind.cancelOrder,
  );
}

function keyChangeClaim(
  ask: Extract<Ask, { kind: 'makeKey' | 'revokeKey' }>,
  data: string,
  truth: Truth,
): Claim {
  const apiKey = ask.kind === 'revokeKey' ? ask.revoked : JSON.parse(data).key.apiKey;
  const key = truth.keys.get(apiKey);
  const at = (ask.kind === 'revokeKey' ? key?.until : key?.from) ?? Infinity;
  return {
    earliest: (from) => (at === Infinity ? undefined : Math.max(from, at)),
    stale: '',
    never: `an acknowledged ${ask.kind === 'revokeKey' ? 'revocation' : 'key'} is lost`,
  };
}

function findOrder(truth: Truth, account: string, data: string): TrueOrder | undefined {
  const order = truth.orders.get((JSON.parse(data) as { orderId: string }).orderId);
  return order?.account === account ? order : undefined;
}

const NOT_THERE: Claim = {
  earliest: () => undefined,
  stale: '',
  never: 'an acknowledged order is lost',
};

/** Claims that a value with versions was read. */
function seen(
  versions: readonly Version[],
  fits: (version: Version | undefined) => boolean,
  what: string,
): Claim {
  return {
    earliest: (from) => {
      let at = countUpTo(versions, from);
      if (fits(versions[at - 1])) return from;
      for (; at < versions.length; at++) if (fits(versions[at])) return versions[at]!.index;
      return undefined;
    },
    stale: `stale: ${what} shown as of before`,
    never: `never so: ${what}`,
  };
}

/** Claims that an order was changed. */
function changed(versions: readonly Version[], data: string, by: number): Claim {
  return {
    earliest: (from) =>
      versions.find((version) => version.index > from && version.by === by && version.text === data)
        ?.index,
    stale: 'a change was acknowledged that was made before the request',
    never: 'an acknowledged change is lost',
  };
}

/** Claims that the newest orders were listed, newest first. */
function listClaim(
  orders: readonly TrueOrder[],
  { limit }: { limit: number },
  data: string,
): Claim {
  const listed = (moment: number) => {
    const texts: string[] = [];
    for (let at = orders.length - 1; at >= 0 && texts.length < limit; at--) {
      const version = versionAt(orders[at]!.versions, moment);
      if (version !== undefined) texts.push(version.text);
    }
    return `{"orders":[${texts.join(',')}]`;
  };
  return {
    earliest: (from) => {
      if (data.startsWith(listed(from))) return from;
      return changesAfter(orders, from).find((moment) => data.startsWith(listed(moment)));
    },
    stale: 'stale: list of orders shown as of before',
    never: 'never so: list of orders',
  };
}

function changesAfter(orders: readonly TrueOrder[], from: number): number[] {
  const moments = new Set<number>();
  for (const { versions } of orders) {
    for (let at = countUpTo(versions, from); at < versions.length; at++) {
      moments.add(versions[at]!.index);
    }
  }
  return [...moments].sort((a, b) => a - b);
}

/** Compares the log with the requests: nothing was executed more often than sent, and nothing that was rejected. */
function checkEffects(requests: readonly Asked[], truth: Truth): string[] {
  const wrong: string[] = [];
  for (const asked of requests) {
    if (asked.status === 500 && asked.code !== 'OUTCOME_UNKNOWN') {
      wrong.push(`an internal error: ${describe(asked)}`);
    }
  }
  for (const [effect, group] of Map.groupBy(requests, ({ ask }) => describeEffect(ask))) {
    if (effect === '') continue;
    const { ask } = group[0]!;
    const { applied, accepted } = effectIn(truth, ask);
    // 503 and 429 are answered before a command is logged; other rejections are the engine's.
    const mayBeSent = group.filter(({ status }) => status !== 503 && status !== 429);
    const mayHaveDone = mayBeSent.filter(({ status }) => status < 400 || status >= 500);
    const what = group.slice(0, 4).map(describe).join('; ');
    // The response to a cancel of a final order, or to a repeated order, needs history, which may be unavailable after
    // the command was logged.
    const done = ask.kind === 'place' ? applied : accepted;
    const mayAskHistory = ask.kind !== 'place' || accepted > 0;
    const maxApplied = mayAskHistory ? group.length : mayBeSent.length;
    if (done > 0 && mayBeSent.length === 0) wrong.push(`executed although it was refused: ${what}`);
    else if (applied > maxApplied) wrong.push(`applied ${applied} times: ${what}`);
    if (accepted > 0 && mayHaveDone.length === 0 && mayBeSent.length > 0) {
      wrong.push(`executed although it was rejected: ${what}`);
    }
    if (accepted > 1) wrong.push(`done ${accepted} times: ${what}`);
    if (accepted === 0 && group.some(({ status }) => status === 200)) {
      wrong.push(`acknowledged and not done: ${what}`);
    }
  }
  return wrong;
}

/** Returns the effect of a request, which all requests with the same text have once together; '' for none. */
function describeEffect(ask: Ask): string {
  if (ask.kind === 'place') return `${ask.kind} ${ask.account} ${ask.clientOrderId}`;
  if (ask.kind === 'cancel') return `${ask.kind} ${ask.orderId}`;
  if (ask.kind === 'revokeKey') return `${ask.kind} ${ask.revoked}`;
  return ask.kind === 'amend' ? `${ask.kind} ${ask.orderId} ${ask.price}` : '';
}

function effectIn(truth: Truth, ask: Ask): Applied {
  if (ask.kind === 'place') return truth.placement(ask.account, ask.clientOrderId);
  if (ask.kind === 'cancel') return truth.cancels(ask.orderId);
  if (ask.kind === 'revokeKey') return truth.revocations(ask.revoked);
  if (ask.kind === 'amend') return truth.amends(ask.orderId, ask.price);
  return { first: Infinity, applied: 0, accepted: 0 };
}

export function describe({
  ask,
  client,
  node,
  status,
  code,
  beganAt,
  endedAt,
  data,
}: Asked): string {
  const { kind, account, ...of } = ask;
  const answer = status === 0 ? 'no answer' : `${status} ${code}${data.slice(0, 400)}`;
  const times = `${Math.round(beganAt)}-${Math.round(endedAt)} ms`;
  return `${client} of ${account} at node ${node} ${times} ${kind} ${JSON.stringify(of)} → ${answer}`;
}
