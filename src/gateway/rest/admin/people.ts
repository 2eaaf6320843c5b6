import { z } from 'zod';
import { normalEmail } from '../../../accounts/accounts.ts';
import { permissionNames } from '../../../engine/terms.ts';
import { checkBody } from '../../body-schema.ts';
import type { Call } from '../../call.ts';
import { describe } from '../../description.ts';
import { quote } from '../../json.ts';
import { fromZod, record, text } from '../../json-schema.ts';
import { confirm, demandPermissions } from '../account/confirmation.ts';
import { permissionsOf } from '../account/profile.ts';
import { proof } from '../account/visit.ts';
import { accountOf } from './accounts.ts';

const invitation = z.strictObject({
  email: z.string().max(320, 'is too long'),
  permissions: z.array(z.enum(permissionNames)).min(1, 'must name at least one permission'),
  ...proof,
});

/**
 * POST /api/admin/accounts/:id/people: lets someone sign in to an account; `{email, link}`. Again, it
 * changes what they may do there and makes another link. Who is signed in confirms it; to their own
 * account nobody lets in who may do more than they.
 */
export async function invitePerson(call: Call): Promise<string> {
  const body = checkBody(invitation, call.body());
  const email = normalEmail(body.email);
  const account = accountOf(call);
  const permissions = permissionsOf(body.permissions);
  if (account === call.account) demandPermissions(call, permissions);
  await confirm(call, body);
  const link = await call.services.accounts.invite(account.id, email, permissions);
  return `{"email":${quote(email)},"link":${quote(link)}}`;
}
invitePerson.description = describe({
  operationId: 'invitePerson',
  tag: 'Operator',
  summary: 'Let someone sign in to an account',
  notes:
    'The link, mailed too where the exchange sends mail, sets their password, once, within 24 hours. Again, ' +
    'it changes what they may do, and makes another. With a session send `code` where there is a second ' +
    'factor, else `password`. It gives your own account no permission beyond your own.',
  path: { id: 'accountId' },
  body: {
    schema: fromZod(invitation),
    examples: { trader: { email: 'dora@example.com', permissions: ['read', 'trade'] } },
  },
  data: record({
    email: text('Whom.', 'dora@example.com'),
    link: text('Where they choose a password.', 'http://127.0.0.1:3000/reset-password#token=A'),
  }),
  errors: ['NOT_FOUND', 'OVERLOADED'],
});
