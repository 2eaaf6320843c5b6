import { type Signal, useSignal } from '@preact/signals';
import Big from 'big.js';
import { api } from '../api.ts';
import { type Action, FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Dialog } from '../components/dialog.tsx';
import { Field, Select } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Notice } from '../components/notice.tsx';
import { Facts, Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { itemAt } from '../components/section.ts';
import { parseNumber } from '../components/typed-number.ts';
import { dateTime, grouped } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { AccountPicker } from './account-picker.tsx';
import { type Adjustment, type AdjustmentPreview, previewAdjustment } from './adjustment.ts';
import { type Adjusted, AdjustmentConfirm } from './adjustment-confirm.tsx';
import { RecentAdjustments } from './adjustments.tsx';
import { newReference } from './reference.ts';

export function TransfersSection() {
  const assets = useResource(() => api.listKnownAssets());
  const moved = useSignal<Adjusted | undefined>(undefined);
  return (
    <>
      <Panel
        title={t('Adjust a balance')}
        lead={t(
          'External deposit or withdrawal: a credit adds funds to an account, a debit removes them.',
        )}
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
      <RecentAdjustments key={moved.value?.transfer.id} />
    </>
  );
}

interface TransferFormProps {
  readonly assets: readonly string[];
  readonly onMoved: (moved: Adjusted) => void;
}

/** Fields of the exchange's errors; that of an unknown account is `id`. */
const FIELDS = ['account', 'id', 'amount', 'reference', 'reason'];

/** The first step: nothing moves before the preview is confirmed. */
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
  const preview = useSignal<AdjustmentPreview | undefined>(undefined);
  const submit = async () => {
    preview.value = await previewAdjustment(toAdjustment(draft));
  };
  const close = () => {
    preview.value = undefined;
  };
  const isCredit = draft.direction.value === 'credit';
  return (
    <>
      <Form action={action} onSubmit={submit} fields={FIELDS}>
        <div class="two-columns">
          <TransferFields draft={draft} assets={assets} action={action} />
        </div>
        <div>
          <Submit action={action} label={isCredit ? t('Review credit') : t('Review debit')} />
        </div>
      </Form>
      <Dialog
        title={isCredit ? t('Confirm credit') : t('Confirm debit')}
        open={preview.value !== undefined}
        onClose={close}
      >
        {preview.value === undefined ? null : (
          <AdjustmentConfirm
            preview={preview.value}
            onCancel={close}
            onDone={(answer) => {
              close();
              onMoved(answer);
            }}
          />
        )}
      </Dialog>
    </>
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
function toAdjustment(draft: TransferDraft): Adjustment {
  const { account, amount, reason, asset, direction, reference } = draft;
  if (account.value.trim() === '') throw new FieldError('account', t('Choose an account.'));
  const value = parseNumber(amount.value, 'amount');
  if (value.startsWith('-')) {
    throw new FieldError(
      'amount',
      t('Enter the amount without a sign and choose credit or debit.'),
    );
  }
  if (new Big(value).eq(0)) throw new FieldError('amount', t('Enter an amount above zero.'));
  if (reason.value.trim() === '') {
    throw new FieldError('reason', t('Enter a reason for the audit trail.'));
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
        label={t('Type')}
        value={direction.value}
        options={[
          ['credit', msg('Credit (deposit)')],
          ['debit', msg('Debit (withdrawal)')],
        ]}
        onChange={(chosen) => {
          direction.value = chosen;
        }}
      />
      <AccountPicker
        label={t('Account')}
        account={account}
        error={action.fieldError('account', 'id')}
      />
      <Select
        label={t('Asset')}
        value={asset.value}
        options={assets.map((name) => [name, name] as const)}
        onChange={(chosen) => {
          asset.value = chosen;
        }}
      />
      <Field
        label={t('Amount')}
        unit={asset.value}
        {...bound(amount)}
        error={action.fieldError('amount')}
        input={{ name: 'amount', inputMode: 'decimal', required: true }}
      />
      <Field
        label={t('Reason')}
        {...bound(reason)}
        error={action.fieldError('reason')}
        input={{ name: 'reason', maxLength: 200, required: true }}
      />
      <Field
        label={t('Reference')}
        {...bound(reference)}
        hint={t('ID of the external payment. Reusing a reference does not move money again.')}
        error={action.fieldError('reference')}
        input={{ name: 'reference', maxLength: 64, required: true }}
      />
    </>
  );
}

function Done({ moved, onRestart }: { moved: Adjusted; onRestart: () => void }) {
  const { transfer, created, available } = moved;
  return (
    <div class="stack narrow">
      {created ? (
        <Notice kind="success">{t('Done. The adjustment is recorded in the audit trail.')}</Notice>
      ) : (
        <Notice kind="info">
          {t(
            'This reference was already used. Its original adjustment is shown below; no money was moved now.',
          )}
        </Notice>
      )}
      <Facts
        facts={[
          [msg('Account'), transfer.account],
          [msg('Amount'), `${grouped(transfer.amount)} ${transfer.asset}`],
          [msg('Reference'), transfer.reference],
          [msg('Time'), dateTime(transfer.timestamp)],
          [msg('Available now'), `${grouped(available)} ${transfer.asset}`],
        ]}
      />
      <div>
        <button type="button" class="button" onClick={onRestart}>
          {t('New adjustment')}
        </button>
      </div>
    </div>
  );
}
