import type { Delivered, ReceivedMessages } from './history.ts';
import { countUpTo, type Truth, type Version } from './truth.ts';

/**
 * Checks the messages that clients received from their accounts' private streams, over many connections to
 * several nodes: nothing is missing, nothing comes twice, and every record was true. The last message of every
 * channel must have come after the last change of the account.
 * @returns One line for each violation.
 */
export function checkReceived(all: readonly ReceivedMessages[], truth: Truth): string[] {
  return all.flatMap((received) => {
    const wrong = [
      ...checkSequences(received),
      ...checkFills(received, truth),
      ...checkOrders(received, truth),
      ...checkBalances(received, truth),
    ];
    return wrong.map((line) => `stream of ${received.client} of ${received.account}, ${line}`);
  });
}

const CHANNELS = ['orders', 'fills', 'balances'] as const;

function checkSequences(received: ReceivedMessages): string[] {
  return CHANNELS.flatMap((channel) =>
    received[channel].flatMap(({ op, prevSequence }, at) => {
      if (at === 0) return op === 'snapshot' ? [] : [`${channel}: it begins with an update`];
      const { sequence } = received[channel][at - 1]!;
      if (prevSequence === sequence) return [];
      return [`${channel}: a message after ${prevSequence} came after one of ${sequence}`];
    }),
  );
}

function checkFills({ account, fills }: ReceivedMessages, truth: Truth): string[] {
  const [snapshot, ...updates] = fills;
  if (snapshot === undefined) return ['fills: nothing came'];
  const delivered = updates.flatMap(({ records }) =>
    records.map(({ id, orderId }) => `${id} ${orderId}`),
  );
  const all = (truth.fillsByAccount.get(account) ?? [])
    .filter(({ id }) => Number(id) > snapshot.sequence)
    .map(({ id, orderId }) => `${id} ${orderId}`);
  if (delivered.join() === all.join()) return [];
  const missing = all.filter((fill) => !delivered.includes(fill));
  return [
    `fills: they are ${delivered.length}, should be ${all.length}; missing: ${missing.join()}`,
  ];
}

function checkOrders({ account, orders }: ReceivedMessages, truth: Truth): string[] {
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
        wrong.push(`orders: the end of ${record.orderId} was reported twice`);
      }
      latest.set(record.orderId, version);
    }
  }
  const begin = orders[0]?.sequence ?? 0;
  for (const { id, versions } of truth.ordersByAccount.get(account) ?? []) {
    const last = versions.at(-1)!;
    if (last.position <= begin || latest.get(`${id}`) === last) continue;
    wrong.push(
      `orders: ${id} was last reported as ${latest.get(`${id}`)?.text}, it is ${last.text}`,
    );
  }
  return wrong;
}

/** The expected records for each message, as of its batch and at the end. */
function checkBalances({ account, balances }: ReceivedMessages, truth: Truth): string[] {
  const versions = truth.balanceVersions.get(account) ?? [];
  const wrong: string[] = [];
  const latest = new Map<string, string>();
  const compare = (records: Delivered['records'], version: Version | undefined) => {
    const really = version === undefined ? [] : JSON.parse(version.text).balances;
    for (const record of records) {
      const own = really.find(({ asset }: { asset: string }) => asset === record.asset);
      if (JSON.stringify(own) === JSON.stringify(record)) continue;
      const [is, was] = [JSON.stringify(own), JSON.stringify(record)];
      wrong.push(`balances: ${record.asset} was reported as ${was}, it is ${is}`);
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
