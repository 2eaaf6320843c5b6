import { useSignal } from '@preact/signals';
import { CopyableText } from '../components/copyable-text.tsx';
import { Select } from '../components/field.tsx';
import { Panel } from '../components/panel.tsx';
import { EXCHANGE_KINDS, type ReportKind, Reports } from '../components/reports.tsx';
import { msg, T, t } from '../i18n/index.ts';

/** Reports about the exchange as a whole. */
export function ReportsSection() {
  return (
    <>
      <Reports
        accountId={null}
        empty={t('No reports yet. Choose a report and a period: it is ready in seconds.')}
        contents={CONTENTS}
      />
      <Schedule />
    </>
  );
}

const CONTENTS = {
  volume: msg(
    'One row for each day and market: trades, volume, volume bought by takers, accounts that traded, fees and rebates in each asset.',
  ),
  revenue: msg(
    'One row for each market, fee tier and asset: fees, rebates, referral shares and net fees.',
  ),
  users: msg(
    'One row for each day: all, new and frozen accounts, and accounts that placed an order or traded.',
  ),
  market_quality: msg(
    'One row for each day, market and account: time with orders on both sides, average spread and depth.',
  ),
};

/** The command that creates a report every month: the exchange itself has no schedule. */
function Schedule() {
  const kind = useSignal<ReportKind>('volume');
  return (
    <Panel
      title={t('Schedule with cron')}
      lead={t('The exchange creates reports on request. A cron job can request one every month.')}
    >
      <div class="report-schedule">
        <Select
          label={t('Monthly report')}
          value={kind.value}
          options={EXCHANGE_KINDS}
          onChange={(chosen) => {
            kind.value = chosen;
          }}
        />
        <p>
          <T
            text="On day {day} of every month at {time}, in the time zone of the machine that runs cron, the job writes the report of the last month (UTC) to the file <code>{file}</code> in the home directory of the user of the crontab."
            day={CRON_DAY}
            time={`${CRON_HOUR}:00`}
            file={`${kind.value}-YYYY-MM-DD.csv`}
            code={(content) => <code>{content}</code>}
          />
        </p>
        <CopyableText what={t('Line for the crontab')} text={cronLine(kind.value)} isWrapped />
        <p class="muted">
          <T
            text="The command needs <code>BUTTONWOOD_URL</code>, and an operator’s API key in <code>BUTTONWOOD_API_KEY</code> and <code>BUTTONWOOD_API_SECRET</code>. Or call <a>POST /api/admin/reports</a>."
            code={(content) => <code>{content}</code>}
            a={(content) => <a href="/docs">{content}</a>}
          />
        </p>
      </div>
    </Panel>
  );
}

/** Cron has local time. On the second day the month is over in UTC, whatever the time zone. */
const CRON_DAY = 2;
const CRON_HOUR = 12;

/** Returns a line that writes the report of the last month; cron needs `%` escaped. */
function cronLine(kind: string): string {
  const command = `buttonwood reports exchange ${kind} --month last`;
  return `0 ${CRON_HOUR} ${CRON_DAY} * * ${command} --out "${kind}-$(date -u +\\%F).csv"`;
}
