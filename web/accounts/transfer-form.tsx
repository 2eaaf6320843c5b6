import { useSignal } from '@preact/signals';
import type { Balance } from '../../src/client/index.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Field, Select } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Panel } from '../components/panel.tsx';
import { localNumber, parseNumber } from '../components/typed-number.ts';
import { decimal } from '../decimal.ts';
import { grouped } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { markets } from '../portfolio/holdings.ts';
import { countAmountDecimals, shownAmount } from '../portfolio/market-digits.ts';
import { accountName, group, selectedId } from '../selected-account.ts';
import { type ReviewedTransfer, TransferReview } from './transfer-review.tsx';

/** The choice of an account of another user. */
const OTHER = 'other';
const FIELDS = ['to', 'amount'];

interface TransferPanelProps {
  readonly onTransferred: () => Promise<void>;
}

/** Moves money between the accounts of the user, or to another user. */
export function TransferPanel({ onTransferred }: TransferPanelProps) {
  return (
    <Panel title={t('New transfer')} lead={t('Instant, no fee')}>
      <TransferForm onTransferred={onTransferred} />
    </Panel>
  );
}

function TransferForm({ onTransferred }: TransferPanelProps) {
  const from = useSignal(selectedId()!);
  const chosenTo = useSignal('');
  const recipient = useSignal('');
  const chosenAsset = useSignal('');
  const amount = useSignal('');
  const reviewed = useSignal<ReviewedTransfer | undefined>(undefined);
  // One id per filled-in form: sending it again after a lost response moves nothing twice.
  const clientId = useSignal(crypto.randomUUID());
  const action = useAction();
  const others = group.value.filter(({ accountId }) => accountId !== from.value);
  const choices = [...others.map(({ accountId }) => accountId), OTHER];
  const to = choices.includes(chosenTo.value) ? chosenTo.value : choices[0]!;
  const assets = listAvailable(from.value);
  const asset = assets.find((each) => each.asset === chosenAsset.value) ?? assets[0];
  const review = async () => {
    const isToOther = to === OTHER;
    const target = isToOther ? recipient.value.trim() : to;
    if (target === '') throw new FieldError('to', t('Enter an account ID or an email address.'));
    if (asset === undefined) throw new FieldError('amount', t('This account has nothing to send.'));
    const value = parseNumber(amount.value, 'amount');
    checkAmount(value, asset);
    const terms = { from: from.value, to: target, asset: asset.asset, amount: value };
    reviewed.value = { ...terms, isToOther };
  };
  return (
    <>
      <Form
        action={action}
        onSubmit={review}
        fields={FIELDS}
        label={t('New transfer')}
        class="transfer-form"
      >
        <div class="transfer-sides">
          <Select
            label={t('From||account')}
            value={from.value}
            options={group.value.map(({ accountId }) => [accountId, accountName(accountId)])}
            onChange={(chosen) => {
              from.value = chosen;
            }}
          />
          <Select
            label={t('To||account')}
            value={to}
            options={choices.map((each) => [
              each,
              each === OTHER ? msg('Another user…') : accountName(each),
            ])}
            onChange={(chosen) => {
              chosenTo.value = chosen;
            }}
          />
        </div>
        {to === OTHER ? (
          <Field
            label={t('Recipient')}
            {...bound(recipient)}
            hint={t('The account ID or email address of the user.')}
            error={action.fieldError('to')}
            input={{ name: 'to', maxLength: 320, required: true }}
          />
        ) : null}
        <Select
          label={t('Asset')}
          value={asset?.asset ?? ''}
          options={assets.map((each) => [each.asset, each.asset])}
          onChange={(chosen) => {
            chosenAsset.value = chosen;
          }}
        />
        <Field
          label={t('Amount')}
          unit={asset?.asset ?? ''}
          {...bound(amount)}
          hint={
            asset === undefined
              ? t('Nothing available')
              : t('Available: {amount} {asset}', {
                  amount: shownAmount(
                    asset.available,
                    countAmountDecimals(asset.asset, markets.value),
                  ),
                  asset: asset.asset,
                })
          }
          error={action.fieldError('amount')}
          aside={
            <button
              type="button"
              class="button small"
              disabled={asset === undefined}
              onClick={() => (amount.value = localNumber(asset!.available))}
            >
              {t('Max')}
            </button>
          }
          input={{ name: 'amount', inputMode: 'decimal', required: true }}
        />
        <div>
          <Submit action={action} label={t('Review transfer')} />
        </div>
      </Form>
      <TransferReview
        transfer={reviewed.value}
        clientId={clientId.value}
        onClose={() => (reviewed.value = undefined)}
        onTransferred={async () => {
          reviewed.value = undefined;
          clientId.value = crypto.randomUUID();
          amount.value = '';
          await onTransferred();
        }}
      />
    </>
  );
}

/** @throws FieldError if the account has less */
function checkAmount(amount: string, { asset, available }: Balance<string>): void {
  const value = decimal(amount)!;
  if (value.lte(0)) throw new FieldError('amount', t('Enter an amount above zero.'));
  if (value.gt(available)) {
    const most = grouped(available);
    throw new FieldError('amount', t('You can transfer up to {most} {asset}.', { most, asset }));
  }
}

/** Returns the balances of an account that have something available. */
function listAvailable(from: string) {
  const account = group.value.find(({ accountId }) => accountId === from);
  return (account?.balances ?? []).filter(({ available }) => available !== '0');
}
