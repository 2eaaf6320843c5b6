import type { Account } from '../../../engine/ledger/accounts.ts';
import { formatUnits } from '../../../engine/numbers/units.ts';
import type { State } from '../../../engine/state.ts';
import { sides } from '../../../engine/terms.ts';
import type { Fill, OrderPage, Page } from '../../../history/history.ts';
import { quote } from '../../http/json.ts';
import type { Call } from '../../http/request/call.ts';
import { describe } from '../../openapi/description.ts';
import { boolean, record } from '../../openapi/json-schema.ts';
import { recordList } from '../../openapi/record-schemas.ts';
import { timeText } from '../records.ts';
import { findCase } from './alert-cases.ts';
import { ordersText } from './orders.ts';

/** Maximum fills and orders of each account in a response. */
const MAX_LISTED = 100;
/** Maximum age of an order that a detector considers before a trade. */
const ORDER_AGE_MS = 10_000;

/**
 * GET /api/admin/alerts/:id/activity: `{fills, orders, areFillsComplete, areOrdersComplete}`, what the accounts of an alert did in its market
 * between its first and its last command, oldest first.
 */
export async function getAlertActivity(call: Call): Promise<string> {
  call.query([]);
  const { alert } = await findCase(call);
  const { state } = call.exchange;
  const accounts = alert.owners.flatMap((owner) => listGroup(state.accounts[owner]!));
  const { archivist, replica } = call.services;
  const terms = {
    ...{ market: alert.market, until: alert.to.time, descending: false, limit: MAX_LISTED + 1 },
  };
  const fills: Fill[] = [];
  const orders: OrderPage['orders'] = [];
  let areFillsComplete = true;
  let areOrdersComplete = true;
  for (const { index: account } of accounts) {
    const ofAccount = { ...terms, account };
    const during = { ...ofAccount, since: alert.from.time };
    const traded = await archivist.query({ kind: 'fills', filter: during }, replica.position);
    const before = { ...ofAccount, since: alert.from.time - ORDER_AGE_MS };
    const placed = await archivist.query({ kind: 'orders', filter: before }, replica.position);
    const { items, searchedTo } = traded as Page<Fill>;
    const page = placed as OrderPage;
    if (items.length > MAX_LISTED || searchedTo !== undefined) areFillsComplete = false;
    if (page.orders.length > MAX_LISTED || page.searchedTo !== undefined) areOrdersComplete = false;
    fills.push(...items.slice(0, MAX_LISTED));
    orders.push(...page.orders.slice(0, MAX_LISTED));
  }
  fills.sort((a, b) => a.tradeId - b.tradeId || Number(a.isMaker) - Number(b.isMaker));
  orders.sort((a, b) => a.id - b.id);
  const texts = fills.map((fill) => fillText(fill, state));
  return (
    `{"fills":[${texts.join(',')}],"orders":${ordersText(orders, state)},` +
    `"areFillsComplete":${areFillsComplete},"areOrdersComplete":${areOrdersComplete}}`
  );
}
getAlertActivity.description = describe({
  operationId: 'getAlertActivity',
  tag: 'Operator',
  summary: 'Trades and orders behind an alert, oldest first',
  notes:
    'The fills of its accounts in its market from its first to its last command, and the orders that they placed from 10 ' +
    `seconds before. At most ${MAX_LISTED} fills and orders of each account.`,
  path: { id: 'surveillanceAlertId' },
  data: record({
    fills: recordList('AlertFill'),
    orders: recordList('OperatorOrder'),
    areFillsComplete: boolean('Whether `fills` has everything.', true),
    areOrdersComplete: boolean('Whether `orders` has everything.', true),
  }),
  errors: ['NOT_FOUND', 'OVERLOADED'],
});

/** Returns the main account of a user and its sub-accounts. */
function listGroup(account: Account): Account[] {
  return [account, ...(account.subAccounts ?? [])];
}

function fillText(fill: Fill, { accounts, markets }: State): string {
  const { rules } = markets[fill.market]!;
  return (
    `{"tradeId":"${fill.tradeId}","orderId":"${fill.orderId}","account":${quote(accounts[fill.account]!.id)},` +
    `"side":"${sides[fill.side]}","liquidity":"${fill.isMaker ? 'maker' : 'taker'}",` +
    `"price":${formatUnits(fill.price, rules.priceDecimals)},` +
    `"amount":${formatUnits(fill.amount, rules.amountDecimals)},"timestamp":${timeText(fill.time)}}`
  );
}
