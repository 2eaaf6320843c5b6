import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Dialog } from '../components/dialog.tsx';
import { Icon } from '../components/icon.tsx';
import { msg, t } from '../i18n/index.ts';
import { isSignedIn } from './account.ts';
import type { FormType, Side } from './draft.ts';
import { edit } from './order-draft.ts';
import { applyShare } from './order-preview.tsx';
import { isCancelingAll } from './orders-panel.tsx';

const STORAGE_KEY = 'buttonwood-shortcuts';
/** Single-key shortcuts can interfere with speech input, so users can turn them off. */
const areOn = signal(localStorage.getItem(STORAGE_KEY) !== 'off');
export const isHelpOpen = signal(false);

const FIELDS = 'input:not([type=radio], [type=checkbox], [type=range]), select, textarea';

interface Shortcut {
  readonly key: string;
  readonly label: string;
  readonly run: () => void;
}

const focusOn = (selector: string) => {
  const focus = () => {
    const input = document.querySelector<HTMLInputElement>(selector);
    input?.focus();
    if (input instanceof HTMLInputElement) input.select();
  };
  // Focus at once, so that no keystroke is lost, and again if the field is rendered only now.
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
  { key: 'b', label: msg('Buy (go to amount)'), run: () => choose('buy') },
  { key: 's', label: msg('Sell (go to amount)'), run: () => choose('sell') },
  { key: 'l', label: msg('Limit order'), run: () => chooseType('limit') },
  { key: 'm', label: msg('Market order'), run: () => chooseType('market') },
  { key: 'p', label: msg('Go to price'), run: () => focusOn('.order-form input[name=price]') },
  {
    key: 'a',
    label: msg('Go to amount'),
    run: () => focusOn('.order-form input[name=amount], .order-form input[name=cost]'),
  },
  { key: '1', label: msg('25% of balance'), run: () => applyShare(25) },
  { key: '2', label: msg('50% of balance'), run: () => applyShare(50) },
  { key: '3', label: msg('75% of balance'), run: () => applyShare(75) },
  { key: '4', label: msg('100% of balance'), run: () => applyShare(100) },
  {
    key: 'o',
    label: msg('Order book (arrow keys move, Enter selects a price)'),
    run: () => focusOn('.book-table button[tabindex="0"]:not(:disabled)'),
  },
  { key: '/', label: msg('Search markets'), run: searchMarkets },
  {
    key: 'x',
    label: msg('Cancel all orders (with confirmation)'),
    run: () => {
      isCancelingAll.value = isSignedIn.value;
    },
  },
  {
    key: '?',
    label: msg('Show keyboard shortcuts'),
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

/** Whether a key press is for a field of the page that keeps all keys. */
function isTyping({ target }: KeyboardEvent): boolean {
  const field = target as Element;
  return field.matches(FIELDS) && field.closest('dialog') === null;
}

/** Whether a key press is for the page, not for an input or a dialog. */
function isForPage({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return false;
  if (document.querySelector('dialog[open]') !== null) return false;
  return !(target as Element).matches(FIELDS);
}

export function Shortcuts() {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // A menu or a chart has used the key.
      if (event.defaultPrevented) return;
      if (event.key === 'Escape' && isTyping(event)) {
        // Leaves the field, so that the next key is a shortcut.
        document.getElementById('main')?.focus({ preventScroll: true });
        return;
      }
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
      title={t('Keyboard shortcuts')}
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
        {t('Enable shortcuts')}
      </label>
      <dl class="shortcuts">
        {SHORTCUTS.map(({ key, label }) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{t(label)}</dd>
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
      aria-label={t('Keyboard shortcuts')}
      title={t('Keyboard shortcuts (?)')}
      onClick={() => {
        isHelpOpen.value = true;
      }}
    >
      <Icon name="keyboard" />
    </button>
  );
}
