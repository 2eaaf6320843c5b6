import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { HOUR_MS } from '../../config/durations.ts';
import { MemoryNetwork } from '../../testing/memory-bus.ts';
import { LimitSharing } from './limit-sharing.ts';
import { AccountWindows, AddressWindows, WINDOW_MS } from './rate-limit.ts';

const START_MS = 1_790_000_000_123;
/** Number of reports in which every running window is reported again. */
const FULL_SWEEP = 51;
const ADDRESS = '192.0.2.1';

/** Nodes that share the windows of one account and one address; each has its own clock. */
class Nodes {
  readonly network = new MemoryNetwork();
  nowMs = START_MS;
  readonly all;
  /** Authorized requests by node since all nodes last had the same counts. */
  readonly unknown: number[];
  authorized = 0;

  constructor(
    skewsMs: readonly number[],
    readonly limit: number,
  ) {
    this.unknown = skewsMs.map(() => 0);
    this.all = skewsMs.map((skewMs, index) => {
      const accounts = new AccountWindows([1, limit], 'spec');
      const addresses = new AddressWindows([1, limit], 'spec');
      const now = () => this.nowMs + skewMs;
      const bus = this.network.join(`node ${index}`);
      const sharing = new LimitSharing(bus, [accounts, addresses], 'layout', now);
      sharing.stop();
      return { accounts, addresses, sharing, now };
    });
  }

  /** Counts a request of both the account and the address. */
  take(index: number): boolean {
    const { accounts, addresses, now } = this.all[index]!;
    const isAllowed = accounts.take(3, 1, 1, now());
    expect(addresses.take(ADDRESS, 1, now())).toBe(isAllowed);
    expect(addresses.remaining).toBe(accounts.remaining);
    if (!isAllowed) return false;
    this.authorized++;
    this.unknown[index]!++;
    return true;
  }

  reportAll(): void {
    for (const { sharing } of this.all) sharing.reportAll();
  }

  /** Delivers all messages in transit, in an order chosen by the numbers. */
  deliver(order: readonly number[]): void {
    for (let turn = 0; this.network.pending > 0; turn++) {
      this.network.deliver((order[turn % order.length] ?? 0) % this.network.pending);
    }
  }

  unknownElsewhere(index: number): number {
    return this.unknown.reduce((sum, count, at) => (at === index ? sum : sum + count), 0);
  }
}

const skews = fc.array(fc.constantFrom(0, -700, 900, HOUR_MS, -HOUR_MS), {
  minLength: 2,
  maxLength: 5,
});
const limits = fc.constantFrom(1, 5, 16, 40, 100);
const orders = fc.array(fc.nat(50), { minLength: 1, maxLength: 7 });
const bursts = fc.array(fc.nat(4), { maxLength: 60 });
const rounds = fc.array(fc.record({ bursts, order: orders, lateMs: fc.nat(900) }), {
  minLength: 1,
  maxLength: 25,
});

describe('connected nodes', () => {
  test('authorize at most the limit plus what the others authorized since their last report', async () => {
    await fc.assert(
      fc.asyncProperty(skews, limits, rounds, async (skewsMs, limit, all) => {
        const nodes = new Nodes(skewsMs, limit);
        for (const { bursts, order, lateMs } of all) {
          for (const node of bursts) {
            const index = node % skewsMs.length;
            if (!nodes.take(index)) continue;
            expect(nodes.authorized).toBeLessThanOrEqual(limit + nodes.unknownElsewhere(index));
          }
          nodes.reportAll();
          await Promise.resolve();
          nodes.nowMs += lateMs;
          nodes.deliver(order);
          nodes.unknown.fill(0);
        }
        // Below the limit no request is rejected, and all nodes report the same remaining count.
        const made = all.reduce((sum, { bursts }) => sum + bursts.length, 0);
        for (let index = 0; index < skewsMs.length; index++) {
          if (made >= limit || made === 0) continue;
          nodes.take(index);
          expect(nodes.all[index]!.accounts.remaining).toBe(limit - made - 1);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('exceed the limit by less than a sixteenth of it per other node if messages arrive at once', async () => {
    await fc.assert(
      fc.asyncProperty(skews, limits, fc.array(fc.nat(4), { maxLength: 400 }), async (...given) => {
        const [skewsMs, limit, requests] = given;
        const nodes = new Nodes(skewsMs, limit);
        for (const node of requests) {
          nodes.take(node % skewsMs.length);
          await Promise.resolve();
          nodes.network.deliverAll();
        }
        const unreported = Math.max(0, (limit >> 4) - 1);
        expect(nodes.authorized).toBeLessThanOrEqual(limit + (skewsMs.length - 1) * unreported);
        expect(nodes.authorized).toBeGreaterThanOrEqual(Math.min(limit, requests.length));
      }),
      { numRuns: 60 },
    );
  });

  test('end a window 60 s after its first request on any node', async () => {
    const nodes = new Nodes([0, HOUR_MS, -800], 10);
    nodes.take(0);
    await Promise.resolve();
    nodes.nowMs += 500;
    nodes.deliver([0]);
    nodes.nowMs += 40_000;
    for (let count = 0; count < 9; count++) {
      nodes.take(1);
      await Promise.resolve();
      nodes.deliver([0]);
    }
    expect([0, 1, 2].map((index) => nodes.take(index))).toEqual([false, false, false]);
    const { retryAfterSeconds, resetSeconds } = nodes.all[2]!.accounts;
    expect(retryAfterSeconds).toBe(20);
    expect(Math.abs(resetSeconds - (START_MS - 800 + WINDOW_MS) / 1000)).toBeLessThan(2);
    nodes.nowMs = START_MS + WINDOW_MS;
    expect([0, 1, 2].map((index) => nodes.take(index))).toEqual([true, false, false]);
    nodes.nowMs += 500;
    expect(nodes.take(1)).toBe(true);
    await Promise.resolve();
    nodes.deliver([0]);
    for (let count = 0; count < 8; count++) {
      expect(nodes.take(2)).toBe(true);
      await Promise.resolve();
      nodes.deliver([0]);
    }
    expect([0, 1, 2].map((index) => nodes.take(index))).toEqual([false, false, false]);
  });

  test('give each of several minutes the limit plus at most the same slack', async () => {
    await fc.assert(
      fc.asyncProperty(skews, fc.integer({ min: 300, max: 9_000 }), orders, async (...given) => {
        const [skewsMs, everyMs, order] = given;
        const limit = 10;
        const nodes = new Nodes(skewsMs, limit);
        const minutes = 5;
        let maximum = 0;
        for (let index = 0; nodes.nowMs < START_MS + minutes * WINDOW_MS; index++) {
          for (let count = 0; count <= order[index % order.length]! % 3; count++) {
            nodes.take((index + count) % skewsMs.length);
          }
          nodes.reportAll();
          nodes.nowMs += Math.min(everyMs, 900);
          nodes.deliver(order);
          maximum = Math.max(maximum, ...nodes.unknown);
          nodes.unknown.fill(0);
          nodes.nowMs += Math.max(0, everyMs - 900);
        }
        const slack = (skewsMs.length - 1) * maximum;
        // One more window may begin within the last minute.
        expect(nodes.authorized).toBeLessThanOrEqual((minutes + 1) * (limit + slack));
      }),
      { numRuns: 30 },
    );
  });
});

describe('lost and late messages', () => {
  test('a lost count is in the next report, and every window is reported again within five seconds', async () => {
    await fc.assert(
      fc.asyncProperty(skews, rounds, fc.array(fc.boolean()), async (skewsMs, all, losses) => {
        const limit = 2000;
        const nodes = new Nodes(skewsMs, limit);
        let sent = 0;
        nodes.network.passes = () => losses[sent++ % losses.length] ?? true;
        let made = 0;
        for (const { bursts, order } of all) {
          for (const node of bursts) nodes.take(node % skewsMs.length);
          made += bursts.length;
          nodes.reportAll();
          nodes.nowMs += 100;
          nodes.deliver(order);
        }
        nodes.network.passes = () => true;
        for (let round = 0; round < FULL_SWEEP; round++) {
          nodes.reportAll();
          nodes.deliver([0]);
        }
        for (let index = 0; index < skewsMs.length && made > 0; index++) {
          nodes.take(index);
          expect(nodes.all[index]!.accounts.remaining).toBe(limit - made - 1);
        }
      }),
      { numRuns: 100 },
    );
  });

  test('a late report is not counted twice, nor in the next window', async () => {
    const nodes = new Nodes([0, 0], 100);
    const reportAfter = (requests: number) => {
      for (let request = 0; request < requests; request++) nodes.take(0);
      nodes.reportAll();
    };
    reportAfter(2);
    reportAfter(3);
    // The second report, then the first one, late.
    nodes.network.deliver(nodes.network.pending - 1);
    nodes.network.deliverAll();
    nodes.take(1);
    expect(nodes.all[1]!.accounts.remaining).toBe(100 - 5 - 1);
    await Promise.resolve();
    nodes.network.deliverAll();
    nodes.nowMs += WINDOW_MS - 100;
    reportAfter(4);
    nodes.nowMs += 100;
    reportAfter(1);
    nodes.network.deliver(nodes.network.pending - 1);
    nodes.network.deliverAll();
    nodes.take(1);
    expect(nodes.all[1]!.accounts.remaining).toBe(100 - 1 - 1);
  });

  test('partitioned nodes authorize the limit each; reconnected they reject', async () => {
    const limit = 40;
    const nodes = new Nodes([0, 300, -HOUR_MS], limit);
    nodes.network.passes = () => false;
    for (let request = 0; request < 60; request++) for (const node of [0, 1, 2]) nodes.take(node);
    expect(nodes.authorized).toBe(3 * limit);
    nodes.network.passes = () => true;
    for (let round = 0; round < FULL_SWEEP; round++) nodes.reportAll();
    nodes.deliver([0]);
    expect([0, 1, 2].map((index) => nodes.take(index))).toEqual([false, false, false]);
    nodes.nowMs += WINDOW_MS;
    expect(nodes.take(0)).toBe(true);
  });

  test('nodes with another layout are ignored', async () => {
    const network = new MemoryNetwork();
    const [one, two] = ['one', 'two'].map((layout) => {
      const windows = new AccountWindows([5], 'spec');
      const now = () => START_MS;
      new LimitSharing(network.join(layout), [windows], layout, now).stop();
      return windows;
    }) as [AccountWindows, AccountWindows];
    for (let count = 0; count < 5; count++) one.take(0, 0, 1, START_MS);
    await Promise.resolve();
    network.deliverAll();
    expect(two.take(0, 0, 1, START_MS)).toBe(true);
    expect(two.remaining).toBe(4);
  });

  test('tallies of windows that are over are dropped', () => {
    const network = new MemoryNetwork();
    const windows = new AddressWindows([5], 'spec');
    let nowMs = START_MS;
    const sharing = new LimitSharing(network.join('one'), [windows], 'layout', () => nowMs);
    sharing.stop();
    network.join('two');
    for (let count = 0; count < 1000; count++) windows.take(`address ${count}`, 0, nowMs);
    nowMs += 2 * WINDOW_MS;
    for (let round = 0; round < 10 * FULL_SWEEP; round++) sharing.reportAll();
    const [group] = Reflect.get(sharing, 'groups');
    expect(Reflect.get(group, 'tallies')[0].size).toBe(0);
    expect(network.pending).toBe(0);
  });
});
