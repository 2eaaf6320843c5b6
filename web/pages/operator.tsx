import '../styles/base.css';
import '../sign-in/sign-in.css';
import '../styles/custody.css';
import '../operator/operator.css';
import { useEffect } from 'preact/hooks';
import { sectionAt } from '../components/section.ts';
import { SectionNav } from '../components/section-nav.tsx';
import { Shell } from '../components/shell.tsx';
import { SignInFirst } from '../components/sign-in-first.tsx';
import { announceError } from '../components/toast.tsx';
import { t } from '../i18n/index.ts';
import { AccountsSection } from '../operator/accounts.tsx';
import { ApprovalReason } from '../operator/approval-reason.tsx';
import {
  ApprovalsSection,
  countPendingApprovals,
  pendingApprovals,
} from '../operator/approvals.tsx';
import { AuditSection } from '../operator/audit.tsx';
import { CustodySection } from '../operator/custody.tsx';
import { FeesSection } from '../operator/fees.tsx';
import { MarketsSection } from '../operator/markets.tsx';
import { OperatorSearch } from '../operator/operator-search.tsx';
import { OverviewSection } from '../operator/overview.tsx';
import { ProtectionSection } from '../operator/protection.tsx';
import { ReportsSection } from '../operator/reports.tsx';
import { hasOperatorRole } from '../operator/role.ts';
import { SurveillanceSection } from '../operator/surveillance.tsx';
import { TransfersSection } from '../operator/transfers.tsx';
import { UserAudit } from '../operator/user-audit.tsx';
import { loadSession, profile } from '../session.ts';
import { showPage } from '../show-page.ts';

const SECTIONS = [
  ['overview', 'Overview'],
  ['markets', 'Markets'],
  ['protection', 'Protection'],
  ['fees', 'Fees'],
  ['accounts', 'Accounts'],
  ['custody', 'Deposits & withdrawals'],
  ['transfers', 'Adjustments'],
  ['surveillance', 'Surveillance'],
  ['reports', 'Reports'],
  ['approvals', 'Approvals'],
  ['audit', 'Audit trail'],
] as const;

const SECTION_COMPONENTS = {
  overview: OverviewSection,
  markets: MarketsSection,
  protection: ProtectionSection,
  fees: FeesSection,
  accounts: AccountsSection,
  custody: CustodySection,
  transfers: TransfersSection,
  surveillance: SurveillanceSection,
  reports: ReportsSection,
  approvals: ApprovalsSection,
  audit: AuditSection,
};

function OperatorPage() {
  const user = profile.value;
  return (
    <Shell at="/operator" class="page wide-page">
      <div class="operator-head">
        <h1>{t('Operator')}</h1>
        {hasOperatorRole(user?.permissions) ? <OperatorSearch /> : null}
      </div>
      {user === undefined ? (
        <p class="empty">Loading…</p>
      ) : user === null ? (
        <SignInFirst what="the operator page" />
      ) : hasOperatorRole(user.permissions) ? (
        <Sections />
      ) : (
        <NotAnOperator />
      )}
    </Shell>
  );
}

function NotAnOperator() {
  return (
    <div class="panel sign-in-first">
      <p>This page is for operators of the exchange. You have no operator role.</p>
      <a href="/sign-in?next=/operator">Sign in with another account</a>
    </div>
  );
}

function Sections() {
  const at = sectionAt([
    'overview',
    'markets',
    'protection',
    'fees',
    'accounts',
    'custody',
    'transfers',
    'surveillance',
    'reports',
    'approvals',
    'audit',
  ]);
  const Section = SECTION_COMPONENTS[at];
  useEffect(() => {
    countPendingApprovals().catch(announceError);
  }, []);
  return (
    <div class="sections">
      <SectionNav
        label="Operator"
        sections={SECTIONS}
        at={at}
        counts={{ approvals: pendingApprovals.value }}
      />
      <div class="section">
        <Section />
        {at === 'audit' ? <UserAudit /> : null}
      </div>
      <ApprovalReason />
    </div>
  );
}

loadSession().catch(announceError);
showPage(<OperatorPage />);
