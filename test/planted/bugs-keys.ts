import type { Bug } from './bug.ts';

const keys = (test: string) => ({ file: 'src/engine/ledger/keys.test.ts', test });

/** Keys, and what requests of accounts without funds may cost. */
export const keyBugs: readonly Bug[] = [
  {
    name: 'an operator key about to expire may revoke the last permanent one',
    file: 'src/engine/ledger/key-administration.ts',
    text: 'const lasts = (other: ApiKey) => version < 2 || validUntil(other) >= validUntil(key);',
    becomes: 'const lasts = (_: ApiKey) => version > 0 || validUntil(key) > 0;',
    catcher: keys('an operator key that never expires cannot be revoked while all others expire'),
  },
  {
    name: 'the last operator key without an address list may be revoked',
    file: 'src/engine/ledger/key-administration.ts',
    text: 'version < 2 || other.addresses.length === 0 || key.addresses.length > 0;',
    becomes: 'version > 0 || other.addresses.length === 0 || key.addresses.length > 0;',
    catcher: { file: 'src/engine/ledger/keys.test.ts', test: 'while all others are restricted' },
  },
  {
    name: 'a changed key keeps the digest of its old terms',
    file: 'src/engine/ledger/key-administration.ts',
    text: '    state.exclude(hashKey(key));\n    key.label = label;\n    key.addresses = addresses;\n    state.include(hashKey(key));\n',
    becomes: '    key.label = label;\n    key.addresses = addresses;\n',
    catcher: keys('a change of a key is part of the digest and of snapshots'),
  },
  {
    name: 'an old key withdraws from a new address without a delay',
    file: 'src/engine/ledger/key-administration.ts',
    text: 'if (isMoved && (permissions & Permission.withdraw) !== 0) {',
    becomes: 'if (isMoved && (permissions & Permission.withdraw) !== 0 && addresses.length > 9) {',
    catcher: keys('a change of a key of a key that may withdraw gets no further addresses'),
  },
  {
    name: 'the last operator key may be restricted to addresses',
    file: 'src/engine/ledger/key-administration.ts',
    text: 'return isRestricted && this.isLastOperator(key)',
    becomes: 'return isRestricted && this.isLastOperator(key) && this.state.version < 2',
    catcher: keys('does not restrict the last operator key that works from any address'),
  },
  {
    name: 'an operator widens the allowlist of an operator key alone',
    file: 'src/engine/operators/approval-administration.ts',
    text: 'if (command.kind === CommandKind.changeKey && !this.isGrant(command)) return undefined;',
    becomes: 'if (command.kind === CommandKind.changeKey) return undefined;',
    catcher: {
      file: 'src/engine/operators/approvals.test.ts',
      test: 'covers the addresses of keys that only two operators create',
    },
  },
  {
    name: 'a connection outlives its place on the allowlist of its key',
    file: 'src/gateway/auth/operation-authorization.ts',
    text: "return this.allowLists.allow(key, address) ? undefined : new ApiError('IP_NOT_ALLOWED');",
    becomes: 'return undefined;',
    catcher: {
      file: 'test/stream/private.test.ts',
      test: 'a key with other addresses closes the sockets of those that it does not list',
    },
  },
  {
    name: 'keys that have ended are kept without a bound',
    file: 'src/engine/ledger/key-administration.ts',
    text: 'ended.slice(0, -MAX_ENDED_KEYS_PER_ACCOUNT)',
    becomes: 'ended.slice(0, -10 * MAX_ENDED_KEYS_PER_ACCOUNT)',
    catcher: keys('ended keys are kept up to a maximum; those that ended first are dropped'),
  },
  {
    name: 'the oldest ended keys are dropped, the one just revoked among them',
    file: 'src/engine/ledger/key-administration.ts',
    text: 'ended.sort((a, b) => validUntil(a) - validUntil(b) || a.index - b.index);',
    becomes: '',
    catcher: keys('ended keys are dropped by the time they ended, not by creation time'),
  },
  {
    name: 'an account full of keys recovers a key that is rejected',
    file: 'src/cli/offline/recover-key.ts',
    text: 'if (candidates.length < MAX_KEYS_PER_ACCOUNT) return [];',
    becomes: 'if (candidates.length > 0) return [];',
    catcher: {
      file: 'test/recover-key.test.ts',
      test: 'creates one if the account has the maximum number of keys in force',
    },
  },
  {
    name: 'a repeated order is rejected while the clock is off',
    file: 'src/gateway/orders/placing.ts',
    text: "return { ...placing, rejection: placing.rejection ?? new ApiError('CLOCK_OFF') };",
    becomes: "throw placing.refusal ?? new ApiError('CLOCK_OFF');",
    catcher: {
      file: 'test/http/clock.test.ts',
      test: 'an order that was placed before is still answered by its client order id',
    },
  },
  {
    name: 'a key keeps the digest after it was dropped',
    file: 'src/engine/ledger/key-administration.ts',
    text: '      state.exclude(hashKey(key));\n      state.keys[key.index] = undefined;',
    becomes: '      state.keys[key.index] = undefined;',
    catcher: keys('ended keys are kept up to a maximum; those that ended first are dropped'),
  },
  {
    name: 'expired keys count towards the maximum',
    file: 'src/engine/ledger/key-administration.ts',
    text: 'version >= 2 ? isInForce(key, time) : key.revokedAt === 0',
    becomes: 'key.revokedAt === 0 || (version < 1 && isInForce(key, time))',
    catcher: keys('ended keys do not count towards the maximum'),
  },
  {
    name: 'a market order that cannot be paid for walks the whole book',
    file: 'src/engine/orders/matching/matching.ts',
    text: 'if (cost > budget && ordersLeft-- === 0) return cost;',
    becomes: 'if (cost > budget && ordersLeft-- === -1) return cost;',
    catcher: {
      file: 'src/engine/orders/matching/matching.test.ts',
      test: 'the cost of a market order beyond the budget is counted for a bounded number of orders',
    },
  },
  {
    name: 'a batch of orders counts as one request',
    file: 'src/gateway/endpoints/orders/batch.ts',
    text: 'if (orders.length > 1) call.countFurther(orders.length - 1);',
    becomes: 'if (orders.length > 100) call.countFurther(orders.length - 1);',
    catcher: {
      file: 'test/http/batch.test.ts',
      test: 'each order counts towards the rate limit, and a batch that exceeds it is rejected whole',
    },
  },
  {
    name: 'a triggered order on a market without a price band needs no more than its trigger',
    file: 'src/engine/markets/markets.ts',
    text: 'return trigger + (trigger * BigInt(this.collarOrDefault)) / 1_000_000n;',
    becomes: 'return trigger + (trigger * BigInt(this.rules.collar)) / 1_000_000n;',
    catcher: {
      file: 'test/http/amend-stop.test.ts',
      test: 'the required funds of a trigger on a market without a collar',
    },
  },
  {
    name: 'a recovered key works only where the file of keys is whole',
    file: 'src/cli/offline/recover-key.ts',
    text: '  await writeCredentials(new DiskStorage(), path, file);\n',
    becomes: '  if (known !== undefined) await writeCredentials(new DiskStorage(), path, file);\n',
    catcher: {
      file: 'test/recover-key.test.ts',
      test: 'creates one if the file of keys is missing or unreadable',
    },
  },
  {
    name: 'a session starts although its event cannot be stored',
    file: 'src/users/sign-in/sign-in.ts',
    text: "await new UserEvents(queries, now).add(user, 'signed_in', actor, method);",
    becomes:
      "await new UserEvents(queries, now).add(user, 'signed_in', actor, method).catch(() => {});",
    catcher: {
      file: 'src/users/users.contract.test.ts',
      test: 'a session and the event of its sign-in are stored together or not at all',
    },
  },
  {
    name: 'a password may be a common word and a year',
    file: 'src/users/credentials/passwords.ts',
    text: 'const MIN_SCORE = 4;',
    becomes: 'const MIN_SCORE = 3;',
    catcher: { file: 'src/users/credentials/passwords.test.ts', test: 'a word and a year' },
  },
  {
    name: 'all characters of a long password are rated',
    file: 'src/users/credentials/passwords.ts',
    text: 'const RATED_CHARACTERS = 48;',
    becomes: 'const RATED_CHARACTERS = 256;',
    catcher: {
      file: 'src/users/credentials/passwords.test.ts',
      test: '256 hostile characters do not keep the check busy: one digit',
    },
  },
];
