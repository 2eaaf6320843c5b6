import { signal } from '@preact/signals';
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
 * The toast area, once per page; the newest toast covers the others. The live regions are always rendered, because
 * screen readers announce only changes in existing ones.
 */
export function Toasts() {
  const newest = notices.value.at(-1)?.id;
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
      <div role="alert">{toasts(true)}</div>
      <div role="status">{toasts(false)}</div>
    </div>
  );
}
