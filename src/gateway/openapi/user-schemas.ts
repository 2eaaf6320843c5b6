import { permissionNames } from '../../engine/terms.ts';
import { signInMethods, userActions } from '../../users/user-events.ts';
import {
  boolean,
  enumeration,
  integer,
  list,
  nullable,
  record,
  reference,
  text,
  timestamp,
} from './json-schema.ts';

/** The records of users, for the OpenAPI document. */

const permissions = {
  ...list(enumeration(permissionNames, 'A permission.')),
  examples: [['read', 'trade']],
};

const Profile = record({
  accountId: text('The trading account.', 'alice'),
  name: text('Name of the user.', 'Alice'),
  email: text('Email address.', 'alice@buttonwood.test'),
  pendingEmail: nullable(
    text('The new address of a change that is not confirmed yet.', 'alice@example.com'),
  ),
  permissions,
  secondFactor: boolean('Whether two-factor authentication (2FA) is on.', false),
  recoveryCodesLeft: integer('Number of unused recovery codes.', 0),
  passkeys: integer('Number of passkeys.', 0),
  antiPhishingCode: nullable(
    text('The code that every mail to the user shows; null if none is set.', 'Clover42'),
  ),
  createdAt: timestamp('Time when the user was created.'),
  isSandbox: boolean('Whether this exchange is a sandbox.', true),
  hmacKeys: boolean('Whether this exchange accepts HMAC keys.', true),
});

const Session = record({
  id: text('Session id, not secret.', `s${'0'.repeat(24)}`),
  createdAt: timestamp('Time of the sign-in.'),
  lastSeenAt: timestamp('Time of its last request.'),
  address: text('IP address of the sign-in.', '127.0.0.1'),
  userAgent: text('User-Agent header of the sign-in.', 'Mozilla/5.0'),
  current: boolean('Whether this is the current session.', true),
});

const SignIn = record({
  id: text('Id of the sign-in.', '7'),
  timestamp: timestamp('Time of the sign-in.'),
  result: enumeration(
    ['succeeded', 'wrong_password', 'wrong_code'],
    '`wrong_code`: the password was right, the 2FA code was not.',
  ),
  method: nullable(
    enumeration(
      signInMethods,
      'Credentials that were sent. `email_link` is the link that confirms a sign-up; null for sign-ins before it was recorded.',
    ),
  ),
  address: nullable(text('IP address of the request; null if it is not known.', '127.0.0.1')),
  userAgent: nullable(
    text('Its User-Agent header; null if there was none, or it was not recorded.', 'Mozilla/5.0'),
  ),
});

const Passkey = record({
  id: text('Passkey id.', 'AAAAAAAAAAAAAAAAAAAAAA'),
  label: text('Label of the passkey.', 'phone'),
  createdAt: timestamp('Time when the passkey was added.'),
  lastUsedAt: nullable(timestamp('Time of the last sign-in with it; null for never.')),
});

/** The fields of a key's credential in the records of API keys. */
export const keyCredential = {
  type: enumeration(
    ['secret', 'ed25519', 'hmac'],
    'Type of the credential: a secret that is sent, or one that signs by Ed25519 or HMAC-SHA256.',
  ),
  publicKey: nullable(
    text(
      'Ed25519 public key that checks the signatures of requests, in base64; null if the key has a secret.',
      '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
    ),
  ),
};

const OwnKey = record({
  id: text('API key, without its secret.', `bwk_${'0'.repeat(32)}`),
  label: text('Label of the key.', 'bot'),
  permissions,
  addresses: {
    ...list(
      text('An IP address or CIDR range.', '192.0.2.0/24'),
      'IP allowlist; empty for any address.',
    ),
    examples: [[]],
  },
  createdAt: timestamp('Time when the key was created.'),
  expiresAt: nullable(timestamp('Expiry; null for never.')),
  ...keyCredential,
  lastUsedAt: nullable(timestamp('Time of its last authorized request; null for never.')),
  status: enumeration(['active', 'expired', 'revoked'], 'Status of the key.'),
});

const User = record({
  email: text('Email address, which the user signs in with.', 'dora@example.com'),
  name: text('Name of the user.', 'Dora'),
  permissions,
  secondFactor: boolean('Whether two-factor authentication (2FA) is on.', false),
  createdAt: timestamp('Time when the user was created.'),
});

const AccountOwner = record({
  accountId: text('The main account of the user.', 'alice'),
  name: text('Name of the user.', 'Alice'),
  email: text('Email address of the user.', 'alice@buttonwood.test'),
  permissions,
  secondFactor: boolean('Whether two-factor authentication (2FA) is on.', false),
  lastSeenAt: nullable(
    timestamp(
      'Time of the last request of a session, a minute old at most; null without sessions.',
    ),
  ),
});

const AccountTotals = record({
  accountId: text('The account.', 'alice'),
  balances: list(
    reference('PortfolioBalance'),
    'Balances, available and held, of every asset that the account has ever held.',
  ),
});

const UserEntry = record({
  id: text('Entry id.', '7'),
  timestamp: timestamp('Time of the event.'),
  personId: text('User id; never reused. Empty for an action of an API key.', `p${'0'.repeat(24)}`),
  email: text(
    'Email address of the user at that time; empty for an action of an API key.',
    'alice@buttonwood.test',
  ),
  account: text('Trading account of the user.', 'alice'),
  action: enumeration(userActions, 'Action.'),
  by: nullable(
    text(
      'Email address or API key of the actor; null for the exchange itself.',
      'operator@buttonwood.test',
    ),
  ),
  address: nullable(text('IP address of the request.', '127.0.0.1')),
  details: nullable(
    text(
      'Permissions, API key, passkey label, method of a sign-in, id of a withdrawal address or new email address, depending ' +
        'on the action.',
      'read, trade',
    ),
  ),
});

export const USER_RECORDS = {
  Profile,
  Session,
  SignIn,
  Passkey,
  OwnKey,
  User,
  AccountOwner,
  AccountTotals,
  UserEntry,
};
