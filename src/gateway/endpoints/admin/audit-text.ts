import { toAuditOutcome } from '../../../engine/command-details.ts';
import type { AuditRecord } from '../../../history/history.ts';
import { quote } from '../../http/json.ts';
import type { Call } from '../../http/request/call.ts';
import { timeText } from '../records.ts';
import { accountNamesText, findNamedAccounts, readOwnerNames } from './account-names.ts';
import { auditSubject, type CommandDetails, readableDetails } from './audit-details.ts';
import { actorUser, findUsers } from './audit-users.ts';

/** Returns audit records as JSON, with the email addresses and names of the users that they mention. */
export async function auditTexts(call: Call, records: readonly AuditRecord[]): Promise<string[]> {
  const { state } = call.exchange;
  const users = await findUsers(call, records);
  const entries = records.map((record) => {
    const details = JSON.parse(record.details) as CommandDetails;
    const account = state.accounts[record.account]?.id;
    const subject = auditSubject(details, state);
    const readable = readableDetails(details, state, users);
    const accounts = findNamedAccounts([account, subject, readable], state);
    const user = users.get(actorUser(record.action, details) ?? '');
    const apiKey = state.keys[record.key]?.apiKey;
    return { record, account, apiKey, user, subject, readable, accounts };
  });
  const owners = await readOwnerNames(
    call,
    entries.flatMap(({ accounts }) => accounts),
  );
  const orNull = (text: string | undefined) => (text === undefined ? 'null' : quote(text));
  return entries.map(
    ({ record, account, apiKey, user, subject, readable, accounts }) =>
      `{"id":"${record.id}","logPosition":${record.sequence},"index":${record.index},` +
      `"timestamp":${timeText(record.time)},"account":${orNull(account)},` +
      `"apiKey":${orNull(apiKey)},"user":${orNull(user)},` +
      `"action":"${record.action}","subject":${orNull(subject)},` +
      `"outcome":"${toAuditOutcome(record)}","rejection":${record.rejection},` +
      `"details":${JSON.stringify(readable)},"accounts":${accountNamesText(accounts, owners, state)}}`,
  );
}
