import { useEffect } from 'preact/hooks';
import type { Deposit, Withdrawal } from '../../src/client/index.ts';
import { StreamClosedError } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { type Resource, useResource } from '../components/resource.ts';
import { announceError } from '../components/toast.tsx';
import { openStreams } from '../live.ts';

/** Returns the newest deposits of the account, which change as the exchange reports them. */
export function useDeposits(): Resource<readonly Deposit<string>[]> {
  const list = useResource(async () => (await api.listDeposits()).deposits);
  useEffect(() => {
    const { streams, close } = openStreams(true, announceError);
    streams
      .subscribe({ channel: 'deposits' }, ({ op, data }) => follow(list, op, data.deposits))
      .catch(reportFailure);
    return close;
  }, []);
  return list;
}

/** Returns the newest withdrawals of the account, which change as the exchange reports them. */
export function useWithdrawals(): Resource<readonly Withdrawal<string>[]> {
  const list = useResource(async () => (await api.listWithdrawals()).withdrawals);
  useEffect(() => {
    const { streams, close } = openStreams(true, announceError);
    streams
      .subscribe({ channel: 'withdrawals' }, ({ op, data }) => follow(list, op, data.withdrawals))
      .catch(reportFailure);
    return close;
  }, []);
  return list;
}

/** Puts changed records in their place. A snapshot lacks those that have ended, so that the list is loaded again. */
function follow<Item extends { readonly id: string }>(
  list: Resource<readonly Item[]>,
  op: 'snapshot' | 'update',
  changed: readonly Item[],
): void {
  const known = list.data.value;
  if (op === 'snapshot' || known === undefined) {
    void list.load();
    return;
  }
  const byId = new Map([...known, ...changed].map((each) => [each.id, each]));
  const newestFirst = [...byId.values()].sort((a, b) => Number(b.id) - Number(a.id));
  void list.show(async () => newestFirst);
}

function reportFailure(error: unknown): void {
  if (!(error instanceof StreamClosedError)) announceError(error);
}
