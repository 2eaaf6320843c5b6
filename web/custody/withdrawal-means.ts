import Big from 'big.js';
import { useEffect, useRef } from 'preact/hooks';
import type { Withdrawal, WithdrawalLimit } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { FieldError } from '../components/action.ts';
import { useResource } from '../components/resource.ts';
import { decimal } from '../decimal.ts';
import { fixed, grouped } from '../format.ts';
import { t } from '../i18n/index.ts';
import { markets, shownQuote, valueDecimals } from '../portfolio/holdings.ts';
import { convert, findRoute } from '../portfolio/rates.ts';
import type { ShownNetwork } from './networks.ts';

/** The balance and the limit from which an account withdraws on a network. */
export interface Means {
  readonly available: string;
  /** The daily limit and what remains of it; undefined if there is none. */
  readonly limit: WithdrawalLimit<string> | undefined;
}

/** Loads what can be withdrawn, and again as withdrawals change: both balance and limit follow from them. */
export function useMeans(
  { asset, network }: ShownNetwork,
  withdrawals: readonly Withdrawal<string>[] | undefined,
) {
  const means = useResource<Means>(async () => {
    const [{ balances }, limits, listed] = await Promise.all([
      api.getBalances(),
      api.getLimits(),
      api.getMarkets(),
    ]);
    markets.value = listed.markets;
    return {
      available: balances.find((each) => each.asset === asset)?.available ?? '0',
      limit: limits.withdrawals.find((each) => each.asset === asset && each.network === network),
    };
  });
  const known = useRef(withdrawals);
  useEffect(() => {
    if (known.current !== undefined && known.current !== withdrawals) void means.load();
    known.current = withdrawals;
  }, [withdrawals]);
  return means;
}

/** Returns the largest amount that leaves enough for the fee and is within the limit, rounded down to the network's decimals. */
export function maximum(means: Means, network: ShownNetwork): string {
  const byBalance = affordable(means, network);
  const remaining = decimal(means.limit?.remaining ?? byBalance)!;
  const most = remaining.lt(byBalance) ? remaining : decimal(byBalance)!;
  return most.round(network.decimals, Big.roundDown).toFixed();
}

/** @throws FieldError if the exchange would reject the amount */
export function checkAmount(amount: string, means: Means | undefined, network: ShownNetwork): void {
  const { asset, minWithdrawal } = network;
  const value = decimal(amount)!;
  if (value.lt(minWithdrawal)) {
    const minimum = grouped(minWithdrawal);
    throw new FieldError('amount', t('The minimum is {minimum} {asset}.', { minimum, asset }));
  }
  if (means === undefined) return;
  const most = affordable(means, network);
  if (value.gt(most)) {
    throw new FieldError(
      'amount',
      t('You can withdraw up to {most} {asset}; the network fee is paid in addition.', {
        most: grouped(most),
        asset,
      }),
    );
  }
  const { limit } = means;
  if (limit === undefined || value.lte(limit.remaining)) return;
  throw new FieldError(
    'amount',
    t('Your 24-hour limit leaves {remaining} {asset}.', {
      remaining: grouped(limit.remaining),
      asset,
    }),
  );
}

/** Returns the value of an amount in the chosen currency, such as `≈ 1,234.56 USDT`; undefined if it has none of its own. */
export function valueText(amount: Big, asset: string): string | undefined {
  const quote = shownQuote.value;
  const route = asset === quote ? undefined : findRoute(asset, quote, markets.value);
  const last = (symbol: string) => markets.value.find((each) => each.symbol === symbol)?.last;
  const value = route && convert(amount, route, last);
  return value && `≈ ${fixed(value, valueDecimals.value)} ${quote}`;
}

function affordable({ available }: Means, { withdrawalFee, decimals }: ShownNetwork): string {
  const rest = decimal(available)!.minus(withdrawalFee);
  return rest.lte(0) ? '0' : rest.round(decimals, Big.roundDown).toFixed();
}
