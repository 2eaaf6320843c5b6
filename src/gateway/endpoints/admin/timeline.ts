import { timelineKinds } from '../../../engine/command-details.ts';
import type { Account } from '../../../engine/ledger/accounts.ts';
import type { State } from '../../../engine/state.ts';
import type { UserTimelineEntry, UserTimelineFilter } from '../../../history/history.ts';
import type { Call } from '../../http/request/call.ts';
import { nextCursorText } from '../../http/request/cursor.ts';
import { describe } from '../../openapi/description.ts';
import { record } from '../../openapi/json-schema.ts';
import { nextCursor, recordList } from '../../openapi/record-schemas.ts';
import { depositText, withdrawalText } from '../custody/custody-records.ts';
import { timeText } from '../records.ts';
import { accountNamesText, readOwnerNames } from './account-names.ts';
import { readAccount } from './accounts.ts';
import { auditTexts } from './audit-text.ts';

const PARAMETERS = ['timelineKind', 'limit', 'cursor'] as const;
/** A cursor is the batch of the last entry times this, and the number of entries shown of that batch. */
const CURSOR_STEP = 2 ** 16;

/** GET /api/admin/accounts/:id/timeline: `{accounts, names, entries, nextCursor}`, the newest entry first. */
export async function getAccountTimeline(call: Call): Promise<string> {
  const query = call.query(PARAMETERS);
  const limit = query.count('limit');
  const { state } = call.exchange;
  const accounts = listUserAccounts(readAccount(call));
  const scope = query.scope('timeline', accounts[0]!.index);
  const cursor = query.cursor('timeline', accounts[0]!.index);
  const start = readStart(cursor);
  const filter: UserTimelineFilter = {
    ...{ ...start, limit: limit + 1, kind: query.choice('timelineKind', timelineKinds) },
    accounts: accounts.map(({ index }) => index),
  };
  const { replica, archivist } = call.services;
  const answer = await archivist.query({ kind: 'userTimeline', filter }, replica.position);
  const found = answer as UserTimelineEntry[];
  const page = found.slice(0, limit);
  const edge = found.length > page.length ? findEnd(page, start) : undefined;
  const commands = page.map(({ item }) => item).filter((item) => 'action' in item);
  const texts = await auditTexts(call, commands);
  const owners = await readOwnerNames(call, accounts);
  const commandTexts = new Map(commands.map((command, at) => [command, texts[at]!]));
  return (
    `{"accounts":[${accounts.map(({ id }) => `"${id}"`).join(',')}],` +
    `"names":${accountNamesText(accounts, owners, state)},` +
    `"entries":[${page.map((each) => entryText(each, state, commandTexts)).join(',')}],` +
    `"nextCursor":${nextCursorText(edge, scope)}}`
  );
}
getAccountTimeline.description = describe({
  operationId: 'getAccountTimeline',
  tag: 'Operator',
  summary: 'Timeline of a user, newest first',
  notes:
    'Everything about one user, whose main account and sub-accounts are listed in `accounts`, with their names in `names`: the commands of the audit that ' +
    'one of them sent or that concern one of them, and every change of their deposits and withdrawals, in the order of the ' +
    'log. A request for approval and the decision about it have the kind of the command that waits.',
  path: { id: 'accountId' },
  query: PARAMETERS,
  data: record({
    accounts: {
      type: 'array',
      items: { type: 'string' },
      description: 'The main account of the user, then their sub-accounts.',
      examples: [['alice']],
    },
    names: recordList('AccountName'),
    entries: recordList('UserTimelineEntry'),
    nextCursor,
  }),
  errors: ['NOT_FOUND', 'OVERLOADED'],
});

/** Returns the accounts of the user of an account, the main account first. */
function listUserAccounts({ owner }: Account): Account[] {
  return [owner, ...(owner.subAccounts ?? [])];
}

type Start = Pick<UserTimelineFilter, 'upTo' | 'skip'>;

function readStart(cursor: number | undefined): Start {
  if (cursor === undefined) return { upTo: Number.MAX_SAFE_INTEGER, skip: 0 };
  return { upTo: Math.floor(cursor / CURSOR_STEP), skip: cursor % CURSOR_STEP };
}

/** Returns the cursor after a page that began at `start`. */
function findEnd(page: readonly UserTimelineEntry[], { upTo, skip }: Start): number {
  const { sequence } = page.at(-1)!;
  const shown = page.filter((each) => each.sequence === sequence).length;
  return sequence * CURSOR_STEP + shown + (sequence === upTo ? skip : 0);
}

function entryText(
  { kind, sequence, index, item }: UserTimelineEntry,
  state: State,
  commandTexts: ReadonlyMap<UserTimelineEntry['item'], string>,
): string {
  const texts = { time: 0, command: 'null', deposit: 'null', withdrawal: 'null' };
  if ('action' in item) {
    texts.time = item.time;
    texts.command = commandTexts.get(item)!;
  } else {
    texts.time = item.updatedAt;
    if (item.kind === 'deposit') texts.deposit = depositText(item, state);
    else texts.withdrawal = withdrawalText(item, state);
  }
  return (
    `{"logPosition":${sequence},"index":${index},"timestamp":${timeText(texts.time)},` +
    `"kind":"${kind}","command":${texts.command},"deposit":${texts.deposit},"withdrawal":${texts.withdrawal}}`
  );
}
