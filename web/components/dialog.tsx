import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { t } from '../i18n/index.ts';
import { openDialogs } from './announce.ts';
import { Icon } from './icon.tsx';
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
  /** Whether this component has opened the element and not closed it since. */
  const isShown = useRef(false);
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
      isShown.current = true;
      // Focuses the first field or action rather than the close button.
      element.querySelector<HTMLElement>(FIRST_CONTROL)?.focus();
    }
    if (!open) {
      isShown.current = false;
      element?.close();
    }
  }, [open]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same
    <dialog
      ref={dialog}
      class={isDrawer ? 'drawer' : undefined}
      aria-labelledby={id}
      onCancel={(event) => {
        // Closed by the state like by the button: the close event comes late, and would close what was opened since.
        event.preventDefault();
        onClose();
      }}
      onClose={({ currentTarget }) => {
        // The browser closes by itself on a second Escape.
        if (isShown.current && !currentTarget.open) onClose();
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
              <Icon name="close" />
            </button>
          </header>
          {children}
        </div>
      ) : null}
      {open ? <DialogToasts id={id} /> : null}
    </dialog>
  );
}
