import { useSignal } from '@preact/signals';
import { api } from '../api.ts';
import { useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { CodeField } from '../components/code-field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Panel } from '../components/panel.tsx';
import { PasswordField } from '../components/password-field.tsx';
import { announce } from '../components/toast.tsx';
import { t } from '../i18n/index.ts';
import { profile } from '../session.ts';
import { checkPassword } from '../sign-in/password.ts';
import { PasswordStrength } from '../sign-in/password-strength.tsx';
import { withConfirmation } from './confirmation.tsx';

const FIELDS = ['password', 'newPassword', 'code'];

export function PasswordPanel({ onChanged }: { onChanged: () => void }) {
  const [password, newPassword, code] = [useSignal(''), useSignal(''), useSignal('')];
  const action = useAction();
  const hasSecondFactor = profile.value?.secondFactor === true;
  const submit = async () => {
    checkPassword(newPassword.value, 'newPassword');
    const body = { password: password.value, newPassword: newPassword.value };
    const message = hasSecondFactor ? t('Incorrect password or code') : t('Incorrect password');
    await withConfirmation(
      () => api.changePassword(hasSecondFactor ? { ...body, code: code.value.trim() } : body),
      'password',
      message,
    );
    for (const field of [password, newPassword, code]) field.value = '';
    announce(t('Password changed. All other sessions were signed out.'), 'success');
    onChanged();
  };
  return (
    <Panel
      title={t('Password')}
      lead={t('Changing your password signs you out on all other devices.')}
    >
      <Form action={action} onSubmit={submit} fields={FIELDS} class="narrow">
        <PasswordField
          label={t('Current password')}
          {...bound(password)}
          autocomplete="current-password"
          error={action.fieldError('password')}
        />
        <PasswordField
          label={t('New password')}
          name="new-password"
          {...bound(newPassword)}
          autocomplete="new-password"
          hint={
            <PasswordStrength password={newPassword.value} email={profile.value?.email ?? ''} />
          }
          error={action.fieldError('newPassword')}
        />
        {hasSecondFactor ? <CodeField {...bound(code)} error={action.fieldError('code')} /> : null}
        <div>
          <Submit action={action} label={t('Change password')} />
        </div>
      </Form>
    </Panel>
  );
}
