import { useSignal } from '@preact/signals';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Dialog } from '../components/dialog.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Notice } from '../components/notice.tsx';
import { Facts } from '../components/panel.tsx';
import { announce } from '../components/toast.tsx';
import { grouped } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { accountName } from '../selected-account.ts';
import {
  ConfirmationField,
  proofField,
  toConfirmation,
  withConfirmation,
} from '../settings/confirmation.tsx';
import { AccountName } from './account-name.tsx';

/** A transfer that is filled in, and not sent yet. */
export interface ReviewedTransfer {
  readonly from: string;
  /** An account of the user, or the account id or email address of another user. */
  readonly to: string;
  readonly isToOther: boolean;
  readonly asset: string;
  readonly amount: string;
}

interface TransferReviewProps {
  /** Undefined while the dialog is closed. */
  readonly transfer: ReviewedTransfer | undefined;
  readonly clientId: string;
  readonly onClose: () => void;
  readonly onTransferred: () => Promise<void>;
}

/** Shows all of a transfer, and sends it once the user has confirmed it. */
export function TransferReview({ transfer, onClose, ...rest }: TransferReviewProps) {
  return (
    <Dialog title={t('Review transfer')} open={transfer !== undefined} onClose={onClose}>
      {transfer === undefined ? null : <Review {...rest} transfer={transfer} onClose={onClose} />}
    </Dialog>
  );
}

interface ReviewProps extends TransferReviewProps {
  readonly transfer: ReviewedTransfer;
}

function Review({ transfer, clientId, onClose, onTransferred }: ReviewProps) {
  const proof = useSignal('');
  const action = useAction();
  const { isToOther, ...terms } = transfer;
  const { from, to, asset, amount } = terms;
  const amountText = `${grouped(amount)} ${asset}`;
  const send = (confirmation = {}) =>
    api.transferInternally({ ...terms, clientId, ...confirmation });
  const submit = async () => {
    if (isToOther) {
      if (proof.value === '') throw new FieldError(proofField(), t('Confirm it’s you.'));
      await withConfirmation(() => send(toConfirmation(proof.value)), proofField());
    } else await send();
    announce(
      t('{value} {asset} sent to {target}', {
        value: grouped(amount),
        asset,
        target: accountName(to),
      }),
      'success',
    );
    await onTransferred();
  };
  return (
    <Form action={action} onSubmit={submit} fields={['password', 'code']}>
      <Facts
        facts={[
          [msg('Amount'), <b key="amount">{amountText}</b>],
          [msg('From||account'), <AccountName key="from" accountId={from} />],
          isToOther
            ? [msg('Recipient'), <b key="to">{to}</b>]
            : [msg('To||account'), <AccountName key="to" accountId={to} />],
          [msg('Fee'), t('None||fee')],
        ]}
      />
      {isToOther ? (
        <>
          <Notice kind="warning">
            {t('Check the recipient. Transfers to other users cannot be reversed.')}
          </Notice>
          <ConfirmationField {...bound(proof)} error={action.fieldError('password', 'code')} />
        </>
      ) : null}
      <div class="dialog-actions">
        <button type="button" class="button" onClick={onClose}>
          {t('Back')}
        </button>
        <Submit action={action} label={t('Transfer {amount}', { amount: amountText })} />
      </div>
    </Form>
  );
}
