import { useSignal } from '@preact/signals';
import type { Account } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Field } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { announce } from '../components/toast.tsx';

interface FreezeProps {
  readonly account: Account;
  readonly onDone: () => Promise<void>;
}

/** Freezes an account, or lets it trade again; never without a reason. */
export function Freeze({ account: { accountId, frozen }, onDone }: FreezeProps) {
  const reason = useSignal('');
  const action = useAction();
  const submit = async () => {
    const why = reason.value.trim();
    if (why === '') throw new FieldError('reason', 'Say why, for the audit trail.');
    await api.changeAccount({ id: accountId, frozen: !frozen, reason: why });
    announce(frozen ? `${accountId} may trade again.` : `${accountId} is frozen.`, 'success');
    await onDone();
  };
  return (
    <Form action={action} onSubmit={submit} fields={['reason']}>
      <p>
        {frozen
          ? 'It can place, change and cancel orders again.'
          : 'It can neither place nor change nor cancel orders. What it has open stays and trades.'}
      </p>
      <Field
        label="Reason"
        {...bound(reason)}
        hint="It goes into the audit trail."
        error={action.errorOf('reason')}
        input={{ name: 'reason', maxLength: 200, required: true }}
      />
      <div class="dialog-actions">
        <Submit
          action={action}
          label={frozen ? 'Let it trade again' : 'Freeze the account'}
          kind={frozen ? 'primary' : 'danger'}
        />
      </div>
    </Form>
  );
}
