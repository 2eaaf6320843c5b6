import type { ComponentChildren } from 'preact';
import { useAction } from './action.ts';
import { Dialog } from './dialog.tsx';
import { Form, Submit } from './form.tsx';

interface ConfirmProps {
  readonly title: string;
  readonly open: boolean;
  /** The button that does it: a verb. */
  readonly verb: string;
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
  /** What will happen. */
  readonly children: ComponentChildren;
}

/** Asks before something that cannot be taken back. */
export function Confirm({ title, open, verb, onConfirm, onClose, children }: ConfirmProps) {
  const action = useAction();
  const submit = async () => {
    await onConfirm();
    onClose();
  };
  return (
    <Dialog title={title} open={open} onClose={onClose}>
      <Form action={action} onSubmit={submit}>
        <div>{children}</div>
        <div class="dialog-actions">
          <button type="button" class="button" onClick={onClose}>
            Keep
          </button>
          <Submit action={action} label={verb} kind="danger" />
        </div>
      </Form>
    </Dialog>
  );
}
