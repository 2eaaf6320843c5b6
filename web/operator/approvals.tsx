import { signal, useSignal } from '@preact/signals';
import { api } from '../api.ts';
import { useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Dialog } from '../components/dialog.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Notice } from '../components/notice.tsx';
import { Panel } from '../components/panel.tsx';
import { type Resource, useResource } from '../components/resource.ts';
import { type Column, Table } from '../components/table.tsx';
import { dateTime } from '../format.ts';
import { t } from '../i18n/index.ts';
import { ConfirmationField, toConfirmation, withConfirmation } from '../settings/confirmation.tsx';
import { ApprovalPolicy } from './approval-policy.tsx';
import { describeAction, describeDetails } from './audit-text.ts';

type Lists = Awaited<ReturnType<typeof api.listApprovals>>;
type Row = Lists['pending'][number];

const RELOAD_MS = 15_000;

/** The number of pending requests, for the badge of the section. */
export const pendingApprovals = signal(0);

async function fetchApprovals(): Promise<Lists> {
  const lists = await api.listApprovals();
  pendingApprovals.value = lists.pending.length;
  return lists;
}

/** Counts the pending requests for the badge. */
export async function countPendingApprovals(): Promise<void> {
  await fetchApprovals();
}

/** The requests that wait for a second operator, and the last decisions. */
export function ApprovalsSection() {
  const approvals = useResource(fetchApprovals, RELOAD_MS);
  return (
    <>
      <Panel
        title="Waiting for approval"
        lead="An operator of another account must approve these requests. Approving one carries it out at once."
      >
        <Loaded resource={approvals}>
          {({ pending }) => (
            <Table
              caption="Requests that wait for approval"
              columns={[...columns, decide(approvals)]}
              rows={pending}
              rowKey={({ id }) => id}
              empty="No requests are waiting."
            />
          )}
        </Loaded>
      </Panel>
      <Panel title="Recent decisions">
        <Loaded resource={approvals}>
          {({ closed }) => (
            <Table
              caption="Requests that were decided"
              columns={[...columns, ...decisionColumns]}
              rows={closed}
              rowKey={({ id }) => id}
              empty="No decisions yet."
            />
          )}
        </Loaded>
      </Panel>
      <ApprovalPolicy onAsked={() => approvals.load()} />
    </>
  );
}

const columns: readonly Column<Row>[] = [
  {
    key: 'request',
    title: 'Request',
    cell: ({ action, subject, details }) => (
      <>
        <b>{t(describeAction(action))}</b> {subject}
        <div class="muted">{describeDetails(details)}</div>
      </>
    ),
  },
  {
    key: 'by',
    title: 'Requested by',
    cell: ({ user, apiKey, account, reason }) => (
      <>
        {user ?? apiKey ?? account} <div class="muted">{reason}</div>
      </>
    ),
  },
  { key: 'at', title: 'Requested', cell: ({ requestedAt }) => dateTime(requestedAt) },
];

const decisionColumns: readonly Column<Row>[] = [
  { key: 'status', title: 'Status', cell: ({ status }) => t(describeAction(status)) },
  {
    key: 'decision',
    title: 'Decided by',
    cell: ({ decision }) => (
      <>
        {decision?.user ?? decision?.apiKey ?? decision?.account ?? '–'}
        <div class="muted">{decision?.reason}</div>
      </>
    ),
  },
];

/** Returns the column with the expiry and the buttons of a request. */
function decide(approvals: Resource<Lists>): Column<Row> {
  return {
    key: 'decide',
    title: 'Expires',
    cell: (request) => <Decide request={request} onDecided={() => approvals.load()} />,
  };
}

interface DecideProps {
  readonly request: Row;
  readonly onDecided: () => Promise<void>;
}

function Decide({ request, onDecided }: DecideProps) {
  const { id, isOwn, expiresAt } = request;
  const action = useAction();
  const isApproving = useSignal(false);
  const close = () => {
    isApproving.value = false;
  };
  const run = (work: () => Promise<unknown>) => () =>
    void action.run(async () => {
      await work();
      await onDecided();
    });
  const why = `why-${id}`;
  return (
    <>
      <div>{dateTime(expiresAt)}</div>
      <div class="with-button">
        <button
          type="button"
          class="button primary small"
          disabled={isOwn || action.busy.value}
          aria-describedby={isOwn ? why : undefined}
          onClick={() => {
            isApproving.value = true;
          }}
        >
          Approve
        </button>
        <button
          type="button"
          class="button small"
          disabled={action.busy.value}
          onClick={run(() => api.rejectRequest({ id }))}
        >
          {isOwn ? 'Withdraw' : 'Reject'}
        </button>
      </div>
      {isOwn ? (
        <div id={why} class="muted">
          Your account made this request, so another operator must approve it.
        </div>
      ) : null}
      {action.failure.value === undefined ? null : (
        <Notice kind="error">{action.failure.value.message}</Notice>
      )}
      <Dialog title="Approve request" open={isApproving.value} onClose={close}>
        <Approve
          request={request}
          onApproved={async () => {
            close();
            await onDecided();
          }}
        />
      </Dialog>
    </>
  );
}

interface ApproveProps {
  readonly request: Row;
  readonly onApproved: () => Promise<void>;
}

/** Confirms the identity of the operator, and approves a request. */
function Approve({ request, onApproved }: ApproveProps) {
  const { id, action: name, subject, details, user, apiKey, account, reason } = request;
  const confirmation = useSignal('');
  const action = useAction();
  const submit = async () => {
    const proof = toConfirmation(confirmation.value);
    await withConfirmation(() => api.approveRequest({ id, ...proof }), 'confirmation');
    await onApproved();
  };
  return (
    <Form action={action} onSubmit={submit} fields={['confirmation']}>
      <p>
        <b>{t(describeAction(name))}</b> {subject}
      </p>
      <p class="wrapped">{describeDetails(details)}</p>
      <p>
        Requested by {user ?? apiKey ?? account}: {reason}
      </p>
      <ConfirmationField {...bound(confirmation)} error={action.fieldError('confirmation')} />
      <div class="dialog-actions">
        <Submit action={action} label="Approve and carry out" />
      </div>
    </Form>
  );
}
