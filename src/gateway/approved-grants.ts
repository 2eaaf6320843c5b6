import { CommandKind, type GrantAccess } from '../engine/command.ts';
import type { ApprovalRequest } from '../engine/operators/records.ts';
import type { State } from '../engine/state.ts';
import * as logger from '../monitoring/logger.ts';
import type { Users } from '../users/users.ts';

/**
 * Gives users the permissions that a second operator has approved. The engine only records that they are allowed, so a
 * node may stop, or lose the users' database, between the two. Every node calls this when it starts and once a minute;
 * each grant is applied once.
 * @throws DatabaseDownError
 */
export async function applyApprovedGrants(users: Users, state: State): Promise<void> {
  for (const request of state.parts.approvals.closed) {
    const { command } = request;
    if (request.status === 'approved' && command.kind === CommandKind.grantAccess) {
      await applyGrant(users, state, request, command);
    }
  }
}

async function applyGrant(
  users: Users,
  state: State,
  { id, decision }: ApprovalRequest,
  { user, owner, permissions }: GrantAccess,
): Promise<void> {
  const { account, key, user: approver, time } = decision!;
  // Ids start again in a new exchange that uses the same users' database.
  const approval = `${id}/${time}`;
  if (users.hasApplied(approval)) return;
  const by =
    approver === ''
      ? (state.keys[key]?.apiKey ?? state.accounts[account]?.id)
      : (await users.store.findById(approver))?.email;
  const grant = { userId: user, accountId: state.accounts[owner]!.id, permissions, approval };
  const outcome = await users.grant(grant, { by: by ?? '', address: '' });
  if (outcome === 'unknownUser') {
    logger.warn(`The permissions that request ${id} granted have no effect: the user was removed`);
  }
}
