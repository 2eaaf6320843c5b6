import { useSignal } from '@preact/signals';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Field } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { PasswordField } from '../components/password-field.tsx';
import { T, t } from '../i18n/index.ts';
import { isSandbox } from '../sandbox.ts';
import { Entry, start } from '../sign-in/entry.tsx';
import { checkPassword } from '../sign-in/password.ts';
import { PasswordStrength } from '../sign-in/password-strength.tsx';

function SignUpPage() {
  const sentTo = useSignal('');
  if (sentTo.value !== '') return <CheckEmail email={sentTo.value} />;
  return <SignUpForm onDone={(email) => (sentTo.value = email)} />;
}

function SignUpForm({ onDone }: { onDone: (email: string) => void }) {
  const [name, email, password] = [useSignal(''), useSignal(''), useSignal('')];
  const action = useAction();
  const submit = async () => {
    if (name.value.trim() === '') throw new FieldError('name', t('Enter your name.'));
    if (!email.value.includes('@'))
      throw new FieldError('email', t('Enter a valid email address.'));
    checkPassword(password.value);
    const body = { email: email.value.trim(), password: password.value, name: name.value.trim() };
    await api.signUp(body);
    onDone(body.email);
  };
  return (
    <Entry
      title={t('Create an account')}
      lead={t('Trade spot markets here, or through the API with your own keys.')}
      foot={
        <T
          text="Already have an account? <a>Sign in</a>"
          a={(children) => <a href="/sign-in">{children}</a>}
        />
      }
    >
      <Form action={action} onSubmit={submit} fields={['name', 'email', 'password']}>
        <Field
          label={t('Name')}
          {...bound(name)}
          hint={t('Visible only to you and the exchange operator.')}
          error={action.fieldError('name')}
          input={{
            name: 'name',
            autocomplete: 'name',
            maxLength: 64,
            required: true,
            autofocus: true,
          }}
        />
        <Field
          label={t('Email')}
          {...bound(email)}
          error={action.fieldError('email')}
          input={{ type: 'email', name: 'email', autocomplete: 'username', required: true }}
        />
        <PasswordField
          label={t('Password')}
          {...bound(password)}
          autocomplete="new-password"
          hint={<PasswordStrength password={password.value} email={email.value} />}
          error={action.fieldError('password')}
        />
        <Submit action={action} label={t('Create account')} class="wide" />
      </Form>
      {isSandbox ? <DemoOffer /> : null}
    </Entry>
  );
}

/** The benefits of an account of a sandbox. */
function DemoOffer() {
  return (
    <div class="aside">
      <h2>{t('Included in a demo account')}</h2>
      <ul class="checks">
        <li>{t('Free test funds from a faucet; no real money')}</li>
        <li>{t('API keys for bots: REST, WebSocket and CCXT')}</li>
        <li>{t('All markets and order types, with live order books')}</li>
      </ul>
    </div>
  );
}

function CheckEmail({ email }: { email: string }) {
  return (
    <Entry
      title={t('Check your email')}
      lead={
        isSandbox ? (
          <T
            text="This sandbox prints emails in its terminal. Open the link of the one to <b>{email}</b> there to activate your account."
            email={email}
            b={(children) => <b>{children}</b>}
          />
        ) : (
          <T
            text="We sent a link to <b>{email}</b>. Open it to confirm your address and activate your account."
            email={email}
            b={(children) => <b>{children}</b>}
          />
        )
      }
      foot={
        isSandbox ? (
          <a href="/sign-up">{t('Use another address')}</a>
        ) : (
          <T
            text="No email? Check your spam folder, or <a>use another address</a>."
            a={(children) => <a href="/sign-up">{children}</a>}
          />
        )
      }
    >
      {isSandbox ? (
        <p class="aside">
          <T
            text="Look for {line} in the terminal in which the sandbox runs."
            line={<code>{`Mail to ${email}`}</code>}
          />
        </p>
      ) : null}
    </Entry>
  );
}

start(<SignUpPage />);
