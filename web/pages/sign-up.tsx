import { useSignal } from '@preact/signals';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Field } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { PasswordField } from '../components/password-field.tsx';
import { Entry, SandboxMail, start } from '../sign-in/entry.tsx';
import { checkPassword, PASSWORD_HINT } from '../sign-in/password.ts';

function SignUpPage() {
  const sentTo = useSignal('');
  if (sentTo.value !== '') return <CheckEmail email={sentTo.value} />;
  return <SignUpForm onDone={(email) => (sentTo.value = email)} />;
}

function SignUpForm({ onDone }: { onDone: (email: string) => void }) {
  const [name, email, password] = [useSignal(''), useSignal(''), useSignal('')];
  const action = useAction();
  const submit = async () => {
    if (name.value.trim() === '') throw new FieldError('name', 'Enter your name.');
    if (!email.value.includes('@')) throw new FieldError('email', 'Enter a valid email address.');
    checkPassword(password.value);
    const body = { email: email.value.trim(), password: password.value, name: name.value.trim() };
    await api.signUp(body);
    onDone(body.email);
  };
  return (
    <Entry
      title="Create an account"
      lead="Trade spot markets here, or through the API with your own keys."
      foot={
        <>
          Already have an account? <a href="/sign-in">Sign in</a>
        </>
      }
    >
      <Form action={action} onSubmit={submit} fields={['name', 'email', 'password']}>
        <Field
          label="Name"
          {...bound(name)}
          error={action.fieldError('name')}
          input={{ name: 'name', autocomplete: 'name', maxLength: 64, required: true }}
        />
        <Field
          label="Email"
          {...bound(email)}
          error={action.fieldError('email')}
          input={{ type: 'email', name: 'email', autocomplete: 'username', required: true }}
        />
        <PasswordField
          label="Password"
          {...bound(password)}
          autocomplete="new-password"
          hint={PASSWORD_HINT}
          error={action.fieldError('password')}
        />
        <Submit action={action} label="Create account" class="wide" />
      </Form>
    </Entry>
  );
}

function CheckEmail({ email }: { email: string }) {
  return (
    <Entry
      title="Check your email"
      lead={
        <>
          We sent a link to <b>{email}</b>. Open it to confirm your address and activate your
          account.
        </>
      }
      foot={
        <>
          No email? Check your spam folder, or <a href="/sign-up">use another address</a>.
        </>
      }
    >
      <SandboxMail />
    </Entry>
  );
}

start(<SignUpPage />);
