import { useSignal } from '@preact/signals';
import { api } from '../api.ts';
import { useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Form, Submit } from '../components/form.tsx';
import { Notice } from '../components/notice.tsx';
import { PasswordField } from '../components/password-field.tsx';
import { t } from '../i18n/index.ts';
import { Entry, start } from '../sign-in/entry.tsx';
import { takeToken } from '../sign-in/fragment.ts';
import { checkPassword } from '../sign-in/password.ts';
import { PasswordStrength } from '../sign-in/password-strength.tsx';

function ResetPasswordPage({ token }: { token: string | undefined }) {
  const isDone = useSignal(false);
  if (isDone.value) return <Done />;
  if (token === undefined) return <IncompleteLink />;
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
      title={t('Choose a new password')}
      lead={t('This signs you out on all devices. Two-factor authentication does not change.')}
      foot={<NewLink />}
    >
      <Form action={action} onSubmit={submit} fields={['password']}>
        <PasswordField
          label={t('New password')}
          {...bound(password)}
          autocomplete="new-password"
          autofocus
          hint={<PasswordStrength password={password.value} email={''} />}
          error={action.fieldError('password')}
        />
        <Submit action={action} label={t('Change password')} class="wide" />
      </Form>
    </Entry>
  );
}

function Done() {
  return (
    <Entry title={t('Password changed')} lead={t('Sign in with your new password.')}>
      <a class="button primary wide" href="/sign-in">
        {t('Sign in')}
      </a>
    </Entry>
  );
}

function IncompleteLink() {
  return (
    <Entry title={t('Choose a new password')} foot={<NewLink />}>
      <Notice kind="warning">
        {t('This link is incomplete. Open the complete link from the email.')}
      </Notice>
    </Entry>
  );
}

function NewLink() {
  return <a href="/forgot-password">{t('Request a new link')}</a>;
}

start(<ResetPasswordPage token={takeToken()} />);
