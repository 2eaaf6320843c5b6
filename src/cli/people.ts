import type { RestClient } from '../client/rest-client.ts';
import type { Arguments } from './arguments.ts';
import type { Command, Result } from './command.ts';
import { online } from './connection.ts';

export const peopleCommands: readonly Command[] = [
  online({
    name: 'people invite',
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
];

async function invite(args: Arguments, client: RestClient): Promise<Result> {
  const data = await client.request<{ email: string; link: string }>(
    'POST',
    `/api/admin/accounts/${args.pathPart('ACCOUNT')}/people`,
    {
      body: { email: args.required('email'), permissions: args.required('permissions').split(',') },
    },
  );
  const text = `${data.email} chooses a password here, within 24 hours, once:\n\n${data.link}`;
  return { data, text };
}
