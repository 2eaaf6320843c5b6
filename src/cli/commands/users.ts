import type { ExactClient } from '../../client/exact-client.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Result } from '../command.ts';
import { online } from '../connection.ts';
import { FORMS } from '../forms.ts';
import { printable, table } from '../text.ts';
import { REASON_OPTION } from './approval-reason.ts';

export const userCommands: readonly Command[] = [
  online({
    name: 'users invite',
    positionals: ['ACCOUNT'],
    options: [
      {
        name: 'email',
        value: 'E',
        help: 'email address of the user',
        isRequired: true,
        form: FORMS.email,
      },
      {
        name: 'permissions',
        value: 'read,trade',
        help: 'comma-separated: read, trade, operate, or one of support, markets,\ntreasury, compliance, audit',
        isRequired: true,
        form: FORMS.permissions,
      },
      REASON_OPTION,
    ],
    summary: 'invite a user to an account; repeat to change permissions',
    run: invite,
  }),
  online({
    name: 'users list',
    positionals: ['ACCOUNT'],
    options: [],
    summary: 'list the users of an account',
    run: list,
  }),
  online({
    name: 'users remove',
    positionals: ['ACCOUNT', 'EMAIL'],
    options: [],
    summary: 'remove a user from an account; its API keys stay',
    run: remove,
  }),
];

async function invite(args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.inviteUser({
    id: args.positional('ACCOUNT'),
    email: args.required('email'),
    permissions: args.permissions(),
    reason: args.option('reason'),
  });
  const text = `Send this link to ${data.email}. It can be used once within 24 hours to choose a password:\n\n${data.link}`;
  return { data, text };
}

async function list(args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.listUsers({ id: args.positional('ACCOUNT') });
  const rows = data.users.map((user) => [
    user.email,
    user.name,
    user.permissions.join(','),
    user.secondFactor ? 'yes' : 'no',
    user.createdAt,
  ]);
  const headings = ['EMAIL', 'NAME', 'PERMISSIONS', '2FA', 'CREATED'];
  const none = `${printable(args.positional('ACCOUNT'))} has no users.`;
  return { data, text: rows.length > 0 ? table(headings, rows) : none };
}

async function remove(args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.removeUser({
    id: args.positional('ACCOUNT'),
    email: args.positional('EMAIL'),
  });
  const [account, email] = [args.positional('ACCOUNT'), args.positional('EMAIL')].map(printable);
  const text =
    `Removed ${email} from ${account} and signed out all sessions. Users left: ` +
    `${data.users.length}.\nAPI keys of the account stay valid: list them with "buttonwood key list ${account}" ` +
    'and revoke those that the user knows.';
  return { data, text };
}
