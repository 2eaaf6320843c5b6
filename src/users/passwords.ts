import { availableParallelism } from 'node:os';
import { HashingOverloadedError, InvalidInputError } from './errors.ts';
import { library } from './libraries.ts';

const MIN_CHARACTERS = 12;
const MAX_CHARACTERS = 256;
/** OWASP's second choice of equal ones for argon2id: 19 MiB, two passes. */
const COST: Cost = { memoryCost: 19_456, timeCost: 2 };
/** Hashes at a time: orders come first on this machine. */
const MAX_AT_ONCE = Math.max(1, availableParallelism() >> 2);
/** Beyond so many the last would wait for seconds. */
const MAX_WAITING = 32;
/** Of one address, or one person who is signed in. */
const MAX_WAITING_PER_GROUP = 2;

export interface Cost {
  /** KiB. */
  readonly memoryCost: number;
  readonly timeCost: number;
}

/**
 * Hashes and checks passwords with argon2id, off this thread. A few at a time: a flood of sign-ins is
 * refused, for it must take neither the machine's memory nor its processors. Whoever asks is of a group,
 * an address or a person: groups take turns, and the flood of one refuses and delays itself.
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

  /** With '' for a hash, of whom there is not, it is false after the same work. @throws HashingOverloadedError */
  verify(password: string, hash: string, group: string): Promise<boolean> {
    return this.inTurn(group, async () => {
      const isRight = await Bun.password.verify(normal(password), hash || nobodys(this.cost));
      return isRight && hash !== '';
    });
  }

  private hashNow(password: string): Promise<string> {
    return Bun.password.hash(normal(password), { algorithm: 'argon2id', ...this.cost });
  }

  private async inTurn<Result>(group: string, work: () => Promise<Result>): Promise<Result> {
    // Whoever ends hands its turn over.
    if (this.running >= MAX_AT_ONCE) await this.turnOf(group);
    else this.running++;
    try {
      return await work();
    } finally {
      const next = this.next();
      if (next === undefined) this.running--;
      else next();
    }
  }

  private turnOf(group: string): Promise<void> {
    const own = this.waiting.get(group) ?? [];
    if (own.length >= MAX_WAITING_PER_GROUP || this.waitingCount >= MAX_WAITING) {
      throw new HashingOverloadedError();
    }
    this.waitingCount++;
    this.waiting.set(group, own);
    return new Promise<void>((resolve) => own.push(resolve));
  }

  /** The first of the group whose turn it is; the group goes to the end. */
  private next(): (() => void) | undefined {
    const [first] = this.waiting;
    if (first === undefined) return undefined;
    const [group, own] = first;
    const next = own.shift()!;
    this.waitingCount--;
    this.waiting.delete(group);
    if (own.length > 0) this.waiting.set(group, own);
    return next;
  }
}

/** A hash in the form of all others, which takes as long to check: of no password that anybody knows. */
function nobodys({ memoryCost, timeCost }: Cost): string {
  const bytes = 'A'.repeat(43);
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=1$${bytes}$${bytes}`;
}

/** The same characters typed on another keyboard are the same password (NIST SP 800-63B). */
function normal(password: string): string {
  return password.normalize('NFKC');
}

/**
 * Length counts, composition does not (NIST SP 800-63B): refused are what is short, what many use with
 * or without digits and signs behind it, what repeats itself or goes on like the alphabet, and one's own
 * address or the exchange's name with little else. @throws InvalidInputError
 */
export function checkPassword(password: string, email: string, field = 'password'): void {
  const text = normal(password);
  const characters = [...text].length;
  if (characters < MIN_CHARACTERS || characters > MAX_CHARACTERS) {
    throw new InvalidInputError(
      field,
      'length',
      `Choose a password of ${MIN_CHARACTERS} to ${MAX_CHARACTERS} characters.`,
    );
  }
  if (isCommon(text.toLowerCase(), email)) {
    const message = 'Choose another password: this one is among the first that anybody would try.';
    throw new InvalidInputError(field, 'notCommon', message);
  }
}

/** A few characters over and over: `aaaaaaaaaaaa`, `abc123abc123`. */
const REPEATED = /^(.{1,8})\1+$/su;
/** What is put behind a word to make it longer. */
const TAIL = /[\p{N}\p{P}\p{S}\s]+$/u;
const EXCHANGE = 'buttonwood';
/** A name of two letters is in many a good password. */
const MIN_NAME = 3;
/** So much beside a name is little: it takes no longer to guess. */
const LITTLE = 5;
/** Characters that do not go on with a run of others: as few are runs and no more. */
const FEW_FRESH = 3;

/** @param text In small letters. */
function isCommon(text: string, email: string): boolean {
  if (text === email || REPEATED.test(text) || freshOf(text) <= FEW_FRESH) return true;
  const common = commonPasswords();
  const isKnown = (word: string) => common.has(word) || common.has(word.replace(TAIL, ''));
  if (isKnown(text)) return true;
  const names = [EXCHANGE, ...email.split('@', 1)].filter(({ length }) => length >= MIN_NAME);
  const rest = names.reduce((left, name) => left.replaceAll(name, ''), text);
  const core = rest.replace(TAIL, '');
  return rest !== text && (core.length <= LITTLE || isKnown(rest));
}

/** How many characters neither repeat the one before nor are its neighbour: `aaab` and `4321` have one. */
function freshOf(text: string): number {
  const codes = [...text].map((character) => character.codePointAt(0)!);
  return codes.filter((code, i) => i === 0 || !goesOn(codes[i - 1]!, code)).length;
}

function goesOn(before: number, code: number): boolean {
  const step = Math.abs(code - before);
  // After 9 comes 0.
  return step <= 1 || (step === 9 && isDigit(before) && isDigit(code));
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** The whole list, for short ones are made long by a tail. */
export const commonPasswords = library((): ReadonlySet<string> => {
  const list: string[] = require('@zxcvbn-ts/language-common/src/passwords.json');
  return new Set(list);
});
