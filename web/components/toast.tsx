import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../i18n/index.ts';
import { errorMessage } from './action.ts';

interface Notice {
  readonly id: number;
  readonly kind: 'info' | 'success' | 'error';
  readonly text: string;
  readonly action: ToastAction | undefined;
}

/** A button in a toast, such as "Undo". */
interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}

const SHOWN_MS = 5000;
const notices = signal<readonly Notice[]>([]);
let lastId = 0;

/** Shows a toast for a few seconds; screen readers announce errors at once, others when idle. */
export function announce(text: string, kind: Notice['kind'] = 'info', action?: ToastAction): void {
  const notice = { id: ++lastId, kind, text, action };
  notices.value = [...notices.value, notice].slice(-3);
  setTimeout(() => dismiss(notice.id), SHOWN_MS);
}

function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}

/** Shows an error as a toast. */
export function announceError(error: unknown): void {
  announce(errorMessage(error), 'error');
}

const MARKS = { info: 'i', success: '✓', error: '!' };

/**
 * Returns a ref of the layer of toasts. While a modal dialog is open the layer is a popover, which the browser shows above
 * the dialog and its backdrop; it is raised again for each new toast, since the dialog may be newer.
 */
function useTopLayer(newest: number | undefined) {
  const layer = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = layer.current;
    if (element === null) return;
    lower(element);
    if (newest === undefined || document.querySelector('dialog:modal') === null) return;
    element.popover = 'manual';
    element.showPopover();
    const onClose = () => {
      if (document.querySelector('dialog:modal') === null) lower(element);
    };
    // The event does not bubble.
    document.addEventListener('close', onClose, true);
    return () => document.removeEventListener('close', onClose, true);
  }, [newest]);
  return layer;
}

/** Puts the layer back into the page. */
function lower(layer: HTMLDivElement): void {
  if (layer.popover !== null) layer.hidePopover();
  layer.popover = null;
}

/**
 * The toast area, once per page; the newest toast covers the others. The live regions are always rendered, because
 * screen readers announce only changes in existing ones.
 */
export function Toasts() {
  const newest = notices.value.at(-1)?.id;
  const layer = useTopLayer(newest);
  const toasts = (isError: boolean) =>
    notices.value
      .filter(({ kind }) => (kind === 'error') === isError)
      .map(({ id, kind, text, action }) => (
        <div key={id} class={`toast ${kind} ${id === newest ? '' : 'covered'}`}>
          <span class="mark" aria-hidden="true">
            {MARKS[kind]}
          </span>
          <p>{text}</p>
          {action === undefined ? null : (
            <button
              type="button"
              class="link-button"
              onClick={() => {
                dismiss(id);
                action.run();
              }}
            >
              {action.label}
            </button>
          )}
          <button
            type="button"
            class="icon-button"
            aria-label={t('Dismiss')}
            onClick={() => dismiss(id)}
          >
            <svg viewBox="0 0 20 20" aria-hidden="true">
              <path d="m6 6 8 8M14 6l-8 8" />
            </svg>
          </button>
        </div>
      ));
  return (
    <div class="toasts">
      <div ref={layer} class="toast-layer">
        <div role="alert">{toasts(true)}</div>
        <div role="status">{toasts(false)}</div>
      </div>
    </div>
  );
}
