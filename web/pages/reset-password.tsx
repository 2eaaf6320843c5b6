import { useSignal } from '@preact/signals';
import { api } from '../api.ts';
import { useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Form, Submit } from '../components/form.tsx';
import { Notice } from '../components/notice.tsx';
import { PasswordField } from '../components/password-field.tsx';
import { Entry, start } from '../sign-in/entry.tsx';
import { takeToken } from '../sign-in/fragment.ts';
import { checkPassword, PASSWORD_HINT } from '../sign-in/password.ts';

function ResetPasswordPage({ token }: { token: string | undefined }) {
  const isDone = useSignal(false);
  if (isDone.value) return <Done />;
  if (token === undefined) return <NoToken />;
  return <ResetForm token={token} onDone={() => (isDone.value = true)} />;
}

function ResetForm({ token, onDone }: { token: string; onDone: () => void }) {
  const password = useSignal('');
  const action = useAction();
  const submit = async () => {
    checkPassword(password.value);
    await api.confirmPasswordReset({ token, password: password.value });
    onDone();
  };
  return (
    <Entry
      title="Choose a new password"
      lead="Wherever you are signed in now you will be signed out. Your second factor stays as it is."
    >
      <Form action={action} onSubmit={submit} fields={['password']}>
        <PasswordField
          label="New password"
          {...bound(password)}
          autocomplete="new-password"
          hint={PASSWORD_HINT}
          error={action.errorOf('password')}
        />
        <Submit action={action} label="Change the password" class="wide" />
      </Form>
    </Entry>
  );
}

function Done() {
  return (
    <Entry title="Password changed" lead="Sign in with the new one.">
      <a class="button primary wide" href="/sign-in">
        Sign in
      </a>
    </Entry>
  );
}

function NoToken() {
  return (
    <Entry title="Choose a new password" foot={<a href="/forgot-password">Send another link</a>}>
      <Notice kind="warning">
        This address is not whole. Open the link in the mail once more, all of it.
      </Notice>
    </Entry>
  );
}

start(<ResetPasswordPage token={takeToken()} />);
