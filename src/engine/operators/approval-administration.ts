import {
  type Actor,
  type ApprovableCommand,
  type Approve,
  type ChangeKey,
  type Command,
  CommandKind,
  type GrantAccess,
  type RejectApproval,
  type RequestApproval,
  type SetApprovalPolicy,
  type TableCommand,
} from '../command.ts';
import type { Outcome } from '../event.ts';
import { findOwner, isSameAllowlist } from '../ledger/accounts.ts';
import {
  MAX_PENDING_APPROVALS,
  MAX_PENDING_APPROVALS_PER_ACCOUNT,
  MAX_REASON_LENGTH,
} from '../limits.ts';
import type { Exact } from '../numbers/exact.ts';
import { type Rejection, RejectionCode, rejected } from '../rejection.ts';
import type { State } from '../state.ts';
import { NONE } from '../terms.ts';
import {
  ApprovalAction,
  completePolicy,
  isSensitiveGrant,
  needsApproval,
} from './approval-policy.ts';

/** The parts of the exchange that carry out the commands of operators. */
export interface OperatorCommands {
  /** Returns whether a second operator may approve commands of this kind. */
  isApprovable(command: Command): command is ApprovableCommand;
  /** Returns the rejection of a command whose actor lacks its permission. */
  authorize(actor: Actor, command: ApprovableCommand): Rejection | undefined;
  /** Applies a command without further checks of its actor. */
  apply(command: ApprovableCommand): Outcome;
}

/**
 * Four eyes (engine version 2): commands that the policy names are executed once an operator of another owner has
 * approved them. Commands of the process itself need no approval.
 */
export class ApprovalAdministration {
  constructor(
    private readonly state: State,
    private readonly commands: OperatorCommands,
  ) {}

  /** Returns the rejection of a command that comes without the approval it needs. @param action An ApprovalAction value */
  check(command: TableCommand, action: number | undefined): Rejection | undefined {
    if (action === undefined || command.account === NONE || this.state.version < 2) {
      return undefined;
    }
    if (command.kind === CommandKind.changeKey && !this.isGrant(command)) return undefined;
    const { approvals, adjustmentTotals } = this.state.parts;
    let recent: Exact = 0;
    if (command.kind === CommandKind.transfer) {
      // A repeated one changes nothing, so that it needs no approval even if the first has used the limit up.
      if (this.state.transfers.get(command.reference) !== undefined) return undefined;
      recent = adjustmentTotals.sumRecent(
        findOwner(this.state.accounts, command.account),
        command.asset,
      );
    }
    return needsApproval(approvals.policy, action, command, recent)
      ? rejected(RejectionCode.needsApproval)
      : undefined;
  }

  /**
   * Returns whether a change of a key counts as a grant of its permissions: of its addresses, because a wider allowlist
   * is as good as another key. A label grants nothing.
   */
  private isGrant({ account, apiKey, addresses }: ChangeKey): boolean {
    const key = this.state.keysByApiKey.get(apiKey);
    if (key === undefined || addresses === null) return false;
    if (isSameAllowlist(key.addresses, addresses)) return false;
    const { permissions } = key;
    return isSensitiveGrant({ account, owner: key.account.index, permissions });
  }

  /** Counts a credit or debit that was executed without an approval towards the limit of its operator. */
  countAdjustment(command: TableCommand, outcome: Outcome): void {
    if (command.kind !== CommandKind.transfer || command.account === NONE) return;
    if (outcome.kind !== 'transfer' || !outcome.created) return;
    const { approvals, adjustmentTotals } = this.state.parts;
    if ((approvals.policy.actions & ApprovalAction.adjustments) === 0) return;
    const owner = findOwner(this.state.accounts, command.account);
    adjustmentTotals.add(owner, command.asset, command.amount);
  }

  setPolicy(command: SetApprovalPolicy): Outcome {
    const { state } = this;
    if (state.version < 2) return tooOld();
    const policy = completePolicy(command);
    if (policy === undefined) return rejected(RejectionCode.invalidRules, 'an unknown action');
    const assets = new Set<number>();
    for (const { asset, amount } of policy.limits) {
      if (state.assets[asset] === undefined) return rejected(RejectionCode.unknownAsset);
      if (amount < 0) return rejected(RejectionCode.invalidRules, 'a limit is not negative');
      if (assets.has(asset)) return rejected(RejectionCode.invalidRules, 'one limit per asset');
      assets.add(asset);
    }
    state.parts.approvals.setPolicy(policy);
    if ((policy.actions & ApprovalAction.adjustments) === 0) state.parts.adjustmentTotals.clear();
    return { kind: 'done' };
  }

  request(command: RequestApproval): Outcome {
    const { approvals } = this.state.parts;
    const { account, key, reason, command: inner } = command;
    if (this.state.version < 2) return tooOld();
    if (inner.account !== account || inner.key !== key) {
      return rejected(RejectionCode.invalidRules, 'a request is for a command of its own actor');
    }
    if (this.state.accounts[account] === undefined) return rejected(RejectionCode.unknownAccount);
    if (!this.commands.isApprovable(inner)) {
      return rejected(RejectionCode.invalidRules, 'no one approves commands of this kind');
    }
    const rejection = this.commands.authorize(command, inner);
    if (rejection !== undefined) return rejection;
    if (reason.trim() === '' || reason.length > MAX_REASON_LENGTH) {
      return rejected(
        RejectionCode.invalidRules,
        `a request needs a reason of at most ${MAX_REASON_LENGTH} characters`,
      );
    }
    const isFull =
      approvals.pendingCount >= MAX_PENDING_APPROVALS ||
      approvals.countRequests(account) >= MAX_PENDING_APPROVALS_PER_ACCOUNT;
    if (isFull) return rejected(RejectionCode.limitReached, 'approvals');
    return { kind: 'approval', approval: approvals.add(command) };
  }

  /**
   * Executes the command of a request with the requester as its actor. If the requester may not send it any more, or if
   * the command is rejected, the request stays pending.
   */
  approve(command: Approve): Outcome {
    const { approvals } = this.state.parts;
    const request = approvals.find(command.id);
    if (request === undefined) return rejected(RejectionCode.unknownApproval);
    const { account, key } = request.command;
    if (this.isSameOwner(account, command.account)) return rejected(RejectionCode.ownApproval);
    const rejection = this.commands.authorize(command, request.command);
    if (rejection !== undefined) return rejection;
    if (this.commands.authorize({ account, key }, request.command) !== undefined) {
      return rejected(RejectionCode.requesterUnauthorized);
    }
    const { searchedBelow } = command;
    const inner =
      searchedBelow === undefined ? request.command : { ...request.command, searchedBelow };
    const outcome = this.commands.apply(inner as ApprovableCommand);
    if (outcome.kind === 'rejected') return outcome;
    const decision = { ...actorFields(command), user: command.user, reason: '' };
    return { kind: 'approval', approval: approvals.close(request, 'approved', decision), outcome };
  }

  /** Rejects a request, or withdraws it if an account of the actor's owner has made it. */
  reject(command: RejectApproval): Outcome {
    const { approvals } = this.state.parts;
    const request = approvals.find(command.id);
    if (request === undefined) return rejected(RejectionCode.unknownApproval);
    const rejection = this.commands.authorize(command, request.command);
    if (rejection !== undefined) return rejection;
    if (command.reason.length > MAX_REASON_LENGTH) {
      return rejected(
        RejectionCode.invalidRules,
        `a reason has at most ${MAX_REASON_LENGTH} characters`,
      );
    }
    const isOwn = this.isSameOwner(request.command.account, command.account);
    const status = isOwn ? 'withdrawn' : 'rejected';
    const { user, reason } = command;
    const decision = { ...actorFields(command), user, reason };
    return { kind: 'approval', approval: approvals.close(request, status, decision) };
  }

  /** Returns whether two accounts are of one group, so that no one approves their own request with a sub-account. */
  private isSameOwner(requester: number, decider: number): boolean {
    const { accounts } = this.state;
    return findOwner(accounts, requester) === findOwner(accounts, decider);
  }

  grantAccess({ owner }: GrantAccess): Outcome {
    if (this.state.version < 2) return tooOld();
    const account = this.state.accounts[owner];
    if (account === undefined) return rejected(RejectionCode.unknownAccount);
    return { kind: 'account', account, created: false };
  }
}

function actorFields({ account, key }: Actor): Actor {
  return { account, key };
}

function tooOld(): Rejection {
  return rejected(RejectionCode.invalidRules, 'the engine has not been upgraded to version 2');
}
