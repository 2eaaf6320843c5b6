import type { Call } from '../call.ts';
import { balancesText } from '../records.ts';

/** GET /api/portfolio/balances: every asset the account ever held. */
export function getBalances(call: Call): string {
  call.query([]);
  return balancesText(call.account, call.exchange.state);
}
