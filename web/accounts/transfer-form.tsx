import { useSignal } from '@preact/signals';
import type { Balance } from '../../src/client/index.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Choices } from '../components/choices.tsx';
import { Field, Select } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Icon } from '../components/icon.tsx';
import { Panel } from '../components/panel.tsx';
import { localNumber, parseNumber } from '../components/typed-number.ts';
import { decimal } from '../decimal.ts';
import { grouped } from '../format.ts';
import { msg, T, t } from '../i18n/index.ts';
import { Amount } from '../portfolio/amount.tsx';
import { accountName, group, openAccounts, selectedId } from '../selected-account.ts';
import { type ReviewedTransfer, TransferReview } from './transfer-review.tsx';

const TARGETS = ['own', 'other'] as const;
const TARGET_NAMES = { own: msg('Between my accounts'), other: msg('To another user') };
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
  const chosenFrom = useSignal(selectedId()!);
  const target = useSignal<(typeof TARGETS)[number]>('own');
  const chosenTo = useSignal('');
  const recipient = useSignal('');
  const chosenAsset = useSignal('');
  const amount = useSignal('');
  const reviewed = useSignal<ReviewedTransfer | undefined>(undefined);
  // One id per filled-in form: sending it again after a lost response moves nothing twice.
  const clientId = useSignal(crypto.randomUUID());
  const action = useAction();
  const own = openAccounts.value;
  const from = (own.find(({ accountId }) => accountId === chosenFrom.value) ?? own[0]!).accountId;
  const others = own.filter(({ accountId }) => accountId !== from);
  const isToOther = others.length === 0 || target.value === 'other';
  const to = (others.find(({ accountId }) => accountId === chosenTo.value) ?? others[0])?.accountId;
  const assets = listAvailable(from);
  const asset = assets.find((each) => each.asset === chosenAsset.value) ?? assets[0];
  const swap = () => {
    chosenFrom.value = to!;
    chosenTo.value = from;
  };
  const review = async () => {
    const recipientId = isToOther ? recipient.value.trim() : to!;
    if (recipientId === '')
      throw new FieldError('to', t('Enter an account ID or an email address.'));
    if (asset === undefined) throw new FieldError('amount', t('This account has nothing to send.'));
    const value = parseNumber(amount.value, 'amount');
    checkAmount(value, asset);
    const terms = { from, to: recipientId, asset: asset.asset, amount: value };
    reviewed.value = { ...terms, isToOther };
  };
  return (
    <>
      <Form action={action} onSubmit={review} fields={FIELDS} label={t('New transfer')}>
        {others.length === 0 ? (
          <p class="muted">
            {t(
              'Send to another user. To move funds between your own accounts, create a sub-account first.',
            )}
          </p>
        ) : (
          <Choices
            legend={t('To||account')}
            ids={TARGETS}
            chosen={target.value}
            onChoose={(chosen) => (target.value = chosen)}
            format={(each) => t(TARGET_NAMES[each])}
          />
        )}
        <div class={isToOther ? 'transfer-sides' : 'transfer-sides has-swap'}>
          <Select
            label={t('From||account')}
            value={from}
            options={own.map(({ accountId }) => [accountId, accountName(accountId)])}
            onChange={(chosen) => {
              chosenFrom.value = chosen;
            }}
          />
          {isToOther ? null : <SwapButton onClick={swap} />}
          {isToOther ? (
            <Field
              label={t('Recipient')}
              {...bound(recipient)}
              hint={t('The account ID or email address of the user.')}
              error={action.fieldError('to')}
              input={{ name: 'to', maxLength: 320, required: true }}
            />
          ) : (
            <Select
              label={t('To||account')}
              value={to!}
              options={others.map(({ accountId }) => [accountId, accountName(accountId)])}
              onChange={(chosen) => {
                chosenTo.value = chosen;
              }}
            />
          )}
        </div>
        <div class="transfer-sides">
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
              asset === undefined ? (
                t('Nothing available')
              ) : (
                <T
                  text="Available: {amount} {asset}"
                  amount={<Amount asset={asset.asset} amount={asset.available} />}
                  asset={asset.asset}
                />
              )
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
        </div>
        <div>
          <Submit action={action} label={t('Review transfer')} class="phone-wide" />
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

/** Turns the direction of a transfer around. */
function SwapButton({ onClick }: { onClick: () => void }) {
  return (
    <button
      type="button"
      class="button swap"
      aria-label={t('Swap accounts')}
      title={t('Swap accounts')}
      onClick={onClick}
    >
      <Icon name="swap" />
    </button>
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
