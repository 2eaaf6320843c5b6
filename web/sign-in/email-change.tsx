import { useSignal } from '@preact/signals';
import { ApiRequestError } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Form, Submit } from '../components/form.tsx';
import { Notice } from '../components/notice.tsx';
import { PasswordField } from '../components/password-field.tsx';
import { t } from '../i18n/index.ts';
import { Entry } from './entry.tsx';

/**
 * Asks for the password of the account. Without it, a stranger who got the link because of a typing error could take over the
 * account.
 */
export function EmailChange({ token }: { token: string | undefined }) {
  const password = useSignal('');
  const isDone = useSignal(false);
  const action = useAction();
  if (isDone.value) {
    return (
      <Entry title={t('Email address changed')} lead={t('Sign in with your new address.')}>
        <a class="button primary wide" href="/sign-in">
          {t('Sign in')}
        </a>
      </Entry>
    );
  }
  if (token === undefined || action.failure.value?.field === 'token') return <BadLink />;
  const submit = async () => {
    if (password.value === '') throw new FieldError('password', t('Enter your password.'));
    await confirm(token, password.value);
    isDone.value = true;
  };
  return (
    <Entry
      title={t('Confirm your new email address')}
      lead={t('Enter the password of your account. Then sign in with the new address.')}
    >
      <Form action={action} onSubmit={submit} fields={['password']}>
        <PasswordField
          label={t('Password')}
          {...bound(password)}
          autocomplete="current-password"
          error={action.fieldError('password')}
        />
        <Submit action={action} label={t('Change email address')} class="wide" />
      </Form>
    </Entry>
  );
}

/** Changes the address. @throws FieldError if the password is wrong */
async function confirm(token: string, password: string): Promise<void> {
  try {
    await api.confirmEmailChange({ token, password });
  } catch (error) {
    const isWrong = error instanceof ApiRequestError && error.code === 'UNAUTHORIZED';
    throw isWrong ? new FieldError('password', t('Incorrect password')) : error;
  }
}

/** Leads to a new link: the form could only fail. */
function BadLink() {
  return (
    <Entry title={t('Confirm your new email address')}>
      <Notice kind="warning">{t('This link was used, has expired or is incomplete.')}</Notice>
      <a class="button primary wide" href="/settings">
        {t('Get a new link in the settings')}
      </a>
    </Entry>
  );
}
