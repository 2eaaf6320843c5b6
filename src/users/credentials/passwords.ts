import { availableParallelism } from 'node:os';
import { HashingOverloadedError, InvalidInputError } from '../errors.ts';
import { library } from './libraries.ts';

const MIN_CHARACTERS = 12;
const MAX_CHARACTERS = 256;
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
 * Rejects weak passwords by length, not by composition (NIST SP 800-63B): short ones, common ones even with
 * digits or punctuation appended, repetitions, runs such as `abcdef`, and the user's address or the exchange's
 * name with little else. @throws InvalidInputError
 */
export function checkPassword(password: string, email: string, field = 'password'): void {
  const text = normalize(password);
  const characters = [...text].length;
  if (characters < MIN_CHARACTERS || characters > MAX_CHARACTERS) {
    throw new InvalidInputError(
      field,
      'length',
      `A password must have ${MIN_CHARACTERS} to ${MAX_CHARACTERS} characters.`,
    );
  }
  if (isCommon(text.toLowerCase(), email)) {
    const message = 'This password is too common. Use a unique passphrase.';
    throw new InvalidInputError(field, 'notCommon', message);
  }
}

/** Up to eight characters repeated: `aaaaaaaaaaaa`, `abc123abc123`. */
const REPEATED = /^(.{1,8})\1+$/su;
/** Digits and punctuation appended to a word. */
const SUFFIX = /[\p{N}\p{P}\p{S}\s]+$/u;
const EXCHANGE_NAME = 'buttonwood';
/** Shorter names occur in good passwords, too. */
const MIN_NAME_LENGTH = 3;
/** A name with at most this many more characters is not harder to guess than the name. */
const MAX_REST_LENGTH = 5;
/** A password with at most this many runs is too weak. */
const MAX_RUNS = 3;

/** @param text In lower case. */
function isCommon(text: string, email: string): boolean {
  if (text === email || REPEATED.test(text) || countRuns(text) <= MAX_RUNS) return true;
  const common = commonPasswords();
  const isKnown = (word: string) => common.has(word) || common.has(word.replace(SUFFIX, ''));
  if (isKnown(text)) return true;
  const names = [EXCHANGE_NAME, ...email.split('@', 1)].filter(
    ({ length }) => length >= MIN_NAME_LENGTH,
  );
  const rest = names.reduce((left, name) => left.replaceAll(name, ''), text);
  const core = rest.replace(SUFFIX, '');
  return rest !== text && (core.length <= MAX_REST_LENGTH || isKnown(rest));
}

/** Returns the number of runs of equal or adjacent characters: `aaab` and `4321` are one run each. */
function countRuns(text: string): number {
  const codes = [...text].map((character) => character.codePointAt(0)!);
  return codes.filter((code, i) => i === 0 || !continuesRun(codes[i - 1]!, code)).length;
}

function continuesRun(before: number, code: number): boolean {
  const step = Math.abs(code - before);
  // 9 and 0 are adjacent, too.
  return step <= 1 || (step === 9 && isDigit(before) && isDigit(code));
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Common passwords, including short ones, which a suffix makes long enough. */
export const commonPasswords = library((): ReadonlySet<string> => {
  const list: string[] = require('@zxcvbn-ts/language-common/src/passwords.json');
  return new Set(list);
});
