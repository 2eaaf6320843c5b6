import { describe, expect, test } from 'bun:test';
import { ALICE, BOB, createKey, Desk, limitOrder, placed } from '../../../test/desk.ts';
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
    const desk = new Desk();
    const key = createKey(desk);
    expect(desk.apply(order(ALICE, key)).kind).toBe('order');
    expectRefusal(desk.apply(order(BOB, key)), RejectionCode.unauthorized);
    expectRefusal(desk.apply(order(ALICE, key + 1)), RejectionCode.unauthorized);
  });

  test.each([
    [Permission.read, RejectionCode.insufficientPermissions],
    [Permission.operate, RejectionCode.insufficientPermissions],
    [Permission.read + Permission.trade, undefined],
  ])('with permissions %d places orders: refusal %p', (permissions, code) => {
    const desk = new Desk();
    const outcome = desk.apply(order(ALICE, createKey(desk, { permissions })));
    if (code === undefined) expect(outcome.kind).toBe('order');
    else expectRefusal(outcome, code);
  });

  test("without operate changes nothing of the operator's", () => {
    const desk = new Desk();
    const key = createKey(desk, { permissions: Permission.read + Permission.trade });
    const freeze = (actor: { account: number; key: number }) =>
      desk.apply({ kind: CommandKind.setAccountStatus, ...actor, owner: BOB, frozen: true });
    expectRefusal(freeze({ account: ALICE, key }), RejectionCode.insufficientPermissions);
    const operator = createKey(desk, { permissions: Permission.operate });
    expect(freeze({ account: ALICE, key: operator }).kind).toBe('account');
  });

  test('ends when it is revoked, for cancels too', () => {
    const desk = new Desk();
    const key = createKey(desk, { apiKey: 'mine' });
    const { id } = placed(desk.apply(order(ALICE, key)));
    const revoke = () =>
      desk.apply({ kind: CommandKind.revokeKey, ...SYSTEM_ACTOR, apiKey: 'mine' });
    expect(revoke()).toMatchObject({ kind: 'key', key: { revokedAt: desk.time } });
    const cancel: Command = { kind: CommandKind.cancelOrder, account: ALICE, key, orderId: id };
    expectRefusal(desk.apply(cancel), RejectionCode.unauthorized);
    desk.wait(5);
    expect(revoke()).toMatchObject({ key: { revokedAt: desk.time - 5 } });
  });

  test('ends at its expiry', () => {
    const desk = new Desk();
    const key = createKey(desk, { expiresAt: desk.time + 10 });
    desk.wait(9);
    expect(desk.apply(order(ALICE, key)).kind).toBe('order');
    desk.wait(1);
    expectRefusal(desk.apply(order(ALICE, key)), RejectionCode.unauthorized);
  });

  test('an account has a limited number in force', () => {
    const desk = new Desk();
    for (let count = 0; count < MAX_KEYS_PER_ACCOUNT; count++) createKey(desk);
    expect(() => createKey(desk)).toThrow();
    desk.apply({ kind: CommandKind.revokeKey, ...SYSTEM_ACTOR, apiKey: 'key-0' });
    expect(createKey(desk)).toBe(MAX_KEYS_PER_ACCOUNT);
  });
});

describe('keys that have ended', () => {
  const revoke = (desk: Desk, apiKey: string) =>
    desk.apply({ kind: CommandKind.revokeKey, ...SYSTEM_ACTOR, apiKey });
  const names = (desk: Desk) => desk.exchange.state.accounts[ALICE]!.keys.map((key) => key.apiKey);

  test('are kept up to a number, the first to end are dropped', () => {
    const desk = new Desk();
    const lasting = createKey(desk, { apiKey: 'lasting' });
    const count = MAX_ENDED_KEYS_PER_ACCOUNT + 5;
    for (let made = 0; made < count; made++) {
      createKey(desk, { apiKey: `ended-${made}` });
      revoke(desk, `ended-${made}`);
    }
    const { state } = desk.exchange;
    expect(names(desk)).toEqual([
      'lasting',
      ...Array.from({ length: MAX_ENDED_KEYS_PER_ACCOUNT }, (_, place) => `ended-${place + 5}`),
    ]);
    expect(state.keysByApiKey.size).toBe(1 + MAX_ENDED_KEYS_PER_ACCOUNT);
    expect(state.keys[lasting]).toBeDefined();
    expectRefusal(revoke(desk, 'ended-0'), RejectionCode.unknownKey);
    expectRefusal(
      desk.apply(limitOrder(ALICE, Side.buy, 1, 100, { key: 2 })),
      RejectionCode.unauthorized,
    );
    // The next key has an index of its own, after a snapshot too.
    const restored = readSnapshot(writeSnapshot(desk.exchange).slice());
    expect(restored.state.digest).toBe(state.digest);
    expect(restored.state.keys.length).toBe(count + 1);
    expect(createKey(desk)).toBe(count + 1);
    auditState(state);
  });

  test('are dropped by when they ended, not by when they were created', () => {
    const desk = new Desk();
    createKey(desk, { apiKey: 'first' });
    createKey(desk, { apiKey: 'expires', expiresAt: desk.time + 1 });
    desk.wait(2);
    for (let made = 0; made < MAX_ENDED_KEYS_PER_ACCOUNT; made++) {
      createKey(desk, { apiKey: `ended-${made}` });
      revoke(desk, `ended-${made}`);
      desk.wait(1);
    }
    expect(names(desk)).not.toContain('expires');
    expect(revoke(desk, 'first').kind).toBe('key');
    expect(names(desk)).toContain('first');
    expect(names(desk)).not.toContain('ended-0');
    // A repetition finds the key and changes nothing.
    expect(revoke(desk, 'first').kind).toBe('key');
  });

  test('do not count towards the maximum, expired ones neither', () => {
    const desk = new Desk();
    for (let made = 0; made < MAX_KEYS_PER_ACCOUNT; made++) {
      createKey(desk, { expiresAt: desk.time + 10 });
    }
    expect(() => createKey(desk)).toThrow();
    desk.wait(10);
    createKey(desk);
  });

  test('are dropped by an upgrade from version 1, which kept them all', () => {
    const desk = new Desk({}, 1);
    const count = MAX_ENDED_KEYS_PER_ACCOUNT + 20;
    for (let made = 0; made < count; made++) {
      createKey(desk, { apiKey: `ended-${made}` });
      revoke(desk, `ended-${made}`);
    }
    expect(names(desk).length).toBe(count);
    desk.apply({ kind: CommandKind.upgrade, ...SYSTEM_ACTOR, version: ENGINE_VERSION });
    expect(names(desk)[0]).toBe('ended-20');
    auditState(desk.exchange.state);
  });
});

describe('an operator key', () => {
  const revoke = (desk: Desk, apiKey: string) =>
    desk.apply({ kind: CommandKind.revokeKey, ...SYSTEM_ACTOR, apiKey }).kind;
  const operator = (desk: Desk, apiKey: string, lifetimeMs = 0) =>
    createKey(desk, {
      ...{ apiKey, permissions: Permission.operate },
      expiresAt: lifetimeMs === 0 ? 0 : desk.time + lifetimeMs,
    });

  test('that never expires is not revoked while all others do', () => {
    const desk = new Desk();
    operator(desk, 'permanent');
    operator(desk, 'temporary', 1000);
    expect(revoke(desk, 'permanent')).toBe('rejected');
    operator(desk, 'other');
    expect(revoke(desk, 'permanent')).toBe('key');
    expect(revoke(desk, 'other')).toBe('rejected');
    expect(revoke(desk, 'temporary')).toBe('key');
  });

  test('is revoked where another lasts as long', () => {
    const desk = new Desk();
    operator(desk, 'short', 1000);
    operator(desk, 'long', 2000);
    operator(desk, 'as-long', 2000);
    expect(revoke(desk, 'long')).toBe('key');
    expect(revoke(desk, 'as-long')).toBe('rejected');
    expect(revoke(desk, 'short')).toBe('key');
    expect(revoke(desk, 'as-long')).toBe('rejected');
  });

  test('in version 1 is only kept where it is the last', () => {
    const desk = new Desk({}, 1);
    operator(desk, 'permanent');
    operator(desk, 'temporary', 1000);
    expect(revoke(desk, 'permanent')).toBe('key');
    expect(revoke(desk, 'temporary')).toBe('rejected');
  });
});
