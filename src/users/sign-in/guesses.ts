import type { Bus } from '../../cluster/bus/bus.ts';
import { DAY_MS } from '../../config/durations.ts';
import { GuessesSlowedError } from '../errors.ts';

/** A counter of wrong guesses. */
export interface GuessCounter {
  readonly name: string;
  /** Number of wrong guesses without a wait. */
  readonly free: number;
}

interface Count {
  wrong: number;
  lastMs: number;
}

const MAX_WAIT_MS = 15 * 60_000;
/** A count restarts at zero after this long without a wrong guess. */
const FORGET_MS = DAY_MS;
/** Maximum counts in each of two generations; beyond, the least recently used are dropped. */
const MAX_COUNTS = 32_768;
const TOPIC = 'guesses';

/**
 * Counters that slow down guessing without locking anyone out. Sign-in guesses are counted by email address
 * together with network address, by email address, and by network address. Each counter has some free
 * guesses; then every wrong one doubles the wait, up to 15 minutes. An attacker with many addresses could
 * use the email counter to keep the owner waiting, so a browser that has signed in before has its own
 * counter (`known`). In a new browser, the owner can use a password reset by mail during an attack.
 *
 * Email addresses are counted whether they exist or not, so that the wait reveals nothing. Counts are in
 * memory, are shared by the nodes, and are lost at a restart, which an attacker cannot cause.
 */
export const guessCounters = {
  known: (device: string): readonly GuessCounter[] => [{ name: `device ${device}`, free: 10 }],
  unknown: (email: string, address: string): readonly GuessCounter[] => [
    { name: `pair ${address} ${email}`, free: 5 },
    { name: `email ${email}`, free: 20 },
    ...addressCounters('address', address),
  ],
  /** Counter for a signed-in user who confirms their identity again. */
  session: (session: string): readonly GuessCounter[] => [{ name: `session ${session}`, free: 5 }],
  /** Passkeys cannot be guessed: this only limits the work. */
  passkey: (address: string): readonly GuessCounter[] => addressCounters('passkey', address),
};

/** Returns counters for an address and, for IPv6, its /48, which may belong to one customer. */
function addressCounters(kind: string, address: string): GuessCounter[] {
  const own = { name: `${kind} ${address}`, free: 50 };
  const network = toNetwork(address);
  return network === address ? [own] : [own, { name: `${kind} ${network}`, free: 100 }];
}

/** Returns the /48 of an IPv6 /64 scope such as `20010db8:10001::/64`, or any other scope unchanged. */
export function toNetwork(scope: string): string {
  const [, high, low] = /^([0-9a-f]+):([0-9a-f]+)::\/64$/.exec(scope) ?? [];
  if (low === undefined) return scope;
  return `${high}:${(Number.parseInt(low, 16) >>> 16).toString(16)}::/48`;
}

/** Counts guesses and makes clients wait. Publishes its counts to the other nodes. */
export class Guesses {
  private recent = new Map<string, Count>();
  private older = new Map<string, Count>();

  /** @param now This node's clock, also for the guesses that other nodes publish. */
  constructor(
    private readonly bus?: Bus,
    now: () => number = Date.now,
  ) {
    bus?.subscribe(TOPIC, (bytes) => {
      const [operation, ...names] = JSON.parse(new TextDecoder().decode(bytes)) as string[];
      if (operation === 'begin') this.count(names, now());
      else if (operation === 'takeBack') this.uncount(names);
      else if (operation === 'clear') this.forget(names[0]!);
    });
  }

  /**
   * Counts a guess as wrong before it is checked, so that concurrent guesses cannot bypass the limit.
   * @throws GuessesSlowedError if one of the counters requires a wait; then nothing is counted
   */
  begin(counters: readonly GuessCounter[], nowMs: number): void {
    let untilMs = 0;
    for (const { name, free } of counters) {
      const count = this.find(name, nowMs);
      if (count !== undefined)
        untilMs = Math.max(untilMs, count.lastMs + waitMs(count.wrong, free));
    }
    if (untilMs > nowMs) throw new GuessesSlowedError(Math.ceil((untilMs - nowMs) / 1000));
    const names = counterNames(counters);
    this.count(names, nowMs);
    this.publish('begin', names);
  }

  /** Uncounts a guess that was right or was not checked. A count of zero is deleted to free its place. */
  retract(counters: readonly GuessCounter[]): void {
    const names = counterNames(counters);
    this.uncount(names);
    this.publish('takeBack', names);
  }

  /** Uncounts a right guess and resets the first, narrowest counter. */
  clear(counters: readonly GuessCounter[]): void {
    this.retract(counters);
    const { name } = counters[0]!;
    this.forget(name);
    this.publish('clear', [name]);
  }

  private publish(operation: 'begin' | 'takeBack' | 'clear', names: readonly string[]): void {
    this.bus?.publish(TOPIC, new TextEncoder().encode(JSON.stringify([operation, ...names])));
  }

  private count(names: readonly string[], nowMs: number): void {
    for (const name of names) {
      const count = this.find(name, nowMs) ?? this.add(name, nowMs);
      count.wrong++;
      count.lastMs = nowMs;
    }
  }

  private uncount(names: readonly string[]): void {
    for (const name of names) {
      const count = this.recent.get(name) ?? this.older.get(name);
      if (count === undefined) continue;
      count.wrong = Math.max(0, count.wrong - 1);
      if (count.wrong === 0) this.forget(name);
    }
  }

  private forget(name: string): void {
    this.recent.delete(name);
    this.older.delete(name);
  }

  private find(name: string, nowMs: number): Count | undefined {
    let count = this.recent.get(name);
    if (count === undefined) {
      count = this.older.get(name);
      if (count === undefined) return undefined;
      this.older.delete(name);
      this.keep(name, count);
    }
    if (nowMs - count.lastMs >= FORGET_MS) count.wrong = 0;
    return count;
  }

  private add(name: string, nowMs: number): Count {
    const count = { wrong: 0, lastMs: nowMs };
    this.keep(name, count);
    return count;
  }

  private keep(name: string, count: Count): void {
    if (this.recent.size >= MAX_COUNTS) {
      this.older = this.recent;
      this.recent = new Map();
    }
    this.recent.set(name, count);
  }
}

function counterNames(counters: readonly GuessCounter[]): string[] {
  return counters.map(({ name }) => name);
}

/** Returns no wait for free guesses, then 1 s, 2 s, 4 s and so on. */
function waitMs(wrong: number, free: number): number {
  return wrong < free ? 0 : Math.min(MAX_WAIT_MS, 1000 * 2 ** Math.min(20, wrong - free));
}
