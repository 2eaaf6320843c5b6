import type { ComponentChildren } from 'preact';
import type { Action } from './action.ts';
import { Notice } from './notice.tsx';

interface FormProps {
  readonly action: Action;
  readonly onSubmit: () => Promise<void>;
  /** Fields of the request whose errors stand beside an input; every other is shown above the button. */
  readonly fields?: readonly string[];
  readonly class?: string;
  readonly label?: string;
  readonly children: ComponentChildren;
}

/** A form that the page itself sends; a second press while it is sent does nothing. */
export function Form({ action, onSubmit, fields = [], label, children, ...rest }: FormProps) {
  const failure = action.failure.value;
  const isBeside = failure?.field !== undefined && fields.includes(failure.field);
  return (
    <form
      noValidate
      class={`form ${rest.class ?? ''}`}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        void action.run(onSubmit).then((done) => {
          if (!done) requestAnimationFrame(() => focusFault(form));
        });
      }}
    >
      {failure === undefined || isBeside ? null : <Notice kind="error">{failure.message}</Notice>}
      {children}
    </form>
  );
}

/** Whoever cannot see the error is taken to it. */
function focusFault(form: HTMLFormElement): void {
  form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}

interface SubmitProps {
  readonly action: Action;
  readonly label: string;
  readonly kind?: 'primary' | 'danger';
  readonly disabled?: boolean;
  readonly class?: string;
}

/** The button that sends a form. It keeps its width and its focus while the form is sent. */
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
