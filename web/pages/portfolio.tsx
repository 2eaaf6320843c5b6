import '../styles/base.css';
import '../sign-in/sign-in.css';
import '../styles/portfolio.css';
import { effect } from '@preact/signals';
import { Reports } from '../components/reports.tsx';
import { sectionAt } from '../components/section.ts';
import { SectionNav } from '../components/section-nav.tsx';
import { Shell } from '../components/shell.tsx';
import { announceError } from '../components/toast.tsx';
import { msg, T, t } from '../i18n/index.ts';
import { Allocation } from '../portfolio/allocation.tsx';
import { BalanceTable } from '../portfolio/balance-table.tsx';
import { FirstFunds } from '../portfolio/first-funds.tsx';
import { GainYears } from '../portfolio/gain-years.tsx';
import { chartPoints, followGains } from '../portfolio/gains.ts';
import { AmountsToggle } from '../portfolio/hidden-amounts.tsx';
import { balances, loadAssetNames, loadHoldings } from '../portfolio/holdings.ts';
import { BalanceProof } from '../portfolio/proof.tsx';
import { rows } from '../portfolio/rows.ts';
import { CurrencyChoice, Summary } from '../portfolio/summary.tsx';
import { TimeTravel } from '../portfolio/time-travel.tsx';
import { ValueChart } from '../portfolio/value-chart.tsx';
import { isSandbox } from '../sandbox.ts';
import { loadSession, profile, signInPath } from '../session.ts';
import { showPage } from '../show-page.ts';

const REFRESH_MS = 15_000;

const SECTIONS = [
  ['overview', msg('Overview')],
  ['gains', msg('Gains & taxes')],
  ['reports', msg('Reports')],
  ['proof', msg('Proof')],
  ['time-travel', msg('Time travel')],
] as const;

function PortfolioPage() {
  return (
    <Shell at="/portfolio">
      {profile.value === null ? <SignedOut /> : null}
      {profile.value ? <Portfolio /> : null}
    </Shell>
  );
}

function SignedOut() {
  return (
    <div class="page">
      <h1>{t('Portfolio')}</h1>
      <p class="panel empty">
        <T
          text="<a>Sign in</a> to see your balances and their value."
          a={(children) => <a href={signInPath()}>{children}</a>}
        />
      </p>
    </div>
  );
}

function Portfolio() {
  const at = sectionAt(['overview', 'gains', 'reports', 'proof', ...travel]);
  return (
    <div class="page portfolio">
      <header class="portfolio-head">
        <h1>{t('Portfolio')}</h1>
        <CurrencyChoice />
        <AmountsToggle />
        <div class="portfolio-actions">
          <a class="button primary" href="/deposit">
            {t('Deposit')}
          </a>
          <a class="button" href="/withdraw">
            {t('Withdraw')}
          </a>
        </div>
      </header>
      <SectionNav
        label={t('Portfolio')}
        sections={SECTIONS.filter(([id]) => isSandbox || id !== 'time-travel')}
        at={at}
      />
      {at === 'overview' ? <Overview /> : null}
      {at === 'gains' ? <Gains /> : null}
      {at === 'reports' ? <Reports /> : null}
      {at === 'proof' ? <BalanceProof /> : null}
      {at === 'time-travel' ? <TimeTravel /> : null}
    </div>
  );
}

const travel = isSandbox ? (['time-travel'] as const) : [];

function Gains() {
  return (
    <>
      <Summary />
      <GainYears />
    </>
  );
}

function Overview() {
  const isNew = rows.value.length === 0 && chartPoints.value?.length === 0;
  if (balances.value !== undefined && isNew) return <FirstFunds />;
  return (
    <>
      <Summary />
      <div class="portfolio-charts">
        <ValueChart />
        <Allocation />
      </div>
      <BalanceTable />
    </>
  );
}

showPage(<PortfolioPage />);
loadSession().catch(announceError);
effect(() => {
  if (!profile.value) return;
  loadHoldings().catch(announceError);
  loadAssetNames().catch(announceError);
  const timer = setInterval(() => {
    if (!document.hidden) loadHoldings().catch(announceError);
  }, REFRESH_MS);
  const stopGains = followGains();
  return () => {
    clearInterval(timer);
    stopGains();
  };
});
