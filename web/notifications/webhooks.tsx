import { useSignal } from '@preact/signals';
import type { Webhook } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { useAction } from '../components/action.ts';
import { Confirm } from '../components/confirm.tsx';
import { CopyableText } from '../components/copyable-text.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Notice } from '../components/notice.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { type Column, Table } from '../components/table.tsx';
import { announce } from '../components/toast.tsx';
import { dateTime } from '../format.ts';
import { msg, T, t } from '../i18n/index.ts';
import { Deliveries } from './deliveries.tsx';
import { eventsText } from './events.ts';
import { WebhookForm } from './webhook-form.tsx';

const Lead = () => (
  <T
    text="Your own server is notified of orders, trades, deposits, withdrawals and price alerts. <a>API documentation</a>"
    a={(children) => (
      <a href="/docs#notifications" class="one-line">
        {children}
      </a>
    )}
  />
);
const STATUS_LABELS = { active: msg('Active'), paused: msg('Paused'), failed: msg('Failed') };
const STATUS = { active: 'on', paused: 'off', failed: 'off' } as const;

interface Created {
  readonly webhook: Webhook;
  readonly secret: string;
}

export function WebhooksSection() {
  const webhooks = useResource(() => api.listWebhooks());
  const creating = useSignal(false);
  const created = useSignal<Created | undefined>(undefined);
  const deleting = useSignal<Webhook | undefined>(undefined);
  const editing = useSignal<Webhook | undefined>(undefined);
  const opened = useSignal<Webhook | undefined>(undefined);
  const action = useAction();
  const setStatus = ({ id }: Webhook, status: 'active' | 'paused') =>
    action.run(async () => {
      await api.changeWebhook({ id, status });
      await webhooks.load();
      announce(status === 'active' ? t('Webhook resumed') : t('Webhook paused'), 'success');
    });
  const create = (
    <button type="button" class="button primary" onClick={() => (creating.value = true)}>
      {t('Create webhook')}
    </button>
  );
  const columns = buildColumns({
    onOpen: (webhook) => (opened.value = webhook),
    onEdit: (webhook) => (editing.value = webhook),
    onStatus: (webhook, status) => void setStatus(webhook, status),
    onDelete: (webhook) => (deleting.value = webhook),
  });
  return (
    <>
      {created.value === undefined ? null : (
        <NewSecret {...created.value} onDone={() => (created.value = undefined)} />
      )}
      <Panel title={t('Webhooks')} lead={<Lead />} aside={create} flush>
        {action.failure.value === undefined ? null : (
          <Notice kind="error">{action.failure.value.message}</Notice>
        )}
        <Loaded resource={webhooks}>
          {(data) => (
            <Table
              caption={t('Webhooks')}
              columns={columns}
              rows={data.webhooks}
              rowKey={({ id }) => id}
              empty={t('No webhooks yet. Create one to let your server know when an order fills.')}
            />
          )}
        </Loaded>
      </Panel>
      <Dialog
        title={t('Create webhook')}
        open={creating.value}
        onClose={() => (creating.value = false)}
      >
        <WebhookForm
          webhook={undefined}
          verb={t('Create webhook')}
          onSubmit={async (terms) => {
            created.value = await api.createWebhook(terms);
            creating.value = false;
            await webhooks.load();
          }}
        />
      </Dialog>
      <Dialog
        title={t('Edit webhook')}
        open={editing.value !== undefined}
        onClose={() => (editing.value = undefined)}
      >
        <WebhookForm
          webhook={editing.value}
          verb={t('Save')}
          onSubmit={async (terms) => {
            await api.changeWebhook({ id: editing.value!.id, ...terms });
            editing.value = undefined;
            await webhooks.load();
            announce(t('Webhook changed'), 'success');
          }}
        />
      </Dialog>
      {opened.value === undefined ? null : (
        <Deliveries
          key={opened.value.id}
          webhook={opened.value}
          onClose={() => (opened.value = undefined)}
        />
      )}
      <Confirm
        title={t('Delete webhook')}
        verb={t('Delete')}
        open={deleting.value !== undefined}
        onClose={() => (deleting.value = undefined)}
        onConfirm={async () => {
          await api.deleteWebhook({ id: deleting.value!.id });
          if (opened.value?.id === deleting.value!.id) opened.value = undefined;
          await webhooks.load();
          announce(t('Webhook deleted'), 'success');
        }}
      >
        <p>
          <T
            text="<b>{value}</b> is notified of nothing from now on. Its delivery log is deleted."
            value={deleting.value?.url}
            b={(children) => <b>{children}</b>}
          />
        </p>
      </Confirm>
    </>
  );
}

/** A webhook that was just created, with the secret that signs its requests. */
function NewSecret({ webhook, secret, onDone }: Created & { onDone: () => void }) {
  return (
    <section class="panel new-secret" aria-labelledby="new-webhook">
      <header>
        <h2 id="new-webhook">
          {t('Webhook created: {name}', { name: webhook.label || webhook.url })}
        </h2>
      </header>
      <div class="panel-body stack">
        <Notice kind="warning">
          {t(
            'Your server checks the signature of each request with this secret. Store it where only your server can read it.',
          )}
        </Notice>
        <CopyableText what={t('Signing secret')} text={secret} />
        <div>
          <button type="button" class="button primary" onClick={onDone}>
            {t('I’ve saved it')}
          </button>
        </div>
      </div>
    </section>
  );
}

interface Actions {
  readonly onOpen: (webhook: Webhook) => void;
  readonly onEdit: (webhook: Webhook) => void;
  readonly onStatus: (webhook: Webhook, status: 'active' | 'paused') => void;
  readonly onDelete: (webhook: Webhook) => void;
}

function buildColumns({ onOpen, onEdit, onStatus, onDelete }: Actions): readonly Column<Webhook>[] {
  return [
    {
      key: 'url',
      title: t('URL'),
      cell: ({ url, label }) => (
        <span>
          {label === '' ? null : (
            <>
              <b>{label}</b>
              <br />
            </>
          )}
          <code class="long">{url}</code>
        </span>
      ),
    },
    {
      key: 'events',
      title: t('Events'),
      cell: ({ events }) => <span class="long">{eventsText(events)}</span>,
    },
    {
      key: 'status',
      title: t('Status'),
      cell: ({ status, lastError, failingSince }) => (
        <span>
          <span class={`badge ${STATUS[status]}`}>{t(STATUS_LABELS[status])}</span>
          {lastError === null || failingSince === null ? null : (
            <>
              <br />
              <span class="muted long">
                <T
                  text="{lastError} (since {failingSince})"
                  lastError={lastError}
                  failingSince={dateTime(failingSince)}
                />
              </span>
            </>
          )}
        </span>
      ),
    },
    {
      key: 'actions',
      title: t('Actions'),
      hiddenTitle: true,
      numeric: true,
      cell: (webhook) => {
        const next = webhook.status === 'active' ? 'paused' : 'active';
        return (
          <span class="row-actions">
            <button type="button" class="button small" onClick={() => onOpen(webhook)}>
              <T
                text="Deliveries<span> of {url}</span>"
                url={webhook.url}
                span={(children) => <span class="visually-hidden">{children}</span>}
              />
            </button>{' '}
            <button type="button" class="button small" onClick={() => onEdit(webhook)}>
              {t('Edit')}
              <span class="visually-hidden"> {webhook.url}</span>
            </button>{' '}
            <button type="button" class="button small" onClick={() => onStatus(webhook, next)}>
              {next === 'paused' ? t('Pause') : t('Resume')}
              <span class="visually-hidden"> {webhook.url}</span>
            </button>{' '}
            <button type="button" class="button small" onClick={() => onDelete(webhook)}>
              <T
                text="Delete<span> {url}</span>"
                url={webhook.url}
                span={(children) => <span class="visually-hidden">{children}</span>}
              />
            </button>
          </span>
        );
      },
    },
  ];
}
