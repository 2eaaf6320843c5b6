import { useSignal } from '@preact/signals';
import type { Account } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Field } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { announce } from '../components/toast.tsx';
import { t } from '../i18n/index.ts';

interface FreezeProps {
  readonly account: Account<string>;
  readonly onDone: () => Promise<void>;
}

/** Freezes or unfreezes an account; a reason is required. */
export function Freeze({ account: { accountId, frozen }, onDone }: FreezeProps) {
  const reason = useSignal('');
  const action = useAction();
  const submit = async () => {
    const why = reason.value.trim();
    if (why === '') throw new FieldError('reason', t('Enter a reason for the audit trail.'));
    await api.changeAccount({ id: accountId, frozen: !frozen, reason: why });
    announce(
      frozen
        ? t('{account} is no longer frozen', { account: accountId })
        : t('{account} is frozen', { account: accountId }),
      'success',
    );
    await onDone();
  };
  return (
    <Form action={action} onSubmit={submit} fields={['reason']}>
      <p>
        {frozen
          ? t('The account can place, amend and cancel orders again.')
          : t(
              'The account can no longer place, amend or cancel orders. Its open orders stay in the book and can still fill.',
            )}
      </p>
      <Field
        label={t('Reason')}
        {...bound(reason)}
        hint={t('Recorded in the audit trail')}
        error={action.fieldError('reason')}
        input={{ name: 'reason', maxLength: 200, required: true }}
      />
      <div class="dialog-actions">
        <Submit
          action={action}
          label={frozen ? t('Unfreeze') : t('Freeze account')}
          kind={frozen ? 'primary' : 'danger'}
        />
      </div>
    </Form>
  );
}
