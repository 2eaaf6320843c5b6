import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Dialog } from '../components/dialog.tsx';
import { isSignedIn } from './account.ts';
import type { FormType, Side } from './draft.ts';
import { edit } from './order-draft.ts';
import { take } from './order-preview.tsx';
import { isCancelingAll } from './orders-panel.tsx';

const STORAGE_KEY = 'buttonwood-shortcuts';
/** Single keys may be in the way of who speaks to their computer: they can be turned off. */
const areOn = signal(localStorage.getItem(STORAGE_KEY) !== 'off');
export const isHelpOpen = signal(false);

interface Shortcut {
  readonly key: string;
  readonly does: string;
  readonly run: () => void;
}

const focusOn = (selector: string) => {
  const focus = () => {
    const input = document.querySelector<HTMLInputElement>(selector);
    input?.focus();
    if (input instanceof HTMLInputElement) input.select();
  };
  // At once, for what is typed next; and again where what was chosen shows another field.
  focus();
  requestAnimationFrame(() => {
    if (document.activeElement?.matches(selector) !== true) focus();
  });
};
const choose = (side: Side) => {
  edit({ side });
  focusOn('.order-form input[name=amount], .order-form input[name=cost]');
};
const chooseType = (type: FormType) => {
  edit({ type });
  focusOn('.order-form .input-box input');
};

const SHORTCUTS: readonly Shortcut[] = [
  { key: 'b', does: 'Buy: go to the amount', run: () => choose('buy') },
  { key: 's', does: 'Sell: go to the amount', run: () => choose('sell') },
  { key: 'l', does: 'Limit order', run: () => chooseType('limit') },
  { key: 'm', does: 'Market order', run: () => chooseType('market') },
  { key: 'p', does: 'Go to the price', run: () => focusOn('.order-form input[name=price]') },
  {
    key: 'a',
    does: 'Go to the amount',
    run: () => focusOn('.order-form input[name=amount], .order-form input[name=cost]'),
  },
  { key: '1', does: '25% of the balance', run: () => take(25) },
  { key: '2', does: '50% of the balance', run: () => take(50) },
  { key: '3', does: '75% of the balance', run: () => take(75) },
  { key: '4', does: 'All of the balance', run: () => take(100) },
  {
    key: 'o',
    does: 'Go to the order book; arrow keys move, Enter takes the price',
    run: () => focusOn('.book-table button[tabindex="0"]:not(:disabled)'),
  },
  { key: '/', does: 'Search markets', run: searchMarkets },
  {
    key: 'x',
    does: 'Cancel all orders (asks first)',
    run: () => {
      isCancelingAll.value = isSignedIn.value;
    },
  },
  {
    key: '?',
    does: 'This list',
    run: () => {
      isHelpOpen.value = true;
    },
  },
];

function searchMarkets(): void {
  const shown = [...document.querySelectorAll<HTMLInputElement>('.market-search')].find(
    (input) => input.offsetParent !== null,
  );
  if (shown === undefined) {
    document.querySelector<HTMLElement>('.market-button')?.click();
    focusOn('dialog[open] .market-search');
  } else shown.focus();
}

/** Not while something is typed, chosen or asked. */
function isForPage({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return false;
  if (document.querySelector('dialog[open]') !== null) return false;
  return !(target as Element).matches('input:not([type=radio], [type=checkbox]), select, textarea');
}

export function Shortcuts() {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const shortcut = SHORTCUTS.find(({ key }) => key === event.key);
      if (shortcut === undefined || !isForPage(event)) return;
      if (!areOn.value && shortcut.key !== '?') return;
      event.preventDefault();
      shortcut.run();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <Dialog
      title="Keyboard shortcuts"
      open={isHelpOpen.value}
      onClose={() => {
        isHelpOpen.value = false;
      }}
    >
      <label class="check">
        <input
          type="checkbox"
          checked={areOn.value}
          onChange={(event) => {
            areOn.value = event.currentTarget.checked;
            localStorage.setItem(STORAGE_KEY, areOn.value ? 'on' : 'off');
          }}
        />
        Single keys do these things
      </label>
      <dl class="shortcuts">
        {SHORTCUTS.map(({ key, does }) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

export function ShortcutsButton() {
  return (
    <button
      type="button"
      class="icon-button wide-only"
      aria-label="Keyboard shortcuts"
      title="Keyboard shortcuts (?)"
      onClick={() => {
        isHelpOpen.value = true;
      }}
    >
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <path d="M2.5 5.5h15v9h-15zM5.5 8.5h.01M8.5 8.5h.01M11.5 8.5h.01M14.5 8.5h.01M6.5 11.5h7" />
      </svg>
    </button>
  );
}
