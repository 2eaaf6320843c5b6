import type { Gathered } from './chaos-run.ts';
import type { ClusterNode } from './cluster.ts';
import type { Harm } from './faults.ts';
import type { Asked } from './history.ts';
import { checkHistory, describe } from './history-checker.ts';
import type { Key } from './load.ts';
import { differences, readPosition, rebuild } from './rebuild.ts';
import { checkReceived } from './stream-checker.ts';
import { Truth } from './truth.ts';

/** Time for the servers to elect another leader, and for the nodes to find it. */
const MAX_PAUSE_MS = 10_000;
const MAX_LONG_PAUSE_MS = 30_000;
const MAX_SHOWN_ERRORS = 30;
const STATE_LOOKS = 3;

/** The results of a run. */
export interface Report {
  readonly harms: Record<string, number>;
  readonly requests: number;
  readonly acknowledgedWrites: number;
  readonly refused: number;
  readonly unknown: number;
  readonly unanswered: number;
  readonly orders: number;
  readonly fills: number;
  readonly messages: number;
  /** Messages that the test stored again. */
  readonly repeats: number;
  /** Number of times that the stream was trimmed. */
  readonly trims: number;
  readonly ignored: number;
  readonly late: number;
  readonly streamConnections: number;
  readonly keysRevoked: number;
  /** Longest times without an accepted order, by fault. */
  readonly longestGapMs: Record<string, number>;
  readonly longestRecoveryMs: number;
}

/** @throws Error that lists all violations */
export async function judge(gathered: Gathered): Promise<Report> {
  const { cluster, history, harms, keys, readers, recorder } = gathered;
  const { requests, received } = history;
  const wrong = readers.flatMap(({ refusals }) => refusals);
  const hashes = await stateHashes(gathered);
  const lists = await readLists(gathered);
  await cluster.stopNodes();
  await recorder.caughtUp();
  await recorder.stop();
  const { messages } = recorder;

  const truth = new Truth(new Set(hashes.map(({ position }) => position)));
  for (const message of messages) truth.take(message);
  for (const { node, position, hash } of hashes) {
    if (truth.hashes.get(position) === hash) continue;
    wrong.push(`node ${node} has another state after ${position} than a replay of the log`);
  }
  wrong.push(...checkHistory(requests, truth), ...checkReceived(received, truth));
  wrong.push(...checkLists(lists, truth), ...judgeHarms(harms, requests));

  const rebuilt = await cluster.postgres.createDatabase('rebuilt');
  await rebuild(messages, await readPosition(cluster.databaseUrl), rebuilt);
  wrong.push(...(await differences(cluster.databaseUrl, rebuilt)));
  if (wrong.length > 0) {
    const rest =
      wrong.length > MAX_SHOWN_ERRORS ? `\n… and ${wrong.length - MAX_SHOWN_ERRORS} more` : '';
    throw new Error(`${wrong.slice(0, MAX_SHOWN_ERRORS).join('\n')}${rest}`);
  }
  return report(gathered, truth, keys);
}

function report(
  { history, harms, readers, recorder, longestRecoveryMs }: Gathered,
  truth: Truth,
  keys: ReadonlyMap<string, Key>,
): Report {
  const { requests } = history;
  const count = (is: (asked: Asked) => boolean) => requests.filter(is).length;
  const names = [...new Set(harms.map(({ name }) => name))].sort();
  const gaps = names.map((name) => {
    const each = harms.filter((harm) => harm.name === name);
    return [name, Math.round(Math.max(...each.map((harm) => longestGap(requests, harm))))] as const;
  });
  return {
    harms: Object.fromEntries(
      names.map((name) => [name, harms.filter((harm) => harm.name === name).length]),
    ),
    requests: requests.length,
    acknowledgedWrites: count((asked) => isWrite(asked) && asked.status === 200),
    refused: count(({ status }) => status === 503),
    unknown: count(({ code }) => code === 'OUTCOME_UNKNOWN'),
    unanswered: count(({ status }) => status === 0),
    orders: truth.orders.size,
    fills: [...keys.keys()].reduce(
      (sum, of) => sum + (truth.fillsByAccount.get(of)?.length ?? 0),
      0,
    ),
    messages: recorder.messages.length,
    repeats: recorder.repeats,
    trims: recorder.trims,
    ignored: truth.ignored,
    late: truth.late,
    streamConnections: readers.reduce((sum, { connections }) => sum + connections, 0),
    keysRevoked: [...truth.keys.values()].filter(({ until }) => until !== Infinity).length,
    longestGapMs: Object.fromEntries(gaps),
    longestRecoveryMs: Math.round(longestRecoveryMs),
  };
}

const WRITES = new Set(['place', 'amend', 'cancel']);

function isWrite({ ask }: Asked): boolean {
  return WRITES.has(ask.kind);
}

/** Checks the effect of each fault that did not overlap with another. */
function judgeHarms(harms: readonly Harm[], requests: readonly Asked[]): string[] {
  return harms.flatMap((harm) => {
    const isAlone = harms.every(
      (other) => other === harm || other.endedAt < harm.beganAt || other.beganAt > harm.endedAt,
    );
    return isAlone ? judgeHarm(harm, requests) : [];
  });
}

function judgeHarm(harm: Harm, requests: readonly Asked[]): string[] {
  const { name, cost, node, beganAt, endedAt } = harm;
  const during = requests.filter((asked) => asked.beganAt > beganAt && asked.beganAt < endedAt);
  if (cost === 'everything') {
    const taken = during.filter(
      (asked) => isWrite(asked) && asked.status === 200 && asked.endedAt < endedAt,
    );
    return taken.map((asked) => `${name}, and acknowledged: ${describe(asked)}`);
  }
  const wrong: string[] = [];
  const gapMs = longestGap(requests, harm);
  const maxMs = cost === 'a long pause' ? MAX_LONG_PAUSE_MS : MAX_PAUSE_MS;
  if (gapMs > maxMs) wrong.push(`${name}: no order was accepted for ${gapMs} ms`);
  for (const asked of during) {
    const { status, hasRetryAfter, isGivenUp } = asked;
    const isFine =
      (status > 0 && status < 500) ||
      (status === 503 && hasRetryAfter) ||
      (isGivenUp && !isWrite(asked));
    if (cost === 'its node' && asked.node !== node && !isFine) {
      wrong.push(`${name}, of another node than it: ${describe(asked)}`);
    }
    // Only history knows the outcome of an order that was final already.
    const isOrder = asked.ask.kind === 'place';
    if (cost === 'history' && isOrder && (status === 0 || status >= 500)) {
      wrong.push(`${name}, and an order was not taken: ${describe(asked)}`);
    }
  }
  return wrong;
}

/** Returns the longest time without an accepted order that overlaps a fault. */
function longestGap(requests: readonly Asked[], { beganAt, endedAt }: Harm): number {
  const accepted = requests
    .filter(({ ask, status }) => ask.kind === 'place' && status === 200)
    .map((asked) => asked.endedAt)
    .sort((a, b) => a - b);
  let longest = 0;
  for (let at = 1; at < accepted.length; at++) {
    const [from, to] = [accepted[at - 1]!, accepted[at]!];
    if (to > beganAt && from < endedAt) longest = Math.max(longest, to - from);
  }
  return longest;
}

/** Compares the state hashes of all nodes a few times, and checks that the books balance. */
async function stateHashes({ cluster }: Gathered) {
  const operator = cluster.credential('operator');
  const looks = cluster.nodes.flatMap((node) => Array<ClusterNode>(STATE_LOOKS).fill(node));
  const hashes: { node: string; position: number; hash: string }[] = [];
  for (const { name, process } of looks) {
    const { json } = await process!.send(operator, 'GET', '/api/admin/state');
    const { logPosition: position, stateHash: hash, assets } = json.data;
    hashes.push({ node: name, position, hash });
    for (const { asset, balances } of assets) {
      if (!balances) throw new Error(`node ${name}: the books of ${asset} do not balance`);
    }
  }
  return hashes;
}

/** All data of an account at the end of a run. */
interface Lists {
  readonly account: string;
  /** JSON as read and written again, newest first. */
  readonly orders: readonly string[];
  readonly fills: readonly string[];
  // biome-ignore lint/suspicious/noExplicitAny: a record of the ledger
  readonly entries: readonly any[];
  // biome-ignore lint/suspicious/noExplicitAny: a balance
  readonly balances: readonly any[];
}

/** Reads them, distributed over all nodes. */
async function readLists({ cluster, keys }: Gathered): Promise<Lists[]> {
  const lists: Lists[] = [];
  for (const [index, [account, key]] of [...keys].entries()) {
    const { process } = cluster.nodes[index % cluster.nodes.length]!;
    const get = async (path: string) => {
      const { status, json } = await process!.send(key, 'GET', path);
      if (status !== 200) throw new Error(`${path} of ${account}: ${JSON.stringify(json)}`);
      return json.data;
    };
    const all = async (path: string, field: string) => {
      // biome-ignore lint/suspicious/noExplicitAny: records of three kinds
      const items: any[] = [];
      let cursor = '';
      do {
        const data = await get(`${path}?limit=1000${cursor}`);
        items.push(...data[field]);
        cursor = data.nextCursor === null ? '' : `&cursor=${data.nextCursor}`;
      } while (cursor !== '');
      return items;
    };
    const orders = (await all('/api/orders', 'orders')).map((order) => JSON.stringify(order));
    const fills = (await all('/api/fills', 'fills')).map(({ id, orderId }) => `${id} ${orderId}`);
    const entries = await all('/api/ledger', 'entries');
    const { balances } = await get('/api/portfolio/balances');
    lists.push({ account, orders, fills, entries, balances });
  }
  return lists;
}

/** Checks that each order and fill appears once, as in the log, and that the ledger explains the balances. */
function checkLists(lists: readonly Lists[], truth: Truth): string[] {
  return lists.flatMap(({ account, orders, fills, entries, balances }) => {
    const wrong: string[] = [];
    const really = (truth.ordersByAccount.get(account) ?? [])
      .map(({ versions }) => JSON.stringify(JSON.parse(versions.at(-1)!.text)))
      .reverse();
    if (orders.join() !== really.join()) {
      const differing = orders.find((order, at) => order !== really[at]);
      wrong.push(
        `${account} has ${orders.length} orders, should have ${really.length}: ${differing}`,
      );
    }
    const trades = (truth.fillsByAccount.get(account) ?? []).map(
      ({ id, orderId }) => `${id} ${orderId}`,
    );
    if (fills.toReversed().join() !== trades.join()) {
      wrong.push(`${account} has ${fills.length} fills, should have ${trades.length}`);
    }
    for (const { asset, available } of balances) {
      const own = entries.filter((entry) => entry.asset === asset).toReversed();
      let after = 0;
      for (const entry of own) {
        if (entry.before !== after) wrong.push(`${account}: entry ${entry.id} explains nothing`);
        after = entry.after;
      }
      if (after !== available) wrong.push(`${account}: ${asset} is ${available}, not ${after}`);
    }
    return wrong;
  });
}
