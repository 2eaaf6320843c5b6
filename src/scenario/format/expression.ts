import Big from 'big.js';
import { unknownName } from './problems.ts';

/**
 * Exact comparisons of sums and products, such as `bot.BTC + maker.BTC == 20`.
 *
 *   comparison = sum ("==" | "!=" | "<=" | ">=" | "<" | ">") sum
 *   sum = product { ("+" | "-") product }
 *   product = value { "*" value }
 *   value = number | name | "-" value | "(" sum ")"
 *   name = ACCOUNT "." ASSET [".available" | ".held"] | SYMBOL ".last"
 *
 * There is no division, because its results are not exact.
 */
export interface Expression {
  /** Names whose values it needs. */
  readonly names: readonly string[];
  readonly evaluate: (value: (name: string) => Big) => Evaluated;
}

export interface Evaluated {
  readonly holds: boolean;
  readonly left: Big;
  readonly operator: string;
  readonly right: Big;
}

export interface KnownNames {
  readonly accounts: readonly string[];
  readonly symbols: readonly string[];
  readonly assets: readonly string[];
}

type Term = (value: (name: string) => Big) => Big;

const TOKEN =
  /\s*(==|!=|<=|>=|[<>+\-*()]|\d+(?:\.\d+)?(?![\w.])|[A-Za-z][\w/-]*(?:\.[\w/-]+)*)\s*/y;
const OPERATORS: Readonly<Record<string, (left: Big, right: Big) => boolean>> = {
  '==': (left, right) => left.eq(right),
  '!=': (left, right) => !left.eq(right),
  '<=': (left, right) => left.lte(right),
  '>=': (left, right) => left.gte(right),
  '<': (left, right) => left.lt(right),
  '>': (left, right) => left.gt(right),
};
const MAX_CHARACTERS = 1000;
const MAX_DEPTH = 50;

/** Parses an expression, or describes what is wrong with it. */
export function parseExpression(
  text: string,
  known: KnownNames,
): Expression | { readonly problem: string } {
  try {
    return new Parser(text, known).parse();
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { problem: error.message };
  }
}

class ExpressionError extends Error {}

class Parser {
  private readonly tokens: string[] = [];
  private readonly names = new Set<string>();
  private at = 0;
  private depth = 0;

  constructor(
    text: string,
    private readonly known: KnownNames,
  ) {
    if (text.length > MAX_CHARACTERS) {
      throw new ExpressionError(`An expression may have ${MAX_CHARACTERS} characters.`);
    }
    TOKEN.lastIndex = 0;
    for (let from = 0; from < text.length; from = TOKEN.lastIndex) {
      const token = TOKEN.exec(text)?.[1];
      if (token === undefined) {
        throw new ExpressionError(`The expression cannot be read from "${text.slice(from)}" on.`);
      }
      this.tokens.push(token);
    }
  }

  parse(): Expression {
    const left = this.sum();
    const operator = this.next();
    const holds = operator === undefined ? undefined : OPERATORS[operator];
    if (holds === undefined) {
      throw new ExpressionError(
        `An expression compares two sums with ${Object.keys(OPERATORS).join(' ')}.`,
      );
    }
    const right = this.sum();
    const rest = this.next();
    if (rest !== undefined) throw new ExpressionError(`The expression must end before "${rest}".`);
    return {
      names: [...this.names],
      evaluate: (value) => {
        const [one, other] = [left(value), right(value)];
        return { holds: holds(one, other), left: one, operator: operator!, right: other };
      },
    };
  }

  private next(): string | undefined {
    return this.tokens[this.at++];
  }

  private sum(): Term {
    let total = this.product();
    for (
      let sign = this.tokens[this.at];
      sign === '+' || sign === '-';
      sign = this.tokens[this.at]
    ) {
      this.at++;
      const [before, next, isPlus] = [total, this.product(), sign === '+'];
      total = (value) =>
        isPlus ? before(value).plus(next(value)) : before(value).minus(next(value));
    }
    return total;
  }

  private product(): Term {
    let total = this.value();
    while (this.tokens[this.at] === '*') {
      this.at++;
      const [before, next] = [total, this.value()];
      total = (value) => before(value).times(next(value));
    }
    return total;
  }

  private value(): Term {
    const token = this.next();
    if (token === undefined) throw new ExpressionError('The expression ends too early.');
    if (++this.depth > MAX_DEPTH) throw new ExpressionError('The expression is nested too deeply.');
    try {
      if (token === '-') {
        const negated = this.value();
        return (value) => negated(value).neg();
      }
      if (token === '(') {
        const inner = this.sum();
        if (this.next() !== ')') throw new ExpressionError('A ")" is missing in the expression.');
        return inner;
      }
    } finally {
      this.depth--;
    }
    if (/^\d/.test(token)) {
      const number = new Big(token);
      return () => number;
    }
    if (!/^[A-Za-z]/.test(token))
      throw new ExpressionError(`A value is missing before "${token}".`);
    this.checkName(token);
    this.names.add(token);
    return (value) => value(token);
  }

  private checkName(name: string): void {
    const { accounts, symbols, assets } = this.known;
    const [first = '', ...rest] = splitName(name, accounts);
    if (symbols.includes(first)) {
      if (rest.length === 1 && rest[0] === 'last') return;
      throw new ExpressionError(`Write ${first}.last for the last price.`);
    }
    if (!accounts.includes(first)) {
      throw new ExpressionError(unknownName('account or market', first, [...accounts, ...symbols]));
    }
    const [asset = '', part = 'total', ...more] = rest;
    if (!assets.includes(asset)) throw new ExpressionError(unknownName('asset', asset, assets));
    if (more.length > 0 || !['total', 'available', 'held'].includes(part)) {
      throw new ExpressionError(`Write ${first}.${asset}, with .available or .held if wanted.`);
    }
  }
}

/** Splits a name at its dots. An account's name may have dots too. */
export function splitName(name: string, accounts: readonly string[]): string[] {
  const account = accounts
    .filter((each) => name.startsWith(`${each}.`))
    .sort((one, other) => other.length - one.length)[0];
  if (account === undefined) return name.split('.');
  return [account, ...name.slice(account.length + 1).split('.')];
}
