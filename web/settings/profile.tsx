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

export function ProfileSection({ of }: { of: Profile }) {
  const name = useSignal(of.name);
  const action = useAction();
  const submit = async () => {
    profile.value = (await api.changeProfile({ name: name.value.trim() })).profile;
    announce('Your name is saved.', 'success');
  };
  return (
    <Panel title="Profile" lead="Nobody but you and the operator of this exchange sees it.">
      <Form action={action} onSubmit={submit} fields={['name']} class="narrow">
        <Field
          label="Name"
          {...bound(name)}
          error={action.errorOf('name')}
          input={{ name: 'name', autocomplete: 'name', maxLength: 64 }}
        />
        <div>
          <Submit action={action} label="Save" disabled={name.value.trim() === of.name} />
        </div>
      </Form>
      <Facts
        facts={[
          ['E-mail', of.email],
          [
            'Account',
            <span key="account" class="with-button">
              <code>{of.accountId}</code>
              <CopyButton text={of.accountId} what="account" />
            </span>,
          ],
          ['Permissions', of.permissions.join(', ')],
          ['Since', dateTime(of.createdAt)],
        ]}
      />
    </Panel>
  );
}
