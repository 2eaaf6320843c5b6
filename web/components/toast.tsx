import { useEffect, useRef } from 'preact/hooks';
import { ApprovalRequiredError } from '../../src/client/errors.ts';
import { t } from '../i18n/t.ts';
import { announceApproval, errorMessage } from './action.ts';
import { announce, dismiss, type ToastAction, toasts } from './announce.ts';

export { announce } from './announce.ts';

/** Shows an error as a toast. A request that waits for a second operator is none. */
export function announceError(error: unknown): void {
  if (error instanceof ApprovalRequiredError) announceApproval(error);
  else announce(errorMessage(error), 'error');
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
  const newest = toasts.value.at(-1)?.id;
  const layer = useTopLayer(newest);
  const show = (isError: boolean) =>
    toasts.value
      .filter(({ kind }) => (kind === 'error') === isError)
      .map(({ id, kind, text, action }) => (
        <div key={id} class={`toast ${kind} ${id === newest ? '' : 'covered'}`}>
          <span class="mark" aria-hidden="true">
            {MARKS[kind]}
          </span>
          <p>{text}</p>
          {action === undefined ? null : <Action action={action} onDone={() => dismiss(id)} />}
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
        <div role="alert">{show(true)}</div>
        <div role="status">{show(false)}</div>
      </div>
    </div>
  );
}

function Action({ action, onDone }: { action: ToastAction; onDone: () => void }) {
  if ('href' in action) {
    return (
      <a href={action.href} onClick={onDone}>
        {action.label}
      </a>
    );
  }
  const run = () => {
    onDone();
    action.run();
  };
  return (
    <button type="button" class="link-button" onClick={run}>
      {action.label}
    </button>
  );
}
