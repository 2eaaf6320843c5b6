import { describe, expect, test } from 'bun:test';
import { ALICE, createHmacKey, createKey, Fixture } from '../../../test/fixture.ts';
import { auditState } from '../audit/audit.ts';
import { CommandKind, SYSTEM_ACTOR } from '../command.ts';
import type { Outcome } from '../event.ts';
import { RejectionCode } from '../rejection.ts';
import { readSnapshot, writeSnapshot } from '../snapshot/snapshot.ts';
import { Permission } from '../terms.ts';

const { unauthorized, invalidRules, unknownKey, signatureUsed } = RejectionCode;

function toCode(outcome: Outcome): RejectionCode | undefined {
  return outcome.kind === 'rejected' ? outcome.code : undefined;
}

function reseal(fixture: Fixture, apiKey: string, sealedSecret: Uint8Array): Outcome {
  return fixture.apply({ kind: CommandKind.resealKey, ...SYSTEM_ACTOR, apiKey, sealedSecret });
}

function use(fixture: Fixture, key: number): Outcome {
  const hash = new Uint8Array(16);
  const kind = CommandKind.useSignature;
  return fixture.apply({ kind, account: ALICE, key, hash, expiresAt: fixture.time + 5000 });
}

describe('an HMAC key', () => {
  test('has a sealed secret of 29 to 256 bytes, and no hash or public key', () => {
    const fixture = new Fixture();
    const sealedSecret = new Uint8Array(29).fill(1);
    expect(createHmacKey(fixture, { sealedSecret }).kind).toBe('key');
    const [key] = fixture.exchange.state.keys;
    expect([key!.sealedSecret, key!.publicKey, key!.secretHash.length]).toEqual([
      sealedSecret,
      undefined,
      0,
    ]);
    for (const size of [0, 28, 257]) {
      const { digest } = fixture.exchange.state;
      const other = { apiKey: 'other', sealedSecret: new Uint8Array(size) };
      expect(toCode(createHmacKey(fixture, other))).toBe(invalidRules);
      expect(fixture.exchange.state.digest).toBe(digest);
    }
  });

  test('does not exist in engine version 1', () => {
    const fixture = new Fixture({}, 1);
    expect(toCode(createHmacKey(fixture))).toBe(invalidRules);
    expect(toCode(reseal(fixture, 'signing', new Uint8Array(64)))).toBe(invalidRules);
    expect(fixture.exchange.state.keys).toEqual([]);
  });

  test('never operates the exchange', () => {
    const permissions = Permission.operate | Permission.read;
    expect(toCode(createHmacKey(new Fixture(), { permissions }))).toBe(invalidRules);
  });

  test('uses each signed request once, until it is revoked', () => {
    const fixture = new Fixture();
    createHmacKey(fixture);
    expect(use(fixture, 0).kind).toBe('done');
    expect(toCode(use(fixture, 0))).toBe(signatureUsed);
    fixture.apply({ kind: CommandKind.revokeKey, ...SYSTEM_ACTOR, apiKey: 'signing' });
    expect(toCode(use(fixture, 0))).toBe(unauthorized);
  });

  test('has another hash than one with a public key of the same bytes', () => {
    const bytes = new Uint8Array(32).fill(7);
    const [hmac, signed] = [new Fixture(), new Fixture()];
    createHmacKey(hmac, { sealedSecret: bytes });
    const terms = { owner: ALICE, apiKey: 'signing', permissions: Permission.trade, label: '' };
    const kind = CommandKind.createSignedKey;
    const rest = { publicKey: bytes, addresses: [], expiresAt: 0 };
    signed.apply({ kind, ...SYSTEM_ACTOR, ...terms, ...rest });
    expect(hmac.exchange.state.digest).not.toBe(signed.exchange.state.digest);
  });

  test('is in snapshots, sealed', () => {
    const fixture = new Fixture();
    createHmacKey(fixture);
    const restored = readSnapshot(writeSnapshot(fixture.exchange));
    expect(restored.state.keys[0]!.sealedSecret).toEqual(new Uint8Array(64).fill(7));
    expect(writeSnapshot(restored)).toEqual(writeSnapshot(fixture.exchange));
  });
});

describe('a secret that is sealed again', () => {
  test('replaces the sealed secret and keeps the key', () => {
    const fixture = new Fixture();
    createHmacKey(fixture);
    const { state } = fixture.exchange;
    const { sealedSecret: _, ...before } = state.keys[0]!;
    const { digest } = state;
    const sealed = new Uint8Array(80).fill(9);
    expect(reseal(fixture, 'signing', sealed).kind).toBe('key');
    expect(state.keys[0]!).toEqual({ ...before, sealedSecret: sealed });
    expect(state.digest).not.toBe(digest);
    auditState(state);
    const restored = readSnapshot(writeSnapshot(fixture.exchange));
    expect(restored.state.digest).toBe(state.digest);
  });

  test('is rejected for keys without one, and with a wrong size', () => {
    const fixture = new Fixture();
    createHmacKey(fixture);
    createKey(fixture, { apiKey: 'secret' });
    expect(toCode(reseal(fixture, 'secret', new Uint8Array(64)))).toBe(unknownKey);
    expect(toCode(reseal(fixture, 'none', new Uint8Array(64)))).toBe(unknownKey);
    expect(toCode(reseal(fixture, 'signing', new Uint8Array(28)))).toBe(invalidRules);
    expect(toCode(reseal(fixture, 'signing', new Uint8Array(257)))).toBe(invalidRules);
  });
});
