import { useSignal } from '@preact/signals';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Field } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { T, t } from '../i18n/index.ts';
import { Entry, SandboxMail, start } from '../sign-in/entry.tsx';

const Foot = () => <a href="/sign-in">{t('Back to sign in')}</a>;

function ForgotPasswordPage() {
  const email = useSignal('');
  const isSent = useSignal(false);
  const action = useAction();
  const submit = async () => {
    if (!email.value.includes('@'))
      throw new FieldError('email', t('Enter a valid email address.'));
    await api.requestPasswordReset({ email: email.value.trim() });
    isSent.value = true;
  };
  if (isSent.value) {
    return (
      <Entry
        title={t('Check your email')}
        lead={
          <T
            text="If <b>{trim}</b> has an account, we sent it a link to reset the password."
            trim={email.value.trim()}
            b={(children) => <b>{children}</b>}
          />
        }
        foot={<Foot />}
      >
        <SandboxMail />
      </Entry>
    );
  }
  return (
    <Entry
      title={t('Reset your password')}
      lead={t('We will email you a link to choose a new password.')}
      foot={<Foot />}
    >
      <Form action={action} onSubmit={submit} fields={['email']}>
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
        <Submit action={action} label={t('Send link')} class="wide" />
      </Form>
    </Entry>
  );
}

start(<ForgotPasswordPage />);
