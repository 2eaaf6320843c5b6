import { describe, expect, test } from 'bun:test';
import { ALICE, BOB, createKey, Fixture, limitOrder, placed } from '../../../test/fixture.ts';
import { auditState } from '../audit/audit.ts';
import { type Command, CommandKind, SYSTEM_ACTOR } from '../command.ts';
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
