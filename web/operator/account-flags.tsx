import { api } from '../api.ts';
import { Notice } from '../components/notice.tsx';
import { t } from '../i18n/index.ts';
import { countSignals, type Signals } from './account-signals.ts';

/** Maximum number of open alerts read, as on the dashboard. */
const MAX_ALERTS = 100;
export const NO_SIGNALS: Signals = { alerts: 0, withdrawals: 0 };

/** Returns a function that finds what waits for an operator by account. */
export async function readSignals(): Promise<(accountId: string) => Signals> {
  const [{ alerts }, { withdrawals }] = await Promise.all([
    api.listSurveillanceAlerts({ caseStatus: 'open', limit: MAX_ALERTS }),
    api.listWithdrawalsToApprove(),
  ]);
  const counts = countSignals(alerts, withdrawals);
  return (accountId) => counts.get(accountId) ?? NO_SIGNALS;
}

/** Says that what waits for an operator could not be read. */
export function MissingSignals({ error }: { error: string }) {
  return (
    <Notice kind="warning">
      {t('Open alerts and waiting withdrawals are not shown: {error}', { error })}
    </Notice>
  );
}

interface FlagsProps {
  readonly signals: Signals;
  readonly surveillanceExempt: boolean;
  /** Whether they lead to the lists of what waits. */
  readonly hasLinks?: boolean;
}

/** Why an operator should look at an account, or why no detector does. */
export function Flags({ signals, surveillanceExempt, hasLinks = false }: FlagsProps) {
  const { alerts, withdrawals } = signals;
  if (alerts === 0 && withdrawals === 0 && !surveillanceExempt) return null;
  const flag = (text: string, list: string) =>
    hasLinks ? (
      <a class="badge wait" href={list}>
        {text}
      </a>
    ) : (
      <span class="badge wait">{text}</span>
    );
  return (
    <span class="account-flags">
      {alerts === 0
        ? null
        : flag(
            t('{count, plural, one {# open alert} other {# open alerts}}', { count: alerts }),
            '#surveillance',
          )}
      {withdrawals === 0
        ? null
        : flag(
            t('{count, plural, one {# withdrawal waits} other {# withdrawals wait}}', {
              count: withdrawals,
            }),
            '#custody',
          )}
      {surveillanceExempt ? <span class="badge">{t('Exempt from surveillance')}</span> : null}
    </span>
  );
}
