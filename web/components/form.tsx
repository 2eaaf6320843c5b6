import type { ComponentChildren } from 'preact';
import { ApprovalRequiredError } from '../../src/client/errors.ts';
import type { Action } from './action.ts';
import { Notice } from './notice.tsx';

interface FormProps {
  readonly action: Action;
  readonly onSubmit: () => Promise<void>;
  /** Request fields whose errors are shown at an input; all other errors are shown above the form. */
  readonly fields?: readonly string[];
  readonly class?: string;
  readonly label?: string;
  readonly children: ComponentChildren;
}

/**
 * A form submitted by script; ignores submits while one is running. If the request waits for a second operator, there
 * is nothing more to do in the form: its dialog closes.
 */
export function Form({ action, onSubmit, fields = [], label, children, ...rest }: FormProps) {
  const failure = action.failure.value;
  const isAtField = failure?.field !== undefined && fields.includes(failure.field);
  return (
    <form
      noValidate
      class={`form ${rest.class ?? ''}`}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        const submit = async () => {
          try {
            await onSubmit();
          } catch (error) {
            if (error instanceof ApprovalRequiredError) form.closest('dialog')?.close();
            throw error;
          }
        };
        void action.run(submit).then((done) => {
          if (!done) requestAnimationFrame(() => focusInvalid(form));
        });
      }}
    >
      {failure === undefined || isAtField ? null : <Notice kind="error">{failure.message}</Notice>}
      {children}
    </form>
  );
}

/** Moves the focus to the first invalid field, so that screen readers announce its error. */
function focusInvalid(form: HTMLFormElement): void {
  form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}

interface SubmitProps {
  readonly action: Action;
  readonly label: string;
  readonly kind?: 'primary' | 'danger';
  readonly disabled?: boolean;
  readonly class?: string;
}

/** A submit button. It keeps its width and focus while the form is being sent. */
export function Submit({ action, label, kind = 'primary', disabled, ...rest }: SubmitProps) {
  return (
    <button
      type="submit"
      class={`button ${kind} ${rest.class ?? ''}`}
      disabled={disabled}
      aria-busy={action.busy.value}
    >
      {label}
    </button>
  );
}
