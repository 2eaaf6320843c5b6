import { signal } from '@preact/signals';
import { errorMessage } from './action.ts';

interface Notice {
  readonly id: number;
  readonly kind: 'info' | 'success' | 'error';
  readonly text: string;
}

const SHOWN_MS = 5000;
const notices = signal<readonly Notice[]>([]);
let last = 0;

/** Shows a line for a few seconds, and has it read out: an error at once, the rest when it is quiet. */
export function announce(text: string, kind: Notice['kind'] = 'info'): void {
  const notice = { id: ++last, kind, text };
  notices.value = [...notices.value, notice].slice(-3);
  setTimeout(() => dismiss(notice.id), SHOWN_MS);
}

function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}

/** Says what went wrong, in the words of the exchange where it had any. */
export function announceError(error: unknown): void {
  announce(errorMessage(error), 'error');
}

const MARKS = { info: 'i', success: '✓', error: '!' };

/**
 * Where the lines appear, the newest in place of the others: once a page. The regions are there before their first
 * line, or none is read.
 */
export function Toasts() {
  const newest = notices.value.at(-1)?.id;
  const of = (isError: boolean) =>
    notices.value
      .filter(({ kind }) => (kind === 'error') === isError)
      .map(({ id, kind, text }) => (
        <div key={id} class={`toast ${kind} ${id === newest ? '' : 'behind'}`}>
          <span class="mark" aria-hidden="true">
            {MARKS[kind]}
          </span>
          <p>{text}</p>
          <button
            type="button"
            class="icon-button"
            aria-label="Dismiss"
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
      <div role="alert">{of(true)}</div>
      <div role="status">{of(false)}</div>
    </div>
  );
}
