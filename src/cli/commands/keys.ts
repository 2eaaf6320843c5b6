import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ExactClient } from '../../client/exact-client.ts';
import type { CreateKeyParameters } from '../../client/index.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Result } from '../command.ts';
import { online } from '../connection.ts';
import { usageError } from '../failure.ts';
import { FORMS } from '../forms.ts';
import { fields, table } from '../text.ts';
import { REASON_OPTION } from './approval-reason.ts';

/** The most addresses and networks of a key. */
const MAX_ADDRESSES = 20;

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
        form: FORMS.permissions,
      },
      { name: 'label', value: 'L', help: 'a label for the key', form: FORMS.label },
      {
        name: 'address',
        value: 'A',
        help: 'allow only this IP address or network (CIDR); repeatable',
        isRepeatable: true,
        form: FORMS.address,
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
        form: FORMS.keyType,
      },
      {
        name: 'expires',
        value: 'TIME',
        help: 'expiry, such as 2027-01-31T00:00:00Z',
        form: FORMS.time,
      },
      REASON_OPTION,
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
    name: 'key change',
    positionals: ['ACCOUNT', 'KEY'],
    options: [
      { name: 'label', value: 'L', help: 'a new label for the key', form: FORMS.label },
      {
        name: 'address',
        value: 'A',
        help: 'allow only this IP address or network (CIDR) from now on; repeatable',
        isRepeatable: true,
        form: FORMS.address,
      },
      { name: 'any-address', help: 'allow any IP address from now on' },
      REASON_OPTION,
    ],
    summary: 'change the label and the IP allowlist of an API key',
    run: change,
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
  const type = args.option('type') as CreateKeyParameters['type'];
  if (type !== undefined && (type === 'ed25519') !== (file !== undefined)) {
    throw usageError('Give --public-key for the type ed25519, and only for it.');
  }
  const permissions = args.permissions();
  if (type === 'hmac' && permissions.includes('operate')) {
    throw usageError('A key of the type hmac cannot have the permission operate.');
  }
  const addresses = readAddresses(args);
  const data = await client.createKey({
    id: args.positional('ACCOUNT'),
    permissions,
    reason: args.option('reason'),
    label: args.option('label'),
    addresses,
    expiresAt: args.option('expires'),
    type,
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

/** @throws CliError if there are more than a key can have */
function readAddresses(args: Arguments): readonly string[] {
  const addresses = args.all('address');
  if (addresses.length <= MAX_ADDRESSES) return addresses;
  throw usageError(`Give at most ${MAX_ADDRESSES} --address.`);
}

/** Returns the PEM, or the base64 of the 32 bytes, of the public key in a file. @throws CliError */
export function readPublicKey(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw usageError(`Cannot read the public key: ${(error as Error).message}`);
  }
  // Node derives the public key of a private one, which must stay on this machine.
  if (text.includes('PRIVATE KEY')) {
    throw usageError(`${path} has a private key. Name the file of its public key instead.`);
  }
  if (isEd25519(text)) return text;
  throw usageError(
    `${path} has no Ed25519 public key in PEM. Create one with: openssl pkey -pubout -in PRIVATE_KEY_FILE`,
  );
}

function isEd25519(text: string): boolean {
  if (/^[A-Za-z0-9+/]{43}=$/.test(text)) return true;
  try {
    return createPublicKey(text).asymmetricKeyType === 'ed25519';
  } catch {
    return false;
  }
}

async function list(args: Arguments, client: ExactClient): Promise<Result> {
  // An account has at most 100 active and 100 ended keys.
  const data = await client.listKeys({ id: args.positional('ACCOUNT'), limit: 1000 });
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
    ['Type', key.type],
    ['Permissions', key.permissions.join(', ')],
    ['Label', key.label],
    ['Addresses', key.addresses.join(', ') || 'any'],
    ['Expires', key.expiresAt ?? 'never'],
    ['Rate-limit multiplier', `${limitClass}`],
  ]);
  const rows = limits.map(({ method, path, limit }) => [method, path, limit ?? 'off']);
  return { data, text: `${shown}\n\n${table(['METHOD', 'PATH', 'REQUESTS PER MINUTE'], rows)}` };
}

async function change(args: Arguments, client: ExactClient): Promise<Result> {
  const label = args.option('label');
  const listed = readAddresses(args);
  const isAny = args.has('any-address');
  if (isAny && listed.length > 0) throw usageError('Give either --address or --any-address.');
  const addresses = isAny || listed.length > 0 ? listed : undefined;
  if (label === undefined && addresses === undefined) {
    throw usageError('Give --label, --address or --any-address.');
  }
  const data = await client.changeKey({
    id: args.positional('ACCOUNT'),
    apiKey: args.positional('KEY'),
    label,
    addresses,
    reason: args.option('reason'),
  });
  const { key } = data;
  const text = fields([
    ['API key', key.apiKey],
    ['Label', key.label],
    ['Addresses', key.addresses.join(', ') || 'any'],
  ]);
  return { data, text };
}

async function revoke(args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.revokeKey({
    id: args.positional('ACCOUNT'),
    apiKey: args.positional('KEY'),
  });
  return { data, text: `Revoked key ${data.key.apiKey} at ${data.key.revokedAt}.` };
}
