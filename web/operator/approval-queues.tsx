import { api } from '../api.ts';
import { useResource } from '../components/resource.ts';
import { ZERO } from '../decimal.ts';
import { t } from '../i18n/index.ts';
import { useValues, valueText } from './values.ts';

const REFRESH_MS = 15_000;

interface ApprovalQueuesProps {
  /** The number of requests that wait; undefined until loaded. */
  readonly requests: number | undefined;
}

/** Both queues that wait for operators: the requests on this page, and the withdrawals on another. */
export function ApprovalQueues({ requests }: ApprovalQueuesProps) {
  const found = useResource(() => api.listWithdrawalsToApprove(), REFRESH_MS);
  const values = useValues().data.value;
  const withdrawals = found.data.value?.withdrawals;
  const value = withdrawals?.reduce(
    (sum, { amount, asset }) => sum.plus(values?.find(amount, asset) ?? ZERO),
    ZERO,
  );
  const hasItems = (count: number | undefined) => (count ? 'has-items' : '');
  return (
    <nav class="waiting approval-queues" aria-label={t('Waiting for an operator')}>
      <a href="#approvals" class={hasItems(requests)} aria-current="page">
        <span>{t('Requests')}</span>
        <b>{requests ?? '–'}</b>
      </a>
      <a href="#custody" class={hasItems(withdrawals?.length)}>
        <span>
          {t('Withdrawals to approve')}
          {values === undefined || value === undefined || value.eq(ZERO) ? null : (
            <small class="muted"> {valueText(value, values.quote)}</small>
          )}
        </span>
        <b>{withdrawals?.length ?? '–'}</b>
      </a>
    </nav>
  );
}
