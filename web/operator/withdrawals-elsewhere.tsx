import { api } from '../api.ts';
import { useResource } from '../components/resource.ts';
import { ZERO } from '../decimal.ts';
import { T, t } from '../i18n/index.ts';
import { useValues, valueText } from './values.ts';

const REFRESH_MS = 15_000;

/** The withdrawals that wait for approval on another page; nothing if there are none. */
export function WithdrawalsElsewhere() {
  const found = useResource(() => api.listWithdrawalsToApprove(), REFRESH_MS);
  const values = useValues().data.value;
  const withdrawals = found.data.value?.withdrawals ?? [];
  if (withdrawals.length === 0) return null;
  const value = withdrawals.reduce(
    (sum, { amount, asset }) => sum.plus(values?.find(amount, asset) ?? ZERO),
    ZERO,
  );
  return (
    <p class="panel-foot">
      <T
        text="Waiting in another section: <a>{withdrawals}</a>"
        withdrawals={t(
          '{count, plural, one {# withdrawal to approve} other {# withdrawals to approve}}',
          { count: withdrawals.length },
        )}
        a={(content) => <a href="#custody">{content}</a>}
      />
      {values === undefined || value.eq(ZERO) ? null : (
        <span class="muted"> ({valueText(value, values.quote)})</span>
      )}
    </p>
  );
}
