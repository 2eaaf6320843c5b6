import type { FixedWindows, Key, WindowListener } from './rate-limit.ts';
import { WINDOW_MS } from './rate-limit.ts';

/**
 * Windows of two nodes that began within this are one. When they began is told as their age, so the nodes'
 * clocks may differ; what remains is the time that a message took.
 */
const MEET_MS = 2000;
/** A part of its limit (1 of 16) that a node counts without telling the others is told at once. */
const TOLD_AT_ONCE_SHIFT = 4;
/** Windows that this node told of, at most, of one endpoint; those of longest ago are told no more. */
const MAX_TALLIES = 65_536;

/** What another node counts in a window. Cumulative: what was lost is in what is told next. */
interface Other {
  generation: number;
  count: number;
  startMs: number;
  /** Of a window that is over here, and not yet there. */
  isOver: boolean;
}

/** What nodes count in one window. */
export interface Tally {
  readonly endpoint: number;
  readonly key: Key;
  /** Another for each of this node's windows here, higher than all before. */
  generation: number;
  /** Requests that this node counted. */
  own: number;
  told: number;
  startMs: number;
  isDue: boolean;
  others: Map<string, Other> | undefined;
}

/** A tally as it travels. */
export interface WindowReport {
  readonly endpoint: number;
  readonly key: Key;
  readonly generation: number;
  readonly own: number;
  readonly ageMs: number;
}

/**
 * Makes the windows of this node and those of the others one: each counts what it is asked and is told what
 * the others have counted. Windows meet in the one that began first.
 */
export class SharedWindows implements WindowListener {
  private readonly tallies: Map<Key, Tally>[] = [];
  private generations = 0;
  private due: Tally[] = [];
  private sweep: Iterator<Tally> | undefined;

  /** @param tellSoon Asks to tell the others of what is due before anything else is done. */
  constructor(
    private readonly windows: FixedWindows,
    private readonly tellSoon: () => void,
  ) {
    windows.listener = this;
  }

  began(endpoint: number, key: Key, startMs: number, nowMs: number): void {
    this.begin(this.tallyOf(endpoint, key), startMs, nowMs);
  }

  counted(endpoint: number, key: Key, limit: number, isAllowed: boolean, requests: number): void {
    const tally = this.tallyOf(endpoint, key);
    tally.own += requests;
    // Where the others know of more than the limit they need to know no more.
    if (tally.told > limit) return;
    if (!tally.isDue) {
      tally.isDue = true;
      this.due.push(tally);
    }
    if (isAllowed && tally.own - tally.told >= limit >> TOLD_AT_ONCE_SHIFT) this.tellSoon();
  }

  /** Takes what is to be told: windows in which something was counted since it was last told. */
  takeDue(nowMs: number): WindowReport[] {
    const due = this.due.filter(({ startMs }) => nowMs - startMs < WINDOW_MS);
    for (const tally of this.due) tally.isDue = false;
    this.due = [];
    return due.map((tally) => tell(tally, nowMs));
  }

  /**
   * A part of all windows that run, to be told again: what was lost is made good by it. Forgets others.
   * @param parts In how many calls all have their turn.
   */
  takeSome(nowMs: number, parts: number): WindowReport[] {
    const told: WindowReport[] = [];
    const size = this.tallies.reduce((sum, each) => sum + (each?.size ?? 0), 0);
    for (let left = Math.ceil(size / parts); left > 0; left--) {
      this.sweep ??= this.all();
      const { value, done } = this.sweep.next();
      if (done) {
        this.sweep = undefined;
        break;
      }
      const tally = value as Tally;
      const ageMs = Math.abs(nowMs - tally.startMs);
      if (ageMs >= 2 * WINDOW_MS) this.tallies[tally.endpoint]!.delete(tally.key);
      else if (ageMs < WINDOW_MS && tally.own > 0) told.push(tell(tally, nowMs));
    }
    return told;
  }

  /** Counts what another node has told. */
  merge(
    from: string,
    { endpoint, key, generation, own, ageMs }: WindowReport,
    nowMs: number,
  ): void {
    if (ageMs >= WINDOW_MS) return;
    const startMs = nowMs - ageMs;
    const tally = this.tallyOf(endpoint, key);
    tally.others ??= new Map();
    let other = tally.others.get(from);
    const counted = other?.generation === generation ? other.count : 0;
    if (other === undefined || other.generation < generation) {
      other = { generation, count: 0, startMs, isOver: false };
      tally.others.set(from, other);
    }
    if (other.generation > generation || other.isOver || own <= counted) return;
    other.count = own;
    other.startMs = Math.min(other.startMs, startMs);
    if (this.windows.startOf(endpoint, key, nowMs) === undefined) {
      this.begin(tally, startMs, nowMs);
      return;
    }
    this.windows.add(endpoint, key, own - counted, startMs, nowMs);
    tally.startMs = Math.min(tally.startMs, startMs);
  }

  /**
   * A window begins here. Windows of others that met in the one before are over with it; those that began
   * since then count in this one.
   */
  private begin(tally: Tally, startMs: number, nowMs: number): void {
    const endedMs = tally.startMs;
    tally.generation = ++this.generations;
    tally.own = 0;
    tally.told = 0;
    tally.startMs = startMs;
    for (const [from, other] of tally.others ?? []) {
      if (nowMs - other.startMs >= 2 * WINDOW_MS) tally.others!.delete(from);
      else if (other.startMs < endedMs + MEET_MS) other.isOver = true;
      if (other.isOver || nowMs - other.startMs >= WINDOW_MS) continue;
      this.windows.add(tally.endpoint, tally.key, other.count, other.startMs, nowMs);
      tally.startMs = Math.min(tally.startMs, other.startMs);
    }
  }

  private tallyOf(endpoint: number, key: Key): Tally {
    this.tallies[endpoint] ??= new Map();
    const tallies = this.tallies[endpoint];
    const known = tallies.get(key);
    if (known !== undefined) return known;
    if (tallies.size >= MAX_TALLIES) tallies.delete(tallies.keys().next().value!);
    const tally: Tally = {
      ...{ endpoint, key, generation: ++this.generations, own: 0, told: 0 },
      ...{ startMs: -Infinity, isDue: false, others: undefined },
    };
    tallies.set(key, tally);
    return tally;
  }

  private *all(): Generator<Tally> {
    for (const tallies of this.tallies) if (tallies !== undefined) yield* tallies.values();
  }
}

function tell(tally: Tally, nowMs: number): WindowReport {
  const { endpoint, key, generation, own, startMs } = tally;
  tally.told = own;
  return { endpoint, key, generation, own, ageMs: Math.max(0, nowMs - startMs) };
}
