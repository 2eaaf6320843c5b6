import type { AuditRecord } from '../../../history/history.ts';
import type { Call } from '../../http/request/call.ts';
import type { CommandDetails, UserEmails } from './audit-details.ts';

/** The commands that record which user of the account sent them, in the field `user`. */
const WITH_AUTHOR: ReadonlySet<string> = new Set([
  ...['requestApproval', 'approve', 'rejectApproval', 'addNote', 'reviewAlert'],
]);

/** Returns the id of the signed-in user who sent a command, if the log has it. */
export function actorUser(action: string, { user }: CommandDetails): string | undefined {
  return WITH_AUTHOR.has(action) && typeof user === 'string' && user !== '' ? user : undefined;
}

/** Returns the email addresses of the users named in audit records. */
export async function findUsers(
  call: Call,
  records: readonly Pick<AuditRecord, 'details'>[],
): Promise<UserEmails> {
  const ids = new Set(records.flatMap(({ details }) => readIds(JSON.parse(details))));
  const users = await call.services.users.store.listByIds([...ids]);
  return new Map(users.map(({ id, email }) => [id, email]));
}

/** Returns the ids of users in the details of a command and of the pending command in it. */
function readIds({ user, command }: CommandDetails): string[] {
  const own = typeof user === 'string' && user !== '' ? [user] : [];
  const isFields = typeof command === 'object' && command !== null;
  return isFields ? [...own, ...readIds(command as CommandDetails)] : own;
}
