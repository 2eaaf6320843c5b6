import '../styles/base.css';
import '../sign-in/sign-in.css';
import '../styles/custody.css';
import '../operator/operator.css';
import '../operator/fees.css';
import '../operator/books.css';
import '../operator/cards.css';
import '../operator/head.css';
import '../operator/filters.css';
import '../operator/dashboard.css';
import '../operator/accounts.css';
import '../operator/approvals.css';
import '../operator/audit.css';
import { useEffect, useRef } from 'preact/hooks';
import { itemAt, sectionAt } from '../components/section.ts';
import { SectionMenu, SectionNav } from '../components/section-nav.tsx';
import { Shell } from '../components/shell.tsx';
import { SignInFirst } from '../components/sign-in-first.tsx';
import { announceError } from '../components/toast.tsx';
import { msg, T, t } from '../i18n/index.ts';
import { AccountsSection } from '../operator/accounts.tsx';
import { ApprovalReason } from '../operator/approval-reason.tsx';
import { ApprovalsSection } from '../operator/approvals.tsx';
import { AuditSection } from '../operator/audit.tsx';
import { BooksSection } from '../operator/books.tsx';
import { ChangeReview } from '../operator/change-review.tsx';
import { CustodySection } from '../operator/custody.tsx';
import { DashboardSection } from '../operator/dashboard.tsx';
import { FeesSection } from '../operator/fees.tsx';
import { guardFocus } from '../operator/focus-guard.ts';
import { MarketsSection } from '../operator/markets.tsx';
import { OperatorSearch } from '../operator/operator-search.tsx';
import { ProtectionSection } from '../operator/protection.tsx';
import { countPayments, useQueues } from '../operator/queues.ts';
import { recordTitle } from '../operator/record-title.ts';
import { ReportsSection } from '../operator/reports.tsx';
import { hasOperatorRole } from '../operator/role.ts';
import { SurveillanceSection } from '../operator/surveillance.tsx';
import { TransfersSection } from '../operator/transfers.tsx';
import { UserAudit } from '../operator/user-audit.tsx';
import { ZoneNote } from '../operator/zone-note.tsx';
import { loadSession, profile } from '../session.ts';
import { showPage } from '../show-page.ts';

const SECTIONS = [
  ['dashboard', msg('Dashboard')],
  ['markets', msg('Markets')],
  ['protection', msg('Protection')],
  ['fees', msg('Fees')],
  ['accounts', msg('Accounts')],
  ['custody', msg('Deposits & withdrawals')],
  ['transfers', msg('Adjustments')],
  ['surveillance', msg('Surveillance')],
  ['reports', msg('Reports')],
  ['books', msg('Books & log')],
  ['approvals', msg('Approvals')],
  ['audit', msg('Audit trail')],
] as const;

type Section = (typeof SECTIONS)[number][0];

const SECTION_COMPONENTS = {
  dashboard: DashboardSection,
  markets: MarketsSection,
  protection: ProtectionSection,
  fees: FeesSection,
  accounts: AccountsSection,
  custody: CustodySection,
  transfers: TransfersSection,
  surveillance: SurveillanceSection,
  reports: ReportsSection,
  books: BooksSection,
  approvals: ApprovalsSection,
  audit: AuditSection,
};

/** The title of the page without that of the section. */
let pageTitle: string | undefined;

const SECTION_IDS = SECTIONS.map(([id]) => id) as [Section, ...Section[]];

function OperatorPage() {
  const user = profile.value;
  return (
    <Shell at="/operator" class="page wide-page">
      {hasOperatorRole(user?.permissions) ? (
        <Sections />
      ) : (
        <>
          <h1>{t('Operator')}</h1>
          {user === undefined ? (
            <p class="empty">{t('Loading…')}</p>
          ) : user === null ? (
            <SignInFirst what={t('the operator page')} />
          ) : (
            <NotAnOperator />
          )}
        </>
      )}
    </Shell>
  );
}

function NotAnOperator() {
  return (
    <div class="panel sign-in-first">
      <p>{t('This page is for operators of the exchange. You have no operator role.')}</p>
      <a href="/sign-in?next=/operator">{t('Sign in with another account')}</a>
    </div>
  );
}

function Sections() {
  const at = sectionAt(SECTION_IDS);
  const Section = SECTION_COMPONENTS[at];
  const main = useRef<HTMLDivElement>(null);
  const title = t(SECTIONS.find(([id]) => id === at)![1]);
  const item = itemAt();
  const record = recordTitle.value ?? item;
  const queues = useQueues(at);
  useEffect(() => {
    pageTitle ??= document.title;
    document.title = [record, title, pageTitle].filter(Boolean).join(' · ');
  }, [title, record]);
  useEffect(() => guardFocus(main.current!), []);
  const counts = queues === undefined ? {} : countBySection(queues);
  return (
    <>
      <div class="operator-head">
        <div class="operator-title">
          {at === 'accounts' && record !== undefined ? (
            <div class="record-title">
              <a href="#accounts">{title}</a>
              <h1>{record}</h1>
            </div>
          ) : (
            <h1>{title}</h1>
          )}
          <SectionMenu sections={SECTIONS} at={at} counts={counts} />
          <WaitingElsewhere counts={counts} at={at} />
          <ZoneNote />
        </div>
        <OperatorSearch />
      </div>
      <div class="sections">
        <SectionNav label={t('Operator')} sections={SECTIONS} at={at} counts={counts} hasMenu />
        <div class="section" ref={main}>
          <Section />
          {at === 'audit' ? <UserAudit /> : null}
        </div>
        <ApprovalReason />
        <ChangeReview />
      </div>
    </>
  );
}

type Counts = Partial<Record<Section, number>>;

/** The number of items that wait in other sections, which the closed menu of a narrow window hides. */
function WaitingElsewhere({ counts, at }: { counts: Counts; at: Section }) {
  const others = SECTION_IDS.filter((id) => id !== at).map((id) => counts[id] ?? 0);
  const count = others.reduce((sum, each) => sum + each, 0);
  // The dashboard itself lists them.
  if (count === 0 || at === 'dashboard') return null;
  return (
    <a class="waiting-elsewhere" href="#dashboard">
      <T
        text="{count} waiting<span> in other sections</span>"
        count={`${count}`}
        span={(content) => <span class="visually-hidden">{content}</span>}
      />
    </a>
  );
}

function countBySection(queues: NonNullable<ReturnType<typeof useQueues>>): Counts {
  const { approvals, alerts } = queues;
  return { approvals, custody: countPayments(queues), surveillance: alerts };
}

loadSession().catch(announceError);
showPage(<OperatorPage />);
