import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { t } from '../i18n/index.ts';
import { openDialogs } from './announce.ts';
import { DialogToasts } from './toast.tsx';

interface DialogProps {
  readonly title: string;
  readonly open: boolean;
  /** Called on Escape, the close button, or a click outside the dialog. */
  readonly onClose: () => void;
  /** Whether it takes the height of the window, at its right side. */
  readonly isDrawer?: boolean;
  readonly children: ComponentChildren;
}

const FIRST_CONTROL = 'form :is(input, select), .dialog-actions button';

/** A native modal dialog: the browser traps the focus and restores it on close. */
export function Dialog({ title, open, onClose, isDrawer, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (!open) return;
    openDialogs.value = [...openDialogs.peek(), id];
    return () => {
      openDialogs.value = openDialogs.peek().filter((each) => each !== id);
    };
  }, [open]);
  useEffect(() => {
    const element = dialog.current;
    if (open && element !== null && !element.open) {
      element.showModal();
      // Focuses the first field or action rather than the close button.
      element.querySelector<HTMLElement>(FIRST_CONTROL)?.focus();
    }
    if (!open) element?.close();
  }, [open]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same
    <dialog
      ref={dialog}
      class={isDrawer ? 'drawer' : undefined}
      aria-labelledby={id}
      onClose={({ currentTarget }) => {
        // The event comes late: the dialog may have been opened again in the meantime.
        if (!currentTarget.open) onClose();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      {open ? (
        <div class="dialog-body">
          <header>
            <h2 id={id}>{title}</h2>
            <button type="button" class="icon-button" aria-label={t('Close')} onClick={onClose}>
              <svg viewBox="0 0 20 20" aria-hidden="true">
                <path d="m5 5 10 10M15 5 5 15" />
              </svg>
            </button>
          </header>
          {children}
        </div>
      ) : null}
      {open ? <DialogToasts id={id} /> : null}
    </dialog>
  );
}
