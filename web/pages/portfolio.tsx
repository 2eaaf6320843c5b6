import '../styles/base.css';
import '../sign-in/sign-in.css';
import '../styles/portfolio.css';
import { effect } from '@preact/signals';
import { Faucet, hasFaucet } from '../components/faucet.tsx';
import { Select } from '../components/field.tsx';
import { Reports } from '../components/reports.tsx';
import { Shell } from '../components/shell.tsx';
import { type Column, Table } from '../components/table.tsx';
import { announceError } from '../components/toast.tsx';
import { fixed, grouped } from '../format.ts';
import {
  balances,
  chooseQuote,
  type Holding,
  holdings,
  loadHoldings,
  quotes,
  shownQuote,
  total,
  valueDecimals,
} from '../portfolio/holdings.ts';
import { BalanceProof } from '../portfolio/proof.tsx';
import { share } from '../portfolio/rates.ts';
import { TimeTravel } from '../portfolio/time-travel.tsx';
import { ValueChart } from '../portfolio/value-chart.tsx';
import { isSandbox } from '../sandbox.ts';
import { loadSession, profile, signInPath } from '../session.ts';
import { showPage } from '../show-page.ts';

const REFRESH_MS = 15_000;
/** Number of allocation colors. */
const TONES = 6;

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
      <h1>Portfolio</h1>
      <p class="panel empty">
        <a href={signInPath()}>Sign in</a> to see your balances and their value.
      </p>
    </div>
  );
}

function Portfolio() {
  return (
    <div class="page">
      <div class="portfolio-head">
        <div>
          <h1>Portfolio</h1>
          <p class="portfolio-total">
            {balances.value === undefined ? '–' : fixed(total.value, valueDecimals.value)}{' '}
            <span class="muted">{shownQuote.value}</span>
          </p>
        </div>
        <Select
          label="Currency"
          value={shownQuote.value}
          options={quotes.value.map((each) => [each, each])}
          onChange={chooseQuote}
        />
      </div>
      <ValueChart />
      <Allocation />
      <section class="panel" aria-labelledby="balances-title">
        <header>
          <h2 id="balances-title">Balances</h2>
          <div class="portfolio-actions">
            <a class="button small" href="/deposit">
              Deposit
            </a>
            <a class="button small" href="/withdraw">
              Withdraw
            </a>
            <Faucet onAdded={() => loadHoldings().catch(announceError)} />
          </div>
        </header>
        <Table
          caption="Balances"
          columns={COLUMNS}
          rows={holdings.value}
          rowKey={({ balance }) => balance.asset}
          empty={
            balances.value === undefined
              ? 'Loading…'
              : hasFaucet()
                ? 'No assets yet. Get demo funds from the faucet above.'
                : 'No assets yet. Make a deposit to start trading.'
          }
        />
      </section>
      <BalanceProof />
      <Reports />
      {isSandbox ? <TimeTravel /> : null}
    </div>
  );
}

/** Share of each asset in the portfolio value, as a bar and as a list. */
function Allocation() {
  const parts = holdings.value.filter(({ value }) => value !== undefined);
  return (
    <section class="panel" aria-labelledby="allocation-title">
      <header>
        <h2 id="allocation-title">Allocation</h2>
      </header>
      <div class="panel-body">
        {parts.length === 0 ? <p class="muted">No assets yet</p> : null}
        <div class="allocation-bar" aria-hidden="true">
          {parts.map(({ balance, value }, index) => (
            <span
              key={balance.asset}
              class={`tone-${index % TONES}`}
              style={{ flexGrow: share(value!, total.value).toNumber() }}
            />
          ))}
        </div>
        <ul class="allocation">
          {parts.map(({ balance, value }, index) => (
            <li key={balance.asset}>
              <span class={`swatch tone-${index % TONES}`} aria-hidden="true" />
              <b>{balance.asset}</b> {share(value!, total.value).toFixed(2)}%
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

const COLUMNS: readonly Column<Holding>[] = [
  { key: 'asset', title: 'Asset', cell: ({ balance }) => <b>{balance.asset}</b> },
  { key: 'total', title: 'Total', numeric: true, cell: ({ balance }) => grouped(balance.total) },
  {
    key: 'available',
    title: 'Available',
    numeric: true,
    cell: ({ balance }) => grouped(balance.available),
  },
  { key: 'held', title: 'In orders', numeric: true, cell: ({ balance }) => grouped(balance.held) },
  {
    key: 'value',
    title: 'Value',
    numeric: true,
    cell: ({ value }) =>
      value === undefined ? 'No price' : `${fixed(value, valueDecimals.value)} ${shownQuote.value}`,
  },
  {
    key: 'share',
    title: 'Allocation',
    numeric: true,
    cell: ({ value }) => (value === undefined ? '–' : `${share(value, total.value).toFixed(2)}%`),
  },
];

showPage(<PortfolioPage />);
loadSession().catch(announceError);
effect(() => {
  if (!profile.value) return;
  loadHoldings().catch(announceError);
  const timer = setInterval(() => {
    if (!document.hidden) loadHoldings().catch(announceError);
  }, REFRESH_MS);
  return () => clearInterval(timer);
});
