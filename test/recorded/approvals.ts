import {
  type Actor,
  type ApprovableCommand,
  CommandKind,
  SYSTEM_ACTOR,
} from '../../src/engine/command.ts';
import { APPROVAL_LIFETIME_MS } from '../../src/engine/limits.ts';
import { ApprovalAction } from '../../src/engine/operators/approval-policy.ts';
import { RejectionCode } from '../../src/engine/rejection.ts';
import { NONE, Permission } from '../../src/engine/terms.ts';
import type { Timed } from '../reference/scenario.ts';
import { CommandList } from './command-list.ts';

const OPERATOR: Actor = { account: 0, key: 0 };
/** A session of an operator of another account. */
const SECOND: Actor = { account: 3, key: NONE };

/** Returns commands that wait for a second operator, and notes about accounts. */
export function approvals(): readonly Timed[] {
  const list = new CommandList();
  list.begin();
  const limits = [{ asset: 0, amount: 10 }];
  const actions = ApprovalAction.adjustments | ApprovalAction.rules;
  const policy = { kind: CommandKind.setApprovalPolicy, ...OPERATOR, actions, limits } as const;
  list.reject(policy, RejectionCode.needsApproval);
  approve(list, ask(list, policy));
  const credit = { owner: 1, asset: 0, amount: 10n ** 18n, reference: 'credit', reason: 'deposit' };
  const command = { kind: CommandKind.transfer, ...OPERATOR, ...credit } as const;
  list.reject(command, RejectionCode.needsApproval);
  approve(list, ask(list, command));
  const permissions = Permission.support | Permission.audit;
  const grant = { kind: CommandKind.grantAccess, ...OPERATOR, owner: 2, user: 'u' } as const;
  approve(list, ask(list, { ...grant, permissions }));
  const kind = CommandKind.rejectApproval;
  for (const actor of [OPERATOR, SECOND]) {
    list.accept({ kind, ...actor, id: ask(list, command), user: 'u', reason: 'no' });
  }
  ask(list, command);
  list.accept({ kind: CommandKind.addNote, ...OPERATOR, owner: 1, user: '', text: 'kept' });
  list.accept({ kind: CommandKind.addNote, ...SECOND, owner: 1, user: 'u', text: 'removed' });
  list.accept({ kind: CommandKind.removeNote, ...OPERATOR, id: 2 });
  const review = { kind: CommandKind.reviewAlert, ...OPERATOR, alert: 'pump-1', user: '' } as const;
  list.accept({ ...review, isClosed: false, assignee: 3, note: '' });
  list.reject({ ...review, isClosed: true, assignee: 3, note: ' ' }, RejectionCode.invalidRules);
  list.accept({ ...review, ...SECOND, isClosed: true, assignee: 3, user: 'u', note: 'harmless' });
  list.tick(APPROVAL_LIFETIME_MS);
  list.accept({ ...policy, ...SYSTEM_ACTOR, limits: [{ asset: 1, amount: 10n ** 20n }] });
  ask(list, command);
  return list.timed;
}

function ask(list: CommandList, command: ApprovableCommand): number {
  const kind = CommandKind.requestApproval;
  const outcome = list.accept({ kind, ...OPERATOR, user: '', reason: 'monthly', command });
  if (outcome.kind !== 'approval') throw new Error(outcome.kind);
  return outcome.approval.id;
}

function approve(list: CommandList, id: number): void {
  list.accept({ kind: CommandKind.approve, ...SECOND, id, user: 'u' });
}
