/**
 * Fixed windows that count requests (API.md section 3): 60 s from the first request in one, refused
 * requests included. `take` counts a request; the fields then tell what became of it, until the next
 * `take`. Nothing is allocated for a request in a window that has begun.
 */
import type { RateLimitState } from '../http/envelope.ts';

export const WINDOW_MS = 60_000;
/**
 * Windows of addresses kept at most, in each of two generations of some 13 MB. Whoever uses more in
 * a minute may have some forgotten too early, and gains nothing by it: that many windows of 100
 * requests allow more than a process can serve.
 */
const MAX_ADDRESS_WINDOWS = 65_536;

/** `off` counts nothing and allows everything; the latter two are for the sandbox. */
export type RateLimitMode = 'spec' | '10x' | 'off';

/** Hears what windows count, where nodes share their counts. */
export interface WindowListener {
  /** A window begins: what counts in it already may be added. */
  began(endpoint: number, key: Key, startMs: number, nowMs: number): void;
  /** Requests were counted here. @param limit Of their window. */
  counted(endpoint: number, key: Key, limit: number, isAllowed: boolean, requests: number): void;
}

/** Whose window it is: an account's number, or a text. */
export type Key = number | string;

export abstract class FixedWindows implements RateLimitState {
  allowed = true;
  limit = 0;
  remaining = 0;
  resetSeconds = 0;
  /** How long to wait for the next window: whole seconds, rounded up, 1 at least. */
  retryAfterSeconds = 1;
  listener: WindowListener | undefined;
  readonly isOff: boolean;
  private readonly factor: number;

  /** `limits`: requests in a window, by the index of the endpoint. */
  constructor(
    protected readonly limits: readonly number[],
    mode: RateLimitMode,
  ) {
    this.isOff = mode === 'off';
    this.factor = mode === '10x' ? 10 : 1;
  }

  /** When the window began that runs, if one does. */
  abstract startOf(endpoint: number, key: Key, nowMs: number): number | undefined;

  /** Counts requests that were made elsewhere; the earlier start holds. Without a window one begins. */
  abstract add(endpoint: number, key: Key, count: number, startMs: number, nowMs: number): void;

  protected limitOf(endpoint: number, multiplier: number): number {
    return this.limits[endpoint]! * this.factor * multiplier;
  }

  /** Sets the fields for a window in which `count` requests were made, these included. */
  protected conclude(
    endpoint: number,
    multiplier: number,
    count: number,
    startMs: number,
    nowMs: number,
  ): boolean {
    const endMs = startMs + WINDOW_MS;
    this.limit = this.limitOf(endpoint, multiplier);
    this.allowed = count <= this.limit;
    this.remaining = this.allowed ? this.limit - count : 0;
    this.resetSeconds = Math.ceil(endMs / 1000);
    this.retryAfterSeconds = Math.max(1, Math.ceil((endMs - nowMs) / 1000));
    return this.allowed;
  }
}

/** A clock set back by less than a window leaves the window as it is; by more, a new one begins. */
function isOver(startMs: number, nowMs: number): boolean {
  return Math.abs(nowMs - startMs) >= WINDOW_MS;
}

/** Windows by account number and endpoint: 12 bytes each, up to the highest account seen. */
export class AccountWindows extends FixedWindows {
  private counts = new Uint32Array(0);
  private startsMs = new Float64Array(0);

  /** `multiplier`: a whole number, of the account's limit class; `requests`: how many to count. */
  take(
    account: number,
    endpoint: number,
    multiplier: number,
    nowMs: number,
    requests = 1,
  ): boolean {
    if (this.isOff) return this.conclude(endpoint, multiplier, 0, nowMs, nowMs);
    const index = account * this.limits.length + endpoint;
    if (index >= this.counts.length) this.grow((account + 1) * this.limits.length);
    if (this.isFree(index, nowMs)) {
      this.counts[index] = 0;
      this.startsMs[index] = nowMs;
      this.listener?.began(endpoint, account, nowMs, nowMs);
    }
    this.counts[index]! += requests;
    this.conclude(endpoint, multiplier, this.counts[index]!, this.startsMs[index]!, nowMs);
    this.listener?.counted(endpoint, account, this.limit, this.allowed, requests);
    return this.allowed;
  }

  startOf(endpoint: number, account: number, nowMs: number): number | undefined {
    const index = account * this.limits.length + endpoint;
    return index >= this.counts.length || this.isFree(index, nowMs)
      ? undefined
      : this.startsMs[index];
  }

  add(endpoint: number, account: number, count: number, startMs: number, nowMs: number): void {
    const index = account * this.limits.length + endpoint;
    if (index >= this.counts.length) this.grow((account + 1) * this.limits.length);
    const isFree = this.isFree(index, nowMs);
    this.counts[index] = isFree ? count : this.counts[index]! + count;
    this.startsMs[index] = isFree ? startMs : Math.min(this.startsMs[index]!, startMs);
  }

  private isFree(index: number, nowMs: number): boolean {
    return this.counts[index] === 0 || isOver(this.startsMs[index]!, nowMs);
  }

  private grow(needed: number): void {
    const length = Math.max(needed, this.counts.length * 2);
    const counts = new Uint32Array(length);
    counts.set(this.counts);
    this.counts = counts;
    const startsMs = new Float64Array(length);
    startsMs.set(this.startsMs);
    this.startsMs = startsMs;
  }
}

interface Window {
  count: number;
  startMs: number;
}
type Generation = Map<string, Window>[];

/**
 * Windows by address scope, or by the account of a session, and endpoint. They live in two generations: one gathers the windows in
 * use, the other holds those not used since it was the first. Every 60 s the older is dropped: by
 * then all its windows are over. A generation that is full is replaced early, so that a flood of
 * addresses forgets those unseen for longest, which begin anew: better than refusing newcomers,
 * who did nothing.
 */
export class AddressWindows extends FixedWindows {
  private recent: Generation;
  private older: Generation;
  private recentSize = 0;
  private recentSinceMs = 0;

  constructor(
    limits: readonly number[],
    mode: RateLimitMode,
    private readonly capacity = MAX_ADDRESS_WINDOWS,
  ) {
    super(limits, mode);
    this.recent = limits.map(() => new Map());
    this.older = limits.map(() => new Map());
  }

  /** `multiplier`: of an account's limit class, where the scope is one; `requests`: how many to count. */
  take(scope: string, endpoint: number, nowMs: number, multiplier = 1, requests = 1): boolean {
    if (this.isOff) return this.conclude(endpoint, multiplier, 0, nowMs, nowMs);
    const window = this.windowOf(scope, endpoint, nowMs);
    if (window.count === 0 || isOver(window.startMs, nowMs)) {
      window.count = 0;
      window.startMs = nowMs;
      this.listener?.began(endpoint, scope, nowMs, nowMs);
    }
    window.count += requests;
    this.conclude(endpoint, multiplier, window.count, window.startMs, nowMs);
    this.listener?.counted(endpoint, scope, this.limit, this.allowed, requests);
    return this.allowed;
  }

  startOf(endpoint: number, scope: string, nowMs: number): number | undefined {
    return this.runningOf(endpoint, scope, nowMs)?.startMs;
  }

  /** Whether the next request would be refused; counts none. */
  isSpent(endpoint: number, scope: string, nowMs: number): boolean {
    const count = this.runningOf(endpoint, scope, nowMs)?.count ?? 0;
    return !this.isOff && count >= this.limitOf(endpoint, 1);
  }

  add(endpoint: number, scope: string, count: number, startMs: number, nowMs: number): void {
    const window = this.windowOf(scope, endpoint, nowMs);
    const isFree = window.count === 0 || isOver(window.startMs, nowMs);
    window.count = isFree ? count : window.count + count;
    window.startMs = isFree ? startMs : Math.min(window.startMs, startMs);
  }

  private runningOf(endpoint: number, scope: string, nowMs: number): Window | undefined {
    const window = this.recent[endpoint]!.get(scope) ?? this.older[endpoint]!.get(scope);
    return window === undefined || window.count === 0 || isOver(window.startMs, nowMs)
      ? undefined
      : window;
  }

  private windowOf(scope: string, endpoint: number, nowMs: number): Window {
    if (isOver(this.recentSinceMs, nowMs)) this.beginGeneration(nowMs);
    return this.recent[endpoint]!.get(scope) ?? this.adopt(scope, endpoint, nowMs);
  }

  /** Takes a window over from the older generation, or begins one. */
  private adopt(scope: string, endpoint: number, nowMs: number): Window {
    const window = this.older[endpoint]!.get(scope) ?? { count: 0, startMs: nowMs };
    if (this.recentSize === this.capacity) this.beginGeneration(nowMs);
    this.recent[endpoint]!.set(scope, window);
    this.recentSize++;
    return window;
  }

  private beginGeneration(nowMs: number): void {
    this.older = this.recent;
    this.recent = this.limits.map(() => new Map());
    this.recentSize = 0;
    this.recentSinceMs = nowMs;
  }
}
