import '../styles/base.css';
import '../sign-in/sign-in.css';
import '../styles/portfolio.css';
import { effect } from '@preact/signals';
import { Reports } from '../components/reports.tsx';
import { Shell } from '../components/shell.tsx';
import { announceError } from '../components/toast.tsx';
import { T, t } from '../i18n/index.ts';
import { Allocation } from '../portfolio/allocation.tsx';
import { BalanceTable } from '../portfolio/balance-table.tsx';
import { GainYears } from '../portfolio/gain-years.tsx';
import { followGains } from '../portfolio/gains.ts';
import { loadHoldings } from '../portfolio/holdings.ts';
import { BalanceProof } from '../portfolio/proof.tsx';
import { Summary } from '../portfolio/summary.tsx';
import { TimeTravel } from '../portfolio/time-travel.tsx';
import { ValueChart } from '../portfolio/value-chart.tsx';
import { isSandbox } from '../sandbox.ts';
import { loadSession, profile, signInPath } from '../session.ts';
import { showPage } from '../show-page.ts';

const REFRESH_MS = 15_000;

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
  return (
    <div class="page portfolio">
      <Summary />
      <div class="portfolio-charts">
        <ValueChart />
        <Allocation />
      </div>
      <BalanceTable />
      <div class="gain-years">
        <GainYears />
      </div>
      <BalanceProof />
      <Reports />
      {isSandbox ? <TimeTravel /> : null}
    </div>
  );
}

showPage(<PortfolioPage />);
loadSession().catch(announceError);
effect(() => {
  if (!profile.value) return;
  loadHoldings().catch(announceError);
  const timer = setInterval(() => {
    if (!document.hidden) loadHoldings().catch(announceError);
  }, REFRESH_MS);
  const stopGains = followGains();
  return () => {
    clearInterval(timer);
    stopGains();
  };
});
