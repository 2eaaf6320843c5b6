import { type Signal, useSignal } from '@preact/signals';
import type { Transfer } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { type Action, FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Field, Select } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Notice } from '../components/notice.tsx';
import { Facts, Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { itemAt } from '../components/section.ts';
import { parseNumber } from '../components/typed-number.ts';
import { dateTime, grouped } from '../format.ts';
import { ConfirmationField, toConfirmation, withConfirmation } from '../settings/confirmation.tsx';
import { newReference } from './reference.ts';

interface Moved {
  readonly transfer: Transfer<string>;
  readonly created: boolean;
  readonly available: string;
}

export function TransfersSection() {
  const assets = useResource(() => api.listKnownAssets());
  const moved = useSignal<Moved | undefined>(undefined);
  return (
    <Panel
      title="Adjust a balance"
      lead="External deposit or withdrawal: a credit adds funds to an account, a debit removes them."
    >
      {moved.value === undefined ? (
        <Loaded resource={assets}>
          {(data) => (
            <TransferForm
              assets={data.assets.map(({ asset }) => asset)}
              onMoved={(answer) => {
                moved.value = answer;
              }}
            />
          )}
        </Loaded>
      ) : (
        <Done
          moved={moved.value}
          onRestart={() => {
            moved.value = undefined;
          }}
        />
      )}
    </Panel>
  );
}

interface TransferFormProps {
  readonly assets: readonly string[];
  readonly onMoved: (moved: Moved) => void;
}

const FIELDS = ['account', 'amount', 'reference', 'reason', 'confirmation'];

function TransferForm({ assets, onMoved }: TransferFormProps) {
  const draft: TransferDraft = {
    account: useSignal(itemAt() ?? ''),
    amount: useSignal(''),
    reason: useSignal(''),
    asset: useSignal(assets.find((name) => name === 'USDT') ?? assets[0] ?? ''),
    direction: useSignal<Direction>('credit'),
    reference: useSignal(newReference()),
  };
  const action = useAction();
  const confirmation = useSignal('');
  const submit = async () => {
    const move = () =>
      api.createTransfer({ ...toRequest(draft), ...toConfirmation(confirmation.value) });
    onMoved(await withConfirmation(move, 'confirmation'));
  };
  const isCredit = draft.direction.value === 'credit';
  return (
    <Form action={action} onSubmit={submit} fields={FIELDS} class="narrow">
      <TransferFields draft={draft} assets={assets} action={action} />
      <ConfirmationField {...bound(confirmation)} error={action.fieldError('confirmation')} />
      <div>
        <Submit
          action={action}
          label={isCredit ? 'Credit account' : 'Debit account'}
          kind={isCredit ? 'primary' : 'danger'}
        />
      </div>
    </Form>
  );
}

type Direction = 'credit' | 'debit';

interface TransferDraft {
  readonly account: Signal<string>;
  readonly amount: Signal<string>;
  readonly reason: Signal<string>;
  readonly asset: Signal<string>;
  readonly direction: Signal<Direction>;
  readonly reference: Signal<string>;
}

/** Validates the form. @throws FieldError */
function toRequest({ account, amount, reason, asset, direction, reference }: TransferDraft) {
  const value = parseNumber(amount.value, 'amount');
  if (value.startsWith('-')) {
    throw new FieldError('amount', 'Enter the amount without a sign and choose credit or debit.');
  }
  if (reason.value.trim() === '') {
    throw new FieldError('reason', 'Enter a reason for the audit trail.');
  }
  return {
    account: account.value.trim(),
    asset: asset.value,
    amount: direction.value === 'credit' ? value : `-${value}`,
    reference: reference.value.trim(),
    reason: reason.value.trim(),
  };
}

interface TransferFieldsProps {
  readonly draft: TransferDraft;
  readonly assets: readonly string[];
  readonly action: Action;
}

function TransferFields({ draft, assets, action }: TransferFieldsProps) {
  const { account, amount, reason, asset, direction, reference } = draft;
  return (
    <>
      <Select
        label="Type"
        value={direction.value}
        options={[
          ['credit', 'Credit (deposit)'],
          ['debit', 'Debit (withdrawal)'],
        ]}
        onChange={(chosen) => {
          direction.value = chosen;
        }}
      />
      <Field
        label="Account ID"
        {...bound(account)}
        error={action.fieldError('account')}
        input={{ name: 'account', required: true }}
      />
      <Select
        label="Asset"
        value={asset.value}
        options={assets.map((name) => [name, name] as const)}
        onChange={(chosen) => {
          asset.value = chosen;
        }}
      />
      <Field
        label="Amount"
        unit={asset.value}
        {...bound(amount)}
        error={action.fieldError('amount')}
        input={{ name: 'amount', inputMode: 'decimal', required: true }}
      />
      <Field
        label="Reason"
        {...bound(reason)}
        error={action.fieldError('reason')}
        input={{ name: 'reason', maxLength: 200, required: true }}
      />
      <Field
        label="Reference"
        {...bound(reference)}
        hint="ID of the external payment. Reusing a reference does not move money again."
        error={action.fieldError('reference')}
        input={{ name: 'reference', maxLength: 64, required: true }}
      />
    </>
  );
}

function Done({ moved, onRestart }: { moved: Moved; onRestart: () => void }) {
  const { transfer, created, available } = moved;
  return (
    <div class="stack narrow">
      {created ? (
        <Notice kind="success">Done. The adjustment is recorded in the audit trail.</Notice>
      ) : (
        <Notice kind="info">
          This reference was already used. Its original adjustment is shown below; no money was
          moved now.
        </Notice>
      )}
      <Facts
        facts={[
          ['Account', transfer.account],
          ['Amount', `${grouped(transfer.amount)} ${transfer.asset}`],
          ['Reference', transfer.reference],
          ['Time', dateTime(transfer.timestamp)],
          ['Available now', `${grouped(available)} ${transfer.asset}`],
        ]}
      />
      <div>
        <button type="button" class="button" onClick={onRestart}>
          New adjustment
        </button>
      </div>
    </div>
  );
}
