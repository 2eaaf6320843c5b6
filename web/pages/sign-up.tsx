import { useSignal } from '@preact/signals';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Field } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { PasswordField } from '../components/password-field.tsx';
import { T, t } from '../i18n/index.ts';
import { Entry, SandboxMail, start } from '../sign-in/entry.tsx';
import { checkPassword, passwordHint } from '../sign-in/password.ts';

function SignUpPage() {
  const sentTo = useSignal('');
  if (sentTo.value !== '') return <CheckEmail email={sentTo.value} />;
  return <SignUpForm onDone={(email) => (sentTo.value = email)} />;
}

function SignUpForm({ onDone }: { onDone: (email: string) => void }) {
  const [name, email, password] = [useSignal(''), useSignal(''), useSignal('')];
  const action = useAction();
  const submit = async () => {
    if (name.value.trim() === '') throw new FieldError('name', t('Enter your name.'));
    if (!email.value.includes('@'))
      throw new FieldError('email', t('Enter a valid email address.'));
    checkPassword(password.value);
    const body = { email: email.value.trim(), password: password.value, name: name.value.trim() };
    await api.signUp(body);
    onDone(body.email);
  };
  return (
    <Entry
      title={t('Create an account')}
      lead={t('Trade spot markets here, or through the API with your own keys.')}
      foot={
        <T
          text="Already have an account? <a>Sign in</a>"
          a={(children) => <a href="/sign-in">{children}</a>}
        />
      }
    >
      <Form action={action} onSubmit={submit} fields={['name', 'email', 'password']}>
        <Field
          label={t('Name')}
          {...bound(name)}
          error={action.fieldError('name')}
          input={{ name: 'name', autocomplete: 'name', maxLength: 64, required: true }}
        />
        <Field
          label={t('Email')}
          {...bound(email)}
          error={action.fieldError('email')}
          input={{ type: 'email', name: 'email', autocomplete: 'username', required: true }}
        />
        <PasswordField
          label={t('Password')}
          {...bound(password)}
          autocomplete="new-password"
          hint={passwordHint()}
          error={action.fieldError('password')}
        />
        <Submit action={action} label={t('Create account')} class="wide" />
      </Form>
    </Entry>
  );
}

function CheckEmail({ email }: { email: string }) {
  return (
    <Entry
      title={t('Check your email')}
      lead={
        <T
          text="We sent a link to <b>{email}</b>. Open it to confirm your address and activate your account."
          email={email}
          b={(children) => <b>{children}</b>}
        />
      }
      foot={
        <T
          text="No email? Check your spam folder, or <a>use another address</a>."
          a={(children) => <a href="/sign-up">{children}</a>}
        />
      }
    >
      <SandboxMail />
    </Entry>
  );
}

start(<SignUpPage />);
