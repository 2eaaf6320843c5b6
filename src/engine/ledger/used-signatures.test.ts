import { afterEach, describe, expect, test } from 'bun:test';
import { ALICE, BOB, createKey, Fixture } from '../../../test/fixture.ts';
import { auditState } from '../audit/audit.ts';
import { CommandKind, type CreateSignedKey, SYSTEM_ACTOR } from '../command.ts';
import type { Outcome } from '../event.ts';
import { MAX_REMEMBERED, MAX_SIGNATURE_LIFETIME_MS } from '../limits.ts';
import { RejectionCode } from '../rejection.ts';
import { readSnapshot, writeSnapshot } from '../snapshot/snapshot.ts';
import { NONE, Permission } from '../terms.ts';

const { signatures: usualLimit } = MAX_REMEMBERED;
const { unauthorized, invalidRules, signatureUsed, signatureExpired, limitReached } = RejectionCode;

afterEach(() => {
  MAX_REMEMBERED.signatures = usualLimit;
});

/** Creates a key with a public key. */
function createSigned(fixture: Fixture, terms: Partial<CreateSignedKey> = {}): Outcome {
  return fixture.apply({
    kind: CommandKind.createSignedKey,
    ...SYSTEM_ACTOR,
    owner: ALICE,
    apiKey: 'signing',
    publicKey: new Uint8Array(32).fill(7),
    permissions: Permission.trade,
    label: '',
    addresses: [],
    expiresAt: 0,
    ...terms,
  });
}

/** An exchange with a key of Alice that signs. */
function ready() {
  const fixture = new Fixture();
  createSigned(fixture);
  const use = (text: number, terms: object = {}) =>
    fixture.apply({
      kind: CommandKind.useSignature,
      account: ALICE,
      key: 0,
      hash: new Uint8Array(16).fill(text),
      expiresAt: fixture.time + 5000,
      ...terms,
    });
  return { fixture, use, state: fixture.exchange.state };
}

function applyCode(outcome: Outcome): RejectionCode | undefined {
  return outcome.kind === 'rejected' ? outcome.code : undefined;
}

describe('a key that signs', () => {
  test('has a public key of 32 bytes and no secret', () => {
    const { state } = ready();
    const [key] = state.keys;
    expect(key!.publicKey).toEqual(new Uint8Array(32).fill(7));
    expect(key!.secretHash).toHaveLength(0);
    for (const size of [0, 31, 33]) {
      const outcome = createSigned(new Fixture(), { publicKey: new Uint8Array(size) });
      expect(applyCode(outcome)).toBe(invalidRules);
    }
  });

  test('does not exist in engine version 1', () => {
    const fixture = new Fixture({}, 1);
    const { digest } = fixture.exchange.state;
    expect(applyCode(createSigned(fixture))).toBe(invalidRules);
    expect(fixture.exchange.state.digest).toBe(digest);
    expect(fixture.exchange.state.keys).toEqual([]);
  });

  test('has another hash than a key with a secret of the same bytes', () => {
    const bytes = new Uint8Array(32).fill(7);
    const signed = new Fixture();
    createSigned(signed, { apiKey: 'same' });
    const secret = new Fixture();
    const terms = { apiKey: 'same', permissions: Permission.trade, secretHash: bytes };
    createKey(secret, { owner: ALICE, ...terms });
    expect(signed.exchange.state.digest).not.toBe(secret.exchange.state.digest);
  });
});

describe('a signed request', () => {
  test('is used once per key', () => {
    const { fixture, use, state } = ready();
    createSigned(fixture, { apiKey: 'other' });
    expect(use(1).kind).toBe('done');
    const { digest } = state;
    expect(applyCode(use(1))).toBe(signatureUsed);
    expect(state.digest).toBe(digest);
    expect(use(2).kind).toBe('done');
    expect(use(1, { key: 1 }).kind).toBe('done');
    auditState(state);
  });

  test('is used within its window only, by the time of the log', () => {
    const { fixture, use } = ready();
    const expiresAt = fixture.time + 5000;
    fixture.wait(5000);
    expect(use(1, { expiresAt }).kind).toBe('done');
    fixture.wait(1);
    expect(applyCode(use(2, { expiresAt }))).toBe(signatureExpired);
    // That it was used before makes no difference then.
    expect(applyCode(use(1, { expiresAt }))).toBe(signatureExpired);
    const latest = fixture.time + MAX_SIGNATURE_LIFETIME_MS;
    expect(applyCode(use(3, { expiresAt: latest + 1 }))).toBe(signatureExpired);
    expect(use(3, { expiresAt: latest }).kind).toBe('done');
  });

  test('with the longest window is never forgotten before its window ends', () => {
    const { fixture, use } = ready();
    const expiresAt = fixture.time + MAX_SIGNATURE_LIFETIME_MS;
    expect(use(1, { expiresAt }).kind).toBe('done');
    fixture.wait(MAX_SIGNATURE_LIFETIME_MS);
    expect(use(2).kind).toBe('done');
    expect(applyCode(use(1, { expiresAt }))).toBe(signatureUsed);
  });

  test('needs a key in force that signs, of its account', () => {
    const { fixture, use } = ready();
    const secret = createKey(fixture, { apiKey: 'secret', owner: ALICE });
    for (const actor of [{ key: secret }, { key: NONE }, { key: 99 }, { account: BOB }]) {
      expect(applyCode(use(1, actor))).toBe(unauthorized);
    }
    fixture.apply({ kind: CommandKind.revokeKey, ...SYSTEM_ACTOR, apiKey: 'signing' });
    expect(applyCode(use(1))).toBe(unauthorized);
  });

  test('is forgotten after the lifetime, four at a time', () => {
    const { fixture, use, state } = ready();
    for (let text = 0; text < 10; text++) use(text);
    fixture.wait(MAX_SIGNATURE_LIFETIME_MS + 1);
    use(100);
    expect(state.signatures.size).toBe(10 - 4 + 1);
    use(101);
    use(102);
    expect([...state.signatures.all()].map(({ usedAt }) => usedAt)).toEqual(
      Array(3).fill(fixture.time),
    );
    expect(state.signatures.count(0)).toBe(3);
    auditState(state);
  });

  test('is rejected while its key has the maximum in the lifetime; other keys are not', () => {
    MAX_REMEMBERED.signatures = 3;
    const { fixture, use, state } = ready();
    createSigned(fixture, { apiKey: 'other' });
    for (let text = 0; text < 3; text++) use(text);
    const { digest } = state;
    expect(use(3)).toEqual({ kind: 'rejected', code: limitReached, rule: 'signatures' });
    expect(state.digest).toBe(digest);
    expect(use(3, { key: 1 }).kind).toBe('done');
    fixture.wait(MAX_SIGNATURE_LIFETIME_MS + 1);
    expect(use(3).kind).toBe('done');
  });

  test('stays used in a snapshot', () => {
    const { fixture, use } = ready();
    use(1);
    const restored = readSnapshot(writeSnapshot(fixture.exchange));
    expect(writeSnapshot(restored)).toEqual(writeSnapshot(fixture.exchange));
    expect(restored.state.keys[0]!.publicKey).toEqual(fixture.exchange.state.keys[0]!.publicKey);
    const kind = CommandKind.useSignature;
    const hash = new Uint8Array(16).fill(1);
    const again = { kind, account: ALICE, key: 0, hash, expiresAt: fixture.time };
    expect(applyCode(restored.apply(again, fixture.time))).toBe(signatureUsed);
  });
});
