import { readFileSync } from 'node:fs';
import type { ExactClient } from '../../client/exact-client.ts';
import type { CreateKeyParameters } from '../../client/index.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Result } from '../command.ts';
import { online } from '../connection.ts';
import { usageError } from '../failure.ts';
import { fields, table } from '../text.ts';

export const keyCommands: readonly Command[] = [
  online({
    name: 'key create',
    positionals: ['ACCOUNT'],
    options: [
      {
        name: 'permissions',
        value: 'read,trade',
        help: 'comma-separated: read, trade, operate',
        isRequired: true,
      },
      { name: 'label', value: 'L', help: 'a label for the key' },
      {
        name: 'address',
        value: 'A',
        help: 'allow only this IP address or network (CIDR); repeatable',
        isRepeatable: true,
      },
      {
        name: 'public-key',
        value: 'FILE',
        help: 'Ed25519 public key (PEM) that checks the signatures of requests, instead of a secret',
      },
      {
        name: 'type',
        value: 'TYPE',
        help: 'secret, ed25519 or hmac (signs like on Binance); without it secret, or ed25519 if there is a public key',
      },
      { name: 'expires', value: 'TIME', help: 'expiry, such as 2027-01-31T00:00:00Z' },
    ],
    summary: 'create an API key; its secret, if it has one, is shown only once',
    run: create,
  }),
  online({
    name: 'key list',
    positionals: ['ACCOUNT'],
    options: [],
    summary: 'list the API keys of an account, newest first',
    run: list,
  }),
  online({
    name: 'key current',
    positionals: [],
    options: [],
    summary: 'show the API key that commands use, and its limits',
    run: showCurrent,
  }),
  online({
    name: 'key revoke',
    positionals: ['ACCOUNT', 'KEY'],
    options: [],
    summary: 'revoke an API key immediately and permanently',
    run: revoke,
  }),
];

async function create(args: Arguments, client: ExactClient): Promise<Result> {
  const file = args.option('public-key');
  const data = await client.createKey({
    id: args.pathPart('ACCOUNT'),
    permissions: args.permissions(),
    label: args.option('label'),
    addresses: args.all('address'),
    expiresAt: args.time('expires'),
    // The exchange checks the name.
    type: args.option('type') as CreateKeyParameters['type'],
    publicKey: file === undefined ? undefined : readPublicKey(file),
  });
  const { key, apiSecret } = data;
  const shown = fields([
    ['Account', key.accountId],
    ['Type', key.type],
    ['API key', key.apiKey],
    ...(apiSecret === null
      ? ([['Public key', key.publicKey!]] as const)
      : ([['API secret', apiSecret]] as const)),
    ['Permissions', key.permissions.join(', ')],
    ['Label', key.label],
    ['Addresses', key.addresses.join(', ') || 'any'],
    ['Expires', key.expiresAt ?? 'never'],
  ]);
  const next =
    apiSecret === null
      ? 'Sign requests with the private key. It never leaves your machine.'
      : 'Save the secret now. It is not shown again.';
  const text = `${shown}\n\n${next}`;
  return { data, text };
}

/** @throws CliError */
function readPublicKey(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw usageError(`Cannot read the public key: ${(error as Error).message}`);
  }
}

async function list(args: Arguments, client: ExactClient): Promise<Result> {
  // An account has at most 100 active and 100 ended keys.
  const data = await client.listKeys({ id: args.pathPart('ACCOUNT'), limit: 1000 });
  const rows = data.keys.map((key) => [
    key.apiKey,
    key.type,
    key.permissions.join(','),
    key.label,
    key.addresses.join(','),
    key.createdAt,
    key.expiresAt,
    key.revokedAt,
  ]);
  const headings = [
    'KEY',
    'TYPE',
    'PERMISSIONS',
    'LABEL',
    'ADDRESSES',
    'CREATED',
    'EXPIRES',
    'REVOKED',
  ];
  return { data, text: rows.length > 0 ? table(headings, rows) : 'The account has no keys.' };
}

async function showCurrent(_: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.getCurrentKey();
  const { key, accountId, limitClass, limits } = data;
  const shown = fields([
    ['Account', accountId],
    ['API key', key.id],
    ['Type', key.publicKey === null ? 'secret' : 'ed25519'],
    ['Permissions', key.permissions.join(', ')],
    ['Label', key.label],
    ['Addresses', key.addresses.join(', ') || 'any'],
    ['Expires', key.expiresAt ?? 'never'],
    ['Rate-limit multiplier', `${limitClass}`],
  ]);
  const rows = limits.map(({ method, path, limit }) => [method, path, limit ?? 'off']);
  return { data, text: `${shown}\n\n${table(['METHOD', 'PATH', 'REQUESTS PER MINUTE'], rows)}` };
}

async function revoke(args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.revokeKey({
    id: args.pathPart('ACCOUNT'),
    apiKey: args.pathPart('KEY'),
  });
  return { data, text: `Revoked key ${data.key.apiKey} at ${data.key.revokedAt}.` };
}
