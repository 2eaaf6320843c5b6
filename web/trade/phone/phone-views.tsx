import { useEffect } from 'preact/hooks';
import { Icon } from '../../components/icon.tsx';
import { announce } from '../../components/toast.tsx';
import { msg, t } from '../../i18n/index.ts';
import { isStale } from '../../live.ts';
import { preference } from '../../preferences.ts';
import { openOrders } from '../account.ts';
import type { Side } from '../draft.ts';
import { market } from '../markets.ts';
import { openForm, PHONE } from './form-sheet.tsx';

const VIEWS = [
  ['chart', msg('Chart'), 'bars'],
  ['book', msg('Book'), 'book'],
  ['tape', msg('Trades'), 'trades'],
  ['orders', msg('Orders'), 'orders'],
] as const;
type PhoneView = (typeof VIEWS)[number][0];

/** The view that a phone shows. */
export const phoneView = preference<PhoneView>(
  'phone-view',
  VIEWS.map(([id]) => id),
  'chart',
);

/** Distance in pixels of a swipe, and how much longer it must be than high. */
const SWIPE_PX = 60;
const SWIPE_RATIO = 2;
/** Parts that use horizontal gestures themselves. */
const NO_SWIPE = '.canvas, .chart-rail, .order-form, input, select, dialog, .intervals';

function showView(view: PhoneView): void {
  phoneView.value = view;
  // Charts do not draw while hidden.
  requestAnimationFrame(() => dispatchEvent(new Event('resize')));
}

/** The bar at the bottom of a phone: the views, and the buttons that open the order form. */
export function PhoneBar() {
  const count = openOrders.value.length;
  return (
    <div class="phone-bar">
      <div class="phone-trade">
        <TradeButton side="buy" />
        <TradeButton side="sell" />
      </div>
      <nav class="views" aria-label={t('Views')}>
        {VIEWS.map(([id, label, icon]) => (
          <button
            key={id}
            type="button"
            aria-pressed={phoneView.value === id}
            title={id === 'orders' && count > 0 ? describeCount(count) : undefined}
            onClick={() => showView(id)}
          >
            <Icon name={icon} />
            {id === 'orders' && count > 0 ? (
              <b class="count" aria-hidden="true">
                {count}
              </b>
            ) : null}
            <span>{t(label)}</span>
          </button>
        ))}
      </nav>
    </div>
  );
}

function describeCount(count: number): string {
  return t('{count, plural, one {# open order} other {# open orders}}', { count });
}

function TradeButton({ side }: { side: Side }) {
  const base = market.value?.base ?? '';
  return (
    <button
      type="button"
      class={`button ${side}-fill`}
      aria-disabled={isStale.value}
      onClick={() => {
        if (isStale.value)
          announce(t('Connection lost. You can place orders again when prices are live.'));
        else openForm(side);
      }}
    >
      {side === 'buy' ? t('Buy {base}', { base }) : t('Sell {base}', { base })}
    </button>
  );
}

/** Changes the view of a phone by swiping to the left or right. */
export function useSwipes(): void {
  useEffect(() => {
    let start: { readonly x: number; readonly y: number } | undefined;
    const onStart = ({ touches, target }: TouchEvent) => {
      const [touch] = touches;
      const isFree = touches.length === 1 && isSwipeable(target as Element);
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

/** Returns whether a swipe that begins at an element changes the view: not where it scrolls or draws. */
function isSwipeable(target: Element): boolean {
  if (target.closest(NO_SWIPE) !== null) return false;
  const box = target.closest('.table-box, [role="tablist"]');
  return box === null || box.scrollWidth <= box.clientWidth;
}
