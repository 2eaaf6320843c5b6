import { useSignal } from '@preact/signals';
import type { Profile } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { Field } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Facts, Panel } from '../components/panel.tsx';
import { permissionName } from '../components/permissions.ts';
import { announce } from '../components/toast.tsx';
import { formatDate } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { profile } from '../session.ts';
import { Email, EmailDialog, PendingEmail } from './email.tsx';

/** Returns what a user may do on the pages. A user who may trade may also withdraw and transfer, with a password or code. */
function sessionPermissions({ permissions }: Profile): string[] {
  return permissions.flatMap((each) =>
    each === 'trade' ? [each, 'withdraw', 'transfer'] : [each],
  );
}

export function ProfileSection({ user }: { user: Profile }) {
  const name = useSignal(user.name);
  const isChangingEmail = useSignal(false);
  const action = useAction();
  const submit = async () => {
    profile.value = (await api.changeProfile({ name: name.value.trim() })).profile;
    announce(t('Name saved'), 'success');
  };
  return (
    <Panel
      class="short-facts"
      title={t('Profile')}
      lead={t('Visible only to you and the exchange operator.')}
    >
      <Form action={action} onSubmit={submit} fields={['name']} class="narrow">
        <Field
          label={t('Name')}
          {...bound(name)}
          error={action.fieldError('name')}
          input={{ name: 'name', autocomplete: 'name', maxLength: 64 }}
        />
        <div>
          <Submit action={action} label={t('Save')} disabled={name.value.trim() === user.name} />
        </div>
      </Form>
      {user.pendingEmail === null ? null : <PendingEmail email={user.pendingEmail} />}
      <Facts
        facts={[
          [
            msg('Email'),
            <Email key="email" user={user} onChange={() => (isChangingEmail.value = true)} />,
          ],
          [
            msg('Account ID'),
            <span key="account" class="with-button">
              <code>{user.accountId}</code>
              <CopyButton text={user.accountId} what={t('account ID')} />
            </span>,
          ],
          [msg('Permissions'), sessionPermissions(user).map(permissionName).join(', ')],
          [msg('Member since'), formatDate(user.createdAt)],
        ]}
      />
      <EmailDialog open={isChangingEmail.value} onClose={() => (isChangingEmail.value = false)} />
    </Panel>
  );
}
