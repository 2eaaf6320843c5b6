import { Reports } from '../components/reports.tsx';

/** Reports about the exchange as a whole. */
export function ReportsSection() {
  return <Reports accountId={null} />;
}
