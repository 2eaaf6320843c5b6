import type { SurveillanceAlert } from '../../src/client/index.ts';

export const DETECTORS: Readonly<Record<SurveillanceAlert['detector'], string>> = {
  wash_trading: 'Wash trading',
  spoofing: 'Spoofing and layering',
  quote_stuffing: 'Quote stuffing',
  marking_the_close: 'Marking the close',
  pump: 'Pump',
};

/** The counts of detectors in words (docs/operating/surveillance.md). */
const FIGURES: Readonly<Record<string, string>> = {
  netPercent: 'Difference between the amounts of the two directions, %',
  withdrawnOrders: 'Orders shown and withdrawn',
  rounds: 'Trades on the other side that they surround',
  ratio: 'Amount withdrawn, as a multiple of the amount traded',
  orders: 'Orders canceled unfilled within 500 ms',
  filled: 'Orders filled',
  moveBasisPoints: 'Move of the price, hundredths of a percent',
  sharePercent: 'Share of the volume, %',
  trades: 'Trades',
  risePercent: 'Rise of the price, %',
  soldPercent: 'Sold again, of what was bought, %',
  gainPercent: 'Average price of sales above that of purchases, %',
};

export function describeFigure(name: string, value: number): [name: string, value: string] {
  if (name === 'side') return ['Side of the orders', value === 0 ? 'Buy' : 'Sell'];
  return [FIGURES[name] ?? name, String(value)];
}

export function CaseBadge({ status }: { status: SurveillanceAlert['caseStatus'] }) {
  const text = { open: 'Open', assigned: 'Assigned', closed: 'Closed' }[status];
  return <span class={`badge ${status === 'open' ? 'off' : 'on'}`}>{text}</span>;
}

/** Links to the accounts of an alert. */
export function AccountLinks({ accounts }: { accounts: readonly string[] }) {
  return (
    <>
      {accounts.map((account, index) => (
        <span key={account}>
          {index === 0 ? '' : ', '}
          <a href={`#accounts/${encodeURIComponent(account)}`}>{account}</a>
        </span>
      ))}
    </>
  );
}
