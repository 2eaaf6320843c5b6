import type { GroupAccount } from '../../src/client/index.ts';
import { t } from '../i18n/t.ts';

type ClosableAccount = Pick<GroupAccount<string>, 'frozen' | 'openOrders' | 'balances'>;

/** Returns why a sub-account cannot be closed now, and what to do; deposits in progress are known to the exchange only. */
export function findObstacle({
  frozen,
  openOrders,
  balances,
}: ClosableAccount): string | undefined {
  if (frozen) return t('The account is frozen. Contact the operator of this exchange.');
  if (openOrders > 0) {
    return t(
      '{count, plural, one {It still has # open order. Cancel it first.} other {It still has # open orders. Cancel them first.}}',
      { count: openOrders },
    );
  }
  const assets = balances.filter(({ total }) => total !== '0').map(({ asset }) => asset);
  if (assets.length === 0) return undefined;
  return t('It still holds {assets}. Transfer its balances first.', { assets: assets.join(', ') });
}
