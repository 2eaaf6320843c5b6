import { useSignal } from '@preact/signals';
import type { Deposit, Withdrawal } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Dialog } from '../components/dialog.tsx';
import { Field, Select } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Facts, Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { type Column, Table } from '../components/table.tsx';
import { announce } from '../components/toast.tsx';
import { duration, networkName } from '../custody/networks.ts';
import { DepositStatus, Short, WithdrawalStatus } from '../custody/status.tsx';
import { dateTime, grouped } from '../format.ts';
import { ConfirmationField, toConfirmation, withConfirmation } from '../settings/confirmation.tsx';
import { withReason } from './approval-reason.tsx';
import { NetworksPanel } from './networks.tsx';

const REFRESH_MS = 5000;

/** Deposits and withdrawals that wait for operators, the custodian, and the networks. */
export function CustodySection() {
  return (
    <>
      <WithdrawalsToApprove />
      <DepositsUnderReview />
      <CustodianPanel />
      <NetworksPanel />
    </>
  );
}

function CustodianPanel() {
  const custodian = useResource(() => api.getCustodian(), REFRESH_MS);
  return (
    <Panel title="Custodian" lead="It keeps the coins, reports deposits and sends withdrawals.">
      <Loaded resource={custodian}>
        {({ host, exchangeKey, nextExchangeKey, custodianKey, waiting, oldestMs, error }) => (
          <Facts
            facts={[
              ['Host', host ?? 'Not set (--custodian)'],
              ['Instructions waiting', describeWaiting(waiting, oldestMs)],
              ['Last error', error ?? 'None'],
              ['Key of the custodian', <span class="mono">{custodianKey ?? 'Not set'}</span>],
              ['Key of this exchange', <span class="mono">{exchangeKey}</span>],
              ['Next key of this exchange', <span class="mono">{nextExchangeKey}</span>],
            ]}
          />
        )}
      </Loaded>
    </Panel>
  );
}

const SECOND_MS = 1000;

function describeWaiting(waiting: number, oldestMs: number): string {
  if (waiting === 0) return 'None';
  const age = duration(Math.ceil(oldestMs / SECOND_MS) * SECOND_MS);
  return `${waiting}, the oldest for ${age}`;
}

type Resolution = 'credit' | 'dismiss' | 'debit' | 'release';

function DepositsUnderReview() {
  const deposits = useResource(async () => (await api.listDepositsInReview()).deposits, REFRESH_MS);
  const deciding = useSignal<Deposit<string> | undefined>(undefined);
  return (
    <Panel
      title="Deposits under review"
      lead="Deposits to unknown addresses, or reorganized after credit"
      flush
    >
      <Loaded resource={deposits}>
        {(rows) => (
          <Table
            caption="Deposits under review"
            columns={[
              ...DEPOSIT_COLUMNS,
              {
                key: 'decide',
                title: 'Decide',
                hiddenTitle: true,
                cell: (deposit) => (
                  <button
                    type="button"
                    class="button small"
                    onClick={() => (deciding.value = deposit)}
                  >
                    Decide
                  </button>
                ),
              },
            ]}
            rows={rows}
            rowKey={({ id }) => id}
            empty="No deposits wait for a decision."
          />
        )}
      </Loaded>
      <Dialog
        title="Decide on deposit"
        open={deciding.value !== undefined}
        onClose={() => (deciding.value = undefined)}
      >
        {deciding.value === undefined ? null : (
          <Decision
            deposit={deciding.value}
            onDecided={async () => {
              deciding.value = undefined;
              announce('Decision recorded', 'success');
              await deposits.load();
            }}
          />
        )}
      </Dialog>
    </Panel>
  );
}

const DEPOSIT_COLUMNS: readonly Column<Deposit<string>>[] = [
  { key: 'time', title: 'Time', cell: ({ createdAt }) => dateTime(createdAt) },
  { key: 'account', title: 'Account', cell: ({ account }) => account ?? 'None' },
  {
    key: 'amount',
    title: 'Amount',
    numeric: true,
    cell: ({ amount, asset }) => `${grouped(amount)} ${asset}`,
  },
  { key: 'network', title: 'Network', cell: ({ network }) => networkName(network) },
  { key: 'address', title: 'Address', cell: ({ address }) => <Short text={address} /> },
  { key: 'memo', title: 'Memo', cell: ({ memo }) => memo ?? '–' },
  { key: 'status', title: 'Status', cell: (deposit) => <DepositStatus deposit={deposit} /> },
];

const CHOICES = {
  review: [
    ['credit', 'Credit to an account'],
    ['dismiss', 'Do not credit'],
  ],
  frozen: [
    ['debit', 'Take it back from the account'],
    ['release', 'Leave it with the account'],
  ],
} as const;

interface DecisionProps {
  readonly deposit: Deposit<string>;
  readonly onDecided: () => Promise<void>;
}

function Decision({ deposit, onDecided }: DecisionProps) {
  const choices = deposit.status === 'frozen' ? CHOICES.frozen : CHOICES.review;
  const resolution = useSignal<Resolution>(choices[0][0]);
  const account = useSignal(deposit.account ?? '');
  const confirmation = useSignal('');
  const action = useAction();
  const isCredit = resolution.value === 'credit';
  const submit = async () => {
    const owner = account.value.trim();
    if (isCredit && owner === '') throw new FieldError('account', 'Enter an account ID.');
    const { id } = deposit;
    const decision = {
      id,
      resolution: resolution.value,
      ...(isCredit ? { account: owner } : {}),
      ...toConfirmation(confirmation.value),
    };
    const resolve = () => withReason((why) => api.resolveDeposit({ ...decision, ...why }));
    await withConfirmation(resolve, 'confirmation');
    await onDecided();
  };
  return (
    <Form action={action} onSubmit={submit} fields={['account', 'confirmation']}>
      <Facts
        facts={[
          ['Amount', `${grouped(deposit.amount)} ${deposit.asset}`],
          ['On hold', `${grouped(deposit.held)} ${deposit.asset}`],
          ['Transaction', <Short text={deposit.transaction} />],
        ]}
      />
      <Select
        label="Decision"
        value={resolution.value}
        options={choices}
        onChange={(chosen: Resolution) => {
          resolution.value = chosen;
        }}
      />
      {isCredit ? (
        <Field
          label="Account ID"
          {...bound(account)}
          error={action.fieldError('account')}
          input={{ name: 'account', required: true }}
        />
      ) : null}
      <ConfirmationField {...bound(confirmation)} error={action.fieldError('confirmation')} />
      <div class="dialog-actions">
        <Submit action={action} label="Confirm decision" />
      </div>
    </Form>
  );
}

function WithdrawalsToApprove() {
  const withdrawals = useResource(
    async () => (await api.listWithdrawalsToApprove()).withdrawals,
    REFRESH_MS,
  );
  const approving = useSignal<Withdrawal<string> | undefined>(undefined);
  const rejecting = useSignal<Withdrawal<string> | undefined>(undefined);
  const close = async (dialog: typeof approving, text: string) => {
    dialog.value = undefined;
    announce(text, 'success');
    await withdrawals.load();
  };
  return (
    <Panel
      title="Withdrawals to approve"
      lead="Each needs two operators; the account owner cannot approve"
      flush
    >
      <Loaded resource={withdrawals}>
        {(rows) => (
          <Table
            caption="Withdrawals to approve"
            columns={[
              ...WITHDRAWAL_COLUMNS,
              {
                key: 'decide',
                title: 'Approve or reject',
                hiddenTitle: true,
                cell: (each) => (
                  <span class="actions">
                    <button
                      type="button"
                      class="button small primary"
                      onClick={() => (approving.value = each)}
                    >
                      Approve
                    </button>{' '}
                    <button
                      type="button"
                      class="button small"
                      onClick={() => (rejecting.value = each)}
                    >
                      Reject
                    </button>
                  </span>
                ),
              },
            ]}
            rows={rows}
            rowKey={({ id }) => id}
            empty="No withdrawals wait for approval."
          />
        )}
      </Loaded>
      <Dialog
        title="Approve withdrawal"
        open={approving.value !== undefined}
        onClose={() => (approving.value = undefined)}
      >
        {approving.value === undefined ? null : (
          <Approval withdrawal={approving.value} onDone={(text) => close(approving, text)} />
        )}
      </Dialog>
      <Dialog
        title="Reject withdrawal"
        open={rejecting.value !== undefined}
        onClose={() => (rejecting.value = undefined)}
      >
        {rejecting.value === undefined ? null : (
          <Rejection
            withdrawal={rejecting.value}
            onDone={() => close(rejecting, 'Withdrawal rejected')}
          />
        )}
      </Dialog>
    </Panel>
  );
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
    await onDone(isSent ? 'Withdrawal approved' : 'Approved. It needs a second operator.');
  };
  return (
    <Form action={action} onSubmit={submit} fields={['confirmation']}>
      <Facts
        facts={[
          ['Account', each.account],
          ['Amount', `${grouped(each.amount)} ${each.asset}`],
          ['Network', networkName(each.network)],
          ['Address', <span class="mono wrapped">{each.address}</span>],
          ['Memo', each.memo ?? 'None'],
          ['Approved by', each.approvals.join(', ') || 'No one'],
        ]}
      />
      <ConfirmationField {...bound(confirmation)} error={action.fieldError('confirmation')} />
      <div class="dialog-actions">
        <Submit action={action} label="Approve withdrawal" />
      </div>
    </Form>
  );
}

function Rejection({
  withdrawal,
  onDone,
}: {
  withdrawal: Withdrawal<string>;
  onDone: () => Promise<void>;
}) {
  const reason = useSignal('');
  const action = useAction();
  const submit = async () => {
    const text = reason.value.trim();
    if (text === '') throw new FieldError('reason', 'Enter a reason. The user sees it.');
    await api.rejectWithdrawal({ id: withdrawal.id, reason: text });
    await onDone();
  };
  return (
    <Form action={action} onSubmit={submit} fields={['reason']}>
      <p>
        {grouped(withdrawal.amount)} {withdrawal.asset} of {withdrawal.account} become available
        again.
      </p>
      <Field
        label="Reason"
        {...bound(reason)}
        hint="Shown to the user"
        error={action.fieldError('reason')}
        input={{ name: 'reason', maxLength: 200, required: true }}
      />
      <div class="dialog-actions">
        <Submit action={action} label="Reject withdrawal" kind="danger" />
      </div>
    </Form>
  );
}

const WITHDRAWAL_COLUMNS: readonly Column<Withdrawal<string>>[] = [
  { key: 'time', title: 'Time', cell: ({ createdAt }) => dateTime(createdAt) },
  { key: 'account', title: 'Account', cell: ({ account }) => account },
  {
    key: 'amount',
    title: 'Amount',
    numeric: true,
    cell: ({ amount, asset }) => `${grouped(amount)} ${asset}`,
  },
  { key: 'network', title: 'Network', cell: ({ network }) => networkName(network) },
  { key: 'address', title: 'Address', cell: ({ address }) => <Short text={address} /> },
  {
    key: 'approvals',
    title: 'Approved by',
    cell: ({ approvals }) => approvals.join(', ') || 'No one',
  },
  {
    key: 'status',
    title: 'Status',
    cell: (withdrawal) => <WithdrawalStatus withdrawal={withdrawal} />,
  },
];
