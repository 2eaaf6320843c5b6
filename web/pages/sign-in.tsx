import { useSignal } from '@preact/signals';
import { ApiRequestError, type SignInParameters } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { type Action, FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { CodeField } from '../components/code-field.tsx';
import { Field } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { PasswordField } from '../components/password-field.tsx';
import { isSandbox } from '../sandbox.ts';
import { Entry, start } from '../sign-in/entry.tsx';
import { nextPath } from '../sign-in/next.ts';
import { hasPasskeys, signInWithPasskey } from '../sign-in/passkeys.ts';

interface Credentials {
  readonly email: string;
  readonly password: string;
}

function SignInPage() {
  const asked = useSignal<Credentials | undefined>(undefined);
  if (asked.value !== undefined) {
    return <SecondFactor {...asked.value} onBack={() => (asked.value = undefined)} />;
  }
  return <FirstFactor onAsked={(credentials) => (asked.value = credentials)} />;
}

function FirstFactor({ onAsked }: { onAsked: (credentials: Credentials) => void }) {
  const [email, password] = [useSignal(''), useSignal('')];
  const action = useAction();
  const submit = async () => {
    if (!email.value.includes('@')) throw new FieldError('email', 'Give your e-mail address.');
    if (password.value === '') throw new FieldError('password', 'Give your password.');
    const credentials = { email: email.value.trim(), password: password.value };
    const message = 'The e-mail address or the password is wrong.';
    const isSignedIn = await signIn(credentials, 'password', message);
    if (isSignedIn) leave();
    else onAsked(credentials);
  };
  return (
    <Entry
      title="Sign in"
      foot={
        <>
          New here? <a href="/sign-up">Create an account</a>
        </>
      }
    >
      <Form action={action} onSubmit={submit} fields={['email', 'password']}>
        <Field
          label="E-mail"
          {...bound(email)}
          error={action.errorOf('email')}
          input={{
            type: 'email',
            name: 'email',
            autocomplete: 'username',
            required: true,
            autofocus: true,
          }}
        />
        <PasswordField
          label="Password"
          {...bound(password)}
          autocomplete="current-password"
          error={action.errorOf('password')}
        />
        <a class="small-link" href="/forgot-password">
          Forgot the password?
        </a>
        <Submit action={action} label="Sign in" class="wide" />
        {hasPasskeys ? <PasskeyButton action={action} /> : null}
      </Form>
      {isSandbox ? (
        <p class="aside">
          This is a sandbox. Its users, such as <b>alice@buttonwood.test</b>, and their passwords
          are in <code>sandbox.json</code> in the data directory.
        </p>
      ) : null}
    </Entry>
  );
}

function PasskeyButton({ action }: { action: Action }) {
  return (
    <>
      <p class="or">
        <span>or</span>
      </p>
      <button
        type="button"
        class="button wide"
        onClick={() => void action.run(() => signInWithPasskey().then(leave))}
      >
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path d="M12.5 11a4 4 0 1 0-3.8-2.8L3 14v3h3v-2h2v-2h2l.7-.8a4 4 0 0 0 1.8.8ZM13.5 6.5h.01" />
        </svg>
        Sign in with a passkey
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
    const message = 'That code is wrong, or was used already. Wait for the next one.';
    await signIn({ email, password, code: code.value.trim() }, 'code', message);
    leave();
  };
  return (
    <Entry
      title="Second factor"
      lead="Enter the code that your authenticator app shows now, or one of your recovery codes."
    >
      <Form action={action} onSubmit={submit} fields={['code']}>
        <CodeField {...bound(code)} error={action.errorOf('code')} autofocus={true} />
        <Submit action={action} label="Continue" class="wide" />
        <button type="button" class="button quiet wide" onClick={onBack}>
          Back
        </button>
      </Form>
    </Entry>
  );
}

/**
 * @param field Where to say that something was wrong: the exchange does not say what.
 * @returns Whether that signed in; else a second factor is asked for.
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
