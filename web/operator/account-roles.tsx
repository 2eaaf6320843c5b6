import { api } from '../api.ts';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { Table } from '../components/table.tsx';
import { msg, t } from '../i18n/index.ts';

type Roles = Awaited<ReturnType<typeof api.getRoles>>;

/** The roles of operators that users and API keys of an account have. */
export function AccountRoles({ accountId }: { accountId: string }) {
  const roles = useResource(() => api.getRoles());
  return (
    <Panel
      title={t('Operator roles')}
      lead={t('Granted with an invitation or a new API key.')}
      flush
    >
      <Loaded resource={roles}>
        {(data) => (
          <Table
            caption={t('Operator roles of {account}', { account: accountId })}
            columns={[
              {
                key: 'who',
                title: msg('User or API key'),
                cell: ({ user, apiKey }) => user ?? apiKey,
              },
              { key: 'roles', title: msg('Roles'), cell: (each) => nameRoles(data.roles, each) },
            ]}
            rows={data.operators.filter(({ account }) => account === accountId)}
            rowKey={({ user, apiKey }) => `${user} ${apiKey}`}
            empty={t('No operator roles yet.')}
          />
        )}
      </Loaded>
    </Panel>
  );
}

function nameRoles(roles: Roles['roles'], { permissions }: Roles['operators'][number]): string {
  return roles
    .filter((role) => role.permissions.some((permission) => permissions.includes(permission)))
    .map(({ name }) => name)
    .join(', ');
}
