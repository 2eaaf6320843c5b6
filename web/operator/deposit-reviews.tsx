import { useSignal } from '@preact/signals';
import type { Deposit } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Dialog } from '../components/dialog.tsx';
import { Select } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Facts, Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { Table } from '../components/table.tsx';
import { announce } from '../components/toast.tsx';
import { networkName } from '../custody/networks.ts';
import { TransactionLink } from '../custody/transaction-link.tsx';
import { grouped } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { ConfirmationField, toConfirmation, withConfirmation } from '../settings/confirmation.tsx';
import { AccountPicker } from './account-picker.tsx';
import { withReason } from './approval-reason.tsx';
import { depositColumns, PaymentsLink } from './payment-columns.tsx';
import { readDashboard } from './queues.ts';
import { useValues } from './values.ts';

const REFRESH_MS = 5000;

type Resolution = 'credit' | 'dismiss' | 'debit' | 'release';

/** The deposits that wait for a decision of an operator. */
export function DepositReviews() {
  const deposits = useResource(async () => (await api.listDepositsInReview()).deposits, REFRESH_MS);
  const values = useValues();
  const deciding = useSignal<Deposit<string> | undefined>(undefined);
  const close = () => {
    deciding.value = undefined;
  };
  return (
    <Panel
      title={t('Deposits under review')}
      lead={t('Deposits to unknown addresses, or reorganized after credit.')}
      flush
    >
      <Loaded resource={deposits}>
        {(rows) => (
          <Table
            caption={t('Deposits under review')}
            columns={[
              // The dialog has the transaction.
              ...depositColumns(values.data.value).filter(({ key }) => key !== 'transaction'),
              {
                key: 'decide',
                title: msg('Decide'),
                hiddenTitle: true,
                cell: (deposit) => (
                  <button
                    type="button"
                    class="button small"
                    onClick={() => {
                      deciding.value = deposit;
                    }}
                  >
                    {t('Decide')}
                  </button>
                ),
              },
            ]}
            rows={rows}
            rowKey={({ id }) => id}
            empty={t('No deposits wait for a decision.')}
          />
        )}
      </Loaded>
      <Dialog title={t('Decide on deposit')} open={deciding.value !== undefined} onClose={close}>
        {deciding.value === undefined ? null : (
          <Decision
            deposit={deciding.value}
            value={values.data.value?.text(deciding.value.amount, deciding.value.asset) ?? '–'}
            onDecided={async () => {
              close();
              announce(t('Decision recorded'), 'success');
              await Promise.all([deposits.load(), readDashboard()]);
            }}
          />
        )}
      </Dialog>
    </Panel>
  );
}

const CHOICES = {
  review: [
    ['credit', msg('Credit to an account')],
    ['dismiss', msg('Do not credit')],
  ],
  frozen: [
    ['debit', msg('Take it back from the account')],
    ['release', msg('Leave it with the account')],
  ],
} as const;

interface DecisionProps {
  readonly deposit: Deposit<string>;
  readonly value: string;
  readonly onDecided: () => Promise<void>;
}

function Decision({ deposit, value, onDecided }: DecisionProps) {
  const choices = deposit.status === 'frozen' ? CHOICES.frozen : CHOICES.review;
  const resolution = useSignal<Resolution>(choices[0][0]);
  const account = useSignal(deposit.account ?? '');
  const confirmation = useSignal('');
  const action = useAction();
  const isCredit = resolution.value === 'credit';
  const submit = async () => {
    const owner = account.value.trim();
    if (isCredit && owner === '') throw new FieldError('account', t('Choose an account.'));
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
    <Form action={action} onSubmit={submit} fields={['account', 'id', 'confirmation']}>
      <Facts
        facts={[
          [msg('Account'), <PaymentsLink account={deposit.account} />],
          [msg('Amount'), `${grouped(deposit.amount)} ${deposit.asset} (${value})`],
          ...(deposit.status === 'frozen'
            ? ([[msg('On hold'), `${grouped(deposit.held)} ${deposit.asset}`]] as const)
            : []),
          [msg('Network'), networkName(deposit.network)],
          [msg('Address'), <span class="mono wrapped">{deposit.address}</span>],
          [msg('Memo'), deposit.memo ?? t('None')],
          [
            msg('Transaction'),
            <TransactionLink id={deposit.transaction} network={deposit.network}>
              <span class="mono wrapped">{deposit.transaction}</span>
            </TransactionLink>,
          ],
        ]}
      />
      <Select
        label={t('Decision')}
        value={resolution.value}
        options={choices}
        onChange={(chosen: Resolution) => {
          resolution.value = chosen;
        }}
      />
      {isCredit ? (
        <AccountPicker
          label={t('Account')}
          account={account}
          error={action.fieldError('account', 'id')}
        />
      ) : null}
      <ConfirmationField {...bound(confirmation)} error={action.fieldError('confirmation')} />
      <div class="dialog-actions">
        <Submit action={action} label={t('Confirm decision')} />
      </div>
    </Form>
  );
}
