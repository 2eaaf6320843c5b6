import { add, type Decimal, exact, ONE, ungrouped } from '../decimal.ts';
import type { ExactMarket } from './records.ts';

export type Side = 'buy' | 'sell';
export type FormType =
  | 'limit'
  | 'market'
  | 'stop'
  | 'stop_limit'
  | 'take_profit'
  | 'take_profit_limit'
  | 'oco';
export type TimeInForce = 'GTC' | 'IOC' | 'FOK' | 'GTD';

/** What stands in the order form, as it was typed. */
export interface Draft {
  readonly side: Side;
  readonly type: FormType;
  /** Of a market buy: whether `amount` or `cost` counts. */
  readonly by: 'amount' | 'cost';
  readonly amount: string;
  readonly cost: string;
  readonly price: string;
  readonly triggerPrice: string;
  /** Whether what follows is attached; of a pair it is what the pair is made of. */
  readonly hasAttached: boolean;
  readonly takeProfitPrice: string;
  readonly stopTrigger: string;
  readonly stopPrice: string;
  readonly timeInForce: TimeInForce;
  /** What was chosen by hand, each for its type. */
  readonly chosen: Readonly<Partial<Record<FormType, TimeInForce>>>;
  /** As `<input type="datetime-local">` has it. */
  readonly expiresAt: string;
  readonly postOnly: boolean;
}

/** What an order is checked against. */
export interface Ground {
  readonly market: ExactMarket;
  readonly last: Decimal;
  /** Best first; what a market order would meet. */
  readonly asks: readonly (readonly [string, string])[];
  readonly bids: readonly (readonly [string, string])[];
  /** Undefined where nobody is signed in. */
  readonly available: { readonly base: Decimal; readonly quote: Decimal } | undefined;
  readonly nowMs: number;
}

/** The draft with its numbers as they are read: people group thousands, and nobody else does. */
export function plainNumbers(draft: Draft): Draft {
  const { amount, cost, price, triggerPrice, takeProfitPrice, stopTrigger, stopPrice } = draft;
  return {
    ...draft,
    amount: ungrouped(amount),
    cost: ungrouped(cost),
    price: ungrouped(price),
    triggerPrice: ungrouped(triggerPrice),
    takeProfitPrice: ungrouped(takeProfitPrice),
    stopTrigger: ungrouped(stopTrigger),
    stopPrice: ungrouped(stopPrice),
  };
}

export function hasPrice({ type }: Draft): boolean {
  return type === 'limit' || type === 'stop_limit' || type === 'take_profit_limit';
}

export function hasTrigger({ type }: Draft): boolean {
  return type !== 'limit' && type !== 'market' && type !== 'oco';
}

export function canAttach({ type }: Draft): boolean {
  return type === 'limit' || type === 'market';
}

export function isByCost({ type, side, by }: Draft): boolean {
  return type === 'market' && side === 'buy' && by === 'cost';
}

/** What a type takes (docs/trading/orders.md): the first is what it has unless another is chosen. */
export function timesInForce({ type }: Draft): readonly TimeInForce[] {
  if (type === 'market') return ['IOC', 'FOK'];
  if (type === 'stop' || type === 'take_profit' || type === 'oco') return ['GTC', 'GTD'];
  return ['GTC', 'IOC', 'FOK', 'GTD'];
}

/** The draft after an edit. Another type brings its own time in force back, not the one of the type before. */
export function edited(now: Draft, change: Partial<Draft>): Draft {
  const next = { ...now, ...change };
  const chosen =
    change.timeInForce === undefined
      ? now.chosen
      : { ...now.chosen, [next.type]: change.timeInForce };
  const timeInForce = chosen[next.type] ?? timesInForce(next)[0]!;
  const fitted = { ...next, chosen, timeInForce };
  return { ...fitted, postOnly: fitted.postOnly && canBePostOnly(fitted) };
}

/** What a price of the book changes: the field that waits for one. */
export function picked(now: Draft, price: string): Partial<Draft> {
  if (now.type === 'market') return { type: 'limit', price };
  if (hasPrice(now)) return { price };
  return hasTrigger(now) ? { triggerPrice: price } : { takeProfitPrice: price };
}

export function canBePostOnly(draft: Draft): boolean {
  const { timeInForce } = draft;
  return hasPrice(draft) && (timeInForce === 'GTC' || timeInForce === 'GTD');
}

/** 1 + the market's collar; 10 % where it has none, as stops hold. */
export function collarFactor({ collar }: ExactMarket): Decimal {
  return add(ONE, exact(collar ?? '0.1'));
}
