import type { FixedWindows, Key, WindowListener } from './rate-limit.ts';

/**
 * Windows of two nodes that begin within this time are the same window. Reports carry a window's age instead of its
 * start, so the nodes' clocks may differ; the remaining error is the transit time of a message.
 */
const SAME_WINDOW_MS = 2000;
/** A node reports at once when it has counted this part of a limit (1/16) since its last report. */
const PROMPT_REPORT_SHIFT = 4;
/** Maximum windows reported per endpoint; the oldest are dropped. */
const MAX_TALLIES = 65_536;

/** The count of another node in a window. Reports are cumulative, so the next one makes up for a lost one. */
interface RemoteCount {
  generation: number;
  count: number;
  startMs: number;
  /** Whether the window is over on this node, though not yet on the other. */
  isOver: boolean;
}

/** The counts of all nodes in one window. */
export interface Tally {
  readonly endpoint: number;
  readonly key: Key;
  /** Differs for each window of this node, and increases. */
  generation: number;
  /** Requests counted by this node. */
  own: number;
  /** The value of `own` in the last report. */
  reported: number;
  startMs: number;
  isDue: boolean;
  others: Map<string, RemoteCount> | undefined;
}

/** A tally as sent to the other nodes. */
export interface WindowReport {
  readonly endpoint: number;
  readonly key: Key;
  readonly generation: number;
  readonly own: number;
  readonly ageMs: number;
}

/**
 * Merges the windows of all nodes: each node counts its own requests and adds those that the others report. Windows
 * that began at different times are merged into the one that began first.
 */
export class SharedWindows implements WindowListener {
  private readonly tallies: Map<Key, Tally>[] = [];
  private generations = 0;
  private due: Tally[] = [];
  private sweep: Iterator<Tally> | undefined;

  /** @param reportSoon Requests that due reports be sent before the next requests are served. */
  constructor(
    private readonly windows: FixedWindows,
    private readonly reportSoon: () => void,
  ) {
    windows.listener = this;
  }

  began(endpoint: number, key: Key, startMs: number, nowMs: number): void {
    this.begin(this.getTally(endpoint, key), startMs, nowMs);
  }

  counted(endpoint: number, key: Key, limit: number, isAllowed: boolean, requests: number): void {
    const tally = this.getTally(endpoint, key);
    tally.own += requests;
    // Above the limit the exact count makes no difference to the other nodes.
    if (tally.reported > limit) return;
    if (!tally.isDue) {
      tally.isDue = true;
      this.due.push(tally);
    }
    if (isAllowed && tally.own - tally.reported >= limit >> PROMPT_REPORT_SHIFT) this.reportSoon();
  }

  /** Takes the reports of windows with requests since their last report. */
  takeDue(nowMs: number): WindowReport[] {
    const due = this.due.filter(({ startMs }) => nowMs - startMs < this.windows.windowMs);
    for (const tally of this.due) tally.isDue = false;
    this.due = [];
    return due.map((tally) => report(tally, nowMs));
  }

  /**
   * Takes reports of a part of all running windows, to repeat what may have been lost, and drops tallies of windows
   * that are over.
   * @param parts Number of calls in which every window has its turn.
   */
  takeSome(nowMs: number, parts: number): WindowReport[] {
    const reports: WindowReport[] = [];
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
      if (ageMs >= 2 * this.windows.windowMs) this.tallies[tally.endpoint]!.delete(tally.key);
      else if (ageMs < this.windows.windowMs && tally.own > 0) reports.push(report(tally, nowMs));
    }
    return reports;
  }

  /** Adds the requests in another node's report that have not been added yet. */
  merge(
    from: string,
    { endpoint, key, generation, own, ageMs }: WindowReport,
    nowMs: number,
  ): void {
    if (ageMs >= this.windows.windowMs) return;
    const startMs = nowMs - ageMs;
    const tally = this.getTally(endpoint, key);
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
    if (this.windows.windowStart(endpoint, key, nowMs) === undefined) {
      this.begin(tally, startMs, nowMs);
      return;
    }
    this.windows.add(endpoint, key, own - counted, startMs, nowMs);
    tally.startMs = Math.min(tally.startMs, startMs);
  }

  /**
   * Begins a window on this node. Other nodes' windows that were merged into the previous one end with it; those that
   * began later are merged into this one.
   */
  private begin(tally: Tally, startMs: number, nowMs: number): void {
    const previousStartMs = tally.startMs;
    tally.generation = ++this.generations;
    tally.own = 0;
    tally.reported = 0;
    tally.startMs = startMs;
    for (const [from, other] of tally.others ?? []) {
      if (nowMs - other.startMs >= 2 * this.windows.windowMs) tally.others!.delete(from);
      else if (other.startMs < previousStartMs + SAME_WINDOW_MS) other.isOver = true;
      if (other.isOver || nowMs - other.startMs >= this.windows.windowMs) continue;
      this.windows.add(tally.endpoint, tally.key, other.count, other.startMs, nowMs);
      tally.startMs = Math.min(tally.startMs, other.startMs);
    }
  }

  private getTally(endpoint: number, key: Key): Tally {
    this.tallies[endpoint] ??= new Map();
    const tallies = this.tallies[endpoint];
    const known = tallies.get(key);
    if (known !== undefined) return known;
    if (tallies.size >= MAX_TALLIES) tallies.delete(tallies.keys().next().value!);
    const tally: Tally = {
      endpoint,
      key,
      generation: ++this.generations,
      own: 0,
      reported: 0,
      startMs: -Infinity,
      isDue: false,
      others: undefined,
    };
    tallies.set(key, tally);
    return tally;
  }

  private *all(): Generator<Tally> {
    for (const tallies of this.tallies) if (tallies !== undefined) yield* tallies.values();
  }
}

function report(tally: Tally, nowMs: number): WindowReport {
  const { endpoint, key, generation, own, startMs } = tally;
  tally.reported = own;
  return { endpoint, key, generation, own, ageMs: Math.max(0, nowMs - startMs) };
}
