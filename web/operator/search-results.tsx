import type { SearchResult } from '../../src/client/index.ts';
import { DEPOSIT_LABELS, WITHDRAWAL_LABELS } from '../custody/status.tsx';
import { dateTime, grouped } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { STATUS_NAMES } from '../trade/order-names.ts';
import { accountPath } from './account-path.ts';
import { SIDES } from './record-names.ts';

type Found = SearchResult<string>;

/** The titles of the groups of results. */
export const RESULT_GROUPS: Readonly<Record<Found['kind'], string>> = {
  account: msg('Accounts'),
  key: msg('API keys'),
  order: msg('Orders'),
  trade: msg('Trades'),
  transfer: msg('Adjustments'),
  address: msg('Deposit addresses'),
  deposit: msg('Deposits'),
  withdrawal: msg('Withdrawals'),
};

/** The tab of an account that has records of a kind. */
const TABS: Readonly<Record<Found['kind'], string | undefined>> = {
  account: undefined,
  key: 'keys',
  order: 'orders',
  trade: 'orders',
  transfer: 'timeline',
  address: 'timeline',
  deposit: 'payments',
  withdrawal: 'payments',
};

/** Returns the place of the page that shows a result. */
export function resultPath({ kind, id, account, reference }: Found): string {
  if (account === null) return '#custody/deposits';
  return accountPath(
    account,
    TABS[kind],
    kind === 'order' ? id : kind === 'trade' ? (reference ?? undefined) : undefined,
  );
}

/** One line of a list of accounts: who owns it. */
export function AccountResult({ found }: { found: Found }) {
  const { id, ownerName, ownerEmail, status } = found;
  return (
    <>
      <span class="suggestion-main">
        <b>{ownerName ?? id}</b>
        {status === 'frozen' ? <span class="badge off">{t('Frozen')}</span> : null}
        {status === 'closed' ? <span class="badge">{t('Closed||account')}</span> : null}
      </span>
      <small class="muted">{[ownerEmail, id].filter(Boolean).join(' · ')}</small>
    </>
  );
}

/** One line of the search of the page. */
export function RecordResult({ found }: { found: Found }) {
  if (found.kind === 'account') return <AccountResult found={found} />;
  const { id, account, ownerEmail, status, reference, timestamp } = found;
  return (
    <>
      <span class="suggestion-main">
        <b>{describeResult(found)}</b>
        {status === null ? null : <span class="badge">{statusText(found.kind, status)}</span>}
      </span>
      <small class="muted">
        {[id, reference, ownerEmail ?? account, dateTime(timestamp)].filter(Boolean).join(' · ')}
      </small>
    </>
  );
}

const KEY_STATUSES: Readonly<Record<string, string>> = {
  active: msg('Active'),
  revoked: msg('Revoked'),
};
const STATUSES: Readonly<Partial<Record<Found['kind'], Readonly<Record<string, string>>>>> = {
  key: KEY_STATUSES,
  order: STATUS_NAMES,
  deposit: DEPOSIT_LABELS,
  withdrawal: WITHDRAWAL_LABELS,
};

function statusText(kind: Found['kind'], status: string): string {
  return t(STATUSES[kind]?.[status] ?? status);
}

function describeResult({ kind, side, symbol, amount, asset, reference }: Found): string {
  if (kind === 'key') return reference ?? t('API key');
  if (kind === 'address') return t('{asset} address', { asset: asset ?? '' });
  const size = amount === null ? '' : grouped(amount);
  if (kind === 'order' || kind === 'trade')
    return `${side === null ? '' : t(SIDES[side as 'buy' | 'sell'])} ${size} ${symbol}`;
  return `${size} ${asset}`;
}
