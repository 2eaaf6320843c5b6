import { type Random, seededRandom } from '../../storage/seeded-random.ts';
import { FAULT_KINDS, type Subject } from './kinds.ts';
import { matchesPattern } from './patterns.ts';
import { isOncePerPeriod, periodAt } from './schedule.ts';
import type {
  Fault,
  FaultScript,
  Hit,
  InstalledFault,
  InstalledScript,
  Occasion,
} from './script.ts';

interface Drawn extends InstalledFault {
  injected: number;
  /** Hits of which it is not known yet whether they happen. */
  reserved: number;
  /** Every fault has a generator of its own, so that the occasions of one do not change the draws of another. */
  readonly random: Random;
  /** The period of its last occasion that hit. */
  lastPeriod: number;
}

interface Installed extends InstalledScript {
  readonly faults: readonly Drawn[];
}

/**
 * Decides which faults happen, by seeded draws: the same sequence of occasions at the same times has the same faults. It
 * reads no clock.
 */
export class FaultEngine {
  private readonly installed = new Map<string, Installed>();
  private lastNumber = 0;

  get scripts(): Iterable<InstalledScript> {
    return this.installed.values();
  }

  get size(): number {
    return this.installed.size;
  }

  /** Number of the next script, from 1. */
  get nextNumber(): number {
    return this.lastNumber + 1;
  }

  /** Returns whether an installed script has a fault of such a subject. */
  has(...subjects: readonly Subject[]): boolean {
    for (const { faults } of this.installed.values()) {
      if (faults.some(({ fault }) => subjects.includes(FAULT_KINDS[fault.kind].subject)))
        return true;
    }
    return false;
  }

  install(script: FaultScript): InstalledScript {
    this.lastNumber++;
    const id = `fault-${this.lastNumber}`;
    const faults = script.faults.map((fault, index) => ({
      fault,
      injected: 0,
      reserved: 0,
      random: seededRandom((Math.imul(script.seed, 0x85ebca6b) + index * 0x9e3779b1) >>> 0),
      lastPeriod: -1,
    }));
    const installed = { id, script, faults };
    this.installed.set(id, installed);
    return installed;
  }

  remove(id: string): void {
    this.installed.delete(id);
  }

  /**
   * Draws for every fault that an occasion concerns, whether or not another one hits, so that a fault's draws depend only on
   * its own occasions.
   * @param subjects What the occasion is.
   * @returns The faults that hit, in the order of their scripts. Each must be counted once it happens, or released.
   */
  draw(occasion: Occasion, subjects: readonly Subject[], now: number): Hit[] {
    const hits: Hit[] = [];
    for (const { id, script, faults } of this.installed.values()) {
      if (!concerns(script, occasion)) continue;
      faults.forEach((drawn, index) => {
        const { fault, random } = drawn;
        if (!subjects.includes(FAULT_KINDS[fault.kind].subject)) return;
        const period = this.findPeriod(drawn, occasion.name, now);
        if (period === undefined || random() >= fault.probability) return;
        drawn.lastPeriod = period;
        drawn.reserved++;
        const jitterMs = fault.jitterMs === 0 ? 0 : Math.floor(random() * (fault.jitterMs + 1));
        hits.push({ scriptId: id, index, fault, delayMs: delayWith(fault, jitterMs) });
      });
    }
    return hits;
  }

  /** Draws once in each period for every fault of a subject that has no occasions of its own. @returns Like `draw` */
  drawPeriods(subject: Subject, now: number): Hit[] {
    const hits: Hit[] = [];
    for (const { id, faults } of this.installed.values()) {
      faults.forEach((drawn, index) => {
        const { fault, random, lastPeriod } = drawn;
        if (FAULT_KINDS[fault.kind].subject !== subject) return;
        if (isUsedUp(drawn)) return;
        const period = periodAt(fault.schedule, now);
        if (period === undefined || period <= lastPeriod) return;
        drawn.lastPeriod = period;
        if (random() >= fault.probability) return;
        drawn.reserved++;
        hits.push({ scriptId: id, index, fault, delayMs: 0 });
      });
    }
    return hits;
  }

  /** When `drawPeriods` draws next for a subject, milliseconds since 1970; Infinity if it does not. */
  nextPeriodAt(subject: Subject, now: number): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { faults } of this.installed.values()) {
      for (const drawn of faults) {
        const { fault, lastPeriod } = drawn;
        if (FAULT_KINDS[fault.kind].subject !== subject) continue;
        if (isUsedUp(drawn)) continue;
        const { from, until, everyMs = Number.POSITIVE_INFINITY } = fault.schedule;
        const start = lastPeriod < 0 ? from : from + (lastPeriod + 1) * everyMs;
        const at = Math.max(start, now);
        if (at < until) next = Math.min(next, at);
      }
    }
    return next;
  }

  /** Counts a hit that happened. */
  count(hit: Hit): void {
    const drawn = this.release(hit);
    if (drawn !== undefined) drawn.injected++;
  }

  /** Takes back a hit that does not happen. */
  release({ scriptId, index }: Hit): { injected: number } | undefined {
    const drawn = this.installed.get(scriptId)?.faults[index];
    if (drawn !== undefined) drawn.reserved--;
    return drawn;
  }

  /** Returns the period of an occasion of a fault; undefined if it may not happen now. */
  private findPeriod(drawn: Drawn, name: string, now: number) {
    if (isUsedUp(drawn)) return undefined;
    const { schedule, endpoints } = drawn.fault;
    if (endpoints !== undefined && !endpoints.some((each) => matchesPattern(each, name))) {
      return undefined;
    }
    const period = periodAt(schedule, now);
    if (period === undefined) return undefined;
    return isOncePerPeriod(schedule) && period <= drawn.lastPeriod ? undefined : period;
  }
}

/** Returns whether a fault has happened as often as it may, or will have once the answers on their way are sent. */
function isUsedUp({ fault: { count }, injected, reserved }: Drawn): boolean {
  return count !== undefined && injected + reserved >= count;
}

function delayWith({ kind, ms }: Fault, jitterMs: number): number {
  return kind === 'delay' ? ms + jitterMs : 0;
}

function concerns({ apiKey, account, keyAccount }: FaultScript, occasion: Occasion): boolean {
  if (apiKey !== undefined) {
    return occasion.isAccountWide ? occasion.account === keyAccount : occasion.apiKey === apiKey;
  }
  return account === undefined || occasion.account === account;
}
