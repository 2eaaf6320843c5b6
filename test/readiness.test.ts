import { expect, test } from 'bun:test';
import { serveAdmin } from '../src/monitoring/admin-server.ts';
import { Monitor } from '../src/monitoring/monitor.ts';
import { watchReadiness } from '../src/node/metrics.ts';

/** Tests when a running node reports that it is not ready. */

const NOW = 1_800_000_000_000;

/** Returns the answer of a healthy node with changes. */
async function answered(change: Partial<Node>): Promise<[number, unknown]> {
  const well: Node = { archivistLagMs: 0, clockLeadMs: 0, lastTime: NOW, isUnreachable: false };
  const node = { ...well, ...change };
  const { clockLeadMs, lastTime } = node;
  const monitor = new Monitor('one');
  watchReadiness(monitor.readiness, {
    archivist: { rebuiltTo: undefined, lagMs: () => node.archivistLagMs },
    log: { lastTime, ...(clockLeadMs === undefined ? {} : { clockLeadMs }) },
    replica: node,
    now: () => NOW,
  });
  const port = serveAdmin({ host: '127.0.0.1', port: 0 }, monitor);
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
  const { ready, reasons } = (await answer.json()) as { ready: boolean; reasons: string[] };
  expect(ready).toBe(answer.status === 200);
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(metrics).toContain(`\nbuttonwood_ready ${ready ? 1 : 0}\n`);
  return [answer.status, reasons];
}

interface Node {
  readonly archivistLagMs: number;
  /** Undefined for a log in files. */
  readonly clockLeadMs: number | undefined;
  readonly lastTime: number;
  readonly isUnreachable: boolean;
}

test.each<[string, Partial<Node>]>([
  ['is healthy', {}],
  ['has an archivist that is ten seconds behind', { archivistLagMs: 10_000 }],
  ['has a log that is two seconds old', { lastTime: NOW - 2000 }],
  [
    'has a clock ahead of the log, and the newest of it',
    { clockLeadMs: 5000, lastTime: NOW - 5000 },
  ],
  ['has an old log of its own, which others do not write', { clockLeadMs: undefined, lastTime: 0 }],
])('one that %s is ready', async (_, change) => {
  expect(await answered(change)).toEqual([200, []]);
});

test.each<[string, string, Partial<Node>]>([
  ['has an archivist further behind', 'lagging', { archivistLagMs: 10_001 }],
  ['has only an older part of the log', 'lagging', { lastTime: NOW - 2001 }],
  [
    'has that, with a clock behind the log',
    'lagging',
    { clockLeadMs: -5000, lastTime: NOW + 2999 },
  ],
  ['hears nothing of the log', 'log unreachable', { isUnreachable: true }],
])('one that %s is %s', async (_, reason, change) => {
  expect(await answered(change)).toEqual([503, [reason]]);
});
