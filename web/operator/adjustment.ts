import Big from 'big.js';
import type { Balance, User } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { ZERO } from '../decimal.ts';
import { assess, findQuote, findValue, type Size } from './adjustment-size.ts';

/** A credit or debit of an account, before it is confirmed. */
export interface Adjustment {
  readonly account: string;
  readonly asset: string;
  /** Negative for a debit. */
  readonly amount: string;
  readonly reference: string;
  readonly reason: string;
}

/** The facts that an operator sees before a credit or debit. */
export interface AdjustmentPreview extends Size {
  readonly adjustment: Adjustment;
  /** The users of the account, or of its main account. */
  readonly owners: readonly User[];
  readonly main: string | null;
  readonly isFrozen: boolean;
  readonly available: Big;
  readonly newAvailable: Big;
  /** In `quote`, without a sign; undefined if the asset has no price. */
  readonly value: Big | undefined;
  readonly quote: string;
}

/** Reads everything about a credit or debit that may make an operator reconsider it. @throws the errors of the exchange */
export async function previewAdjustment(adjustment: Adjustment): Promise<AdjustmentPreview> {
  const { account: id, asset, amount } = adjustment;
  const { account } = await api.getAccount({ id });
  const [{ users }, { balances }, { policy }, { markets }, { prices }] = await Promise.all([
    api.listUsers({ id: account.main ?? id }),
    api.getAccountBalances({ id }),
    api.getApprovalPolicy(),
    api.getMarkets(),
    api.getPrices(),
  ]);
  const available = findAvailable(balances, asset);
  const quote = findQuote(markets);
  const value = findValue(new Big(amount).abs(), asset, quote, { markets, prices });
  return {
    ...{ adjustment, owners: users, main: account.main, isFrozen: account.frozen, quote, value },
    ...{ available, newAvailable: available.plus(amount) },
    ...assess(new Big(amount).abs(), asset, value, policy),
  };
}

function findAvailable(balances: readonly Balance<string>[], asset: string): Big {
  const found = balances.find((each) => each.asset === asset);
  return found === undefined ? ZERO : new Big(found.available);
}
