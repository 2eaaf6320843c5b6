import { useSignal } from '@preact/signals';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { Field } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Notice } from '../components/notice.tsx';
import { ConfirmationField, toConfirmation, withConfirmation } from '../settings/confirmation.tsx';

type Permission = 'read' | 'trade' | 'operate';

interface Invitation {
  readonly email: string;
  readonly link: string;
}

const ROLES = [
  ['read,trade', 'Trades with the account'],
  ['read', 'Only looks at it'],
  ['read,trade,operate', 'Trades, and operates the exchange'],
  ['read,operate', 'Operates the exchange'],
] as const;

interface InviteProps {
  readonly accountId: string;
  readonly onInvited: () => Promise<void>;
}

/** Invites a person to act in the name of an account that is there. */
export function Invite({ accountId, onInvited }: InviteProps) {
  const email = useSignal('');
  const confirmation = useSignal('');
  const role = useSignal<string>(ROLES[0][0]);
  const made = useSignal<Invitation | undefined>(undefined);
  const action = useAction();
  const submit = async () => {
    if (!email.value.includes('@')) throw new FieldError('email', 'Give an e-mail address.');
    const permissions = role.value.split(',') as Permission[];
    const invitation = {
      id: accountId,
      email: email.value.trim(),
      permissions,
      ...toConfirmation(confirmation.value),
    };
    made.value = await withConfirmation(() => api.inviteUser(invitation), 'confirmation');
    await onInvited();
  };
  if (made.value !== undefined) return <Invited {...made.value} />;
  return (
    <Form action={action} onSubmit={submit} fields={['email', 'confirmation']}>
      <Field
        label="E-mail"
        {...bound(email)}
        error={action.errorOf('email')}
        input={{ type: 'email', name: 'email', required: true }}
      />
      <fieldset class="choices">
        <legend>What the user may do</legend>
        {ROLES.map(([value, label]) => (
          <label key={value} class="check">
            <input
              type="radio"
              name="role"
              checked={role.value === value}
              onChange={() => {
                role.value = value;
              }}
            />
            {label}
          </label>
        ))}
      </fieldset>
      <ConfirmationField {...bound(confirmation)} error={action.errorOf('confirmation')} />
      <div class="dialog-actions">
        <Submit action={action} label="Send the invitation" />
      </div>
    </Form>
  );
}

function Invited({ email, link }: Invitation) {
  return (
    <div class="stack">
      <Notice kind="success">
        A mail is on its way to <b>{email}</b>. Its link lives for 24 hours; whoever has it chooses
        the password.
      </Notice>
      <p class="with-button">
        <code class="secret">{link}</code>
        <CopyButton text={link} what="invitation link" />
      </p>
    </div>
  );
}
