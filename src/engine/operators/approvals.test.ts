import { describe, expect, test } from 'bun:test';
import { ALICE, BOB, CAROL, createKey, Fixture, USDT } from '../../../test/fixture.ts';
import { auditState } from '../audit/audit.ts';
import { type ApprovableCommand, type Command, CommandKind, SYSTEM_ACTOR } from '../command.ts';
import { MemoRule, Resolution } from '../custody/statuses.ts';
import { APPROVAL_LIFETIME_MS, MAX_PENDING_APPROVALS_PER_ACCOUNT } from '../limits.ts';
import type { Exact } from '../numbers/exact.ts';
import { RejectionCode } from '../rejection.ts';
import { readSnapshot, writeSnapshot } from '../snapshot/snapshot.ts';
import { NONE, Permission } from '../terms.ts';
import { ApprovalAction } from './approval-policy.ts';

/** Alice and Bob are operators; a limit of 100 USDT holds for adjustments. */
class Venue extends Fixture {
  readonly alice = this.addOperator(ALICE, 'alice-1', Permission.operate);
  readonly bob = this.addOperator(BOB, 'bob-1', Permission.operate);

  constructor() {
    super();
    this.apply({
      kind: CommandKind.setApprovalPolicy,
      ...SYSTEM_ACTOR,
      actions: ApprovalAction.adjustments | ApprovalAction.delisting,
      limits: [{ asset: USDT, amount: 100 }],
    });
  }

  addOperator(account: number, apiKey: string, permissions: number) {
    const index = createKey(this, { owner: account, apiKey, permissions });
    return { account, key: Number(index) };
  }

  credit(actor: Actor, amount: Exact, reference = `r${amount}`): ApprovableCommand {
    const terms = { owner: CAROL, asset: USDT, amount, reference, reason: 'test' };
    return { kind: CommandKind.transfer, ...actor, ...terms };
  }

  ask(actor: Actor, command: ApprovableCommand = this.credit(actor, 500)): number {
    const kind = CommandKind.requestApproval;
    const outcome = this.apply({ kind, ...actor, user: '', reason: 'test', command });
    if (outcome.kind !== 'approval') throw new Error(JSON.stringify(outcome));
    return outcome.approval.id;
  }

  approve(actor: Actor, id: number) {
    return this.code({ kind: CommandKind.approve, ...actor, id, user: '' });
  }

  /** Returns the code with which a command is rejected, 0 if it is done. */
  code(command: Command): number {
    const outcome = this.apply(command);
    auditState(this.exchange.state);
    return outcome.kind === 'rejected' ? outcome.code : 0;
  }

  get funds(): Exact {
    return this.exchange.state.accounts[CAROL]!.available(USDT);
  }
}

type Actor = { readonly account: number; readonly key: number };
const { needsApproval, ownApproval, requesterUnauthorized, unknownApproval, unauthorized } =
  RejectionCode;

test('rules of networks and the custodian key wait, and only the decisions on deposits that give money', () => {
  const venue = new Venue();
  const { alice, bob } = venue;
  const resolve = (resolution: Resolution): Command => {
    return { kind: CommandKind.resolveDeposit, ...alice, deposit: 1, resolution, owner: NONE };
  };
  const { unknownDeposit } = RejectionCode;
  const key = {
    kind: CommandKind.setCustodianKey,
    ...alice,
    publicKey: new Uint8Array(32),
  } as const;
  expect(venue.code(resolve(Resolution.release))).toBe(unknownDeposit);
  venue.apply({
    ...{ kind: CommandKind.setApprovalPolicy, ...SYSTEM_ACTOR, limits: [] },
    actions: ApprovalAction.withdrawals,
  });
  for (const each of [Resolution.credit, Resolution.release]) {
    expect(venue.code(resolve(each))).toBe(needsApproval);
  }
  for (const each of [Resolution.dismiss, Resolution.debit]) {
    expect(venue.code(resolve(each))).toBe(unknownDeposit);
  }
  const network: Command = {
    ...{ kind: CommandKind.setNetwork, ...alice, asset: 0, name: 'bitcoin', decimals: 0 },
    ...{ minDeposit: 0, minWithdrawal: 0, withdrawalFee: 0, dailyLimit: 0, approvalAbove: 5 },
    ...{ confirmations: 1, memo: MemoRule.none, deposits: true, withdrawals: true },
    ...{ hourlyCount: 0, addressCoolingMs: 0, newDeviceDelayMs: 0 },
  };
  expect(venue.code(network)).toBe(needsApproval);
  expect(venue.code(key)).toBe(needsApproval);
  expect(venue.approve(bob, venue.ask(alice, key))).toBe(0);
  expect(venue.exchange.state.parts.custody.keyNumber).toBe(1);
});

test('a credit above its limit waits for an operator of another account', () => {
  const venue = new Venue();
  const { alice, bob } = venue;
  expect(venue.code(venue.credit(alice, 100))).toBe(0);
  expect(venue.code(venue.credit(alice, 101))).toBe(needsApproval);
  expect(venue.code(venue.credit(alice, -101))).toBe(needsApproval);
  expect(venue.code(venue.credit({ account: ALICE, key: NONE }, 101))).toBe(needsApproval);
  const before = venue.funds;
  const id = venue.ask(alice, venue.credit(alice, 101));
  expect(venue.funds).toBe(before);
  expect(venue.approve(bob, id)).toBe(0);
  expect(venue.funds).toBe(Number(before) + 101);
  expect(venue.approve(bob, id)).toBe(unknownApproval);
  const [closed] = venue.exchange.state.parts.approvals.closed;
  expect(closed).toMatchObject({ id, status: 'approved', command: alice, decision: bob });
});

describe('the requester', () => {
  test('never approves: neither with the same key, nor another one, nor a session', () => {
    const venue = new Venue();
    const id = venue.ask(venue.alice);
    const other = venue.addOperator(ALICE, 'alice-2', Permission.operate);
    for (const actor of [venue.alice, other, { account: ALICE, key: NONE }]) {
      expect(venue.approve(actor, id)).toBe(ownApproval);
    }
    // Another account with the key of the requester.
    expect(venue.approve({ account: BOB, key: venue.alice.key }, id)).toBe(unauthorized);
    expect(venue.funds).toBe(100_000);
  });

  test('must still have the key and its permission', () => {
    const venue = new Venue();
    const revoked = venue.addOperator(ALICE, 'alice-2', Permission.treasury);
    const id = venue.ask(revoked);
    venue.apply({ kind: CommandKind.revokeKey, ...SYSTEM_ACTOR, apiKey: 'alice-2' });
    expect(venue.approve(venue.bob, id)).toBe(requesterUnauthorized);
    expect(venue.funds).toBe(100_000);
  });

  test('cannot ask for what the key may not do, or in the name of another', () => {
    const venue = new Venue();
    const markets = venue.addOperator(ALICE, 'alice-2', Permission.markets);
    const kind = CommandKind.requestApproval;
    const terms = { user: '', reason: 'test' };
    const ask = (actor: Actor, command: ApprovableCommand) =>
      venue.code({ kind, ...actor, ...terms, command });
    expect(ask(markets, venue.credit(markets, 500))).toBe(RejectionCode.insufficientPermissions);
    expect(ask(venue.alice, venue.credit(venue.bob, 500))).toBe(RejectionCode.invalidRules);
    const order = { kind: CommandKind.cancelOrder, ...venue.alice, orderId: 1 } as Command;
    expect(ask(venue.alice, order as ApprovableCommand)).toBe(RejectionCode.invalidRules);
  });

  test('has at most so many requests at once', () => {
    const venue = new Venue();
    for (let n = 0; n < MAX_PENDING_APPROVALS_PER_ACCOUNT; n++) venue.ask(venue.alice);
    const kind = CommandKind.requestApproval;
    const command = venue.credit(venue.alice, 500);
    const further = { kind, ...venue.alice, user: '', reason: 'test', command };
    expect(venue.code(further)).toBe(RejectionCode.limitReached);
    venue.ask(venue.bob, venue.credit(venue.bob, 500));
  });
});

test('an approver needs the permission of the command', () => {
  const venue = new Venue();
  const id = venue.ask(venue.alice);
  const auditor = venue.addOperator(CAROL, 'carol-1', Permission.audit | Permission.markets);
  const treasurer = venue.addOperator(CAROL, 'carol-2', Permission.treasury);
  expect(venue.approve(auditor, id)).toBe(RejectionCode.insufficientPermissions);
  expect(venue.approve(treasurer, id)).toBe(0);
});

test('an approval reports why the command is rejected now, and the request waits on', () => {
  const venue = new Venue();
  const id = venue.ask(venue.alice, venue.credit(venue.alice, -100_000));
  venue.apply(venue.credit(venue.alice, -1, 'less'));
  expect(venue.approve(venue.bob, id)).toBe(RejectionCode.insufficientBalance);
  venue.apply(venue.credit(venue.alice, 1, 'more'));
  expect(venue.approve(venue.bob, id)).toBe(0);
});

test('an operator of another account rejects a request, and the requester withdraws it', () => {
  const venue = new Venue();
  const close = (actor: Actor) => {
    const kind = CommandKind.rejectApproval;
    return venue.code({ kind, ...actor, id: venue.ask(venue.alice), user: '', reason: 'no' });
  };
  expect([close(venue.bob), close(venue.alice)]).toEqual([0, 0]);
  const statuses = venue.exchange.state.parts.approvals.closed.map(({ status }) => status);
  expect(statuses).toEqual(['rejected', 'withdrawn']);
  expect(venue.funds).toBe(100_000);
});

test('a request expires, and no one approves it afterwards', () => {
  const venue = new Venue();
  const id = venue.ask(venue.alice);
  venue.time += APPROVAL_LIFETIME_MS - 1;
  venue.apply({ kind: CommandKind.tick });
  expect(venue.exchange.nextDueTime).toBe(venue.time + 1);
  venue.time++;
  expect(venue.approve(venue.bob, id)).toBe(unknownApproval);
  expect(venue.exchange.state.parts.approvals.closed).toMatchObject([{ id, status: 'expired' }]);
});

describe('the policy', () => {
  const policy = (actor: Actor, actions: number) =>
    ({ kind: CommandKind.setApprovalPolicy, ...actor, actions, limits: [] }) as const;

  test('is put in force and lowered by two operators only', () => {
    const venue = new Venue();
    for (const actions of [0, ApprovalAction.rules]) {
      expect(venue.code(policy(venue.alice, actions))).toBe(needsApproval);
      const id = venue.ask(venue.alice, policy(venue.alice, actions));
      expect(venue.approve(venue.alice, id)).toBe(ownApproval);
      expect(venue.approve(venue.bob, id)).toBe(0);
    }
    // Now from an empty policy.
    expect(venue.exchange.state.parts.approvals.policy.actions).toBe(
      ApprovalAction.rules | ApprovalAction.grants | ApprovalAction.policy,
    );
  });

  test('covers grants, so that no operator becomes the second one', () => {
    const venue = new Venue();
    const grant = (permissions: number) => {
      const terms = { label: '', addresses: [], expiresAt: 0, secretHash: new Uint8Array(32) };
      const kind = CommandKind.createKey;
      const apiKey = `new-${permissions}`;
      return venue.code({ kind, ...venue.alice, owner: CAROL, apiKey, permissions, ...terms });
    };
    expect(grant(Permission.read)).toBe(0);
    expect(grant(Permission.read | Permission.trade)).toBe(needsApproval);
    for (const permissions of [Permission.operate, Permission.treasury | Permission.read]) {
      expect(grant(permissions)).toBe(needsApproval);
    }
  });

  test('covers the addresses of keys that only two operators create, not their labels', () => {
    const venue = new Venue();
    const { alice, bob } = venue;
    const kind = CommandKind.changeKey;
    const change = (apiKey: string, addresses: readonly string[]) =>
      ({ kind, ...alice, apiKey, label: 'new', addresses }) as const;
    const operate = Permission.operate;
    createKey(venue, { owner: BOB, apiKey: 'spare', permissions: operate, addresses: ['::1'] });
    createKey(venue, { owner: CAROL, apiKey: 'trades' });
    createKey(venue, { owner: CAROL, apiKey: 'reads', permissions: Permission.read });
    for (const apiKey of ['alice-1', 'bob-1', 'trades']) {
      expect(venue.code(change(apiKey, ['10.0.0.1']))).toBe(needsApproval);
      expect(venue.code(change(apiKey, []))).toBe(0);
    }
    expect(venue.code(change('reads', ['10.0.0.1']))).toBe(0);
    expect(venue.code(change('unknown', ['10.0.0.1']))).toBe(RejectionCode.unknownKey);
    expect(venue.code(change('spare', []))).toBe(needsApproval);
    const id = venue.ask(alice, change('spare', []));
    expect(venue.approve(alice, id)).toBe(ownApproval);
    expect(venue.approve(bob, id)).toBe(0);
    expect(venue.exchange.state.keysByApiKey.get('spare')!.addresses).toEqual([]);
  });

  test('is empty at first: one operator runs the exchange', () => {
    const fixture = new Fixture();
    const index = createKey(fixture, { apiKey: 'only', permissions: Permission.operate });
    const terms = { owner: BOB, asset: USDT, amount: 10 ** 12, reference: 'r', reason: '' };
    const outcome = fixture.apply({
      kind: CommandKind.transfer,
      account: ALICE,
      key: index,
      ...terms,
    });
    expect(outcome.kind).toBe('transfer');
  });
});

test('a key cannot grant more than it has', () => {
  const fixture = new Fixture();
  const held = Permission.operate | Permission.transfer;
  const index = createKey(fixture, { owner: ALICE, apiKey: 'admin', permissions: held });
  const grant = (owner: number, permissions: number) => {
    const terms = { label: '', addresses: [], expiresAt: 0, secretHash: new Uint8Array(32) };
    const actor = { account: ALICE, key: index };
    const apiKey = `new-${owner}-${permissions}`;
    const kind = CommandKind.createKey;
    const outcome = fixture.apply({ kind, ...actor, owner, apiKey, permissions, ...terms });
    return outcome.kind === 'key';
  };
  const { read, trade, withdraw, transfer, audit, support } = Permission;
  for (const allowed of [read, transfer, audit | support]) expect(grant(ALICE, allowed)).toBe(true);
  for (const refused of [trade, withdraw]) expect(grant(ALICE, refused)).toBe(false);
  for (const allowed of [read | trade, transfer]) expect(grant(BOB, allowed)).toBe(true);
  expect(grant(BOB, withdraw | read)).toBe(false);
});

test('a snapshot keeps requests, the policy and notes', () => {
  const venue = new Venue();
  venue.approve(venue.bob, venue.ask(venue.alice));
  const id = venue.ask(venue.alice, venue.credit(venue.alice, 10n ** 20n));
  const note = { owner: CAROL, user: 'u', text: 'called back' };
  venue.apply({ kind: CommandKind.addNote, ...venue.alice, ...note });
  venue.apply({ kind: CommandKind.addNote, ...venue.alice, ...note, text: 'twice' });
  expect(venue.code({ kind: CommandKind.removeNote, ...venue.bob, id: 1 })).toBe(0);
  const restored = readSnapshot(writeSnapshot(venue.exchange));
  auditState(restored.state);
  const { approvals, notes } = restored.state.parts;
  expect(approvals.find(id)).toEqual(venue.exchange.state.parts.approvals.find(id)!);
  expect(approvals.closed).toEqual(venue.exchange.state.parts.approvals.closed);
  expect(approvals.policy).toEqual(venue.exchange.state.parts.approvals.policy);
  expect(notes.listByOwner(CAROL).map(({ text }) => text)).toEqual(['twice']);
  const outcome = restored.apply(
    { kind: CommandKind.approve, ...venue.bob, id, user: '' },
    venue.time,
  );
  expect(outcome.kind).toBe('approval');
});

describe('the limit of adjustments', () => {
  const HOUR_MS = 3_600_000;

  test('holds for the sum of 24 hours, whatever the key and the sign', () => {
    const venue = new Venue();
    const { alice, bob } = venue;
    const other = venue.addOperator(ALICE, 'alice-2', Permission.treasury);
    expect(venue.code(venue.credit(alice, 60, 'a'))).toBe(0);
    expect(venue.code(venue.credit(other, -41, 'b'))).toBe(needsApproval);
    expect(venue.code(venue.credit(other, -40, 'c'))).toBe(0);
    expect(venue.code(venue.credit(alice, 1, 'd'))).toBe(needsApproval);
    expect(venue.code(venue.credit({ account: ALICE, key: NONE }, 1, 'd'))).toBe(needsApproval);
    // A repeated one changes nothing; another operator has a sum of their own.
    expect(venue.code(venue.credit(alice, 60, 'a'))).toBe(0);
    expect(venue.code(venue.credit(bob, 100, 'e'))).toBe(0);
    const { exchange } = venue;
    const { state } = readSnapshot(writeSnapshot(exchange));
    auditState(state);
    expect(state.parts.adjustmentTotals.sumRecent(ALICE, USDT)).toBe(100);
    venue.time += 24 * HOUR_MS;
    expect(venue.code(venue.credit(alice, 1, 'd'))).toBe(needsApproval);
    venue.time += HOUR_MS;
    expect(venue.code(venue.credit(alice, 100, 'd'))).toBe(0);
  });

  test('does not count what was approved or rejected, and starts with the policy', () => {
    const venue = new Venue();
    const { alice, bob } = venue;
    expect(venue.approve(bob, venue.ask(alice))).toBe(0);
    expect(venue.code(venue.credit(alice, 0, 'none'))).toBe(RejectionCode.amountOutOfBounds);
    expect(venue.code(venue.credit(alice, 100, 'all'))).toBe(0);
    const kind = CommandKind.setApprovalPolicy;
    venue.apply({ kind, ...SYSTEM_ACTOR, actions: 0, limits: [] });
    expect(venue.exchange.state.parts.adjustmentTotals.isEmpty).toBe(true);
  });
});

test('operators need a second one to let someone trade or withdraw for another account', () => {
  const venue = new Venue();
  const grant = (actor: Actor, owner: number, permissions: number) =>
    venue.code({ kind: CommandKind.grantAccess, ...actor, owner, user: 'u', permissions });
  for (const permission of [Permission.trade, Permission.withdraw, Permission.transfer]) {
    expect(grant(venue.alice, CAROL, Permission.read | permission)).toBe(needsApproval);
    expect(grant(venue.alice, ALICE, Permission.read | permission)).toBe(0);
  }
  expect(grant(venue.alice, CAROL, Permission.read)).toBe(0);
});

test('a request needs a reason', () => {
  const venue = new Venue();
  const kind = CommandKind.requestApproval;
  const command = venue.credit(venue.alice, 500);
  for (const reason of ['', '  ', 'x'.repeat(201)]) {
    const request = { kind, ...venue.alice, user: '', reason, command };
    expect(venue.code(request)).toBe(RejectionCode.invalidRules);
  }
});
