import type { Deposit, Withdrawal } from '../../src/client/index.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { dateTime, grouped } from '../format.ts';
import { msg, T, t } from '../i18n/index.ts';
import { withUsualTime } from './network-text.ts';
import type { ShownNetwork } from './networks.ts';
import { TransactionLink } from './transaction-link.tsx';

/** The states of deposits in words. */
export const DEPOSIT_LABELS: Readonly<Record<Deposit['status'], string>> = {
  seen: msg('Seen'),
  confirming: msg('Confirming'),
  credited: msg('Credited'),
  reversed: msg('Reversed by the network'),
  below_minimum: msg('Below minimum'),
  review: msg('Under review'),
  frozen: msg('On hold'),
  debited: msg('Taken back'),
  released: msg('Credited'),
  dismissed: msg('Not credited'),
};

/** Explanations of the states of deposits that were not credited, or not finally. */
const DEPOSIT_NOTES: Readonly<Partial<Record<Deposit['status'], string>>> = {
  reversed: msg('The network dropped the payment before it was credited.'),
  frozen: msg('The network dropped the payment after its credit. An operator decides.'),
  debited: msg('The network dropped the payment after its credit.'),
};

interface DepositStatusProps {
  readonly deposit: Deposit<string>;
  /** Its network; undefined if the page does not explain more. */
  readonly network?: ShownNetwork | undefined;
}

/** The status of a deposit with what it means; while it is confirmed, how far that has come. */
export function DepositStatus({ deposit, network }: DepositStatusProps) {
  const { status, confirmations, requiredConfirmations: required } = deposit;
  const isOpen = status === 'seen' || status === 'confirming';
  const note = DEPOSIT_NOTES[status];
  const reached = t('{confirmations} of {required} confirmations', {
    confirmations: Math.min(confirmations, required),
    required,
  });
  return (
    <span class={`custody-status ${status}`}>
      {t(DEPOSIT_LABELS[status])}
      {isOpen ? (
        <>
          <progress
            value={Math.min(confirmations, required)}
            max={required}
            aria-label={t('Confirmations')}
          />
          <small>{withUsualTime(reached, network?.typicalDepositMs ?? null)}</small>
        </>
      ) : null}
      {note === undefined ? null : <small>{t(note)}</small>}
      {status === 'below_minimum' && network !== undefined ? (
        <small>
          {t(
            'Not credited, and not added to later deposits. Send at least {minimum} {asset} at once.',
            { minimum: grouped(network.minDeposit), asset: deposit.asset },
          )}
        </small>
      ) : null}
    </span>
  );
}

/** The states of withdrawals in words. */
export const WITHDRAWAL_LABELS: Readonly<Record<Withdrawal['status'], string>> = {
  delayed: msg('Delayed'),
  awaiting_approval: msg('Waiting for approval'),
  approved: msg('Approved'),
  sending: msg('Sending'),
  broadcast: msg('Sent, waiting for confirmation'),
  confirmed: msg('Completed'),
  failed: msg('Failed'),
  canceled: msg('Canceled'),
  rejected: msg('Rejected'),
};

/** The status of a withdrawal, with the reason if it did not succeed. */
export function WithdrawalStatus({ withdrawal }: { withdrawal: Withdrawal<string> }) {
  const { status, reason, waitsUntil } = withdrawal;
  return (
    <span class={`custody-status ${status}`}>
      {t(WITHDRAWAL_LABELS[status])}
      {status === 'delayed' && waitsUntil !== null ? (
        <small>
          <T text="until {waitsUntil}, because of a new device" waitsUntil={dateTime(waitsUntil)} />
        </small>
      ) : null}
      {reason === null ? null : <small>{reason}</small>}
    </span>
  );
}

/** Characters at either end of an address that users compare. */
export const COMPARED = 6;

/** Shortens a long text to so many characters at either end. */
export function shorten(text: string, ends = 8): string {
  return text.length > 2 * ends + 2 ? `${text.slice(0, ends)}…${text.slice(-ends)}` : text;
}

/** A long text in one line, whole in its tooltip. */
export function Short({ text, ends }: { text: string; ends?: number }) {
  return (
    <span class="mono" title={text}>
      {shorten(text, ends)}
    </span>
  );
}

interface TransactionProps {
  readonly id: string | null;
  readonly network: string;
}

/** The id of a transaction with its explorer and a button that copies it; a dash before there is one. */
export function Transaction({ id, network }: TransactionProps) {
  if (id === null) return <>–</>;
  return (
    <span class="transaction">
      <TransactionLink id={id} network={network}>
        <Short text={id} />
      </TransactionLink>
      <CopyButton text={id} what={t('Transaction')} isIcon />
    </span>
  );
}
