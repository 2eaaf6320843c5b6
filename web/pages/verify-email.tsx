import { api } from '../api.ts';
import { useAction } from '../components/action.ts';
import { Form, Submit } from '../components/form.tsx';
import { Notice } from '../components/notice.tsx';
import { Entry, start } from '../people/entry.tsx';
import { takeToken } from '../people/fragment.ts';

/** By a press, not by itself: programs that look at mails follow links, and would use the token up. */
function VerifyEmailPage({ token }: { token: string | undefined }) {
  const action = useAction();
  if (token === undefined) return <NoToken />;
  const submit = async () => {
    await api.verifyEmail({ token });
    location.replace('/trade');
  };
  return (
    <Entry
      title="Confirm your e-mail address"
      lead="One press, and your account is open and you are signed in."
    >
      <Form action={action} onSubmit={submit}>
        <Submit action={action} label="Confirm and sign in" class="wide" />
      </Form>
    </Entry>
  );
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
