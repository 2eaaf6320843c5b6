import { msg, t } from '../i18n/index.ts';
import { preference } from '../preferences.ts';

const SIDES = ['book', 'tape'] as const;
const NAMES = { book: msg('Book'), tape: msg('Trades') } as const;
/** The panel in the column of the order book on screens that have no space for both. */
export const sidePanel = preference('side', SIDES, 'book');

/** Switches between the order book and the trades. */
export function SideSwitch() {
  return (
    <div class="side-switch">
      {SIDES.map((id) => (
        <button
          key={id}
          type="button"
          aria-pressed={sidePanel.value === id}
          onClick={() => {
            sidePanel.value = id;
          }}
        >
          {t(NAMES[id])}
        </button>
      ))}
    </div>
  );
}
