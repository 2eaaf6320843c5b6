import type { AuditRecord } from '../../history/history.ts';
import type { Period } from './incidents.ts';

/** The periods in which deposits or withdrawals were suspended on any network, each the newest first. */
export interface Suspensions {
  readonly deposits: readonly Period[];
  readonly withdrawals: readonly Period[];
}

/** The action of the audit that sets the rules of a network. */
export const NETWORK_ACTION = 'setNetwork';

interface Rules {
  readonly asset: number;
  readonly name: string;
  readonly deposits: boolean;
  readonly withdrawals: boolean;
}

/** Returns when operators had suspended deposits and withdrawals. @param records All of `NETWORK_ACTION`, the oldest first */
export function findSuspensions(records: readonly AuditRecord[]): Suspensions {
  const changes = records
    .filter(({ outcome }) => outcome === 'done')
    .map(({ time, details }) => ({ time, rules: JSON.parse(details) as Rules }));
  const find = (kind: 'deposits' | 'withdrawals'): Period[] => {
    const started = new Map<string, number>();
    // A network that operators prepare is not interrupted before it has been open.
    const opened = new Set<string>();
    const periods: Period[] = [];
    for (const { time, rules } of changes) {
      const network = `${rules.asset} ${rules.name}`;
      const from = started.get(network);
      if (rules[kind]) {
        opened.add(network);
        if (from !== undefined) periods.push({ from, to: time });
        started.delete(network);
      } else if (from === undefined && opened.has(network)) {
        started.set(network, time);
      }
    }
    for (const from of started.values()) periods.push({ from, to: undefined });
    return periods.sort((a, b) => b.from - a.from);
  };
  return { deposits: find('deposits'), withdrawals: find('withdrawals') };
}
