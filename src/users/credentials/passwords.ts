import { availableParallelism } from 'node:os';
import { HashingOverloadedError, InvalidInputError } from '../errors.ts';
import { library } from './libraries.ts';

const MIN_CHARACTERS = 12;
const MAX_CHARACTERS = 256;
/** zxcvbn's score for 10^10 guesses. Score 3 accepts a common word with a year. */
const MIN_SCORE = 4;
/** Rating all 256 characters can take a second, the first 48 take some milliseconds. */
const RATED_CHARACTERS = 48;
/** zxcvbn's default of 100 makes the rating take five times as long. */
const MAX_SUBSTITUTIONS = 10;
/** One of OWASP's recommended settings for argon2id: 19 MiB, two passes. */
const COST: Cost = { memoryCost: 19_456, timeCost: 2 };
/** Maximum concurrent hashes: orders have priority on this machine. */
const MAX_CONCURRENT = Math.max(1, availableParallelism() >> 2);
/** Maximum waiting hashes: with more, the last one would wait for seconds. */
const MAX_WAITING = 32;
/** Maximum waiting hashes of one address, or of one signed-in user. */
const MAX_WAITING_PER_GROUP = 2;

export interface Cost {
  /** KiB. */
  readonly memoryCost: number;
  readonly timeCost: number;
}

/**
 * Hashes and checks passwords with argon2id, off this thread. Only a few run and wait at a time, so that a
 * flood of sign-ins cannot use up memory or processors. Requests are grouped by address or user: groups take
 * turns, so that a flood delays only its own group.
 */
export class Passwords {
  private running = 0;
  /** Groups in the order of their turns, none of them empty. */
  private readonly waiting = new Map<string, (() => void)[]>();
  private waitingCount = 0;
  constructor(private readonly cost = COST) {}

  /** @throws HashingOverloadedError */
  hash(password: string, group: string): Promise<string> {
    return this.inTurn(group, () => this.hashNow(password));
  }

  /**
   * Returns whether the password has this hash. The hash '' of an unknown user takes the same work.
   * @throws HashingOverloadedError
   */
  verify(password: string, hash: string, group: string): Promise<boolean> {
    return this.inTurn(group, async () => {
      const isCorrect = await Bun.password.verify(
        normalize(password),
        hash || unmatchableHash(this.cost),
      );
      return isCorrect && hash !== '';
    });
  }

  private hashNow(password: string): Promise<string> {
    return Bun.password.hash(normalize(password), { algorithm: 'argon2id', ...this.cost });
  }

  private async inTurn<Result>(group: string, work: () => Promise<Result>): Promise<Result> {
    // A finished hash hands its turn over, without changing `running`.
    if (this.running >= MAX_CONCURRENT) await this.waitForTurn(group);
    else this.running++;
    try {
      return await work();
    } finally {
      const next = this.next();
      if (next === undefined) this.running--;
      else next();
    }
  }

  private waitForTurn(group: string): Promise<void> {
    const queue = this.waiting.get(group) ?? [];
    if (queue.length >= MAX_WAITING_PER_GROUP || this.waitingCount >= MAX_WAITING) {
      throw new HashingOverloadedError();
    }
    this.waitingCount++;
    this.waiting.set(group, queue);
    return new Promise<void>((resolve) => queue.push(resolve));
  }

  /** Removes the first waiter of the first group, and moves the group to the end. */
  private next(): (() => void) | undefined {
    const [first] = this.waiting;
    if (first === undefined) return undefined;
    const [group, queue] = first;
    const next = queue.shift()!;
    this.waitingCount--;
    this.waiting.delete(group);
    if (queue.length > 0) this.waiting.set(group, queue);
    return next;
  }
}

/** Returns a hash that no known password has and that takes as long to check as any other. */
function unmatchableHash({ memoryCost, timeCost }: Cost): string {
  const bytes = 'A'.repeat(43);
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=1$${bytes}$${bytes}`;
}

/** Makes the same characters typed on different keyboards equal (NIST SP 800-63B). */
function normalize(password: string): string {
  return password.normalize('NFKC');
}

/**
 * Rejects passwords by length and by the number of guesses that they need, not by composition (NIST SP 800-63B).
 * Common passwords, the user's address and the exchange's name are guessed first. @throws InvalidInputError
 */
export function checkPassword(password: string, email: string, field = 'password'): void {
  const text = normalize(password);
  const characters = [...text];
  if (characters.length < MIN_CHARACTERS || characters.length > MAX_CHARACTERS) {
    throw new InvalidInputError(
      field,
      'length',
      `A password must have ${MIN_CHARACTERS} to ${MAX_CHARACTERS} characters.`,
    );
  }
  const start = characters.slice(0, RATED_CHARACTERS).join('');
  const parts = [...email.split('@'), ...email.split(/[^\p{L}\p{N}]+/u)];
  const known = ['buttonwood', email, ...parts].filter(Boolean);
  if (strength().check(start, known).score < MIN_SCORE) {
    const message = 'This password is too common. Use a unique passphrase.';
    throw new InvalidInputError(field, 'notCommon', message);
  }
}

/** Rates passwords by an estimate of the guesses that they need. */
export const strength = library(() => {
  const core = require('@zxcvbn-ts/core') as typeof import('@zxcvbn-ts/core');
  const { adjacencyGraphs, dictionary } =
    require('@zxcvbn-ts/language-common') as typeof import('@zxcvbn-ts/language-common');
  return new core.ZxcvbnFactory({
    dictionary,
    graphs: adjacencyGraphs,
    l33tMaxSubstitutions: MAX_SUBSTITUTIONS,
  });
});
