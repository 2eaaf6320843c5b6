import { Big } from 'big.js';
import type { Order } from '../../client/index.ts';
import { type KnownNames, parseExpression } from '../format/expression.ts';
import type { Expectation, ExpectationKind } from '../format/schema.ts';
import { expectationKind } from '../scenario.ts';
import type { InjectedFault, ScenarioExchange } from './exchange.ts';
import type { Measurements } from './measurements.ts';

/** Orders with the same terms are duplicates if they were placed within this time of each other. */
const DEFAULT_DUPLICATES_WITHIN_MS = 10_000;

/** Whether an expectation holds. */
export interface Verdict {
  readonly passed: boolean;
  readonly expected: string;
  readonly actual: string;
}

/** Figures that the run counts itself. */
export interface Counts {
  /** Codes of the bot's rejected requests. */
  readonly rejections: readonly string[];
  /** Equity of an account before its first step, by asset: `bot USDT`. */
  readonly startEquity: ReadonlyMap<string, Big>;
}

/** Checks expectations against the exchange. */
export class Assertions {
  constructor(
    private readonly exchange: ScenarioExchange,
    private readonly measurements: Measurements,
    private readonly counts: Counts,
    private readonly known: KnownNames,
    /** The account of expectations that name none. */
    private readonly botAccount: string,
  ) {}

  async check(expectation: Expectation): Promise<Verdict> {
    const kind = expectationKind(expectation);
    if (kind === 'check') return this.checkExpression(expectation.check!);
    const wanted = expectation.is ?? expectation[kind as CountKind]!;
    const actual = await this.measure(kind, expectation);
    return {
      passed: wanted.accepts(actual),
      expected: wanted.text,
      actual: actual.toFixed(),
    };
  }

  private async measure(kind: ExpectationKind, expectation: Expectation): Promise<Big> {
    const { measurements } = this;
    const { account = this.botAccount, part = 'total' } = expectation;
    if (kind === 'balance')
      return (await measurements.balance(account, expectation.balance!))[part];
    if (kind === 'position')
      return (await measurements.balance(account, expectation.position!)).total;
    if (kind === 'equity') return measurements.equity(account, expectation.equity!);
    if (kind === 'pnl') {
      const asset = expectation.pnl!;
      const equity = await measurements.equity(account, asset);
      return equity.minus(this.counts.startEquity.get(`${account} ${asset}`)!);
    }
    if (kind === 'orders') {
      return Big((await measurements.orders(account)).filter(matches(expectation)).length);
    }
    if (kind === 'openOrders') {
      return Big((await measurements.openOrders(account)).filter(matches(expectation)).length);
    }
    if (kind === 'fills') {
      return Big((await measurements.fills(account)).filter(matches(expectation)).length);
    }
    if (kind === 'filled') {
      const { filled: symbol, side } = expectation;
      const fills = (await measurements.fills(account)).filter(matches({ symbol, side }));
      return fills.reduce((sum, { amount }) => sum.plus(amount), Big(0));
    }
    if (kind === 'duplicates') {
      const { within = DEFAULT_DUPLICATES_WITHIN_MS } = expectation;
      return Big(countDuplicates(await measurements.orders(account), within));
    }
    if (kind === 'rejections') {
      const { code } = expectation;
      const { rejections } = this.counts;
      return Big(rejections.filter((each) => code === undefined || each === code).length);
    }
    return Big((await this.exchange.injectedFaults()).filter(ofKind(expectation.kind)).length);
  }

  private async checkExpression(text: string): Promise<Verdict> {
    const expression = parseExpression(text, this.known);
    if ('problem' in expression) throw new Error(expression.problem);
    const { holds, left, operator, right } = expression.evaluate(
      await this.measurements.values(expression.names),
    );
    const actual = `${left.toFixed()} and ${right.toFixed()}`;
    return { passed: holds, expected: `left ${operator} right`, actual };
  }
}

type CountKind = 'orders' | 'openOrders' | 'fills' | 'rejections' | 'duplicates' | 'faults';

function matches({ symbol, side }: Pick<Expectation, 'symbol' | 'side'>) {
  return (record: { readonly symbol: string; readonly side: string }) =>
    (symbol === undefined || record.symbol === symbol) &&
    (side === undefined || record.side === side);
}

function ofKind(kind: string | undefined) {
  return (fault: InjectedFault) => kind === undefined || fault.kind === kind;
}

/** Returns the number of orders placed within a time after another one with the same terms. */
export function countDuplicates(orders: readonly Order<string>[], withinMs: number): number {
  const lastByTerms = new Map<string, number>();
  let count = 0;
  for (const order of orders) {
    const { symbol, side, type, price, triggerPrice, amount, timestamp } = order;
    const terms = [symbol, side, type, price, triggerPrice, amount].join();
    const at = Date.parse(timestamp);
    const last = lastByTerms.get(terms);
    if (last !== undefined && at - last <= withinMs) count++;
    lastByTerms.set(terms, at);
  }
  return count;
}

/** Returns an expectation as a sentence for reports. */
export function describeExpectation(expectation: Expectation, botAccount: string): string {
  const { account = botAccount, symbol, side, part, code, within } = expectation;
  const { kind: faultKind } = expectation;
  const kind = expectationKind(expectation);
  if (kind === 'check') return expectation.check!;
  const subject = expectation[kind];
  const comparison = (expectation.is ?? expectation[kind as CountKind])!.text;
  const name = typeof subject === 'string' ? `${kind} ${subject}` : kind;
  const isOfAccount = kind !== 'rejections' && kind !== 'faults';
  const terms = [
    part,
    symbol,
    side,
    code,
    faultKind,
    within === undefined ? '' : `within ${within} ms`,
  ];
  const details = [isOfAccount ? account : '', ...terms].filter((each) => each).join(', ');
  return details === '' ? `${name}: ${comparison}` : `${name} (${details}): ${comparison}`;
}
