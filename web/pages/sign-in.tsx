import { useSignal } from '@preact/signals';
import { ApiRequestError, type SignInParameters } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { type Action, FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { CodeField } from '../components/code-field.tsx';
import { Field } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Icon } from '../components/icon.tsx';
import { PasswordField } from '../components/password-field.tsx';
import { T, t } from '../i18n/index.ts';
import { isSandbox } from '../sandbox.ts';
import { Entry, start } from '../sign-in/entry.tsx';
import { nextPath } from '../sign-in/next.ts';
import { hasPasskeys, signInWithPasskey } from '../sign-in/passkeys.ts';

interface Credentials {
  readonly email: string;
  readonly password: string;
}

function SignInPage() {
  const pending = useSignal<Credentials | undefined>(undefined);
  if (pending.value !== undefined) {
    return <SecondFactor {...pending.value} onBack={() => (pending.value = undefined)} />;
  }
  return <FirstFactor onCodeRequired={(credentials) => (pending.value = credentials)} />;
}

function FirstFactor({ onCodeRequired }: { onCodeRequired: (credentials: Credentials) => void }) {
  const [email, password] = [useSignal(''), useSignal('')];
  const action = useAction();
  const submit = async () => {
    if (!email.value.includes('@')) throw new FieldError('email', t('Enter your email address.'));
    if (password.value === '') throw new FieldError('password', t('Enter your password.'));
    const credentials = { email: email.value.trim(), password: password.value };
    const message = t('Incorrect email or password.');
    const isSignedIn = await signIn(credentials, 'password', message);
    if (isSignedIn) leave();
    else onCodeRequired(credentials);
  };
  return (
    <Entry
      title={t('Sign in')}
      foot={
        <T
          text="New here? <a>Create an account</a>"
          a={(children) => <a href="/sign-up">{children}</a>}
        />
      }
    >
      <Form action={action} onSubmit={submit} fields={['email', 'password']}>
        <Field
          label={t('Email')}
          {...bound(email)}
          error={action.fieldError('email')}
          input={{
            type: 'email',
            name: 'email',
            autocomplete: 'username',
            required: true,
            autofocus: true,
          }}
        />
        <PasswordField
          label={t('Password')}
          {...bound(password)}
          autocomplete="current-password"
          error={action.fieldError('password')}
        />
        <a class="small-link" href="/forgot-password">
          {t('Forgot password?')}
        </a>
        <Submit action={action} label={t('Sign in')} class="wide" />
        {hasPasskeys ? <PasskeyButton action={action} /> : null}
      </Form>
      {isSandbox ? (
        <p class="aside">
          <T
            text="This is a demo exchange. Its users, such as <b>alice@buttonwood.test</b>, and their passwords are in {code} in the data directory."
            code={<code>sandbox.json</code>}
            b={(children) => <b>{children}</b>}
          />
        </p>
      ) : null}
    </Entry>
  );
}

function PasskeyButton({ action }: { action: Action }) {
  return (
    <>
      <p class="or">
        <span>{t('or')}</span>
      </p>
      <button
        type="button"
        class="button wide"
        onClick={() => void action.run(() => signInWithPasskey().then(leave))}
      >
        <Icon name="passkey" />
        {t('Sign in with a passkey')}
      </button>
    </>
  );
}

interface SecondFactorProps extends Credentials {
  readonly onBack: () => void;
}

function SecondFactor({ email, password, onBack }: SecondFactorProps) {
  const code = useSignal('');
  const action = useAction();
  const submit = async () => {
    const message = t('Incorrect code, or already used. Wait for the next code and try again.');
    await signIn({ email, password, code: code.value.trim() }, 'code', message);
    leave();
  };
  return (
    <Entry
      title={t('Two-factor authentication')}
      lead={t('Enter the code from your authenticator app, or a recovery code.')}
    >
      <Form action={action} onSubmit={submit} fields={['code']}>
        <CodeField {...bound(code)} error={action.fieldError('code')} autofocus={true} />
        <Submit action={action} label={t('Continue')} class="wide" />
        <button type="button" class="button quiet wide" onClick={onBack}>
          {t('Back')}
        </button>
      </Form>
    </Entry>
  );
}

/**
 * Sends the credentials.
 * @param field Field that shows `message`; the exchange does not report which credential was wrong.
 * @returns false if a two-factor code is required
 */
async function signIn(
  credentials: SignInParameters,
  field: string,
  message: string,
): Promise<boolean> {
  try {
    return (await api.signIn(credentials)).status === 'signed_in';
  } catch (error) {
    const isWrong = error instanceof ApiRequestError && error.code === 'UNAUTHORIZED';
    throw isWrong ? new FieldError(field, message) : error;
  }
}

function leave(): void {
  location.replace(nextPath(location.search, location.origin));
}

start(<SignInPage />);
