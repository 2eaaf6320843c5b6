import { useSignal } from '@preact/signals';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Field } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { t } from '../i18n/index.ts';

interface CloseAlertsProps {
  /** Ids of the alerts. */
  readonly ids: readonly string[];
  /** Called after each case with the alerts that are left: after an error, these can be sent again. */
  readonly onProgress: (left: readonly string[]) => void;
  readonly onDone: (count: number) => Promise<void>;
}

/** Closes the cases of several alerts for the same reason, one review each. */
export function CloseAlerts({ ids, onProgress, onDone }: CloseAlertsProps) {
  const note = useSignal('');
  const action = useAction();
  const submit = async () => {
    const text = note.value.trim();
    if (text === '') throw new FieldError('note', t('Enter a reason.'));
    const left = [...ids];
    for (const id of ids) {
      await api.reviewAlert({ id, caseStatus: 'closed', note: text });
      left.shift();
      onProgress(left);
    }
    await onDone(ids.length);
  };
  return (
    <Form action={action} onSubmit={submit} fields={['note']}>
      <p>
        {t('{count, plural, one {# case is closed} other {# cases are closed}} with this reason.', {
          count: ids.length,
        })}
      </p>
      <Field
        label={t('Reason')}
        {...bound(note)}
        hint={t('It stays in the log: write no names, addresses or other personal data.')}
        error={action.fieldError('note')}
        input={{ name: 'note', maxLength: 500, required: true }}
      />
      <div class="dialog-actions">
        <Submit action={action} label={t('Close cases')} kind="danger" />
      </div>
    </Form>
  );
}
