import { computed, effect, signal } from '@preact/signals';
import Big from 'big.js';
import type { PlaceOrderParameters, PlacePairParameters } from '../../src/client/index.ts';
import { localNumber } from '../components/typed-number.ts';
import { ZERO } from '../decimal.ts';
import { exchangeNow } from '../exchange-clock.ts';
import { t } from '../i18n/t.ts';
import { isStale } from '../live.ts';
import { clock, preference } from '../preferences.ts';
import { available, hasBalances, isSignedIn } from './account.ts';
import {
  applyEdit,
  canAttach,
  canHide,
  type Draft,
  EMPTY_DRAFT,
  expiryMs,
  type FormType,
  hasPrice,
  hasTrigger,
  isByCost,
  type OrderContext,
  plainNumbers,
  priceEdit,
  typedNumbers,
} from './draft.ts';
import { book, bookFrame } from './feed.ts';
import { lastPrice, market, markets, priceDecimals, prices, symbol } from './markets.ts';
import { type Fault, type Field, marketClosedReason, validateDraft } from './order-rules.ts';
import { keepTouched, showsOtherFields } from './touched.ts';

export { EMPTY_DRAFT };

/** The order type that the user chose last. */
const chosenType = preference<FormType>(
  'order-type',
  [
    'limit',
    'market',
    'stop',
    'stop_limit',
    'take_profit',
    'take_profit_limit',
    'trailing_stop',
    'oco',
  ],
  'limit',
);

/** The order form as typed; numbers are never reformatted while the user types. */
export const draft = signal<Draft>(applyEdit(EMPTY_DRAFT, { type: chosenType.peek() }));
export const parsedDraft = computed(() => plainNumbers(draft.value));
/** Why the exchange rejected the last order; cleared by the next edit. */
export const rejection = signal<Fault | undefined>(undefined);
/** Fields that show their faults: those the user has left, or all of them after a submit. */
export const touched = signal<ReadonlySet<Field>>(new Set());

/** Edits the draft. Numbers of the change are plain, with a decimal point. */
export function edit(change: Partial<Draft>): void {
  editTyped(typedNumbers(change));
}

/** Edits the draft with numbers as the user typed them. */
export function editTyped(change: Partial<Draft>): void {
  const before = draft.peek();
  draft.value = applyEdit(before, change);
  if (showsOtherFields(change)) {
    touched.value = keepTouched(touched.peek(), draft.peek(), before.type !== draft.peek().type);
  }
  if (change.type !== undefined) chosenType.value = change.type;
  rejection.value = undefined;
}

export function touch(...fields: readonly Field[]): void {
  touched.value = new Set([...touched.value, ...fields]);
}

/** Clears only the size after an order, so that a second click does not place it again. */
export function clearQuantity(): void {
  touched.value = new Set();
  draft.value = { ...draft.value, amount: '', cost: '', displayAmount: '' };
}

/** Incremented when the user wants to see the form, after picking a price elsewhere. */
export const formRequests = signal(0);

export function requestForm(): void {
  formRequests.value++;
}

/** Puts a price from the order book into the form. */
export function pickPrice(price: string): void {
  edit(priceEdit(draft.value, price));
  requestForm();
}

/** Resets the form on a change of market and fills in the last price. */
let pricedSymbol = '';
effect(() => {
  const last = lastPrice.value;
  if (last === undefined || pricedSymbol === symbol.value) return;
  pricedSymbol = symbol.value;
  touched.value = new Set();
  draft.value = {
    ...applyEdit(EMPTY_DRAFT, { type: chosenType.peek() }),
    side: draft.peek().side,
    price: localNumber(new Big(last).toFixed(priceDecimals.peek(), Big.roundHalfUp)),
  };
});

/** Returns what the draft is validated against now; undefined until the market has loaded. */
export function currentContext(): OrderContext | undefined {
  const shown = market.value;
  const last = lastPrice.value;
  if (shown === undefined || last === undefined) return undefined;
  return {
    market: shown,
    last: new Big(last),
    asks: book.asks,
    bids: book.bids,
    available:
      isSignedIn.value && hasBalances.value
        ? { base: available(shown.base) ?? ZERO, quote: available(shown.quote) ?? ZERO }
        : undefined,
    nowMs: exchangeNow(),
    clock: clock.value,
  };
}

/** Returns the market data for an order of any market; there is a book only of the one shown. */
export function contextFor(wanted: string): OrderContext | undefined {
  if (wanted === symbol.value) return currentContext();
  const found = markets.value.find((each) => each.symbol === wanted);
  const last = prices.value.get(wanted)?.price ?? found?.last;
  if (found === undefined || last === undefined) return undefined;
  const available = undefined;
  return {
    market: found,
    last: new Big(last),
    asks: [],
    bids: [],
    available,
    nowMs: exchangeNow(),
  };
}

/** Validation faults of the draft. Only market and post-only orders depend on the live book. */
export const faults = computed<readonly Fault[]>(() => {
  if (draft.value.type === 'market' || draft.value.postOnly) void bookFrame.value;
  const context = currentContext();
  return context === undefined ? [] : validateDraft(parsedDraft.value, context);
});

/** Why orders like the draft cannot be placed now; undefined if they can. */
export const closedReason = computed(() => findClosedReason(parsedDraft.value));

/** Returns why an order cannot be placed now: the prices are out of date, or the market's status does not allow it. */
export function findClosedReason(order: Draft): string | undefined {
  if (isStale.value) {
    return t('Connection lost. Trading resumes when prices are live.');
  }
  return market.value === undefined ? undefined : marketClosedReason(order, market.value);
}

/** Returns the fault to show at a field; a rejection by the exchange comes first. */
export function visibleFault(field: Field): Fault | undefined {
  if (rejection.value?.field === field) return rejection.value;
  const found = faults.value.find((fault) => fault.field === field);
  return found?.isUrgent || touched.value.has(field) ? found : undefined;
}

export type Placement =
  | { readonly kind: 'order'; readonly parameters: PlaceOrderParameters }
  | { readonly kind: 'oco'; readonly parameters: PlacePairParameters };

/** Converts a valid draft to a request. */
export function toPlacement(now: Draft, orderSymbol: string): Placement {
  const { side, type, amount, timeInForce } = now;
  const expiresAt =
    timeInForce === 'GTD'
      ? new Date(expiryMs(now.expiresAt, clock.peek())).toISOString()
      : undefined;
  const legs = buildLegs(now);
  if (type === 'oco') {
    const parameters = { symbol: orderSymbol, side, amount: plain(amount), expiresAt, ...legs };
    return { kind: 'oco', parameters: parameters as PlacePairParameters };
  }
  const attached =
    canAttach(now) && now.hasAttached && Object.keys(legs).length > 0 ? legs : undefined;
  const parameters: PlaceOrderParameters = {
    symbol: orderSymbol,
    side,
    type,
    ...(isByCost(now) ? { cost: plain(now.cost) } : { amount: plain(amount) }),
    ...(hasPrice(now) ? { price: plain(now.price) } : {}),
    ...(hasTrigger(now) ? { triggerPrice: plain(now.triggerPrice) } : {}),
    ...(type === 'trailing_stop' ? buildTrailing(now) : {}),
    ...(canHide(now) && now.displayAmount !== ''
      ? { displayAmount: plain(now.displayAmount) }
      : {}),
    ...(attached === undefined ? {} : { attached: attached as PlaceOrderParameters['attached'] }),
    timeInForce,
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(now.postOnly ? { postOnly: true } : {}),
  };
  return { kind: 'order', parameters };
}

function buildTrailing({ trailBy, trailingPercent, trailingAmount, activationPrice }: Draft) {
  return {
    ...(trailBy === 'percent'
      ? { trailingPercent: plain(trailingPercent) }
      : { trailingAmount: plain(trailingAmount) }),
    ...(activationPrice === '' ? {} : { activationPrice: plain(activationPrice) }),
  };
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

/** Normalizes a number for JSON; users also type `.5` and `5.`. */
function plain(text: string): string {
  return new Big(text).toFixed();
}
