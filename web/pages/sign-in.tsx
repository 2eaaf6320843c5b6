import { useSignal } from '@preact/signals';
import { type Action, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { CodeField } from '../components/code-field.tsx';
import { Field } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { PasswordField } from '../components/password-field.tsx';
import { type SignInStatus, signIn } from '../people/api.ts';
import { Entry, isSandbox, start } from '../people/entry.tsx';
import { nextPath } from '../people/next.ts';
import { hasPasskeys, signInWithPasskey } from '../people/passkeys.ts';

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
    const credentials = { email: email.value.trim(), password: password.value };
    const { status } = await signIn(credentials);
    if (status === 'second_factor_required') onAsked(credentials);
    else leave(status);
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
      <Form action={action} onSubmit={submit}>
        <Field
          label="E-mail"
          {...bound(email)}
          input={{
            type: 'email',
            name: 'email',
            autocomplete: 'username webauthn',
            required: true,
            autofocus: true,
          }}
        />
        <PasswordField label="Password" {...bound(password)} autocomplete="current-password" />
        <a class="small-link" href="/forgot-password">
          Forgot the password?
        </a>
        <Submit action={action} label="Sign in" class="wide" />
        {hasPasskeys ? <PasskeyButton action={action} /> : null}
      </Form>
      {isSandbox ? (
        <p class="aside">
          This is a sandbox. Its people, such as <b>alice@buttonwood.test</b>, and their passwords
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
        onClick={() => void action.run(async () => leave(await signInWithPasskey()))}
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
    leave((await signIn({ email, password, code: code.value.trim() })).status);
  };
  return (
    <Entry
      title="Second factor"
      lead="Enter the code that your authenticator app shows now, or one of your recovery codes."
    >
      <Form action={action} onSubmit={submit}>
        <CodeField {...bound(code)} autofocus={true} />
        <Submit action={action} label="Continue" class="wide" />
        <button type="button" class="button quiet wide" onClick={onBack}>
          Back
        </button>
      </Form>
    </Entry>
  );
}

function leave(status: SignInStatus): void {
  if (status === 'signed_in') location.replace(nextPath(location.search, location.origin));
}

start(<SignInPage />);
