import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { Withdrawal } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Dialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Notice } from '../components/notice.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { readCells } from '../components/row-card.ts';
import { type Column, type RowCard, Table } from '../components/table.tsx';
import { announce } from '../components/toast.tsx';
import { dateTime, grouped } from '../format.ts';
import { msg, T, t } from '../i18n/index.ts';
import { ConfirmationField, toConfirmation, withConfirmation } from '../settings/confirmation.tsx';
import { paymentPath } from './account-path.ts';
import { DetailCache } from './detail-cache.ts';
import { readExchangeTime } from './exchange-time.ts';
import { PaymentsLink } from './payment-columns.tsx';
import { readDashboard } from './queues.ts';
import { useValues, type Values } from './values.ts';
import { readCircumstances, readPresent, WithdrawalFacts } from './withdrawal-facts.tsx';
import { ageText, type Circumstances } from './withdrawal-findings.ts';
import { Recipient, type WaitingRow } from './withdrawal-risks.tsx';

const REFRESH_MS = 5000;

type Chosen = Signal<Withdrawal<string> | undefined>;

/** The withdrawals that wait for two operators. */
export function WithdrawalApprovals() {
  const withdrawals = useResource(() => api.listWithdrawalsToApprove(), REFRESH_MS);
  const circumstances = useCircumstances(withdrawals.data.value?.withdrawals);
  const values = useValues();
  const time = useResource(readExchangeTime, REFRESH_MS);
  const custodian = useResource(() => api.getCustodian());
  const approving = useSignal<Withdrawal<string> | undefined>(undefined);
  const rejecting = useSignal<Withdrawal<string> | undefined>(undefined);
  const close = async (dialog: Chosen, text: string) => {
    dialog.value = undefined;
    announce(text, 'success');
    await Promise.all([withdrawals.load(), readDashboard()]);
  };
  return (
    <Panel
      class="withdrawal-queue"
      title={t('Withdrawals to approve')}
      lead={
        <T
          text="<span>Operators other than the account owner approve each.</span> Other requests wait in <a>Approvals</a>."
          span={(content) => <span class="lead-rule">{content}</span>}
          a={(content) => <a href="#approvals">{content}</a>}
        />
      }
      flush
    >
      {custodian.data.value?.host === null ? (
        <div class="panel-bar">
          <Notice kind="warning">
            <T
              text="No custodian is connected: approved withdrawals wait<span> until one is</span>."
              span={(content) => <span class="lead-rule">{content}</span>}
            />
          </Notice>
        </div>
      ) : null}
      <Loaded resource={withdrawals}>
        {({ withdrawals: waiting, requiredApprovals: required }) => (
          <div class="withdrawals-to-approve">
            <Table
              caption={t('Withdrawals to approve')}
              columns={buildColumns(values.data.value, time.data.value, approving, rejecting)}
              rows={waiting.map((each) => ({
                ...each,
                required,
                circumstances: circumstances.get(each.id),
              }))}
              rowKey={({ id }) => id}
              card={withdrawalCard(values.data.value, time.data.value)}
              empty={t('No withdrawals wait for approval.')}
            />
          </div>
        )}
      </Loaded>
      <Dialog
        title={t('Approve withdrawal')}
        open={approving.value !== undefined}
        onClose={() => {
          approving.value = undefined;
        }}
      >
        {approving.value === undefined ? null : (
          <Approval withdrawal={approving.value} onDone={(text) => close(approving, text)} />
        )}
      </Dialog>
      <Dialog
        title={t('Reject withdrawal')}
        open={rejecting.value !== undefined}
        onClose={() => {
          rejecting.value = undefined;
        }}
      >
        {rejecting.value === undefined ? null : (
          <Rejection
            withdrawal={rejecting.value}
            onDone={() => close(rejecting, t('Withdrawal rejected'))}
          />
        )}
      </Dialog>
    </Panel>
  );
}

/** Reads the circumstances of the withdrawals that wait, after the queue itself is shown. */
function useCircumstances(
  waiting: readonly Withdrawal<string>[] | undefined,
): ReadonlyMap<string, Circumstances> {
  const found = useSignal<ReadonlyMap<string, Circumstances>>(new Map());
  const cache = useMemo(() => {
    const prepare = async () => {
      const present = await readPresent();
      return (each: Withdrawal<string>) => readCircumstances(each, present);
    };
    return new DetailCache(prepare, (details: ReadonlyMap<string, Circumstances>) => {
      found.value = details;
    });
  }, []);
  useEffect(() => {
    if (waiting !== undefined) void cache.refresh(waiting);
  }, [waiting]);
  return found.value;
}

function buildColumns(
  values: Values | undefined,
  now: number | undefined,
  approving: Chosen,
  rejecting: Chosen,
): readonly Column<WaitingRow>[] {
  const decide = (dialog: Chosen, each: WaitingRow, label: string, kind: string) => (
    <button
      type="button"
      class={`button small ${kind}`}
      onClick={() => {
        dialog.value = each;
      }}
    >
      {label}
    </button>
  );
  return [
    {
      ...{ key: 'withdrawal', title: msg('Withdrawal') },
      cell: ({ id, createdAt }) => (
        <span class="account-cell">
          <a href={paymentPath('withdrawals', id)}>{id}</a>
          <small class="muted">{dateTime(createdAt)}</small>
          {now === undefined ? null : <small class="muted">{ageText(createdAt, now)}</small>}
        </span>
      ),
    },
    {
      ...{ key: 'account', title: msg('Account') },
      cell: ({ account }) => <PaymentsLink account={account} />,
    },
    {
      ...{ key: 'amount', title: msg('Amount'), numeric: true },
      cell: ({ amount, fee, asset }) => (
        <span class="account-cell">
          <b>{`${grouped(amount)} ${asset}`}</b>
          <small class="muted">{values?.text(amount, asset) ?? '–'}</small>
          <small class="muted">{t('Fee {fee} {asset}', { fee: grouped(fee), asset })}</small>
        </span>
      ),
    },
    {
      ...{ key: 'address', title: msg('Address and risks') },
      cell: (each) => <Recipient row={each} now={now} />,
    },
    {
      ...{ key: 'approvals', title: msg('Approved by') },
      cell: ({ approvals, required }) => (
        <span class="account-cell">
          <b>{t('{count} of {needed}', { count: approvals.length, needed: required })}</b>
          <small class="muted">{approvals.join(', ')}</small>
        </span>
      ),
    },
    {
      key: 'decide',
      title: msg('Approve or reject'),
      hiddenTitle: true,
      cell: (each) => (
        <span class="decide-buttons">
          {decide(approving, each, t('Approve'), 'primary')}
          {decide(rejecting, each, t('Reject'), '')}
        </span>
      ),
    },
  ];
}

/** A withdrawal on a phone: short enough that the buttons are on the first screen. */
function withdrawalCard(values: Values | undefined, now: number | undefined): RowCard<WaitingRow> {
  return (row, columns) => {
    const cell = readCells(row, columns);
    const { id, amount, asset, fee, createdAt, approvals, required } = row;
    const needed = t('{count} of {needed}', { count: approvals.length, needed: required });
    return (
      <div class="list-card withdrawal-card">
        <div class="list-card-head">
          <span>
            <b>{`${grouped(amount)} ${asset}`}</b>{' '}
            <span class="muted">{values?.text(amount, asset) ?? '–'}</span>
          </span>
          {cell('account')}
        </div>
        {cell('address')}
        <small class="muted">
          <a href={paymentPath('withdrawals', id)}>{t('Withdrawal {number}', { number: id })}</a>
          {[
            '',
            now === undefined ? dateTime(createdAt) : ageText(createdAt, now),
            t('Fee {fee} {asset}', { fee: grouped(fee), asset }),
          ].join(' · ')}
        </small>
        <small>{t('Approved by: {names}', { names: [needed, ...approvals].join(' · ') })}</small>
        {cell('decide')}
      </div>
    );
  };
}

interface ApprovalProps {
  readonly withdrawal: Withdrawal<string>;
  readonly onDone: (text: string) => Promise<void>;
}

/** Shows what is paid to whom, and confirms the identity of the operator. */
function Approval({ withdrawal: each, onDone }: ApprovalProps) {
  const confirmation = useSignal('');
  const action = useAction();
  const submit = async () => {
    const proof = toConfirmation(confirmation.value);
    const approve = () => api.approveWithdrawal({ id: each.id, ...proof });
    const { withdrawal } = await withConfirmation(approve, 'confirmation');
    const isSent = withdrawal.status !== 'awaiting_approval';
    await onDone(isSent ? t('Withdrawal approved') : t('Approved. It needs a second operator.'));
  };
  return (
    <Form action={action} onSubmit={submit} fields={['confirmation']}>
      <WithdrawalFacts withdrawal={each} />
      <ConfirmationField {...bound(confirmation)} error={action.fieldError('confirmation')} />
      <div class="dialog-actions">
        <Submit action={action} label={t('Approve withdrawal')} />
      </div>
    </Form>
  );
}

interface RejectionProps {
  readonly withdrawal: Withdrawal<string>;
  readonly onDone: () => Promise<void>;
}

function Rejection({ withdrawal, onDone }: RejectionProps) {
  const reason = useSignal('');
  const action = useAction();
  const submit = async () => {
    const text = reason.value.trim();
    if (text === '') throw new FieldError('reason', t('Enter a reason. The user sees it.'));
    await api.rejectWithdrawal({ id: withdrawal.id, reason: text });
    await onDone();
  };
  return (
    <Form action={action} onSubmit={submit} fields={['reason']}>
      <p>
        {t('{amount} {asset} of {account} become available again.', {
          ...{ amount: grouped(withdrawal.amount), asset: withdrawal.asset },
          account: withdrawal.account,
        })}
      </p>
      <Field
        label={t('Reason')}
        {...bound(reason)}
        hint={t('Shown to the user')}
        error={action.fieldError('reason')}
        input={{ name: 'reason', maxLength: 200, required: true }}
      />
      <div class="dialog-actions">
        <Submit action={action} label={t('Reject withdrawal')} kind="danger" />
      </div>
    </Form>
  );
}
