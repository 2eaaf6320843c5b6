import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ApiRequestError } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Form, Submit } from '../components/form.tsx';
import { Notice } from '../components/notice.tsx';
import { PasswordField } from '../components/password-field.tsx';
import { Entry, start } from '../sign-in/entry.tsx';
import { takeToken } from '../sign-in/fragment.ts';

/**
 * Asks for the password of the sign-up: whoever is sent a link that a stranger's sign-up made does not
 * know it, and sees whose name it has.
 */
function VerifyEmailPage({ token }: { token: string | undefined }) {
  return token === undefined ? <NoToken /> : <Confirmation token={token} />;
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
    if (password.value === '') throw new FieldError('password', 'Give your password.');
    await open(token, password.value);
    location.replace('/trade');
  };
  return (
    <Entry
      title="Confirm your e-mail address"
      lead="Give the password that you chose when you signed up: your account is open then, and you are signed in."
    >
      <Form action={action} onSubmit={submit} fields={['password']}>
        {signedUp.value === undefined ? null : (
          <p>
            An account for <b>{signedUp.value.name}</b>, <b>{signedUp.value.email}</b>. If it was
            not you who signed up, close this page: nothing is opened.
          </p>
        )}
        <PasswordField
          label="Password"
          {...bound(password)}
          autocomplete="current-password"
          error={action.errorOf('password')}
        />
        <Submit action={action} label="Confirm and sign in" class="wide" />
      </Form>
    </Entry>
  );
}

/** @throws FieldError where it is not the password of that sign-up */
async function open(token: string, password: string): Promise<void> {
  try {
    await api.verifyEmail({ token, password });
  } catch (error) {
    const isWrong = error instanceof ApiRequestError && error.code === 'UNAUTHORIZED';
    if (!isWrong) throw error;
    throw new FieldError('password', 'That is not the password that was chosen at sign-up.');
  }
}

function NoToken() {
  return (
    <Entry
      title="Confirm your e-mail address"
      foot={
        <>
          <a href="/sign-in">Sign in</a> to have another mail sent.
        </>
      }
    >
      <Notice kind="warning">
        This address is not whole. Open the link in the mail once more, all of it.
      </Notice>
    </Entry>
  );
}

start(<VerifyEmailPage token={takeToken()} />);
