import { useSignal } from '@preact/signals';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Field } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Entry, SandboxMail, start } from '../sign-in/entry.tsx';

const FOOT = <a href="/sign-in">Back to sign in</a>;

function ForgotPasswordPage() {
  const email = useSignal('');
  const isSent = useSignal(false);
  const action = useAction();
  const submit = async () => {
    if (!email.value.includes('@')) throw new FieldError('email', 'Enter a valid email address.');
    await api.requestPasswordReset({ email: email.value.trim() });
    isSent.value = true;
  };
  if (isSent.value) {
    return (
      <Entry
        title="Check your email"
        lead={
          <>
            If <b>{email.value.trim()}</b> has an account, we sent it a link to reset the password.
          </>
        }
        foot={FOOT}
      >
        <SandboxMail />
      </Entry>
    );
  }
  return (
    <Entry
      title="Reset your password"
      lead="We will email you a link to choose a new password."
      foot={FOOT}
    >
      <Form action={action} onSubmit={submit} fields={['email']}>
        <Field
          label="Email"
          {...bound(email)}
          error={action.fieldError('email')}
          input={{ type: 'email', name: 'email', autocomplete: 'username', required: true }}
        />
        <Submit action={action} label="Send link" class="wide" />
      </Form>
    </Entry>
  );
}

start(<ForgotPasswordPage />);
