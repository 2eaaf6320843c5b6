import '../styles/base.css';
import '../sign-in/sign-in.css';
import '../operator/operator.css';
import { render } from 'preact';
import { sectionAt } from '../components/section.ts';
import { SectionNav } from '../components/section-nav.tsx';
import { Shell } from '../components/shell.tsx';
import { SignInFirst } from '../components/sign-in-first.tsx';
import { announceError } from '../components/toast.tsx';
import { AccountsSection } from '../operator/accounts.tsx';
import { AuditSection } from '../operator/audit.tsx';
import { FeesSection } from '../operator/fees.tsx';
import { MarketsSection } from '../operator/markets.tsx';
import { OverviewSection } from '../operator/overview.tsx';
import { TransfersSection } from '../operator/transfers.tsx';
import { UserAudit } from '../operator/user-audit.tsx';
import { loadSession, profile } from '../session.ts';

const SECTIONS = [
  ['overview', 'Overview'],
  ['markets', 'Markets'],
  ['fees', 'Fees'],
  ['accounts', 'Accounts'],
  ['transfers', 'Adjustments'],
  ['audit', 'Audit trail'],
] as const;

const SECTION_COMPONENTS = {
  overview: OverviewSection,
  markets: MarketsSection,
  fees: FeesSection,
  accounts: AccountsSection,
  transfers: TransfersSection,
  audit: AuditSection,
};

function OperatorPage() {
  const user = profile.value;
  return (
    <Shell at="/operator" class="page wide-page">
      <h1>Operator</h1>
      {user === undefined ? (
        <p class="empty">Loading…</p>
      ) : user === null ? (
        <SignInFirst what="the operator page" />
      ) : user.permissions.includes('operate') ? (
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
      <p>This page is for exchange operators. Your account does not have the operate permission.</p>
      <a href="/sign-in?next=/operator">Sign in with another account</a>
    </div>
  );
}

function Sections() {
  const at = sectionAt(['overview', 'markets', 'fees', 'accounts', 'transfers', 'audit']);
  const Section = SECTION_COMPONENTS[at];
  return (
    <div class="sections">
      <SectionNav label="Operator" sections={SECTIONS} at={at} />
      <div class="section">
        <Section />
        {at === 'audit' ? <UserAudit /> : null}
      </div>
    </div>
  );
}

loadSession().catch(announceError);
render(<OperatorPage />, document.getElementById('app')!);
