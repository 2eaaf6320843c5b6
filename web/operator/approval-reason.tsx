import { signal, useSignal } from '@preact/signals';
import { ApiRequestError } from '../../src/client/errors.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Dialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { t } from '../i18n/index.ts';

interface Question {
  readonly answer: (reason: string | undefined) => void;
}

const question = signal<Question | undefined>(undefined);

/**
 * Runs a request of an operator. If a second operator must approve it, asks for the reason and sends it again.
 * @throws the error of the exchange, also if the operator gives no reason
 */
export async function withReason<Data>(
  work: (given: { readonly reason?: string }) => Promise<Data>,
): Promise<Data> {
  try {
    return await work({});
  } catch (error) {
    if (!needsReason(error)) throw error;
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    question.value = { answer: resolve };
    const reason = await promise;
    question.value = undefined;
    if (reason === undefined) throw error;
    return work({ reason });
  }
}

function needsReason(error: unknown): boolean {
  if (!(error instanceof ApiRequestError)) return false;
  return error.details.field === 'reason' && error.details.rule === 'approval';
}

/** The dialog that asks for the reason of a request, once on a page. */
export function ApprovalReason() {
  const asked = question.value;
  return (
    <Dialog
      title={t('A second operator must approve this')}
      open={asked !== undefined}
      onClose={() => asked?.answer(undefined)}
    >
      {asked === undefined ? null : <Reason answer={asked.answer} />}
    </Dialog>
  );
}

function Reason({ answer }: Question) {
  const reason = useSignal('');
  const action = useAction();
  const submit = async () => {
    const text = reason.value.trim();
    if (text === '') throw new FieldError('reason', t('Enter a reason.'));
    answer(text);
  };
  return (
    <Form action={action} onSubmit={submit} fields={['reason']}>
      <p>{t('Nothing changes until an operator of another account approves your request.')}</p>
      <Field
        label={t('Reason')}
        hint={t('Shown to the operator who approves it')}
        {...bound(reason)}
        error={action.fieldError('reason')}
        input={{ name: 'reason', maxLength: 200, required: true }}
      />
      <div class="dialog-actions">
        <Submit action={action} label={t('Ask for approval')} />
      </div>
    </Form>
  );
}
