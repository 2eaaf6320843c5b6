import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { msg, t } from '../../i18n/index.ts';
import type { Side } from '../draft.ts';
import { market } from '../markets.ts';
import { edit, formRequests } from '../order-draft.ts';

const VIEWS = [
  ['chart', msg('Chart'), 'M3 16V9M8 16V4M13 16v-6M18 16V7'],
  ['book', msg('Book'), 'M3 5h14M3 8h10M3 12h14M3 15h7'],
  ['tape', msg('Trades'), 'M4 7h12l-3-3M16 13H4l3 3'],
  ['orders', msg('Orders'), 'M5 3h10v14H5zM8 7h4M8 10h4M8 13h2'],
] as const;
export type PhoneView = (typeof VIEWS)[number][0];

/** The view that a phone shows, and whether the order form lies over it. */
export const phoneView = signal<PhoneView>('chart');
export const isFormOpen = signal(false);

/** Distance in pixels of a swipe, and how much longer it must be than high. */
const SWIPE_PX = 60;
const SWIPE_RATIO = 2;
/** Parts that use horizontal gestures themselves. */
const NO_SWIPE = '.canvas, .chart-rail, .table-box, .order-form, input, select, dialog, .intervals';
const PHONE = matchMedia('(max-width: 980px)');

export function showView(view: PhoneView): void {
  phoneView.value = view;
  // Charts do not draw while hidden.
  requestAnimationFrame(() => dispatchEvent(new Event('resize')));
}

/** The bar at the bottom of a phone: the views, and above them the buttons that open the order form. */
export function PhoneBar() {
  const base = market.value?.base ?? '';
  const open = (side: Side) => {
    edit({ side });
    isFormOpen.value = true;
  };
  return (
    <div class="phone-bar">
      <div class="phone-trade">
        <button type="button" class="button buy-fill" onClick={() => open('buy')}>
          {t('Buy {base}', { base })}
        </button>
        <button type="button" class="button sell-fill" onClick={() => open('sell')}>
          {t('Sell {base}', { base })}
        </button>
      </div>
      <nav class="views" aria-label={t('Views')}>
        {VIEWS.map(([id, label, path]) => (
          <button
            key={id}
            type="button"
            aria-pressed={phoneView.value === id}
            onClick={() => showView(id)}
          >
            <svg viewBox="0 0 20 20" aria-hidden="true">
              <path d={path} />
            </svg>
            {t(label)}
          </button>
        ))}
      </nav>
    </div>
  );
}

/** Opens the order form over the page when a price is picked, and closes it by Escape or a tap outside of it. */
export function FormSheet() {
  useEffect(
    () =>
      formRequests.subscribe((count) => {
        if (count > 0 && PHONE.matches) isFormOpen.value = true;
      }),
    [],
  );
  const isOpen = isFormOpen.value;
  useEffect(() => {
    if (!isOpen) return undefined;
    const form = document.querySelector<HTMLElement>('.order-form');
    const opener = document.activeElement as HTMLElement | null;
    const covered = [
      ...document.querySelectorAll<HTMLElement>(
        '.trade > :not(.order-form, .sheet-backdrop), .top',
      ),
    ];
    for (const each of covered) each.inert = true;
    form?.querySelector<HTMLElement>('input[name=amount], input[name=cost]')?.focus();
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && document.querySelector('dialog[open]') === null)
        isFormOpen.value = false;
    };
    document.addEventListener('keydown', onKeyDown);
    return () => {
      document.removeEventListener('keydown', onKeyDown);
      for (const each of covered) each.inert = false;
      opener?.focus({ preventScroll: true });
    };
  }, [isOpen]);
  return isOpen ? (
    <button
      type="button"
      class="sheet-backdrop"
      aria-label={t('Close order form')}
      onClick={() => {
        isFormOpen.value = false;
      }}
    />
  ) : null;
}

/** Changes the view of a phone by swiping to the left or right. */
export function useSwipes(): void {
  useEffect(() => {
    let start: { readonly x: number; readonly y: number } | undefined;
    const onStart = ({ touches, target }: TouchEvent) => {
      const [touch] = touches;
      const isFree = touches.length === 1 && (target as Element).closest(NO_SWIPE) === null;
      start = isFree && touch !== undefined ? { x: touch.clientX, y: touch.clientY } : undefined;
    };
    const onEnd = ({ changedTouches: [touch] }: TouchEvent) => {
      if (start === undefined || touch === undefined || !PHONE.matches) return;
      const [dx, dy] = [touch.clientX - start.x, touch.clientY - start.y];
      if (Math.abs(dx) < SWIPE_PX || Math.abs(dx) < SWIPE_RATIO * Math.abs(dy)) return;
      const at = VIEWS.findIndex(([id]) => id === phoneView.peek());
      const next = VIEWS[at + (dx < 0 ? 1 : -1)];
      if (next !== undefined) showView(next[0]);
    };
    const main = document.getElementById('main')!;
    main.addEventListener('touchstart', onStart, { passive: true });
    main.addEventListener('touchend', onEnd, { passive: true });
    return () => {
      main.removeEventListener('touchstart', onStart);
      main.removeEventListener('touchend', onEnd);
    };
  }, []);
}
