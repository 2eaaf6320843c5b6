import type { RestClient } from '../client/rest-client.ts';
import type { Arguments } from './arguments.ts';
import type { Command, Result } from './command.ts';
import { online } from './connection.ts';
import { printable, table } from './text.ts';

interface User {
  readonly email: string;
  readonly name: string;
  readonly permissions: readonly string[];
  readonly secondFactor: boolean;
  readonly createdAt: string;
}

export const userCommands: readonly Command[] = [
  online({
    name: 'users invite',
    positionals: ['ACCOUNT'],
    options: [
      { name: 'email', value: 'E', help: 'their e-mail address', isRequired: true },
      {
        name: 'permissions',
        value: 'read,trade',
        help: 'any of read, trade, operate',
        isRequired: true,
      },
    ],
    summary: 'let someone sign in to an account; again, to change what they may do',
    run: invite,
  }),
  online({
    name: 'users list',
    positionals: ['ACCOUNT'],
    options: [],
    summary: 'list who may sign in to an account',
    run: list,
  }),
  online({
    name: 'users remove',
    positionals: ['ACCOUNT', 'EMAIL'],
    options: [],
    summary: 'let someone sign in to an account no more; its keys stay',
    run: remove,
  }),
];

async function invite(args: Arguments, client: RestClient): Promise<Result> {
  const data = await client.request<{ email: string; link: string }>('POST', usersOf(args), {
    body: { email: args.required('email'), permissions: args.required('permissions').split(',') },
  });
  const text = `${data.email} chooses a password here, within 24 hours, once:\n\n${data.link}`;
  return { data, text };
}

async function list(args: Arguments, client: RestClient): Promise<Result> {
  const data = await client.request<{ users: User[] }>('GET', usersOf(args));
  const rows = data.users.map((user) => [
    user.email,
    user.name,
    user.permissions.join(','),
    user.secondFactor ? 'yes' : 'no',
    user.createdAt,
  ]);
  const headings = ['EMAIL', 'NAME', 'PERMISSIONS', 'SECOND FACTOR', 'CREATED'];
  const nobody = `Nobody may sign in to ${printable(args.positional('ACCOUNT'))}.`;
  return { data, text: rows.length > 0 ? table(headings, rows) : nobody };
}

async function remove(args: Arguments, client: RestClient): Promise<Result> {
  const path = `${usersOf(args)}/${args.pathPart('EMAIL')}/remove`;
  const data = await client.request<{ users: User[] }>('POST', path, { body: {} });
  const [account, email] = [args.positional('ACCOUNT'), args.positional('EMAIL')].map(printable);
  const text =
    `${email} is signed out and may sign in to ${account} no more. People left: ` +
    `${data.users.length}.\nThe keys of the account stay: "buttonwood key list ${account}" shows ` +
    'them, revoke those that they know.';
  return { data, text };
}

function usersOf(args: Arguments): string {
  return `/api/admin/accounts/${args.pathPart('ACCOUNT')}/users`;
}
