import type { Account } from '../../../engine/ledger/accounts.ts';
import { sum } from '../../../engine/numbers/exact.ts';
import { formatUnits } from '../../../engine/numbers/units.ts';
import type { State } from '../../../engine/state.ts';
import type { User } from '../../../users/users.ts';
import { permissionsText } from '../../auth/permissions.ts';
import { quote } from '../../http/json.ts';
import type { Call } from '../../http/request/call.ts';
import { BOOLEAN_VALUES } from '../../http/request/query.ts';
import { describe } from '../../openapi/description.ts';
import { record } from '../../openapi/json-schema.ts';
import { recordList } from '../../openapi/record-schemas.ts';
import { timeOrNull } from '../records.ts';
import { OWNED_PER_QUERY, readOwners } from './account-owners.ts';
import { accountText } from './accounts.ts';

const LIST_PARAMETERS = ['search', 'includeBalances'] as const;

/** GET /api/admin/accounts: `{accounts, owners, balances}`, in the order of their creation. */
export async function listAccounts(call: Call): Promise<string> {
  const query = call.query(LIST_PARAMETERS);
  const search = query.text('search')?.toLowerCase() ?? '';
  const hasBalances = query.choice('includeBalances', BOOLEAN_VALUES) === 'true';
  const { state } = call.exchange;
  const matches = (text: string | undefined) => text?.toLowerCase().includes(search) === true;
  const ofUsers =
    search === '' ? new Set() : await call.services.users.store.searchAccounts(search);
  const found = state.accounts.filter(
    ({ id, index, main }) =>
      matches(id) ||
      matches(main?.id) ||
      matches(state.parts.subAccounts.findName(index)) ||
      ofUsers.has(main?.id ?? id),
  );
  const owners = await readOwners(call, found);
  const seen = await readLastSeen(call, owners);
  return (
    `{"accounts":[${found.map((each) => accountText(each, call)).join(',')}],` +
    `"owners":[${owners.map((user) => ownerText(user, seen.get(user.id))).join(',')}],` +
    `"balances":[${hasBalances ? found.map((each) => totalsText(each, state)).join(',') : ''}]}`
  );
}

/** Reads when the sessions of users were last used, by user. */
async function readLastSeen(call: Call, users: readonly User[]): Promise<Map<string, number>> {
  const { store } = call.services.users;
  const seen = new Map<string, number>();
  for (let at = 0; at < users.length; at += OWNED_PER_QUERY) {
    const ids = users.slice(at, at + OWNED_PER_QUERY).map(({ id }) => id);
    for (const [id, time] of await store.readLastSeen(ids)) seen.set(id, time);
  }
  return seen;
}

/** Returns what an account has, available and held, of each asset. */
function totalsText({ id, balances }: Account, { assets }: State): string {
  const texts = assets.flatMap(({ asset, decimals }, index) => {
    const balance = balances[index];
    if (balance === undefined) return [];
    const total = formatUnits(sum(balance.available, balance.held), decimals);
    return [`{"asset":"${asset}","total":${total}}`];
  });
  return `{"accountId":"${id}","balances":[${texts.join(',')}]}`;
}

function ownerText(user: User, seenAt: number | undefined): string {
  const { accountId, name, email, permissions, totpSecret } = user;
  return (
    `{"accountId":${quote(accountId)},"name":${quote(name)},"email":${quote(email)},` +
    `"permissions":${permissionsText(permissions)},"secondFactor":${totpSecret !== ''},` +
    `"lastSeenAt":${timeOrNull(seenAt ?? 0)}}`
  );
}
listAccounts.description = describe({
  operationId: 'listAccounts',
  tag: 'Operator',
  summary: 'List or search accounts',
  notes:
    'A search finds accounts by a part of their id, or of the name or email address of one of their users, and sub-accounts also ' +
    'by their names and main accounts. `owners` has their users; those of a main account also own its sub-accounts. ' +
    '`balances` is empty without `includeBalances=true`.',
  query: LIST_PARAMETERS,
  data: record({
    accounts: recordList('Account'),
    owners: recordList('AccountOwner'),
    balances: recordList('AccountTotals'),
  }),
  errors: ['OVERLOADED'],
});
