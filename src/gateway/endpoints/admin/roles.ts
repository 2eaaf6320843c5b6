import { isInForce } from '../../../engine/ledger/accounts.ts';
import { OPERATOR_PERMISSIONS, type Permission } from '../../../engine/terms.ts';
import { permissionsText } from '../../auth/permissions.ts';
import { quote } from '../../http/json.ts';
import type { Call } from '../../http/request/call.ts';
import { describe } from '../../openapi/description.ts';
import { record } from '../../openapi/json-schema.ts';
import { recordList } from '../../openapi/record-schemas.ts';

/** The roles of operators: a name, the permission that makes it, and its tasks. */
const ROLES = [
  ['Administrator', 'operate', 'Everything below; keys, users, roles and the approval policy'],
  [
    'Support',
    'support',
    'Opens and freezes accounts, sets rate limits and referrers, cancels orders, revokes keys, notes',
  ],
  [
    'Market operations',
    'markets',
    'Lists markets; changes their rules, status and fees; kill switch, maintenance, trading limits, trade busts',
  ],
  [
    'Treasury',
    'treasury',
    'Credits and debits accounts; decides on deposits and withdrawals; networks and the custodian',
  ],
  [
    'Compliance',
    'compliance',
    'Freezes accounts, sets trading limits, revokes keys, decides on deposits and withdrawals, reviews alerts, notes',
  ],
  [
    'Auditor',
    'audit',
    'Sees everything that operators see, creates reports, and changes nothing else',
  ],
] as const satisfies readonly (readonly [string, keyof typeof Permission, string])[];

/** GET /api/admin/roles: `{roles, operators}`: the roles, and the users and API keys that have one. */
export async function getRoles(call: Call): Promise<string> {
  call.query([]);
  const { state } = call.exchange;
  const roles = ROLES.map(
    ([name, permission, tasks]) =>
      `{"name":${quote(name)},"permissions":["${permission}"],"tasks":${quote(tasks)}}`,
  );
  const users = await call.services.users.store.listByPermissions(OPERATOR_PERMISSIONS);
  const now = Math.max(call.services.now(), state.time);
  const operators = [
    ...users.map(
      ({ accountId, email, permissions }) =>
        `{"account":${quote(accountId)},"user":${quote(email)},"apiKey":null,"permissions":${permissionsText(permissions)}}`,
    ),
    ...state.keys.flatMap((key) => {
      if (key === undefined || (key.permissions & OPERATOR_PERMISSIONS) === 0) return [];
      if (!isInForce(key, now)) return [];
      return `{"account":${quote(key.account.id)},"user":null,"apiKey":${quote(key.apiKey)},"permissions":${permissionsText(key.permissions)}}`;
    }),
  ];
  return `{"roles":[${roles.join(',')}],"operators":[${operators.join(',')}]}`;
}
getRoles.description = describe({
  operationId: 'getRoles',
  tag: 'Operator',
  summary: 'Roles of operators, and who has them',
  notes:
    'A role is a permission of a user or an API key. Grant it with an invitation or a new key.',
  data: record({ roles: recordList('Role'), operators: recordList('RoleAssignment') }),
  errors: ['OVERLOADED'],
});
