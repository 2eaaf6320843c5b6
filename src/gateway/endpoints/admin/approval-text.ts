import { commandDetails, commandName } from '../../../engine/command-details.ts';
import { expiryTime } from '../../../engine/operators/approvals.ts';
import type { ApprovalRequest } from '../../../engine/operators/records.ts';
import { quote } from '../../http/json.ts';
import type { Call } from '../../http/request/call.ts';
import { timeText } from '../records.ts';
import { accountNamesText, findNamedAccounts, readOwnerNames } from './account-names.ts';
import { currentText } from './approval-current.ts';
import { auditSubject, type CommandDetails, readableDetails } from './audit-details.ts';
import { findUsers } from './audit-users.ts';

/** Returns a request for approval as JSON. */
export async function approvalText(call: Call, request: ApprovalRequest): Promise<string> {
  const { state } = call.exchange;
  const { command, decision } = request;
  const text = commandDetails(command);
  const details = JSON.parse(text) as CommandDetails;
  const subject = auditSubject(details, state);
  const users = await findUsers(call, [{ details: text }]);
  const readable = readableDetails(details, state, users);
  const accounts = findNamedAccounts([subject, readable], state);
  const owners = await readOwnerNames(call, accounts);
  const current = request.status === 'pending' ? await currentText(call, command, users) : 'null';
  const decided =
    decision === undefined
      ? 'null'
      : `{${await actorText(call, decision)},"reason":${quote(decision.reason)},"timestamp":${timeText(decision.time)}}`;
  return (
    `{"id":"${request.id}","status":"${request.status}","action":"${commandName(command)}",` +
    `"subject":${subject === undefined ? 'null' : quote(subject)},"details":${JSON.stringify(readable)},"current":${current},` +
    `"accounts":${accountNamesText(accounts, owners, state)},` +
    `${await actorText(call, { ...command, user: request.user })},"isOwn":${command.account === call.account.index},` +
    `"reason":${quote(request.reason)},"requestedAt":${timeText(request.requestedAt)},` +
    `"expiresAt":${timeText(expiryTime(request))},"decision":${decided}}`
  );
}

/** Returns the fields of an operator: the account, and the API key or the user. */
export async function actorText(
  call: Call,
  actor: { readonly account: number; readonly key: number; readonly user: string },
): Promise<string> {
  const { state } = call.exchange;
  const account = state.accounts[actor.account]?.id;
  const apiKey = state.keys[actor.key]?.apiKey;
  const user = actor.user === '' ? undefined : await call.services.users.store.findById(actor.user);
  const orNull = (text: string | undefined) => (text === undefined ? 'null' : quote(text));
  return `"account":${orNull(account)},"apiKey":${orNull(apiKey)},"user":${orNull(user?.email)}`;
}
