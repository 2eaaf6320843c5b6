import type { SurveillanceAlert } from '../../src/client/index.ts';
import { msg, t } from '../i18n/index.ts';
import { ShortAccountLink } from './account-link.tsx';

type Detector = SurveillanceAlert['detector'];

/** The detectors by name, marked for translation. */
export const DETECTORS: Readonly<Record<Detector, string>> = {
  wash_trading: msg('Wash trading'),
  spoofing: msg('Spoofing and layering'),
  quote_stuffing: msg('Quote stuffing'),
  marking_the_close: msg('Marking the close'),
  pump: msg('Pump'),
};

type Severity = SurveillanceAlert['severity'];

export const SEVERITIES: Readonly<Record<Severity, string>> = {
  high: msg('High'),
  medium: msg('Medium'),
  low: msg('Low'),
};
const TONES: Readonly<Record<Severity, string>> = { high: 'off', medium: 'wait', low: '' };

/** Returns the place of a severity from the highest. */
export function severityRank({ severity }: Pick<SurveillanceAlert, 'severity'>): number {
  return Object.keys(SEVERITIES).indexOf(severity);
}

export function SeverityBadge({ of: { severity } }: { of: Pick<SurveillanceAlert, 'severity'> }) {
  return <span class={`badge ${TONES[severity]}`}>{t(SEVERITIES[severity])}</span>;
}

/** The counts of detectors in words (docs/operating/surveillance.md). */
const FIGURES: Readonly<Record<string, string>> = {
  netPercent: msg('Net position change (%)'),
  withdrawnOrders: msg('Orders shown and withdrawn'),
  rounds: msg('Trades on the other side that they surround'),
  ratio: msg('Amount withdrawn, as a multiple of the amount traded'),
  orders: msg('Orders canceled unfilled right after they were placed'),
  filled: msg('Orders filled'),
  moveBasisPoints: msg('Price change (hundredths of a percent)'),
  sharePercent: msg('Share of the volume (%)'),
  trades: msg('Trades'),
  risePercent: msg('Price rise (%)'),
  soldPercent: msg('Sold again, of what was bought (%)'),
  gainPercent: msg('Average sale price above purchase price (%)'),
};

/** Returns the name of a count, marked for translation, and its value. */
export function describeFigure(name: string, value: number): [name: string, value: string] {
  if (name === 'side') return [msg('Side of the orders'), value === 0 ? t('Buy') : t('Sell')];
  return [FIGURES[name] ?? name, String(value)];
}

const CASES = { open: msg('Open'), assigned: msg('Assigned'), closed: msg('Closed') };
const CASE_TONES = { open: 'wait', assigned: '', closed: 'on' };

export function CaseBadge({ status }: { status: SurveillanceAlert['caseStatus'] }) {
  return <span class={`badge ${CASE_TONES[status]}`}>{t(CASES[status])}</span>;
}

/** Links to the accounts of an alert. */
export function AccountLinks({ accounts }: { accounts: readonly string[] }) {
  return (
    <>
      {accounts.map((account, index) => (
        <span key={account}>
          {index === 0 ? '' : ', '}
          <ShortAccountLink accountId={account} />
        </span>
      ))}
    </>
  );
}
