import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { ApiRequestError } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Form, Submit } from '../components/form.tsx';
import { Notice } from '../components/notice.tsx';
import { PasswordField } from '../components/password-field.tsx';
import { T, t } from '../i18n/index.ts';
import { EmailChange } from '../sign-in/email-change.tsx';
import { Entry, start } from '../sign-in/entry.tsx';
import { takeToken } from '../sign-in/fragment.ts';

/**
 * Asks for the sign-up password. Without it, the recipient of a link from someone else's sign-up would activate an
 * account that the other user controls.
 */
function VerifyEmailPage({ token }: { token: string | undefined }) {
  return token === undefined ? (
    <BadLink>{t('This link is incomplete. Open the complete link from the email.')}</BadLink>
  ) : (
    <Confirmation token={token} />
  );
}

function Confirmation({ token }: { token: string }) {
  const signedUp = useSignal<{ email: string; name: string } | undefined>(undefined);
  const password = useSignal('');
  const action = useAction();
  useEffect(() => {
    void action.run(async () => {
      signedUp.value = await api.lookAtLink({ token });
    });
  }, []);
  const submit = async () => {
    if (password.value === '') throw new FieldError('password', t('Enter your password.'));
    await confirm(token, password.value);
    location.replace('/trade');
  };
  const failure = action.failure.value;
  if (failure?.field === 'token') {
    return (
      <BadLink>
        {t(
          'This link was used, has expired or is incomplete. If your address is confirmed already, sign in; otherwise signing in sends you a new link.',
        )}
      </BadLink>
    );
  }
  return (
    <Entry
      title={t('Confirm your email address')}
      lead={t(
        'Enter the password you chose at sign-up. This activates your account and signs you in.',
      )}
    >
      <Form action={action} onSubmit={submit} fields={['password']}>
        {signedUp.value === undefined ? null : (
          <p>
            <T
              text="Account for <b>{name}</b>, <b>{email}</b>. If you did not sign up, close this page; the account stays inactive."
              name={signedUp.value.name}
              email={signedUp.value.email}
              b={(children) => <b>{children}</b>}
            />
          </p>
        )}
        <PasswordField
          label={t('Password')}
          {...bound(password)}
          autocomplete="current-password"
          error={action.fieldError('password')}
        />
        <Submit action={action} label={t('Confirm and sign in')} class="wide" />
      </Form>
    </Entry>
  );
}

/** Confirms the address and signs in. @throws FieldError if the password is wrong */
async function confirm(token: string, password: string): Promise<void> {
  try {
    await api.verifyEmail({ token, password });
  } catch (error) {
    const isWrong = error instanceof ApiRequestError && error.code === 'UNAUTHORIZED';
    if (!isWrong) throw error;
    throw new FieldError('password', t('Incorrect password. Use the one you chose at sign-up.'));
  }
}

/** Leads to the sign-in, which also sends new links: the form could only fail. */
function BadLink({ children }: { children: ComponentChildren }) {
  return (
    <Entry title={t('This link does not work')}>
      <Notice kind="warning">{children}</Notice>
      <a class="button primary wide" href="/sign-in">
        {t('Sign in')}
      </a>
    </Entry>
  );
}

const isChange = new URLSearchParams(location.search).has('change');
const token = takeToken();
start(isChange ? <EmailChange token={token} /> : <VerifyEmailPage token={token} />);
