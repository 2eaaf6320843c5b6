import type { Deposit, Withdrawal } from '../../src/client/index.ts';
import { dateTime } from '../format.ts';

const DEPOSIT_LABELS: Readonly<Record<string, string>> = {
  seen: 'Seen',
  confirming: 'Confirming',
  credited: 'Credited',
  reversed: 'Reversed by the network',
  below_minimum: 'Below minimum',
  review: 'Under review',
  frozen: 'On hold',
  debited: 'Taken back',
  released: 'Credited',
  dismissed: 'Not credited',
};

/** The status of a deposit; while it is confirmed, how far that has come. */
export function DepositStatus({ deposit }: { deposit: Deposit<string> }) {
  const { status, confirmations, requiredConfirmations: required } = deposit;
  const isOpen = status === 'seen' || status === 'confirming';
  return (
    <span class={`custody-status ${status}`}>
      {DEPOSIT_LABELS[status] ?? status}
      {isOpen ? (
        <>
          <progress
            value={Math.min(confirmations, required)}
            max={required}
            aria-label="Confirmations"
          />
          <small>
            {Math.min(confirmations, required)} of {required} confirmations
          </small>
        </>
      ) : null}
    </span>
  );
}

const WITHDRAWAL_LABELS: Readonly<Record<string, string>> = {
  delayed: 'Delayed',
  awaiting_approval: 'Waiting for approval',
  approved: 'Approved',
  sending: 'Sending',
  broadcast: 'Sent, waiting for confirmation',
  confirmed: 'Completed',
  failed: 'Failed',
  canceled: 'Canceled',
  rejected: 'Rejected',
};

/** The status of a withdrawal, with the reason if it did not succeed. */
export function WithdrawalStatus({ withdrawal }: { withdrawal: Withdrawal<string> }) {
  const { status, reason, waitsUntil } = withdrawal;
  return (
    <span class={`custody-status ${status}`}>
      {WITHDRAWAL_LABELS[status] ?? status}
      {status === 'delayed' && waitsUntil !== null ? (
        <small>until {dateTime(waitsUntil)}, because of a new device</small>
      ) : null}
      {reason === null ? null : <small>{reason}</small>}
    </span>
  );
}

/** A long text in one line, whole in its tooltip. */
export function Short({ text }: { text: string }) {
  const isLong = text.length > 18;
  return (
    <span class="mono" title={text}>
      {isLong ? `${text.slice(0, 8)}…${text.slice(-8)}` : text}
    </span>
  );
}
