import type { RestClient } from '../client/rest-client.ts';
import type { Arguments } from './arguments.ts';
import type { Command, Result } from './command.ts';
import { online } from './connection.ts';
import { fields, table } from './text.ts';

interface Key {
  readonly apiKey: string;
  readonly accountId: string;
  readonly label: string;
  readonly permissions: readonly string[];
  readonly addresses: readonly string[];
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
}

export const keyCommands: readonly Command[] = [
  online({
    name: 'key create',
    positionals: ['ACCOUNT'],
    options: [
      {
        name: 'permissions',
        value: 'read,trade',
        help: 'any of read, trade, operate',
        isRequired: true,
      },
      { name: 'label', value: 'L', help: 'what the key is for' },
      {
        name: 'address',
        value: 'A',
        help: 'allow only this address or network; may be repeated',
        isRepeatable: true,
      },
      { name: 'expires', value: 'TIME', help: 'when it ends, such as 2027-01-31T00:00:00Z' },
    ],
    summary: 'make an API key; its secret is printed this once',
    run: create,
  }),
  online({
    name: 'key list',
    positionals: ['ACCOUNT'],
    options: [],
    summary: 'list the keys of an account, the newest first',
    run: list,
  }),
  online({
    name: 'key revoke',
    positionals: ['ACCOUNT', 'KEY'],
    options: [],
    summary: 'end an API key at once, for good',
    run: revoke,
  }),
];

async function create(args: Arguments, client: RestClient): Promise<Result> {
  const data = await client.request<{ key: Key; apiSecret: string }>('POST', keysOf(args), {
    body: {
      permissions: args.required('permissions').split(','),
      label: args.option('label'),
      addresses: args.all('address'),
      expiresAt: args.option('expires'),
    },
  });
  const { key, apiSecret } = data;
  const shown = fields([
    ['Account', key.accountId],
    ['API key', key.apiKey],
    ['API secret', apiSecret],
    ['Permissions', key.permissions.join(', ')],
    ['Label', key.label],
    ['Addresses', key.addresses.join(', ') || 'any'],
    ['Expires', key.expiresAt ?? 'never'],
  ]);
  const text = `${shown}\n\nKeep the secret now: it is shown this once and cannot be read again.`;
  return { data, text };
}

async function list(args: Arguments, client: RestClient): Promise<Result> {
  // More than an account has: 100 in force and 100 that have ended.
  const query = { limit: '1000' };
  const data = await client.request<{ keys: Key[] }>('GET', keysOf(args), { query });
  const rows = data.keys.map((key) => [
    key.apiKey,
    key.permissions.join(','),
    key.label,
    key.addresses.join(','),
    key.createdAt,
    key.expiresAt,
    key.revokedAt,
  ]);
  const headings = ['KEY', 'PERMISSIONS', 'LABEL', 'ADDRESSES', 'CREATED', 'EXPIRES', 'REVOKED'];
  return { data, text: rows.length > 0 ? table(headings, rows) : 'The account has no keys.' };
}

async function revoke(args: Arguments, client: RestClient): Promise<Result> {
  const path = `${keysOf(args)}/${args.pathPart('KEY')}`;
  const data = await client.request<{ key: Key }>('DELETE', path);
  return { data, text: `Key ${data.key.apiKey} ended at ${data.key.revokedAt}.` };
}

function keysOf(args: Arguments): string {
  return `/api/admin/accounts/${args.pathPart('ACCOUNT')}/keys`;
}
