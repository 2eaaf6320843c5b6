import { useSignal } from '@preact/signals';
import type { Profile } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { Field } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Facts, Panel } from '../components/panel.tsx';
import { announce } from '../components/toast.tsx';
import { dateTime } from '../format.ts';
import { profile } from '../session.ts';

export function ProfileSection({ user }: { user: Profile }) {
  const name = useSignal(user.name);
  const action = useAction();
  const submit = async () => {
    profile.value = (await api.changeProfile({ name: name.value.trim() })).profile;
    announce('Name saved', 'success');
  };
  return (
    <Panel title="Profile" lead="Visible only to you and the exchange operator.">
      <Form action={action} onSubmit={submit} fields={['name']} class="narrow">
        <Field
          label="Name"
          {...bound(name)}
          error={action.fieldError('name')}
          input={{ name: 'name', autocomplete: 'name', maxLength: 64 }}
        />
        <div>
          <Submit action={action} label="Save" disabled={name.value.trim() === user.name} />
        </div>
      </Form>
      <Facts
        facts={[
          ['Email', user.email],
          [
            'Account ID',
            <span key="account" class="with-button">
              <code>{user.accountId}</code>
              <CopyButton text={user.accountId} what="account ID" />
            </span>,
          ],
          ['Permissions', user.permissions.join(', ')],
          ['Member since', dateTime(user.createdAt)],
        ]}
      />
    </Panel>
  );
}
