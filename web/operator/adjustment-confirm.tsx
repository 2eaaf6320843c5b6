import { useSignal } from '@preact/signals';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Field } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Notice } from '../components/notice.tsx';
import { Facts } from '../components/panel.tsx';
import { parseNumber } from '../components/typed-number.ts';
import { grouped, rounded } from '../format.ts';
import { msg, T, t } from '../i18n/index.ts';
import { ConfirmationField, toConfirmation, withConfirmation } from '../settings/confirmation.tsx';
import { accountPath } from './account-path.ts';
import type { AdjustmentPreview } from './adjustment.ts';

export type Adjusted = Awaited<ReturnType<typeof api.createTransfer>>;

interface AdjustmentConfirmProps {
  readonly preview: AdjustmentPreview;
  readonly onDone: (answer: Adjusted) => void;
  readonly onCancel: () => void;
}

/** The second step of a credit or debit: what it does to whom. Large amounts are typed again. */
export function AdjustmentConfirm({ preview, onDone, onCancel }: AdjustmentConfirmProps) {
  const { adjustment, isLarge, needsApproval } = preview;
  const repeated = useSignal('');
  const confirmation = useSignal('');
  const action = useAction();
  const isCredit = !adjustment.amount.startsWith('-');
  const size = adjustment.amount.replace('-', '');
  const submit = async () => {
    if (isLarge && parseNumber(repeated.value, 'repeated') !== size) {
      throw new FieldError('repeated', t('This is not the amount above. Check both.'));
    }
    const proof = toConfirmation(confirmation.value);
    const send = () => api.createTransfer({ ...adjustment, ...proof });
    onDone(await withConfirmation(send, 'confirmation'));
  };
  return (
    <Form
      action={action}
      onSubmit={submit}
      fields={['repeated', 'confirmation']}
      label={isCredit ? t('Confirm credit') : t('Confirm debit')}
    >
      <Summary preview={preview} />
      <Warnings preview={preview} />
      {isLarge ? (
        <Field
          label={t('Type the amount again')}
          unit={adjustment.asset}
          {...bound(repeated)}
          error={action.fieldError('repeated')}
          input={{ name: 'repeated', inputMode: 'decimal', required: true }}
        />
      ) : null}
      <ConfirmationField {...bound(confirmation)} error={action.fieldError('confirmation')} />
      <div class="dialog-actions">
        <button type="button" class="button" onClick={onCancel}>
          {t('Cancel')}
        </button>
        <Submit
          action={action}
          label={
            needsApproval
              ? t('Ask for approval')
              : isCredit
                ? t('Credit {amount} {asset}', { amount: grouped(size), asset: adjustment.asset })
                : t('Debit {amount} {asset}', { amount: grouped(size), asset: adjustment.asset })
          }
          kind={isCredit ? 'primary' : 'danger'}
        />
      </div>
    </Form>
  );
}

function Summary({ preview }: { preview: AdjustmentPreview }) {
  const { adjustment, owners, main, available, newAvailable, value, quote } = preview;
  const { account, asset, amount, reference, reason } = adjustment;
  const sign = amount.startsWith('-') ? '−' : '+';
  const owner = owners[0];
  return (
    <>
      <p class="adjustment-amount">
        <b class={sign === '+' ? 'buy' : 'sell'}>
          {sign}
          {grouped(amount.replace('-', ''))} {asset}
        </b>
        <span class="muted">
          {asset === quote
            ? null
            : value === undefined
              ? t('No price in {quote}', { quote })
              : t('≈ {value} {quote}', { value: rounded(value, 2), quote })}
        </span>
      </p>
      <Facts
        facts={[
          [
            msg('Owner'),
            owner === undefined ? (
              <span class="muted">{t('No user')}</span>
            ) : (
              <span class="two-lines">
                <b>{owner.name}</b>
                <span>{owner.email}</span>
              </span>
            ),
          ],
          [
            msg('Account'),
            <>
              <a href={accountPath(account)}>{account}</a>
              {main === null ? null : (
                <span class="muted"> {t('sub-account of {main}', { main })}</span>
              )}
            </>,
          ],
          [
            msg('Available'),
            <>
              {grouped(available)} → <b>{grouped(newAvailable)}</b> {asset}
            </>,
          ],
          [msg('Reason'), reason],
          [msg('Reference'), <code key="reference">{reference}</code>],
        ]}
      />
    </>
  );
}

function Warnings({ preview }: { preview: AdjustmentPreview }) {
  const { adjustment, owners, isFrozen, newAvailable, limit, needsApproval } = preview;
  const { asset } = adjustment;
  return (
    <>
      {newAvailable.lt(0) ? (
        <Notice kind="error">
          {t('The account has not enough available {asset}.', { asset })}
        </Notice>
      ) : null}
      {isFrozen ? <Notice kind="info">{t('This account is frozen.')}</Notice> : null}
      {owners.length > 1 ? (
        <Notice kind="info">
          {t('{count} users share this account.', { count: owners.length })}
        </Notice>
      ) : null}
      {needsApproval ? (
        <Notice kind="info">
          {limit === undefined ? (
            t('The approval policy has no limit for {asset}: a second operator must approve.', {
              asset,
            })
          ) : (
            <T
              text="Above the limit of <b>{limit}</b> in the approval policy: a second operator must approve."
              limit={`${grouped(limit)} ${asset}`}
              b={(content) => <b>{content}</b>}
            />
          )}
        </Notice>
      ) : null}
    </>
  );
}
