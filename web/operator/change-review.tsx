import { signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Dialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { t } from '../i18n/index.ts';
import { type Change, ChangeList } from './change-list.tsx';

export type { Change } from './change-list.tsx';

interface Review {
  readonly title: string;
  readonly changes: readonly Change[];
  /** Shown below the changes, such as the orders that they affect. */
  readonly effect?: ComponentChildren;
}

interface Question extends Review {
  readonly answer: (reason: string | undefined) => void;
}

const question = signal<Question | undefined>(undefined);

/**
 * Shows what changes from what to what, and asks for the reason, which the audit keeps.
 * @returns Undefined if the operator goes back
 * @throws FieldError if nothing changes
 */
export async function reviewChanges(review: Review): Promise<string | undefined> {
  if (review.changes.length === 0) throw new FieldError('none', t('Nothing has changed.'));
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  question.value = { ...review, answer: resolve };
  const reason = await promise;
  question.value = undefined;
  return reason;
}

/** Returns the changes among named values. */
export function listChanges(
  values: readonly (readonly [name: string, from: string, to: string])[],
): readonly Change[] {
  return values
    .filter(([, from, to]) => from.trim() !== to.trim())
    .map(([name, from, to]) => ({ name, from: from.trim(), to: to.trim() }));
}

/** The dialog of `reviewChanges`, once on a page. */
export function ChangeReview() {
  const asked = question.value;
  return (
    <Dialog
      title={asked?.title ?? ''}
      open={asked !== undefined}
      onClose={() => asked?.answer(undefined)}
    >
      {asked === undefined ? null : <ReviewForm question={asked} />}
    </Dialog>
  );
}

function ReviewForm({ question: { changes, effect, answer } }: { question: Question }) {
  const reason = useSignal('');
  const action = useAction();
  const submit = async () => {
    const text = reason.value.trim();
    if (text === '') throw new FieldError('reason', t('Enter a reason.'));
    answer(text);
  };
  return (
    <Form action={action} onSubmit={submit} fields={['reason']}>
      <ChangeList changes={changes} />
      {effect}
      <Field
        label={t('Reason')}
        hint={t('Recorded in the audit trail')}
        {...bound(reason)}
        error={action.fieldError('reason')}
        input={{ name: 'reason', maxLength: 200, required: true, autofocus: true }}
      />
      <div class="dialog-actions">
        <Submit action={action} label={t('Apply changes')} />
      </div>
    </Form>
  );
}
