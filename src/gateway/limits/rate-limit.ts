/**
 * Fixed windows that count requests. A window lasts 60 s, or another time, from its first request and counts rejected requests too.
 * `take` counts a request and leaves the result in the fields until the next `take`, so that a request in a running
 * window allocates nothing.
 */
import type { RateLimitState } from '../http/response/envelope.ts';

export const WINDOW_MS = 60_000;
/**
 * Maximum windows per generation, of two, each about 13 MB. A client with more addresses than this can make windows
 * expire early, but gains nothing: this many windows of 100 requests already allow more than a process can serve.
 */
const MAX_ADDRESS_WINDOWS = 65_536;

/** `spec` has the documented limits, `10x` ten times these; `off` allows everything. The last two are for the sandbox. */
export type RateLimitMode = 'spec' | '10x' | 'off';

/** Notified of counts, to share them with other nodes. */
export interface WindowListener {
  /** A window begins. The listener may add counts of other nodes to it. */
  began(endpoint: number, key: Key, startMs: number, nowMs: number): void;
  /** Requests were counted on this node. @param limit The limit of their window. */
  counted(endpoint: number, key: Key, limit: number, isAllowed: boolean, requests: number): void;
}

/** The owner of a window: the index of an account, or an address scope or account id. */
export type Key = number | string;

/** The limit of an endpoint for an account. */
export interface EndpointLimit {
  readonly method: string;
  readonly path: string;
  /** Maximum requests per window; undefined if limits are off. */
  readonly limit: number | undefined;
}

export abstract class FixedWindows implements RateLimitState {
  allowed = true;
  limit = 0;
  remaining = 0;
  resetSeconds = 0;
  /** Time until the next window: whole seconds, rounded up, at least 1. */
  retryAfterSeconds = 1;
  listener: WindowListener | undefined;
  readonly isOff: boolean;
  private readonly factor: number;

  /** @param limits Maximum requests per window, by the index of the endpoint. */
  constructor(
    protected readonly limits: readonly number[],
    mode: RateLimitMode,
    readonly windowMs = WINDOW_MS,
  ) {
    this.isOff = mode === 'off';
    this.factor = mode === '10x' ? 10 : 1;
  }

  /** The limit of the first endpoint's windows, without a multiplier. */
  get maximum(): number {
    return this.scaledLimit(0, 1);
  }

  /** Returns the start of the running window, undefined if there is none. */
  abstract windowStart(endpoint: number, key: Key, nowMs: number): number | undefined;

  /** Adds requests counted by other nodes. The earlier start applies; without a running window one begins. */
  abstract add(endpoint: number, key: Key, count: number, startMs: number, nowMs: number): void;

  /** Returns the maximum requests per window of an endpoint. @param multiplier The limit class of the account. */
  scaledLimit(endpoint: number, multiplier: number): number {
    return this.limits[endpoint]! * this.factor * multiplier;
  }

  /** Sets the fields for a window with `count` requests, the current ones included. */
  protected setResult(
    endpoint: number,
    multiplier: number,
    count: number,
    startMs: number,
    nowMs: number,
  ): boolean {
    const endMs = startMs + this.windowMs;
    this.limit = this.scaledLimit(endpoint, multiplier);
    this.allowed = count <= this.limit;
    this.remaining = this.allowed ? this.limit - count : 0;
    this.resetSeconds = Math.ceil(endMs / 1000);
    this.retryAfterSeconds = Math.max(1, Math.ceil((endMs - nowMs) / 1000));
    return this.allowed;
  }

  /** Absolute, so that a clock set back by more than a window begins a new one. */
  protected isOver(startMs: number, nowMs: number): boolean {
    return Math.abs(nowMs - startMs) >= this.windowMs;
  }
}

/** Windows by account index and endpoint: 12 bytes each, up to the highest account index seen. */
export class AccountWindows extends FixedWindows {
  private counts = new Uint32Array(0);
  private startsMs = new Float64Array(0);

  /**
   * Counts requests.
   * @param multiplier The limit class of the account, an integer.
   * @returns Whether they are allowed.
   */
  take(
    account: number,
    endpoint: number,
    multiplier: number,
    nowMs: number,
    requests = 1,
  ): boolean {
    if (this.isOff) return this.setResult(endpoint, multiplier, 0, nowMs, nowMs);
    const index = account * this.limits.length + endpoint;
    if (index >= this.counts.length) this.grow((account + 1) * this.limits.length);
    if (this.isFree(index, nowMs)) {
      this.counts[index] = 0;
      this.startsMs[index] = nowMs;
      this.listener?.began(endpoint, account, nowMs, nowMs);
    }
    this.counts[index]! += requests;
    this.setResult(endpoint, multiplier, this.counts[index]!, this.startsMs[index]!, nowMs);
    this.listener?.counted(endpoint, account, this.limit, this.allowed, requests);
    return this.allowed;
  }

  /** Returns whether the next request would be rejected, without counting one. */
  isExhausted(account: number, endpoint: number, multiplier: number, nowMs: number): boolean {
    const index = account * this.limits.length + endpoint;
    if (this.isOff || index >= this.counts.length || this.isFree(index, nowMs)) return false;
    return this.counts[index]! >= this.scaledLimit(endpoint, multiplier);
  }

  windowStart(endpoint: number, account: number, nowMs: number): number | undefined {
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
    return this.counts[index] === 0 || this.isOver(this.startsMs[index]!, nowMs);
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
 * Windows by endpoint and address scope, or account id of a session. There are two generations: the recent one has
 * the windows in use, the older one those not used since the last replacement. Every 60 s the older one, whose windows
 * are all over, is dropped and the recent one takes its place. A full generation is replaced early: a flood of
 * addresses then resets the windows of addresses not seen for the longest time, rather than rejecting new ones.
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

  /**
   * Counts requests.
   * @param multiplier The limit class of an account; 1 for an address.
   * @returns Whether they are allowed.
   */
  take(scope: string, endpoint: number, nowMs: number, multiplier = 1, requests = 1): boolean {
    if (this.isOff) return this.setResult(endpoint, multiplier, 0, nowMs, nowMs);
    const window = this.getWindow(scope, endpoint, nowMs);
    if (window.count === 0 || this.isOver(window.startMs, nowMs)) {
      window.count = 0;
      window.startMs = nowMs;
      this.listener?.began(endpoint, scope, nowMs, nowMs);
    }
    window.count += requests;
    this.setResult(endpoint, multiplier, window.count, window.startMs, nowMs);
    this.listener?.counted(endpoint, scope, this.limit, this.allowed, requests);
    return this.allowed;
  }

  windowStart(endpoint: number, scope: string, nowMs: number): number | undefined {
    return this.findRunning(endpoint, scope, nowMs)?.startMs;
  }

  /** Returns whether the next request would be rejected, without counting one. */
  isExhausted(endpoint: number, scope: string, nowMs: number): boolean {
    const count = this.findRunning(endpoint, scope, nowMs)?.count ?? 0;
    return !this.isOff && count >= this.scaledLimit(endpoint, 1);
  }

  add(endpoint: number, scope: string, count: number, startMs: number, nowMs: number): void {
    const window = this.getWindow(scope, endpoint, nowMs);
    const isFree = window.count === 0 || this.isOver(window.startMs, nowMs);
    window.count = isFree ? count : window.count + count;
    window.startMs = isFree ? startMs : Math.min(window.startMs, startMs);
  }

  private findRunning(endpoint: number, scope: string, nowMs: number): Window | undefined {
    const window = this.recent[endpoint]!.get(scope) ?? this.older[endpoint]!.get(scope);
    return window === undefined || window.count === 0 || this.isOver(window.startMs, nowMs)
      ? undefined
      : window;
  }

  private getWindow(scope: string, endpoint: number, nowMs: number): Window {
    if (this.isOver(this.recentSinceMs, nowMs)) this.beginGeneration(nowMs);
    return this.recent[endpoint]!.get(scope) ?? this.promote(scope, endpoint, nowMs);
  }

  /** Moves a window from the older generation to the recent one, or creates it. */
  private promote(scope: string, endpoint: number, nowMs: number): Window {
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
