import { useSignal } from '@preact/signals';
import type { Profile } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { Field } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Notice } from '../components/notice.tsx';
import { msg, T, t } from '../i18n/index.ts';
import { ConfirmationField, toConfirmation, withConfirmation } from '../settings/confirmation.tsx';
import { withReason } from './approval-reason.tsx';

type Permission = Profile['permissions'][number];

interface Invitation {
  readonly email: string;
  readonly link: string;
}

const ROLES = [
  ['read,trade', msg('Trade')],
  ['read', msg('View only')],
  ['read,trade,operate', msg('Trade and operate the exchange')],
  ['read,operate', msg('Administrator: operate the exchange')],
  ['read,support', msg('Support: accounts, orders and keys of customers')],
  ['read,markets', msg('Market operations: markets, rules and fees')],
  ['read,treasury', msg('Treasury: credits and debits')],
  ['read,compliance', msg('Compliance: freeze accounts, revoke keys')],
  ['read,audit', msg('Auditor: see everything, change nothing')],
] as const;

interface InviteProps {
  readonly accountId: string;
  readonly onInvited: () => Promise<void>;
}

/** Invites a user to an existing account. */
export function Invite({ accountId, onInvited }: InviteProps) {
  const email = useSignal('');
  const confirmation = useSignal('');
  const role = useSignal<string>(ROLES[0][0]);
  const invitation = useSignal<Invitation | undefined>(undefined);
  const action = useAction();
  const submit = async () => {
    if (!email.value.includes('@'))
      throw new FieldError('email', t('Enter a valid email address.'));
    const permissions = role.value.split(',') as Permission[];
    const request = {
      id: accountId,
      email: email.value.trim(),
      permissions,
      ...toConfirmation(confirmation.value),
    };
    invitation.value = await withConfirmation(
      () => withReason((why) => api.inviteUser({ ...request, ...why })),
      'confirmation',
    );
    await onInvited();
  };
  if (invitation.value !== undefined) return <Invited {...invitation.value} />;
  return (
    <Form action={action} onSubmit={submit} fields={['email', 'confirmation']}>
      <Field
        label={t('Email')}
        {...bound(email)}
        error={action.fieldError('email')}
        input={{ type: 'email', name: 'email', required: true }}
      />
      <fieldset class="choices">
        <legend>{t('Role')}</legend>
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
            {t(label)}
          </label>
        ))}
      </fieldset>
      <ConfirmationField {...bound(confirmation)} error={action.fieldError('confirmation')} />
      <div class="dialog-actions">
        <Submit action={action} label={t('Send invitation')} />
      </div>
    </Form>
  );
}

function Invited({ email, link }: Invitation) {
  return (
    <div class="stack">
      <Notice kind="success">
        <T
          text="Invitation sent to <b>{email}</b>. The link is valid for 24 hours. Anyone who has it can set the password."
          email={email}
          b={(children) => <b>{children}</b>}
        />
      </Notice>
      <p class="with-button">
        <code class="secret">{link}</code>
        <CopyButton text={link} what={t('invitation link')} />
      </p>
    </div>
  );
}
