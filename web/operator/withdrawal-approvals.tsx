import { type Signal, useSignal } from '@preact/signals';
import type { Withdrawal } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Dialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { type Column, Table } from '../components/table.tsx';
import { announce } from '../components/toast.tsx';
import { grouped } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { ConfirmationField, toConfirmation, withConfirmation } from '../settings/confirmation.tsx';
import { withdrawalColumns } from './payment-columns.tsx';
import { useValues, type Values } from './values.ts';
import { WithdrawalFacts } from './withdrawal-facts.tsx';

const REFRESH_MS = 5000;

type Chosen = Signal<Withdrawal<string> | undefined>;

/** The withdrawals that wait for two operators. */
export function WithdrawalApprovals() {
  const withdrawals = useResource(
    async () => (await api.listWithdrawalsToApprove()).withdrawals,
    REFRESH_MS,
  );
  const values = useValues();
  const approving = useSignal<Withdrawal<string> | undefined>(undefined);
  const rejecting = useSignal<Withdrawal<string> | undefined>(undefined);
  const close = async (dialog: Chosen, text: string) => {
    dialog.value = undefined;
    announce(text, 'success');
    await withdrawals.load();
  };
  return (
    <Panel
      title={t('Withdrawals to approve')}
      lead={t('Each needs two operators; the account owner cannot approve')}
      flush
    >
      <Loaded resource={withdrawals}>
        {(rows) => (
          <Table
            caption={t('Withdrawals to approve')}
            columns={buildColumns(values.data.value, approving, rejecting)}
            rows={rows}
            rowKey={({ id }) => id}
            empty={t('No withdrawals wait for approval.')}
          />
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

function buildColumns(
  values: Values | undefined,
  approving: Chosen,
  rejecting: Chosen,
): readonly Column<Withdrawal<string>>[] {
  const decide = (dialog: Chosen, each: Withdrawal<string>, label: string, kind: string) => (
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
    // Nothing of them is sent yet, and all of them wait.
    ...withdrawalColumns(values).filter(({ key }) => key !== 'transaction' && key !== 'status'),
    {
      key: 'decide',
      title: msg('Approve or reject'),
      hiddenTitle: true,
      cell: (each) => (
        <span class="actions">
          {decide(approving, each, t('Approve'), 'primary')}{' '}
          {decide(rejecting, each, t('Reject'), '')}
        </span>
      ),
    },
  ];
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
