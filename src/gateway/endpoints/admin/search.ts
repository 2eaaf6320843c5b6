import type { FoundEverywhere } from '../../../archivist/archivist.ts';
import type {
  DepositAddress,
  DepositRecord,
  WithdrawalRecord,
} from '../../../engine/custody/custody-records.ts';
import { depositStatusName, withdrawalStatuses } from '../../../engine/custody/statuses.ts';
import type { OrderRecord, TransferRecord } from '../../../engine/event.ts';
import type { Account } from '../../../engine/ledger/accounts.ts';
import { formatUnits } from '../../../engine/numbers/units.ts';
import type { State } from '../../../engine/state.ts';
import { orderStatuses, sides } from '../../../engine/terms.ts';
import type { Fill } from '../../../history/history.ts';
import type { User } from '../../../users/users.ts';
import { quote } from '../../http/json.ts';
import type { Call } from '../../http/request/call.ts';
import { invalid } from '../../http/request/query.ts';
import { describe } from '../../openapi/description.ts';
import { record } from '../../openapi/json-schema.ts';
import { recordList } from '../../openapi/record-schemas.ts';
import { timeText } from '../records.ts';

const PARAMETERS = ['search'] as const;
/** Maximum number of results of each kind. */
const MAX_RESULTS = 8;
const MAX_TEXT = 200;

/** Fields of a result; absent ones are null. */
interface Result {
  readonly kind:
    | 'account'
    | 'key'
    | 'order'
    | 'trade'
    | 'transfer'
    | 'address'
    | 'deposit'
    | 'withdrawal';
  readonly id: string;
  readonly account: Account | undefined;
  readonly status?: string;
  readonly symbol?: string;
  readonly side?: string;
  readonly asset?: string;
  /** Text of an exact number. */
  readonly amount?: string;
  /** Another text that names it, such as a reference. */
  readonly reference?: string | null;
  readonly time: number;
}

/** GET /api/admin/search: `{results}`, records of all accounts that a text names, grouped by kind. */
export async function searchAll(call: Call): Promise<string> {
  const text = call.query(PARAMETERS).text('search')?.trim() ?? '';
  if (text === '' || text.length > MAX_TEXT) {
    throw invalid('search', 'length', `search must have 1 to ${MAX_TEXT} characters.`);
  }
  const { users, replica, archivist } = call.services;
  const { state } = call.exchange;
  const filter = { text, limit: MAX_RESULTS };
  const [matching, found] = await Promise.all([
    users.store.search(text, MAX_RESULTS),
    archivist.query({ kind: 'searchRecords', filter }, replica.position),
  ]);
  const results = [
    ...findAccounts(text, matching, state),
    ...findKeys(text, state),
    ...toResults(found as FoundEverywhere, state),
  ];
  const owners = await readOwners(call, results);
  return `{"results":[${results.map((each) => resultText(each, owners)).join(',')}]}`;
}
searchAll.description = describe({
  operationId: 'searchAll',
  tag: 'Operator',
  summary: 'Search accounts, orders, transfers, deposits and withdrawals',
  notes:
    'Finds accounts by a part of their id or of the name or email address of a user, addresses and names that start with the text first; API keys, orders, ' +
    'trades, transfers, deposits and withdrawals by their ids; orders also by their client order id, transfers by their reference or, of those that the engine ' +
    'remembers, at least four characters of it, deposits and withdrawals by the hash of their transaction, and deposit addresses. A trade has the account and, as ' +
    '`reference`, the order of its taker. At most 8 results of each kind. Ids of ended orders, deposits and ' +
    'withdrawals are looked up in the newest 20,000 accounts.',
  query: PARAMETERS,
  needs: ['search'],
  queryTexts: { search: 'An id, email address, name, reference or hash of a transaction.' },
  data: record({ results: recordList('SearchResult') }),
  errors: ['OVERLOADED'],
});

/** Returns accounts by their users, then by their ids. */
function findAccounts(text: string, matching: readonly User[], state: State): Result[] {
  const found = new Set<Account>();
  const exact = state.accountsById.get(text);
  if (exact !== undefined) found.add(exact);
  for (const { accountId } of matching) {
    const account = state.accountsById.get(accountId);
    if (account !== undefined) found.add(account);
  }
  const part = text.toLowerCase();
  for (const account of state.accounts) {
    if (found.size >= MAX_RESULTS) break;
    const name = state.parts.subAccounts.findName(account.index)?.toLowerCase();
    if (account.id.toLowerCase().includes(part) || name?.includes(part)) found.add(account);
  }
  return [...found].slice(0, MAX_RESULTS).map((account) => ({
    ...{ kind: 'account', id: account.id, account, time: account.createdAt },
    ...{ status: account.isFrozen ? 'frozen' : account.isClosed ? 'closed' : 'active' },
  }));
}

function findKeys(text: string, state: State): Result[] {
  const key = state.keysByApiKey.get(text);
  if (key === undefined) return [];
  const { apiKey, account, label, createdAt, revokedAt } = key;
  const status = revokedAt === 0 ? 'active' : 'revoked';
  return [{ kind: 'key', id: apiKey, account, status, reference: label, time: createdAt }];
}

function toResults(found: FoundEverywhere, state: State): Result[] {
  return [
    ...found.orders.map((order) => orderResult(order, state)),
    ...found.trades.map((fill) => tradeResult(fill, state)),
    ...found.transfers.map((transfer) => transferResult(transfer, state)),
    ...found.addresses.map((address) => addressResult(address, state)),
    ...found.deposits.map((deposit) => ({
      ...paymentResult(deposit, state),
      ...{ kind: 'deposit' as const, status: depositStatusName(deposit) },
    })),
    ...found.withdrawals.map((withdrawal) => ({
      ...paymentResult(withdrawal, state),
      ...{ kind: 'withdrawal' as const, status: withdrawalStatuses[withdrawal.status]! },
    })),
  ];
}

function orderResult(order: OrderRecord, state: State): Result {
  const { symbol, rules } = state.markets[order.market]!;
  return {
    ...{ kind: 'order', id: `${order.id}`, account: state.accounts[order.account], symbol },
    ...{ status: orderStatuses[order.status]!, side: sides[order.side]! },
    amount: formatUnits(order.amount, rules.amountDecimals),
    ...{ reference: order.clientOrderId, time: order.createdAt },
  };
}

function tradeResult(fill: Fill, state: State): Result {
  const { symbol, rules } = state.markets[fill.market]!;
  return {
    ...{ kind: 'trade', id: `${fill.tradeId}`, account: state.accounts[fill.account], symbol },
    ...{ side: sides[fill.side]!, amount: formatUnits(fill.amount, rules.amountDecimals) },
    ...{ reference: `${fill.orderId}`, time: fill.time },
  };
}

function addressResult({ account, network, address, createdAt }: DepositAddress, state: State) {
  const { asset } = state.parts.custody.store.networks.get(network)!;
  return {
    ...{ kind: 'address' as const, id: address, account: state.accounts[account] },
    ...{ asset: state.assets[asset]!.asset, reference: null, time: createdAt },
  };
}

function transferResult({ id, account, asset, ...rest }: TransferRecord, state: State): Result {
  const { asset: name, decimals } = state.assets[asset]!;
  return {
    ...{ kind: 'transfer', id: `${id}`, account: state.accounts[account], asset: name },
    amount: formatUnits(rest.amount, decimals),
    ...{ reference: rest.reference, time: rest.time },
  };
}

function paymentResult(payment: DepositRecord | WithdrawalRecord, state: State) {
  const { id, account, network, amount, transaction, createdAt } = payment;
  const { asset, decimals } = state.assets[state.parts.custody.store.networks.get(network)!.asset]!;
  return {
    ...{ id: `${id}`, account: state.accounts[account], asset, time: createdAt },
    amount: formatUnits(amount, decimals),
    reference: transaction === '' ? null : transaction,
  };
}

/** Returns the first user of each account in the results, by account id. Users of a main account also own its sub-accounts. */
async function readOwners(call: Call, results: readonly Result[]): Promise<Map<string, User>> {
  const ids = new Set(results.flatMap(({ account }) => account?.owner.id ?? []));
  const owners = new Map<string, User>();
  for (const user of await call.services.users.store.listByAccounts([...ids])) {
    if (!owners.has(user.accountId)) owners.set(user.accountId, user);
  }
  return owners;
}

function resultText(result: Result, owners: ReadonlyMap<string, User>): string {
  const { kind, id, account, status, symbol, side, asset, amount, reference, time } = result;
  const owner = owners.get(account?.owner.id ?? '');
  return (
    `{"kind":"${kind}","id":${quote(id)},"account":${textOrNull(account?.id)},` +
    `"ownerName":${textOrNull(owner?.name)},"ownerEmail":${textOrNull(owner?.email)},` +
    `"status":${textOrNull(status)},"symbol":${textOrNull(symbol)},"side":${textOrNull(side)},` +
    `"asset":${textOrNull(asset)},"amount":${amount ?? 'null'},` +
    `"reference":${textOrNull(reference)},"timestamp":${timeText(time)}}`
  );
}

function textOrNull(text: string | null | undefined): string {
  return text == null || text === '' ? 'null' : quote(text);
}
