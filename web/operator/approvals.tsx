import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Dialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { readCells } from '../components/row-card.ts';
import { itemAt } from '../components/section.ts';
import { type Column, Table } from '../components/table.tsx';
import { announce } from '../components/toast.tsx';
import { dateTime } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { ConfirmationField, toConfirmation, withConfirmation } from '../settings/confirmation.tsx';
import { Subject } from './account-link.tsx';
import { ApprovalPolicy } from './approval-policy.tsx';
import { describeAction } from './audit-text.ts';
import { DetailList } from './detail-list.tsx';
import { readDashboard } from './queues.ts';
import { WithdrawalsElsewhere } from './withdrawals-elsewhere.tsx';

type Lists = Awaited<ReturnType<typeof api.listApprovals>>;
type Row = Lists['pending'][number];

const RELOAD_MS = 15_000;

/** The requests that wait for a second operator, and the last decisions. */
export function ApprovalsSection() {
  const approvals = useResource(() => api.listApprovals(), RELOAD_MS);
  const list = useRef<HTMLDivElement>(null);
  const approving = useSignal<Row | undefined>(undefined);
  const rejecting = useSignal<Row | undefined>(undefined);
  const wanted = itemAt();
  const isLoaded = approvals.data.value !== undefined;
  useEffect(() => {
    // A link to a request leads to its row.
    if (wanted !== undefined && isLoaded) document.getElementById(rowId(wanted))?.focus();
  }, [wanted, isLoaded]);
  const close = () => {
    approving.value = undefined;
    rejecting.value = undefined;
  };
  const decided = async (text: string) => {
    announce(text, 'success');
    close();
    await Promise.all([approvals.load(), readDashboard()]);
    // The button that opened the dialog is gone with its row.
    requestAnimationFrame(() => focusFirst(list.current));
  };
  // The policy in force follows from the decisions about it.
  const decisions = approvals.data.value?.closed[0]?.id ?? '';
  return (
    <>
      <Panel
        title={t('Waiting for approval')}
        lead={t(
          'An operator of another account must approve these requests. Approving one carries it out at once.',
        )}
        flush
      >
        <div ref={list} tabIndex={-1} class="approval-table">
          <Loaded resource={approvals}>
            {({ pending }) => (
              <Table
                caption={t('Requests that wait for approval')}
                columns={[...columns, expiry, decide(approving, rejecting)]}
                rows={pending}
                rowKey={({ id }) => id}
                card={requestCard}
                empty={t('No requests are waiting.')}
              />
            )}
          </Loaded>
        </div>
        <WithdrawalsElsewhere />
      </Panel>
      <ApprovalPolicy decisions={decisions} onAsked={() => approvals.load()} />
      <Panel title={t('Recent decisions')} flush>
        <div class="approval-table">
          <Loaded resource={approvals}>
            {({ closed }) => (
              <Table
                caption={t('Requests that were decided')}
                columns={[...columns, ...decisionColumns]}
                rows={closed}
                rowKey={({ id }) => id}
                card={requestCard}
                empty={t('No decisions yet.')}
              />
            )}
          </Loaded>
        </div>
      </Panel>
      <Dialog title={t('Approve request')} open={approving.value !== undefined} onClose={close}>
        {approving.value === undefined ? null : (
          <Approve request={approving.value} onDone={decided} />
        )}
      </Dialog>
      <Dialog
        title={rejecting.value?.isOwn ? t('Withdraw request') : t('Reject request')}
        open={rejecting.value !== undefined}
        onClose={close}
      >
        {rejecting.value === undefined ? null : (
          <Reject request={rejecting.value} onDone={decided} />
        )}
      </Dialog>
    </>
  );
}

function rowId(id: string): string {
  return `approval-${id}`;
}

/** Moves the focus to the first button of a list, or to the list if it is empty. */
function focusFirst(list: HTMLElement | null): void {
  const first = list?.querySelector<HTMLElement>('button:not([disabled])');
  (first ?? list)?.focus();
}

const columns: readonly Column<Row>[] = [
  {
    key: 'request',
    title: msg('Request'),
    cell: (request) => (
      <div class="approval-request">
        <div id={rowId(request.id)} tabIndex={-1}>
          <b>{t(describeAction(request.action))}</b> <Target request={request} />{' '}
          <span class="muted">#{request.id}</span>
        </div>
        <DetailList details={request.details} current={request.current} names={request.accounts} />
      </div>
    ),
  },
  {
    key: 'by',
    title: msg('Requested by'),
    cell: (request) => (
      <div class="approval-note">
        {describeActor(request)}
        <div class="muted">{request.reason}</div>
      </div>
    ),
  },
  {
    key: 'at',
    title: msg('Requested'),
    cell: ({ requestedAt }) => <span class="approval-time">{dateTime(requestedAt)}</span>,
  },
];

function Target({ request: { subject, accounts } }: { request: Row }) {
  return subject === null ? null : <Subject subject={subject} names={accounts} />;
}

function describeActor({
  user,
  apiKey,
  account,
}: Pick<Row, 'user' | 'apiKey' | 'account'>): string {
  if (user !== null) return user;
  const by = [account, apiKey && t('API key {key}', { key: `…${apiKey.slice(-6)}` })];
  return by.filter(Boolean).join(', ') || '–';
}

const expiry: Column<Row> = {
  key: 'expires',
  title: msg('Expires'),
  cell: ({ expiresAt }) => <span class="approval-time">{dateTime(expiresAt)}</span>,
};

const STATUSES: Readonly<Record<Row['status'], readonly [label: string, tone: string]>> = {
  pending: [msg('Pending'), 'wait'],
  approved: [msg('Approved'), 'on'],
  rejected: [msg('Rejected'), 'off'],
  withdrawn: [msg('Withdrawn'), ''],
  expired: [msg('Expired'), ''],
};

const decisionColumns: readonly Column<Row>[] = [
  {
    key: 'status',
    title: msg('Status'),
    cell: ({ status }) => (
      <span class={`badge ${STATUSES[status][1]}`}>{t(STATUSES[status][0])}</span>
    ),
  },
  {
    key: 'decision',
    title: msg('Decided by'),
    cell: ({ decision }) => (
      <div class="approval-note">
        {decision === null ? '–' : describeActor(decision)}
        <div class="muted">{decision?.reason}</div>
      </div>
    ),
  },
];

/** A request on a phone: the status and the decision only once it is decided, the buttons only before. */
function requestCard(request: Row, shown: readonly Column<Row>[]) {
  const { reason, requestedAt, expiresAt, decision, status } = request;
  const cell = readCells(request, shown);
  return (
    <div class="list-card">
      <div class="list-card-head">
        {cell('request')}
        {cell('status')}
      </div>
      <span>
        <span class="muted">{t('Requested by {name}:', { name: describeActor(request) })}</span>{' '}
        {reason}
      </span>
      {decision === null ? null : (
        <span>
          <span class="muted">
            {decision.reason === ''
              ? t('Decided by {name}', { name: describeActor(decision) })
              : t('Decided by {name}:', { name: describeActor(decision) })}
          </span>{' '}
          {decision.reason}
        </span>
      )}
      <small class="muted">
        <span class="one-line">{t('Requested {time}', { time: dateTime(requestedAt) })}</span>
        {status === 'pending' ? (
          <>
            {' · '}
            <span class="one-line">{t('Expires {time}', { time: dateTime(expiresAt) })}</span>
          </>
        ) : null}
      </small>
      {cell('decide')}
    </div>
  );
}

type Chosen = ReturnType<typeof useSignal<Row | undefined>>;

/** Returns the column with the buttons of a request. */
function decide(approving: Chosen, rejecting: Chosen): Column<Row> {
  return {
    key: 'decide',
    title: msg('Approve or reject'),
    hiddenTitle: true,
    cell: (request) => (
      <Decide
        request={request}
        onApprove={() => {
          approving.value = request;
        }}
        onReject={() => {
          rejecting.value = request;
        }}
      />
    ),
  };
}

interface DecideProps {
  readonly request: Row;
  readonly onApprove: () => void;
  readonly onReject: () => void;
}

/** The requester only withdraws: another operator must approve. */
function Decide({ request: { isOwn }, onApprove, onReject }: DecideProps) {
  return (
    <div class="approval-buttons">
      {isOwn ? (
        <div class="muted">
          {t('Your account made this request, so another operator must approve it.')}
        </div>
      ) : (
        <button type="button" class="button primary small" onClick={onApprove}>
          {t('Approve')}
        </button>
      )}
      <button type="button" class="button small" onClick={onReject}>
        {isOwn ? t('Withdraw') : t('Reject')}
      </button>
    </div>
  );
}

interface DecisionProps {
  readonly request: Row;
  /** @param text What has happened */
  readonly onDone: (text: string) => Promise<void>;
}

function Summary({ request }: { request: Row }) {
  return (
    <>
      <p>
        <b>{t(describeAction(request.action))}</b> <Target request={request} />
      </p>
      <DetailList details={request.details} current={request.current} names={request.accounts} />
      <p>
        {t('Requested by {name}: {reason}', {
          name: describeActor(request),
          reason: request.reason,
        })}
      </p>
    </>
  );
}

/** Confirms the identity of the operator, and approves a request. */
function Approve({ request, onDone }: DecisionProps) {
  const { id } = request;
  const confirmation = useSignal('');
  const action = useAction();
  const submit = async () => {
    const proof = toConfirmation(confirmation.value);
    await withConfirmation(() => api.approveRequest({ id, ...proof }), 'confirmation');
    await onDone(t('Request {id} approved and carried out', { id }));
  };
  return (
    <Form action={action} onSubmit={submit} fields={['confirmation']}>
      <Summary request={request} />
      <ConfirmationField {...bound(confirmation)} error={action.fieldError('confirmation')} />
      <div class="dialog-actions">
        <Submit action={action} label={t('Approve and carry out')} />
      </div>
    </Form>
  );
}

/** Asks for the reason, which the log keeps, and rejects a request or withdraws the own one. */
function Reject({ request, onDone }: DecisionProps) {
  const { id, isOwn } = request;
  const reason = useSignal('');
  const action = useAction();
  const submit = async () => {
    const text = reason.value.trim();
    if (text === '') throw new FieldError('reason', t('Enter a reason.'));
    await api.rejectRequest({ id, reason: text });
    await onDone(isOwn ? t('Request {id} withdrawn', { id }) : t('Request {id} rejected', { id }));
  };
  return (
    <Form action={action} onSubmit={submit} fields={['reason']}>
      <Summary request={request} />
      <Field
        label={t('Reason')}
        {...bound(reason)}
        hint={
          isOwn
            ? t('Recorded in the audit trail')
            : t('Shown to the requester, and recorded in the audit trail')
        }
        error={action.fieldError('reason')}
        input={{ name: 'reason', maxLength: 200, required: true }}
      />
      <div class="dialog-actions">
        <Submit
          action={action}
          label={isOwn ? t('Withdraw request') : t('Reject request')}
          kind="danger"
        />
      </div>
    </Form>
  );
}
