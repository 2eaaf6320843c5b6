import { computed, effect, signal } from '@preact/signals';
import type { PlaceOrderParameters, PlacePairParameters } from '../../src/client/index.ts';
import { exact, rounded, toFixedText, toText, ZERO } from '../decimal.ts';
import { available, isSignedIn } from './account.ts';
import {
  canAttach,
  type Draft,
  edited,
  hasPrice,
  hasTrigger,
  isByCost,
  type OrderContext,
  picked,
  plainNumbers,
} from './draft.ts';
import { book, bookFrame } from './feed.ts';
import { lastPrice, market, priceDecimals, symbol } from './markets.ts';
import { type Fault, type Field, marketClosedReason, validateDraft } from './order-rules.ts';

const EMPTY: Draft = {
  side: 'buy',
  type: 'limit',
  by: 'cost',
  amount: '',
  cost: '',
  price: '',
  triggerPrice: '',
  hasAttached: false,
  takeProfitPrice: '',
  stopTrigger: '',
  stopPrice: '',
  timeInForce: 'GTC',
  chosen: {},
  expiresAt: '',
  postOnly: false,
};

/** The order form, as it was typed: a number is not rewritten under the hands. */
export const draft = signal<Draft>(EMPTY);
/** What it says. */
export const parsedDraft = computed(() => plainNumbers(draft.value));
/** What the exchange refused the last order for; gone with the next edit. */
export const rejection = signal<Fault | undefined>(undefined);
/** Fields that were left, or all of them once it was tried to send: only those show their faults. */
export const touched = signal<ReadonlySet<Field>>(new Set());

export function edit(change: Partial<Draft>): void {
  draft.value = edited(draft.value, change);
  rejection.value = undefined;
}

export function touch(...fields: readonly Field[]): void {
  touched.value = new Set([...touched.value, ...fields]);
}

/** After an order was placed: the next may be like it, but is not sent by a second press. */
export function clearQuantity(): void {
  touched.value = new Set();
  draft.value = { ...draft.value, amount: '', cost: '' };
}

/** Takes a price of the book over into the field that waits for one. */
export function pickPrice(price: string): void {
  edit(picked(draft.value, price));
}

/** A form of another market begins with its last price. */
let priced = '';
effect(() => {
  const last = lastPrice.value;
  if (last === undefined || priced === symbol.value) return;
  priced = symbol.value;
  touched.value = new Set();
  draft.value = {
    ...EMPTY,
    side: draft.peek().side,
    price: toFixedText(rounded(exact(last), priceDecimals.peek(), 'half')),
  };
});

/** What the draft is checked against, of this moment; undefined until the market is known. */
export function currentContext(): OrderContext | undefined {
  const shown = market.value;
  const last = lastPrice.value;
  if (shown === undefined || last === undefined) return undefined;
  return {
    market: shown,
    last: exact(last),
    asks: book.asks,
    bids: book.bids,
    available: isSignedIn.value
      ? { base: available(shown.base) ?? ZERO, quote: available(shown.quote) ?? ZERO }
      : undefined,
    nowMs: Date.now(),
  };
}

/** Faults of the draft as it stands. Only market orders depend on the book of the moment. */
export const faults = computed<readonly Fault[]>(() => {
  if (draft.value.type === 'market') void bookFrame.value;
  const context = currentContext();
  return context === undefined ? [] : validateDraft(parsedDraft.value, context);
});

/** Why the market does not take the draft's kind of order now. */
export const closed = computed(() =>
  market.value === undefined ? undefined : marketClosedReason(parsedDraft.value, market.value),
);

/** What is shown at a field: the exchange's own words first. */
export function visibleFault(field: Field): Fault | undefined {
  if (rejection.value?.field === field) return rejection.value;
  if (!touched.value.has(field)) return undefined;
  return faults.value.find((fault) => fault.field === field);
}

export type Placement =
  | { readonly kind: 'order'; readonly parameters: PlaceOrderParameters }
  | { readonly kind: 'pair'; readonly parameters: PlacePairParameters };

/** What is sent for a draft without faults. */
export function toPlacement(now: Draft, ofSymbol: string): Placement {
  const { side, type, amount, timeInForce } = now;
  const expiresAt = timeInForce === 'GTD' ? new Date(now.expiresAt).toISOString() : undefined;
  const legs = buildLegs(now);
  if (type === 'oco') {
    const parameters = { symbol: ofSymbol, side, amount: plain(amount), expiresAt, ...legs };
    return { kind: 'pair', parameters: parameters as PlacePairParameters };
  }
  const attached =
    canAttach(now) && now.hasAttached && Object.keys(legs).length > 0 ? legs : undefined;
  const parameters: PlaceOrderParameters = {
    symbol: ofSymbol,
    side,
    type,
    ...(isByCost(now) ? { cost: plain(now.cost) } : { amount: plain(amount) }),
    ...(hasPrice(now) ? { price: plain(now.price) } : {}),
    ...(hasTrigger(now) ? { triggerPrice: plain(now.triggerPrice) } : {}),
    ...(attached === undefined ? {} : { attached: attached as PlaceOrderParameters['attached'] }),
    timeInForce,
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(now.postOnly ? { postOnly: true } : {}),
  };
  return { kind: 'order', parameters };
}

function buildLegs({ takeProfitPrice, stopTrigger, stopPrice }: Draft) {
  return {
    ...(takeProfitPrice === '' ? {} : { takeProfit: { price: plain(takeProfitPrice) } }),
    ...(stopTrigger === ''
      ? {}
      : {
          stopLoss: {
            triggerPrice: plain(stopTrigger),
            ...(stopPrice === '' ? {} : { price: plain(stopPrice) }),
          },
        }),
  };
}

/** As JSON writes numbers: people type `.5` and `5.` too. */
function plain(text: string): string {
  return toText(exact(text));
}
