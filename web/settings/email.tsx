import { useSignal } from '@preact/signals';
import type { Profile } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { CodeField } from '../components/code-field.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Notice } from '../components/notice.tsx';
import { PasswordField } from '../components/password-field.tsx';
import { announce, announceError } from '../components/toast.tsx';
import { T, t } from '../i18n/index.ts';
import { profile } from '../session.ts';
import { withConfirmation } from './confirmation.tsx';

/**
 * The email address of a user, and the button that begins a change. Every user has opened a mailed link: signing up and
 * invitations end with one.
 */
export function Email({ user, onChange }: { user: Profile; onChange: () => void }) {
  return (
    <span class="own-email">
      <span>{user.email}</span>
      <span class="badge on">{t('Confirmed||email')}</span>
      <button type="button" class="button small" onClick={onChange}>
        {t('Change||email')}
      </button>
    </span>
  );
}

/** A change of the address whose link was not opened. */
export function PendingEmail({ email }: { email: string }) {
  const cancel = async () => {
    profile.value = (await api.cancelEmailChange({})).profile;
    announce(t('Email change canceled'), 'success');
  };
  return (
    <Notice kind="info">
      <T
        text="Open the link that we sent to <b>{email}</b>."
        email={email}
        b={(children) => <b>{children}</b>}
      />{' '}
      <button type="button" class="button small" onClick={() => cancel().catch(announceError)}>
        {t('Cancel')}
      </button>
    </Notice>
  );
}

export function EmailDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog title={t('Change email address')} open={open} onClose={onClose}>
      <Change onClose={onClose} />
    </Dialog>
  );
}

function Change({ onClose }: { onClose: () => void }) {
  const [email, password, code] = [useSignal(''), useSignal(''), useSignal('')];
  const action = useAction();
  const hasSecondFactor = profile.value?.secondFactor === true;
  const submit = async () => {
    const body = { email: email.value.trim(), password: password.value };
    const message = hasSecondFactor ? t('Incorrect password or code') : t('Incorrect password');
    const answer = await withConfirmation(
      () => api.changeEmail(hasSecondFactor ? { ...body, code: code.value.trim() } : body),
      'password',
      message,
    );
    profile.value = answer.profile;
    onClose();
    announce(t('We sent a link to your new address.'), 'success');
  };
  return (
    <Form action={action} onSubmit={submit} fields={['email', 'password', 'code']}>
      <p>
        {t(
          'Your address changes once you open the link that we send to the new one. This signs you out on all devices and may delay withdrawals.',
        )}
      </p>
      <Field
        label={t('New email address')}
        {...bound(email)}
        error={action.fieldError('email')}
        input={{ type: 'email', name: 'email', autocomplete: 'email', maxLength: 254 }}
      />
      <PasswordField
        label={t('Your password')}
        {...bound(password)}
        autocomplete="current-password"
        error={action.fieldError('password')}
      />
      {hasSecondFactor ? <CodeField {...bound(code)} error={action.fieldError('code')} /> : null}
      <div class="dialog-actions">
        <Submit action={action} label={t('Send link')} />
      </div>
    </Form>
  );
}
