import { useSignal } from '@preact/signals';
import type { WithdrawalAddress } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Dialog } from '../components/dialog.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Notice } from '../components/notice.tsx';
import { Facts } from '../components/panel.tsx';
import { announce } from '../components/toast.tsx';
import { decimal } from '../decimal.ts';
import { grouped } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import {
  ConfirmationField,
  proofField,
  toConfirmation,
  withConfirmation,
} from '../settings/confirmation.tsx';
import { networkName, type ShownNetwork } from './networks.ts';
import { COMPARED } from './status.tsx';

interface ReviewedWithdrawal {
  readonly entry: WithdrawalAddress;
  readonly network: ShownNetwork;
  readonly amount: string;
  readonly clientId: string;
}

interface WithdrawalReviewProps extends Omit<ReviewedWithdrawal, 'amount'> {
  /** The amount to review; undefined while the dialog is closed. */
  readonly amount: string | undefined;
  readonly onClose: () => void;
  readonly onRequested: () => Promise<void>;
}

/** Shows all of a withdrawal, and requests it once the user has confirmed it. */
export function WithdrawalReview({ amount, onClose, onRequested, ...rest }: WithdrawalReviewProps) {
  return (
    <Dialog title={t('Review withdrawal')} open={amount !== undefined} onClose={onClose}>
      <Review {...rest} amount={amount ?? ''} onClose={onClose} onRequested={onRequested} />
    </Dialog>
  );
}

interface ReviewProps extends ReviewedWithdrawal {
  readonly onClose: () => void;
  readonly onRequested: () => Promise<void>;
}

function Review({ entry, network, amount, clientId, onClose, onRequested }: ReviewProps) {
  const proof = useSignal('');
  const action = useAction();
  const { asset, withdrawalFee: fee } = network;
  const amountText = `${grouped(amount)} ${asset}`;
  const submit = async () => {
    if (proof.value === '') throw new FieldError(proofField(), t('Confirm it’s you.'));
    await withConfirmation(
      () =>
        api.requestWithdrawal({
          ...{ addressId: entry.id, amount, clientId },
          ...toConfirmation(proof.value),
        }),
      proofField(),
    );
    announce(t('Withdrawal requested'), 'success');
    await onRequested();
  };
  return (
    <Form action={action} onSubmit={submit} fields={['password', 'code']}>
      <Facts
        facts={[
          [msg('You receive'), <b key="amount">{amountText}</b>],
          [msg('Network'), networkName(entry.network)],
          ...(entry.label === null
            ? []
            : ([[msg('Name'), <b key="name">{entry.label}</b>]] as const)),
          [msg('Address'), <Address key="address" text={entry.address} />],
          ...(entry.memo === null ? [] : ([[msg('Memo'), entry.memo]] as const)),
          [msg('Network fee'), `${grouped(fee)} ${asset}`],
          [msg('Total from your balance'), `${grouped(decimal(amount)!.plus(fee))} ${asset}`],
        ]}
      />
      <Notice kind="warning">
        {t(
          'Check the address and that the recipient accepts {asset} on {network}. Sent withdrawals cannot be reversed.',
          { asset, network: networkName(entry.network) },
        )}
      </Notice>
      <ConfirmationField {...bound(proof)} error={action.fieldError('password', 'code')} />
      <div class="dialog-actions">
        <button type="button" class="button" onClick={onClose}>
          {t('Back')}
        </button>
        <Submit action={action} label={t('Withdraw {amount}', { amount: amountText })} />
      </div>
    </Form>
  );
}

/** A whole address, whose ends stand out. */
function Address({ text }: { text: string }) {
  if (text.length <= 2 * COMPARED) return <b class="mono">{text}</b>;
  return (
    <span class="mono">
      <b>{text.slice(0, COMPARED)}</b>
      {text.slice(COMPARED, -COMPARED)}
      <b>{text.slice(-COMPARED)}</b>
    </span>
  );
}
