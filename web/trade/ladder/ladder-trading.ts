import { computed, signal } from '@preact/signals';
import { announce } from '../../components/toast.tsx';
import { plainNumber } from '../../components/typed-number.ts';
import { preference, storedValue } from '../../preferences.ts';
import { canTrade } from '../account.ts';
import { mustConfirm } from '../confirm-order.tsx';
import { applyEdit, type Draft, type Side } from '../draft.ts';
import { market, symbol } from '../markets.ts';
import {
  currentContext,
  EMPTY_DRAFT,
  edit,
  findClosedReason,
  requestForm,
  toPlacement,
} from '../order-draft.ts';
import { toFault } from '../order-rejection.ts';
import { amountFault, validateDraft } from '../order-rules.ts';
import { place } from '../place-order.ts';
import { ClickGuard } from './ladder-rows.ts';

/** Whether a click on a price places an order at once. Off until the user confirms what it does. */
export const oneClick = preference('one-click', ['on', 'off'], 'off');
/** Whether a click places an order now, rather than filling the form. */
export const isArmed = computed(() => oneClick.value === 'on' && canTrade.value);

/** Amounts of the next order as typed, by symbol. */
const amounts = storedValue<Readonly<Record<string, string>>>('ladder-amounts', parseAmounts, {});
/** The amount of the next order as typed. */
export const amount = computed(() => amounts.value[symbol.value] ?? '');
/** Whether the amount shows its fault: after the user has left it, or has clicked a price. */
export const isAmountTouched = signal(false);
export const foundAmountFault = computed(() =>
  market.value === undefined ? undefined : amountFault(plainNumber(amount.value), market.value),
);

function parseAmounts(json: unknown): Readonly<Record<string, string>> | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  return Object.fromEntries(Object.entries(json).filter(([, each]) => typeof each === 'string'));
}

export function setAmount(text: string): void {
  amounts.value = { ...amounts.value, [symbol.value]: text };
}

/** An order that the user is asked to confirm before it is sent. */
export const unconfirmed = signal<{ readonly draft: Draft; readonly symbol: string } | undefined>(
  undefined,
);

const DOUBLE_CLICK_MS = 300;
const guard = new ClickGuard(DOUBLE_CLICK_MS);

/** Returns whether a click on a cell counts. @param cell Name of the cell within the market */
export function acceptsClick(cell: string): boolean {
  return guard.accepts(`${symbol.value} ${cell}`, performance.now());
}

/** Handles a click on a side of a price: places a limit order, or puts it into the form. */
export function tradeAt(side: Side, price: string): void {
  if (!acceptsClick(`${side} ${price}`)) return;
  if (!isArmed.value) {
    fillForm(side, price);
    return;
  }
  const draft = applyEdit(EMPTY_DRAFT, {
    side,
    type: 'limit',
    price,
    amount: plainNumber(amount.value),
    // Such a market takes no other orders.
    postOnly: market.value?.status === 'post_only',
  });
  const problem = findClosedReason(draft) ?? findFault(draft);
  if (problem !== undefined) announce(problem, 'error');
  else if (mustConfirm(draft)) unconfirmed.value = { draft, symbol: symbol.value };
  else void send(draft, symbol.value);
}

function fillForm(side: Side, price: string): void {
  const size = foundAmountFault.value === undefined ? { amount: plainNumber(amount.value) } : {};
  edit({ side, type: 'limit', price, ...size });
  requestForm();
}

function findFault(draft: Draft): string | undefined {
  const context = currentContext();
  const found = context && validateDraft(draft, context)[0];
  if (found?.field === 'amount') isAmountTouched.value = true;
  return found?.text;
}

/** Sends an order of the ladder, and announces its outcome. */
export async function send(draft: Draft, orderSymbol: string): Promise<void> {
  try {
    const { text, tone } = await place(toPlacement(draft, orderSymbol));
    announce(text, tone);
  } catch (error) {
    announce(toFault(error, draft).text, 'error');
  }
}
