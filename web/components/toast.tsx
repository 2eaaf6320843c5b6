import { useEffect, useRef } from 'preact/hooks';
import { ApprovalRequiredError } from '../../src/client/errors.ts';
import { t } from '../i18n/t.ts';
import { announceApproval, errorMessage } from './action.ts';
import { announce, dismiss, openDialogs, type ToastAction, toasts } from './announce.ts';
import { Icon } from './icon.tsx';

export { announce } from './announce.ts';

/** Shows an error as a toast. A request that waits for a second operator is none. */
export function announceError(error: unknown): void {
  if (error instanceof ApprovalRequiredError) announceApproval(error);
  else announce(errorMessage(error), 'error');
}

const MARKS = { info: 'i', success: '✓', error: '!' };

/** The toast area of the page. While a dialog is open, that shows the toasts instead: it makes the page inert. */
export function Toasts() {
  return (
    <div class="toasts">
      <ToastLayer isShown={openDialogs.value.length === 0} />
    </div>
  );
}

/** The toasts over a dialog, as a popover, which the browser shows above the dialog and its backdrop. */
export function DialogToasts({ id }: { id: string }) {
  const layer = useRef<HTMLDivElement>(null);
  const isOpen = openDialogs.value.includes(id);
  useEffect(() => {
    // After the dialog, and even without toasts: a hidden live region would not be read when it appears.
    if (isOpen) layer.current?.showPopover();
  }, [isOpen]);
  return (
    <div ref={layer} class="toasts over-dialog" popover="manual">
      <ToastLayer isShown={openDialogs.value.at(-1) === id} />
    </div>
  );
}

/**
 * The newest toast covers the others. The live regions are always rendered, because screen readers announce only changes
 * in existing ones.
 */
function ToastLayer({ isShown }: { isShown: boolean }) {
  const newest = toasts.value.at(-1)?.id;
  const show = (isError: boolean) =>
    toasts.value
      .filter(({ kind }) => isShown && (kind === 'error') === isError)
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
            <Icon name="dismiss" />
          </button>
        </div>
      ));
  return (
    <>
      <div role="alert">{show(true)}</div>
      <div role="status">{show(false)}</div>
    </>
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
