import { type Command, CommandKind } from '../command.ts';
import { Resolution } from '../custody/statuses.ts';
import { difference, type Exact, sum } from '../numbers/exact.ts';
import { OPERATOR_PERMISSIONS, Permission } from '../terms.ts';
import type { ApprovalLimit, GrantAccess } from './operator-commands.ts';

/**
 * The actions that may need a second operator. Logs and snapshots store their sum; a bit never changes its meaning, so
 * new actions are appended.
 */
export const ApprovalAction = {
  /** Credits and debits of an operator above the limit of their asset within 24 hours. */
  adjustments: 1,
  /**
   * Decisions that leave the amount of a deposit with an account, rules of networks, which say what withdrawals need, and
   * the custodian's key, with which deposits are reported. Withdrawals need two operators without a policy too.
   */
  withdrawals: 2,
  /** Changes of market rules and fees. */
  rules: 4,
  /**
   * Grants of operators' permissions, and of trading and withdrawing for other accounts, to keys and users; changes of the
   * addresses of such keys.
   */
  grants: 8,
  delisting: 16,
  /** Busts of trades: always. */
  tradeBusts: 32,
  /** Changes of the policy itself: always. */
  policy: 64,
} as const;
export const approvalActionNames = [
  'adjustments',
  'withdrawals',
  'rules',
  'grants',
  'delisting',
  'tradeBusts',
  'policy',
] as const;

const ALL_ACTIONS = Object.values(ApprovalAction).reduce((sum, bit) => sum + bit, 0);
/** Without these one operator could become the second one, so that every policy has them. */
const IN_EVERY_POLICY = ApprovalAction.grants | ApprovalAction.policy;

/** The permissions with which funds of an account are traded or leave it. */
const FUND_PERMISSIONS = Permission.trade | Permission.withdraw | Permission.transfer;

/** Which actions need a second operator. */
export interface ApprovalPolicy {
  /** Sum of ApprovalAction values. */
  readonly actions: number;
  readonly limits: readonly ApprovalLimit[];
}

export const NO_POLICY: ApprovalPolicy = { actions: 0, limits: [] };

/** Returns a policy with the actions that every policy has, or undefined for an unknown action. */
export function completePolicy({ actions, limits }: ApprovalPolicy): ApprovalPolicy | undefined {
  if (actions < 0 || (actions & ~ALL_ACTIONS) !== 0) return undefined;
  return actions === 0 ? NO_POLICY : { actions: actions | IN_EVERY_POLICY, limits };
}

/**
 * Returns whether a command of an action needs a second operator.
 * @param action An ApprovalAction value
 * @param recent What the operator has credited and debited of the asset of a transfer in 24 hours, in minor units
 */
export function needsApproval(
  policy: ApprovalPolicy,
  action: number,
  command: Command,
  recent: Exact,
): boolean {
  if (action === ApprovalAction.policy || action === ApprovalAction.tradeBusts) return true;
  if ((policy.actions & action) === 0) return false;
  if (command.kind === CommandKind.transfer) return exceedsLimit(policy, command, recent);
  if (command.kind === CommandKind.resolveDeposit) {
    return command.resolution === Resolution.credit || command.resolution === Resolution.release;
  }
  const isGrant = action === ApprovalAction.grants && 'permissions' in command;
  return !isGrant || isSensitiveGrant(command);
}

/** Returns whether a grant gives permissions of operators, or lets someone dispose of the funds of another account. */
export function isSensitiveGrant(
  command: Pick<GrantAccess, 'account' | 'owner' | 'permissions'>,
): boolean {
  const { account, owner, permissions } = command;
  const sensitive =
    owner === account ? OPERATOR_PERMISSIONS : OPERATOR_PERMISSIONS | FUND_PERMISSIONS;
  return (permissions & sensitive) !== 0;
}

function exceedsLimit(
  { limits }: ApprovalPolicy,
  { asset, amount }: { readonly asset: number; readonly amount: Exact },
  recent: Exact,
): boolean {
  const limit = limits.find((each) => each.asset === asset)?.amount ?? 0;
  return sum(recent, amount < 0 ? difference(0, amount) : amount) > limit;
}
