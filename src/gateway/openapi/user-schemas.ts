import { permissionNames } from '../../engine/terms.ts';
import { userActions } from '../../users/user-events.ts';
import { flag, integer, list, moment, orNull, record, text, word } from './json-schema.ts';

/** The records of /api/account/, for the OpenAPI document. */

const permissions = {
  ...list(word(permissionNames, 'A permission.')),
  examples: [['read', 'trade']],
};

const Profile = record({
  accountId: text('The trading account.', 'alice'),
  name: text('What the person is called.', 'Alice'),
  email: text('Where mail goes.', 'alice@buttonwood.test'),
  permissions,
  secondFactor: flag('Whether signing in by password takes a code besides.', false),
  recoveryCodesLeft: integer('Recovery codes that are not used.', 0),
  passkeys: integer('How many passkeys there are.', 0),
  createdAt: moment('When the person was added.'),
  isSandbox: flag('Whether this exchange is a sandbox.', true),
});

const Session = record({
  id: text('Names the session; it is no secret.', `s${'0'.repeat(24)}`),
  createdAt: moment('When the browser signed in.'),
  lastSeenAt: moment('When it last asked for something.'),
  address: text('Where it signed in from.', '127.0.0.1'),
  userAgent: text('What it said it is.', 'Mozilla/5.0'),
  current: flag('Whether it is the one that asks.', true),
});

const Passkey = record({
  id: text('Identifier of the passkey.', 'AAAAAAAAAAAAAAAAAAAAAA'),
  label: text('What its holder calls it.', 'phone'),
  createdAt: moment('When it was added.'),
  lastUsedAt: orNull(moment('When somebody last signed in with it.')),
});

const OwnKey = record({
  id: text('The key, without its secret.', `bwk_${'0'.repeat(32)}`),
  label: text('What its holder calls it.', 'bot'),
  permissions,
  addresses: {
    ...list(
      text('An address or network.', '192.0.2.0/24'),
      'Where it may be used; empty: anywhere.',
    ),
    examples: [[]],
  },
  createdAt: moment('When it was made.'),
  expiresAt: orNull(moment('When it ends; null for never.')),
  lastUsedAt: orNull(moment('When it was last let in; null for never.')),
  status: word(['active', 'expired', 'revoked'], 'Whether it works.'),
});

const User = record({
  email: text('Where mail goes; they sign in with it.', 'dora@example.com'),
  name: text('What the person is called.', 'Dora'),
  permissions,
  secondFactor: flag('Whether signing in by password takes a code besides.', false),
  createdAt: moment('When the person was added.'),
});

const UserEntry = record({
  id: text('Identifier of the entry.', '7'),
  timestamp: moment('When it happened.'),
  personId: text('To whom; nobody has the same later.', `p${'0'.repeat(24)}`),
  email: text('Their address then.', 'alice@buttonwood.test'),
  account: text('Their trading account.', 'alice'),
  action: word(userActions, 'What happened.'),
  by: orNull(
    text(
      'E-mail address of who did it, or their API key; null for the exchange itself.',
      'operator@buttonwood.test',
    ),
  ),
  address: orNull(text('Where it came from.', '127.0.0.1')),
  details: orNull(text('Permissions, the API key, or the label of the passkey.', 'read, trade')),
});

export const USER_RECORDS = { Profile, Session, Passkey, OwnKey, User, UserEntry };
