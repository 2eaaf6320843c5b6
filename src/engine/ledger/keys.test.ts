import { describe, expect, test } from 'bun:test';
import { ALICE, BOB, createKey, Fixture, limitOrder, placed } from '../../../test/fixture.ts';
import { auditState } from '../audit/audit.ts';
import {
  type ChangeKey,
  type Command,
  CommandKind,
  type CreateKey,
  SYSTEM_ACTOR,
} from '../command.ts';
import type { Outcome } from '../event.ts';
import { ENGINE_VERSION } from '../exchange.ts';
import { MAX_ENDED_KEYS_PER_ACCOUNT, MAX_KEYS_PER_ACCOUNT } from '../limits.ts';
import { RejectionCode } from '../rejection.ts';
import { readSnapshot, writeSnapshot } from '../snapshot/snapshot.ts';
import { Permission, Side } from '../terms.ts';

function expectRefusal(outcome: Outcome, code: RejectionCode): void {
  expect(outcome).toMatchObject({ kind: 'rejected', code });
}

describe('a key', () => {
  const order = (account: number, key: number) => limitOrder(account, Side.buy, 1, 100, { key });

  test('acts for its account only', () => {
    const fixture = new Fixture();
    const key = createKey(fixture);
    expect(fixture.apply(order(ALICE, key)).kind).toBe('order');
    expectRefusal(fixture.apply(order(BOB, key)), RejectionCode.unauthorized);
    expectRefusal(fixture.apply(order(ALICE, key + 1)), RejectionCode.unauthorized);
  });

  test.each([
    [Permission.read, RejectionCode.insufficientPermissions],
    [Permission.operate, RejectionCode.insufficientPermissions],
    [Permission.read + Permission.trade, undefined],
  ])('with permissions %d places orders: rejection %p', (permissions, code) => {
    const fixture = new Fixture();
    const outcome = fixture.apply(order(ALICE, createKey(fixture, { permissions })));
    if (code === undefined) expect(outcome.kind).toBe('order');
    else expectRefusal(outcome, code);
  });

  test("without operate permission cannot change anything of the operator's", () => {
    const fixture = new Fixture();
    const key = createKey(fixture, { permissions: Permission.read + Permission.trade });
    const freeze = (actor: { account: number; key: number }) =>
      fixture.apply({ kind: CommandKind.setAccountStatus, ...actor, owner: BOB, frozen: true });
    expectRefusal(freeze({ account: ALICE, key }), RejectionCode.insufficientPermissions);
    const operator = createKey(fixture, { permissions: Permission.operate });
    expect(freeze({ account: ALICE, key: operator }).kind).toBe('account');
  });

  test('is invalid once revoked, also for cancels', () => {
    const fixture = new Fixture();
    const key = createKey(fixture, { apiKey: 'mine' });
    const { id } = placed(fixture.apply(order(ALICE, key)));
    const revoke = () =>
      fixture.apply({ kind: CommandKind.revokeKey, ...SYSTEM_ACTOR, apiKey: 'mine' });
    expect(revoke()).toMatchObject({ kind: 'key', key: { revokedAt: fixture.time } });
    const cancel: Command = { kind: CommandKind.cancelOrder, account: ALICE, key, orderId: id };
    expectRefusal(fixture.apply(cancel), RejectionCode.unauthorized);
    fixture.wait(5);
    expect(revoke()).toMatchObject({ key: { revokedAt: fixture.time - 5 } });
  });

  test('is invalid from its expiry on', () => {
    const fixture = new Fixture();
    const key = createKey(fixture, { expiresAt: fixture.time + 10 });
    fixture.wait(9);
    expect(fixture.apply(order(ALICE, key)).kind).toBe('order');
    fixture.wait(1);
    expectRefusal(fixture.apply(order(ALICE, key)), RejectionCode.unauthorized);
  });

  test('an account may have a limited number of active keys', () => {
    const fixture = new Fixture();
    for (let count = 0; count < MAX_KEYS_PER_ACCOUNT; count++) createKey(fixture);
    expect(() => createKey(fixture)).toThrow();
    fixture.apply({ kind: CommandKind.revokeKey, ...SYSTEM_ACTOR, apiKey: 'key-0' });
    expect(createKey(fixture)).toBe(MAX_KEYS_PER_ACCOUNT);
  });
});

describe('ended keys', () => {
  const revoke = (fixture: Fixture, apiKey: string) =>
    fixture.apply({ kind: CommandKind.revokeKey, ...SYSTEM_ACTOR, apiKey });
  const names = (fixture: Fixture) =>
    fixture.exchange.state.accounts[ALICE]!.keys.map((key) => key.apiKey);

  test('are kept up to a maximum; those that ended first are dropped', () => {
    const fixture = new Fixture();
    const lasting = createKey(fixture, { apiKey: 'lasting' });
    const count = MAX_ENDED_KEYS_PER_ACCOUNT + 5;
    for (let made = 0; made < count; made++) {
      createKey(fixture, { apiKey: `ended-${made}` });
      revoke(fixture, `ended-${made}`);
    }
    const { state } = fixture.exchange;
    expect(names(fixture)).toEqual([
      'lasting',
      ...Array.from({ length: MAX_ENDED_KEYS_PER_ACCOUNT }, (_, place) => `ended-${place + 5}`),
    ]);
    expect(state.keysByApiKey.size).toBe(1 + MAX_ENDED_KEYS_PER_ACCOUNT);
    expect(state.keys[lasting]).toBeDefined();
    expectRefusal(revoke(fixture, 'ended-0'), RejectionCode.unknownKey);
    expectRefusal(
      fixture.apply(limitOrder(ALICE, Side.buy, 1, 100, { key: 2 })),
      RejectionCode.unauthorized,
    );
    // The next key gets a new index, also after a snapshot.
    const restored = readSnapshot(writeSnapshot(fixture.exchange).slice());
    expect(restored.state.digest).toBe(state.digest);
    expect(restored.state.keys.length).toBe(count + 1);
    expect(createKey(fixture)).toBe(count + 1);
    auditState(state);
  });

  test('are dropped by the time they ended, not by creation time', () => {
    const fixture = new Fixture();
    createKey(fixture, { apiKey: 'first' });
    createKey(fixture, { apiKey: 'expires', expiresAt: fixture.time + 1 });
    fixture.wait(2);
    for (let made = 0; made < MAX_ENDED_KEYS_PER_ACCOUNT; made++) {
      createKey(fixture, { apiKey: `ended-${made}` });
      revoke(fixture, `ended-${made}`);
      fixture.wait(1);
    }
    expect(names(fixture)).not.toContain('expires');
    expect(revoke(fixture, 'first').kind).toBe('key');
    expect(names(fixture)).toContain('first');
    expect(names(fixture)).not.toContain('ended-0');
    // Revoking it again finds the key and changes nothing.
    expect(revoke(fixture, 'first').kind).toBe('key');
  });

  test('do not count towards the maximum of active keys, even if only expired', () => {
    const fixture = new Fixture();
    for (let made = 0; made < MAX_KEYS_PER_ACCOUNT; made++) {
      createKey(fixture, { expiresAt: fixture.time + 10 });
    }
    expect(() => createKey(fixture)).toThrow();
    fixture.wait(10);
    createKey(fixture);
  });

  test('are dropped by an upgrade from version 1, which kept them all', () => {
    const fixture = new Fixture({}, 1);
    const count = MAX_ENDED_KEYS_PER_ACCOUNT + 20;
    for (let made = 0; made < count; made++) {
      createKey(fixture, { apiKey: `ended-${made}` });
      revoke(fixture, `ended-${made}`);
    }
    expect(names(fixture).length).toBe(count);
    fixture.apply({ kind: CommandKind.upgrade, ...SYSTEM_ACTOR, version: ENGINE_VERSION });
    expect(names(fixture)[0]).toBe('ended-20');
    auditState(fixture.exchange.state);
  });
});

describe('an operator key', () => {
  const revoke = (fixture: Fixture, apiKey: string) =>
    fixture.apply({ kind: CommandKind.revokeKey, ...SYSTEM_ACTOR, apiKey }).kind;
  const operator = (fixture: Fixture, apiKey: string, lifetimeMs = 0) =>
    createKey(fixture, {
      apiKey,
      permissions: Permission.operate,
      expiresAt: lifetimeMs === 0 ? 0 : fixture.time + lifetimeMs,
    });

  test('that never expires cannot be revoked while all others expire', () => {
    const fixture = new Fixture();
    operator(fixture, 'permanent');
    operator(fixture, 'temporary', 1000);
    expect(revoke(fixture, 'permanent')).toBe('rejected');
    operator(fixture, 'other');
    expect(revoke(fixture, 'permanent')).toBe('key');
    expect(revoke(fixture, 'other')).toBe('rejected');
    expect(revoke(fixture, 'temporary')).toBe('key');
  });

  test('can be revoked if another one is valid as long', () => {
    const fixture = new Fixture();
    operator(fixture, 'short', 1000);
    operator(fixture, 'long', 2000);
    operator(fixture, 'as-long', 2000);
    expect(revoke(fixture, 'long')).toBe('key');
    expect(revoke(fixture, 'as-long')).toBe('rejected');
    expect(revoke(fixture, 'short')).toBe('key');
    expect(revoke(fixture, 'as-long')).toBe('rejected');
  });

  test('that works from any address is not revoked while all others are restricted to some', () => {
    const fixture = new Fixture();
    const restricted = { permissions: Permission.operate, addresses: ['10.0.0.1'] };
    operator(fixture, 'anywhere');
    createKey(fixture, { apiKey: 'restricted', ...restricted });
    createKey(fixture, { apiKey: 'also-restricted', ...restricted });
    expect(revoke(fixture, 'anywhere')).toBe('rejected');
    expect(revoke(fixture, 'restricted')).toBe('key');
    expect(revoke(fixture, 'anywhere')).toBe('rejected');
    operator(fixture, 'other');
    expect(revoke(fixture, 'anywhere')).toBe('key');
  });

  test('restricted to addresses is revoked if another one is as restricted', () => {
    const fixture = new Fixture();
    const restricted = { permissions: Permission.operate, addresses: ['10.0.0.1'] };
    createKey(fixture, { apiKey: 'restricted', ...restricted });
    createKey(fixture, { apiKey: 'also-restricted', ...restricted });
    expect(revoke(fixture, 'restricted')).toBe('key');
    expect(revoke(fixture, 'also-restricted')).toBe('rejected');
  });

  test('in version 1 is only kept where it is the last', () => {
    const fixture = new Fixture({}, 1);
    operator(fixture, 'permanent');
    const addresses = ['10.0.0.1'];
    createKey(fixture, { apiKey: 'restricted', permissions: Permission.operate, addresses });
    expect(revoke(fixture, 'restricted')).toBe('key');
    operator(fixture, 'temporary', 1000);
    expect(revoke(fixture, 'permanent')).toBe('key');
    expect(revoke(fixture, 'temporary')).toBe('rejected');
  });
});

describe('a change of a key', () => {
  const anywhere: readonly string[] = [];
  const here = ['10.0.0.1'];
  const change = (
    fixture: Fixture,
    addresses: readonly string[] | null,
    { apiKey = 'mine', label = 'new', ...actor }: Partial<ChangeKey> = {},
  ) =>
    fixture.apply({
      kind: CommandKind.changeKey,
      ...SYSTEM_ACTOR,
      apiKey,
      label,
      addresses,
      ...actor,
    });
  const operator = (fixture: Fixture, apiKey: string, terms: Partial<CreateKey> = {}) =>
    createKey(fixture, { apiKey, permissions: Permission.operate, ...terms });

  test('replaces label and addresses, and nothing else', () => {
    const fixture = new Fixture();
    const { state } = fixture.exchange;
    createKey(fixture, { apiKey: 'mine', label: 'old', expiresAt: fixture.time + 100 });
    const before = { ...state.keys[0]! };
    fixture.wait(5);
    const addresses = ['10.0.0.0/8', '::1'];
    expect(change(fixture, addresses)).toEqual({ kind: 'key', key: state.keys[0]! });
    expect(state.keys[0]).toEqual({ ...before, label: 'new', addresses });
    expect(change(fixture, anywhere, { label: '' }).kind).toBe('key');
    expect(state.keys[0]).toEqual({ ...before, label: '', addresses: [] });
    auditState(state);
  });

  test('is part of the digest and of snapshots', () => {
    const fixture = new Fixture();
    const { state } = fixture.exchange;
    createKey(fixture, { apiKey: 'mine' });
    const digests = new Set([state.digest]);
    for (const [label, addresses] of [
      ['new', anywhere],
      ['new', here],
    ] as const) {
      change(fixture, addresses, { label });
      digests.add(state.digest);
      auditState(state);
      const restored = readSnapshot(writeSnapshot(fixture.exchange).slice()).state;
      expect(restored.digest).toBe(state.digest);
      expect(restored.keys[0]).toMatchObject({ label, addresses });
    }
    expect(digests.size).toBe(3);
  });

  test('makes servers check their connections if the addresses change', () => {
    const fixture = new Fixture();
    createKey(fixture, { apiKey: 'mine', addresses: here });
    const counts = [here, ['10.0.0.2'], anywhere, anywhere].map((addresses) => {
      change(fixture, addresses);
      return fixture.exchange.state.keyRestrictions;
    });
    expect(counts).toEqual([0, 1, 2, 2]);
  });

  test('needs a key that is in force, and engine version 2', () => {
    const fixture = new Fixture();
    createKey(fixture, { apiKey: 'mine' });
    createKey(fixture, { apiKey: 'brief', expiresAt: fixture.time + 10 });
    expectRefusal(change(fixture, here, { apiKey: 'unknown' }), RejectionCode.unknownKey);
    fixture.wait(9);
    expect(change(fixture, here, { apiKey: 'brief' }).kind).toBe('key');
    fixture.wait(1);
    expectRefusal(change(fixture, here, { apiKey: 'brief' }), RejectionCode.invalidRules);
    fixture.apply({ kind: CommandKind.revokeKey, ...SYSTEM_ACTOR, apiKey: 'mine' });
    const { digest } = fixture.exchange.state;
    expectRefusal(change(fixture, here), RejectionCode.invalidRules);
    expect(fixture.exchange.state.digest).toBe(digest);
    const old = new Fixture({}, 1);
    createKey(old, { apiKey: 'mine' });
    expectRefusal(change(old, here), RejectionCode.invalidRules);
  });

  test('leaves a key that may withdraw at least one address', () => {
    const fixture = new Fixture();
    const permissions = Permission.read | Permission.withdraw;
    createKey(fixture, { apiKey: 'mine', permissions, addresses: here });
    expectRefusal(change(fixture, anywhere), RejectionCode.invalidRules);
    expect(change(fixture, here).kind).toBe('key');
  });

  test('of a key that may withdraw gets no further addresses', () => {
    const fixture = new Fixture();
    const permissions = Permission.read | Permission.withdraw;
    createKey(fixture, { apiKey: 'mine', permissions, addresses: [...here, '10.0.0.2'] });
    expectRefusal(change(fixture, [...here, '10.0.0.3']), RejectionCode.invalidRules);
    expect(change(fixture, ['10.0.0.2']).kind).toBe('key');
    expectRefusal(change(fixture, here), RejectionCode.invalidRules);
  });

  test('keeps what it does not name', () => {
    const fixture = new Fixture();
    createKey(fixture, { apiKey: 'mine', label: 'old', addresses: here });
    const { keys } = fixture.exchange.state;
    change(fixture, ['10.0.0.2'], { label: null });
    expect(keys[0]).toMatchObject({ label: 'old', addresses: ['10.0.0.2'] });
    change(fixture, null, { label: 'new' });
    expect(keys[0]).toMatchObject({ label: 'new', addresses: ['10.0.0.2'] });
  });

  test('by a key needs the permissions that the changed key has', () => {
    const fixture = new Fixture();
    const key = operator(fixture, 'operator');
    const by = { account: ALICE, key };
    const terms = { owner: BOB, addresses: here };
    createKey(fixture, { apiKey: 'trades', permissions: Permission.trade, ...terms });
    createKey(fixture, { apiKey: 'withdraws', permissions: Permission.withdraw, ...terms });
    expect(change(fixture, anywhere, { apiKey: 'trades', ...by }).kind).toBe('key');
    const outcome = change(fixture, ['10.0.0.2'], { apiKey: 'withdraws', ...by });
    expectRefusal(outcome, RejectionCode.insufficientPermissions);
  });

  test('does not restrict the last operator key that works from any address', () => {
    const fixture = new Fixture();
    operator(fixture, 'mine');
    operator(fixture, 'restricted', { addresses: here });
    operator(fixture, 'brief', { expiresAt: fixture.time + 10 });
    createKey(fixture, { apiKey: 'trader' });
    expectRefusal(change(fixture, here), RejectionCode.invalidRules);
    expect(change(fixture, anywhere).kind).toBe('key');
    expect(change(fixture, here, { apiKey: 'brief' }).kind).toBe('key');
    operator(fixture, 'other');
    expect(change(fixture, here).kind).toBe('key');
    expectRefusal(change(fixture, here, { apiKey: 'other' }), RejectionCode.invalidRules);
  });

  test('does not move the only operator key to other addresses', () => {
    const fixture = new Fixture();
    operator(fixture, 'mine', { addresses: here });
    expectRefusal(change(fixture, ['10.0.0.2']), RejectionCode.invalidRules);
    expect(change(fixture, here, { label: 'the only one' }).kind).toBe('key');
    operator(fixture, 'restricted', { addresses: here });
    expect(change(fixture, ['10.0.0.2']).kind).toBe('key');
    expect(change(fixture, anywhere).kind).toBe('key');
  });
});
