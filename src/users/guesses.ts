import type { Bus } from '../cluster/bus/bus.ts';
import { GuessesSlowedError } from './errors.ts';

/** What wrong guesses are counted under, and how many of them cost no wait. */
export interface Suspect {
  readonly name: string;
  readonly free: number;
}

interface Count {
  wrong: number;
  lastMs: number;
}

const LONGEST_WAIT_MS = 15 * 60_000;
/** After so long without a wrong guess all is forgotten. */
const FORGET_MS = 24 * 3_600_000;
/** Of each of two generations; a flood of names pushes out those unseen for longest. */
const MAX_COUNTS = 32_768;
const TOPIC = 'guesses';

/**
 * Slows guessing, and locks nobody out. Guesses at a sign-in are counted by the account together with
 * the address they come from, by the account alone, and by the address alone; each has some for free,
 * then every wrong one doubles the wait, up to 15 minutes. The account's own count would let a stranger
 * with many addresses keep its owner waiting: so a browser that has signed in before is counted by
 * itself instead (`known`), and no guess of others slows it. The owner at a new browser, while someone
 * attacks, gets in by a link to the e-mail address.
 *
 * Names of accounts are e-mail addresses, known or not: the wait tells nothing. All this is forgotten
 * when the node restarts, which no guesser can bring about. Nodes tell each other what they count.
 */
export const suspects = {
  known: (device: string): readonly Suspect[] => [{ name: `device ${device}`, free: 10 }],
  unknown: (email: string, address: string): readonly Suspect[] => [
    { name: `pair ${address} ${email}`, free: 5 },
    { name: `email ${email}`, free: 20 },
    ...wide('address', address),
  ],
  /** Who is signed in and is asked for the password again. */
  session: (session: string): readonly Suspect[] => [{ name: `session ${session}`, free: 5 }],
  /** Passkeys cannot be guessed: this only bounds the work. */
  passkey: (address: string): readonly Suspect[] => wide('passkey', address),
};

/** Where a guess comes from: its address and, of IPv6, the /48 that one customer may have whole. */
function wide(what: string, address: string): Suspect[] {
  const own = { name: `${what} ${address}`, free: 50 };
  const network = networkOf(address);
  return network === address ? [own] : [own, { name: `${what} ${network}`, free: 100 }];
}

/** The /48 of an IPv6 /64 as addresses are counted by, `20010db8:10001::/64`; else the address itself. */
export function networkOf(scope: string): string {
  const [, high, low] = /^([0-9a-f]+):([0-9a-f]+)::\/64$/.exec(scope) ?? [];
  if (low === undefined) return scope;
  return `${high}:${(Number.parseInt(low, 16) >>> 16).toString(16)}::/48`;
}

export class Guesses {
  private recent = new Map<string, Count>();
  private older = new Map<string, Count>();

  /** @param now Of this node: when others counted a guess is when it is heard. */
  constructor(
    private readonly bus?: Bus,
    now: () => number = Date.now,
  ) {
    bus?.subscribe(TOPIC, (bytes) => {
      const [what, ...names] = JSON.parse(new TextDecoder().decode(bytes)) as string[];
      if (what === 'begin') this.count(names, now());
      else if (what === 'takeBack') this.uncount(names);
      else if (what === 'clear') this.forget(names[0]!);
    });
  }

  /**
   * Counts a guess as wrong before it is looked at, so that many at once are no way around.
   * @throws GuessesSlowedError where one of the suspects has to wait; then nothing is counted.
   */
  begin(all: readonly Suspect[], nowMs: number): void {
    let untilMs = 0;
    for (const { name, free } of all) {
      const count = this.find(name, nowMs);
      if (count !== undefined)
        untilMs = Math.max(untilMs, count.lastMs + waitMs(count.wrong, free));
    }
    if (untilMs > nowMs) throw new GuessesSlowedError(Math.ceil((untilMs - nowMs) / 1000));
    const names = namesOf(all);
    this.count(names, nowMs);
    this.tell('begin', names);
  }

  /** The guess was not wrong, or not looked at. A count of none takes nobody's place. */
  takeBack(all: readonly Suspect[]): void {
    const names = namesOf(all);
    this.uncount(names);
    this.tell('takeBack', names);
  }

  /** The guess was right: the first of the suspects, the narrowest, starts anew. */
  clear(all: readonly Suspect[]): void {
    this.takeBack(all);
    const { name } = all[0]!;
    this.forget(name);
    this.tell('clear', [name]);
  }

  private tell(what: 'begin' | 'takeBack' | 'clear', names: readonly string[]): void {
    this.bus?.publish(TOPIC, new TextEncoder().encode(JSON.stringify([what, ...names])));
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

function namesOf(all: readonly Suspect[]): string[] {
  return all.map(({ name }) => name);
}

/** None for the free ones, then 1 s, 2 s, 4 s and so on. */
function waitMs(wrong: number, free: number): number {
  return wrong < free ? 0 : Math.min(LONGEST_WAIT_MS, 1000 * 2 ** Math.min(20, wrong - free));
}
