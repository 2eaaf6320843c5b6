import { showBalances } from '../faults/reports.ts';
import type { Call } from '../http/request/call.ts';
import { describe } from '../openapi/description.ts';
import { record } from '../openapi/json-schema.ts';
import { recordList } from '../openapi/record-schemas.ts';
import { balancesText } from './records.ts';

/** GET /api/portfolio/balances: `{balances}`, of every asset that the account ever had. */
export function getBalances(call: Call): string {
  call.query([]);
  return balancesText({ balances: showBalances(call) }, call.exchange.state);
}
getBalances.description = describe({
  operationId: 'getBalances',
  tag: 'Account',
  summary: 'Balances of every asset that the account ever had',
  data: record({ balances: recordList('Balance') }),
});
