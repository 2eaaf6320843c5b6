import type { Heard, Told } from './history.ts';
import { countUpTo, type Truth, type Version } from './truth.ts';

/**
 * Judges what clients were told by the private streams of their accounts, over many connections to many nodes:
 * nothing is missing, nothing comes twice, everything was so. The last message of every channel must have come
 * after the last thing that happened to the account.
 * @returns What is wrong, a line each.
 */
export function checkHeard(all: readonly Heard[], truth: Truth): string[] {
  return all.flatMap((heard) => {
    const wrong = [
      ...checkSequences(heard),
      ...checkFills(heard, truth),
      ...checkOrders(heard, truth),
      ...checkBalances(heard, truth),
    ];
    return wrong.map((line) => `stream of ${heard.client} of ${heard.account}, ${line}`);
  });
}

const CHANNELS = ['orders', 'fills', 'balances'] as const;

function checkSequences(heard: Heard): string[] {
  return CHANNELS.flatMap((channel) =>
    heard[channel].flatMap(({ op, prevSequence }, at) => {
      if (at === 0) return op === 'snapshot' ? [] : [`${channel}: it begins with an update`];
      const { sequence } = heard[channel][at - 1]!;
      if (prevSequence === sequence) return [];
      return [`${channel}: a message after ${prevSequence} came after one of ${sequence}`];
    }),
  );
}

function checkFills({ account, fills }: Heard, truth: Truth): string[] {
  const [snapshot, ...updates] = fills;
  if (snapshot === undefined) return ['fills: nothing came'];
  const told = updates.flatMap(({ records }) =>
    records.map(({ id, orderId }) => `${id} ${orderId}`),
  );
  const all = (truth.fillsOf.get(account) ?? [])
    .filter(({ id }) => Number(id) > snapshot.sequence)
    .map(({ id, orderId }) => `${id} ${orderId}`);
  if (told.join() === all.join()) return [];
  const missing = all.filter((fill) => !told.includes(fill));
  return [`fills: they are ${told.length}, should be ${all.length}; missing: ${missing.join()}`];
}

function checkOrders({ account, orders }: Heard, truth: Truth): string[] {
  const wrong: string[] = [];
  const latest = new Map<string, Version>();
  for (const { records } of orders) {
    for (const record of records) {
      const order = truth.orders.get(record.orderId);
      const text = JSON.stringify(record);
      const version = order?.versions.find((each) => normal(each.text) === text);
      const before = latest.get(record.orderId);
      if (version === undefined || order?.account !== account) {
        wrong.push(`orders: ${record.orderId} never was so: ${text}`);
        continue;
      }
      if (before !== undefined && version.index < before.index) {
        wrong.push(`orders: ${record.orderId} went back to ${text}`);
      }
      if (before === version && version === order.end) {
        wrong.push(`orders: the end of ${record.orderId} was told twice`);
      }
      latest.set(record.orderId, version);
    }
  }
  const begin = orders[0]?.sequence ?? 0;
  for (const { id, versions } of truth.ordersOf.get(account) ?? []) {
    const last = versions.at(-1)!;
    if (last.position <= begin || latest.get(`${id}`) === last) continue;
    wrong.push(`orders: ${id} was last told as ${latest.get(`${id}`)?.text}, it is ${last.text}`);
  }
  return wrong;
}

/** The expected records for each message, as of its batch and at the end. */
function checkBalances({ account, balances }: Heard, truth: Truth): string[] {
  const versions = truth.balancesOf.get(account) ?? [];
  const wrong: string[] = [];
  const latest = new Map<string, string>();
  const compare = (records: Told['records'], version: Version | undefined) => {
    const really = version === undefined ? [] : JSON.parse(version.text).balances;
    for (const record of records) {
      const own = really.find(({ asset }: { asset: string }) => asset === record.asset);
      if (JSON.stringify(own) === JSON.stringify(record)) continue;
      const [is, was] = [JSON.stringify(own), JSON.stringify(record)];
      wrong.push(`balances: ${record.asset} was told as ${was}, it is ${is}`);
    }
  };
  for (const { sequence, records } of balances) {
    const last = versions.findLastIndex(({ position }) => position <= sequence);
    compare(records, versions[last]);
    for (const record of records) latest.set(record.asset, JSON.stringify(record));
  }
  const end = versions[countUpTo(versions, Infinity) - 1];
  compare(
    [...latest.values()].map((text) => JSON.parse(text)),
    end,
  );
  return wrong;
}

/** Normalizes JSON by parsing and formatting it. */
function normal(text: string): string {
  return JSON.stringify(JSON.parse(text));
}
