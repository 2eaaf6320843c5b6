import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api } from '../api.ts';

type Dashboard = Awaited<ReturnType<typeof api.getDashboard>>;

const REFRESH_MS = 15_000;

/** The numbers of items that wait for an operator; undefined until loaded. */
export const queues = signal<Dashboard['queues'] | undefined>(undefined);

/** Counts the deposits and withdrawals that wait for an operator. */
export function countPayments(counts: Dashboard['queues']): number {
  return counts.depositsToReview + counts.withdrawalsToApprove;
}

/** Reads the dashboard, and counts pending items. */
export async function readDashboard(): Promise<Dashboard> {
  const dashboard = await api.getDashboard();
  queues.value = dashboard.queues;
  return dashboard;
}

/** Counts pending items now, from time to time, and when the section changes. */
export function useQueues(section: string): Dashboard['queues'] | undefined {
  useEffect(() => {
    // The section reports why requests fail; the last counts stay until then.
    const count = () => void readDashboard().catch(() => undefined);
    count();
    const timer = setInterval(() => {
      if (!document.hidden) count();
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [section]);
  return queues.value;
}
