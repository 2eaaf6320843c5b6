import type { ComponentChildren } from 'preact';
import { t } from '../i18n/index.ts';
import { useAction } from './action.ts';
import { Dialog } from './dialog.tsx';
import { Form, Submit } from './form.tsx';

interface ConfirmProps {
  readonly title: string;
  readonly open: boolean;
  /** Label of the confirming button: a verb. */
  readonly verb: string;
  /** Label of the other button; set it if "Cancel" would be ambiguous. */
  readonly dismiss?: string;
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
  /** The consequences. */
  readonly children: ComponentChildren;
}

/** A dialog that asks before an irreversible action. */
export function Confirm(props: ConfirmProps) {
  const { title, open, verb, dismiss = t('Cancel'), onConfirm, onClose, children } = props;
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
            {dismiss}
          </button>
          <Submit action={action} label={verb} kind="danger" />
        </div>
      </Form>
    </Dialog>
  );
}
