import { z } from 'zod';
import { normalEmail } from '../../../accounts/accounts.ts';
import { permissionNames } from '../../../engine/terms.ts';
import { checkBody } from '../../body-schema.ts';
import type { Call } from '../../call.ts';
import { describe } from '../../description.ts';
import { quote } from '../../json.ts';
import { fromZod, record, text } from '../../json-schema.ts';
import { permissionsOf } from '../account/profile.ts';
import { accountOf } from './accounts.ts';

const invitation = z.strictObject({
  email: z.string().max(320, 'is too long'),
  permissions: z.array(z.enum(permissionNames)).min(1, 'must name at least one permission'),
});

/**
 * POST /api/admin/accounts/:id/people: lets someone sign in to an account; `{email, link}`. Again, it
 * changes what they may do there and makes another link.
 */
export async function invitePerson(call: Call): Promise<string> {
  const { email: written, permissions } = checkBody(invitation, call.body());
  const email = normalEmail(written);
  const { id } = accountOf(call);
  const link = await call.services.accounts.invite(id, email, permissionsOf(permissions));
  return `{"email":${quote(email)},"link":${quote(link)}}`;
}
invitePerson.description = describe({
  operationId: 'invitePerson',
  tag: 'Operator',
  summary: 'Let someone sign in to an account',
  notes:
    'The link, mailed too where the exchange sends mail, sets their password, once, within 24 hours. Again, ' +
    'it changes what they may do, and makes another.',
  path: { id: 'accountId' },
  body: {
    schema: fromZod(invitation),
    examples: { trader: { email: 'dora@example.com', permissions: ['read', 'trade'] } },
  },
  data: record({
    email: text('Whom.', 'dora@example.com'),
    link: text('Where they choose a password.', 'http://127.0.0.1:3000/reset-password#token=A'),
  }),
  errors: ['NOT_FOUND'],
});
