import { effect, signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { Icon } from '../../components/icon.tsx';
import { t } from '../../i18n/index.ts';
import type { Draft, Side } from '../draft.ts';
import { book } from '../feed.ts';
import { lastPrice } from '../markets.ts';
import { draft, edit, formRequests } from '../order-draft.ts';
import { plainPrice } from '../price-fields.tsx';
import { roundTrip } from '../trading.ts';

export const PHONE = matchMedia('(max-width: 980px)');
/** Whether the window is that of a phone. */
export const isPhone = signal(PHONE.matches);
PHONE.addEventListener('change', () => {
  isPhone.value = PHONE.matches;
});

/** Whether the order form lies over the page. */
export const isFormOpen = signal(false);

/** The price that was picked in the book or the chart, until an order is placed. */
let pickedPrice: string | undefined;
formRequests.subscribe((count) => {
  if (count === 0) return;
  pickedPrice = draft.peek().price;
  if (PHONE.matches) openSheet();
});
effect(() => {
  if (roundTrip.value !== undefined) pickedPrice = undefined;
});

/** Opens the order form for a side, with a price of now: one that was typed for another order may be far from it. */
export function openForm(side: Side): void {
  const now = draft.peek();
  const isPicked = pickedPrice !== undefined && now.price === pickedPrice;
  const isKept = isPicked || (now.type !== 'limit' && side === now.side);
  edit({ side, ...(isKept ? {} : priceNow(side)), ...(side === now.side ? {} : NO_TRIGGERS) });
  openSheet();
}

/** Prices that fit one side only. */
const NO_TRIGGERS: Partial<Draft> = {
  triggerPrice: '',
  activationPrice: '',
  takeProfitPrice: '',
  stopTrigger: '',
  stopPrice: '',
};

/** Returns the best price of the own side, so that the order would rest, else the last price. */
function priceNow(side: Side): Partial<Draft> {
  const best = (side === 'buy' ? book.bids : book.asks)[0]?.[0] ?? lastPrice.peek();
  return best === undefined ? {} : { price: plainPrice(best) };
}

function openSheet(): void {
  if (isFormOpen.peek()) return;
  roundTrip.value = undefined;
  isFormOpen.value = true;
}

function closeSheet(): void {
  isFormOpen.value = false;
}

/** The grabber and the close button of the sheet, in the order form. */
export function SheetHead() {
  return (
    <header class="sheet-head">
      <span aria-hidden="true">{t('Place an order')}</span>
      <button type="button" class="icon-button" aria-label={t('Close')} onClick={closeSheet}>
        <Icon name="close" />
      </button>
    </header>
  );
}

/** Shows the order form over the page. Escape, Back, a swipe down or a tap outside of it close it. */
export function FormSheet() {
  const isOpen = isFormOpen.value;
  // Before the next tap, which the page behind the sheet would miss otherwise.
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const form = document.querySelector<HTMLElement>('.order-form')!;
    const opener = document.activeElement as HTMLElement | null;
    const covered = [
      ...document.querySelectorAll<HTMLElement>(
        '.trade > :not(.order-form, .sheet-backdrop), .top',
      ),
    ];
    for (const each of covered) each.inert = true;
    form.scrollTop = 0;
    form.querySelector<HTMLElement>('input[name=amount], input[name=cost]')?.focus();
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && document.querySelector('dialog[open]') === null) closeSheet();
    };
    document.addEventListener('keydown', onKeyDown);
    // A wider window shows the form in its place.
    PHONE.addEventListener('change', closeSheet);
    const stopDrags = closeByDrag(form);
    return () => {
      document.removeEventListener('keydown', onKeyDown);
      PHONE.removeEventListener('change', closeSheet);
      for (const each of covered) each.inert = false;
      stopDrags();
      opener?.focus({ preventScroll: true });
    };
  }, [isOpen]);
  return isOpen ? (
    <button
      type="button"
      class="sheet-backdrop"
      aria-label={t('Close order form')}
      onClick={closeSheet}
    />
  ) : null;
}

/** Whether the history has an entry for the open sheet, which Back removes. */
let hasEntry = false;
/** Whether that entry is being removed; its event has not arrived yet. */
let isLeaving = false;

function syncHistory(): void {
  if (isLeaving || hasEntry === isFormOpen.peek()) return;
  hasEntry = !hasEntry;
  if (hasEntry) {
    history.pushState(null, '', location.href);
  } else {
    isLeaving = true;
    history.back();
  }
}

isFormOpen.subscribe(syncHistory);
addEventListener('popstate', () => {
  if (isLeaving) {
    isLeaving = false;
  } else if (hasEntry) {
    hasEntry = false;
    // A dialog over the sheet is closed first.
    const dialog = document.querySelector<HTMLDialogElement>('dialog[open]');
    if (dialog === null) closeSheet();
    else dialog.close();
  }
  syncHistory();
});

/** Distance in pixels of a drag that closes the sheet. */
const CLOSE_PX = 90;

/** Closes the sheet when it is dragged down by its head, or by its content while that is scrolled to the top. */
function closeByDrag(form: HTMLElement): () => void {
  let start: { readonly x: number; readonly y: number } | undefined;
  let dragged = 0;
  const show = (px: number) => {
    dragged = px;
    form.style.setProperty('--drag', `${px}px`);
  };
  const onStart = ({ touches, target }: TouchEvent) => {
    const [touch] = touches;
    const isHead = (target as Element).closest('.sheet-head') !== null;
    const isFree =
      isHead || (form.scrollTop <= 0 && !(target as Element).closest('input, select, dialog'));
    start = touches.length === 1 && isFree ? { x: touch!.clientX, y: touch!.clientY } : undefined;
  };
  const onMove = ({ touches: [touch] }: TouchEvent) => {
    if (start === undefined || touch === undefined) return;
    const [dx, dy] = [touch.clientX - start.x, touch.clientY - start.y];
    show(dy > Math.abs(dx) ? dy : 0);
  };
  const onEnd = () => {
    if (dragged > CLOSE_PX) closeSheet();
    start = undefined;
    show(0);
  };
  form.addEventListener('touchstart', onStart, { passive: true });
  form.addEventListener('touchmove', onMove, { passive: true });
  form.addEventListener('touchend', onEnd);
  form.addEventListener('touchcancel', onEnd);
  return () => {
    form.removeEventListener('touchstart', onStart);
    form.removeEventListener('touchmove', onMove);
    form.removeEventListener('touchend', onEnd);
    form.removeEventListener('touchcancel', onEnd);
    show(0);
  };
}
