import { z } from 'zod';
import { CommandKind, type ReviewAlert } from '../../../engine/command.ts';
import { MAX_NOTE_LENGTH } from '../../../engine/limits.ts';
import { NONE } from '../../../engine/terms.ts';
import type { AlertReview, ReviewedAlert } from '../../../history/history.ts';
import { caseStatus } from '../../../surveillance/alert.ts';
import { quote } from '../../http/json.ts';
import type { Call } from '../../http/request/call.ts';
import { invalid } from '../../http/request/query.ts';
import { ApiError, quoteSender } from '../../http/response/errors.ts';
import { checkBody } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { fromZod, record } from '../../openapi/json-schema.ts';
import { recordList, recordRef } from '../../openapi/record-schemas.ts';
import { timeText } from '../records.ts';
import { findAccount } from './accounts.ts';
import { actorText } from './approval-text.ts';
import { executeAsOperator } from './execute.ts';
import { expectOutcome } from './outcome.ts';
import { alertText } from './surveillance.ts';

const newReview = z.strictObject({
  caseStatus: z
    .enum(['open', 'closed'])
    .nullish()
    .meta({ description: '`closed` closes the case and needs a note; `open` reopens it.' }),
  assignee: z.string().nullish().meta({
    description:
      'Account of the operator who investigates from then on; an empty text for no one. If it is left out, it stays as it is.',
  }),
  note: z
    .string()
    .max(MAX_NOTE_LENGTH, `must be at most ${MAX_NOTE_LENGTH} characters`)
    .nullish()
    .meta({
      description:
        'Findings of the operator. They stay in the log forever: write no names, addresses or other personal data.',
    }),
});
type NewReview = z.infer<typeof newReview>;

/** GET /api/admin/alerts/:id: `{alert, reviews}`, the oldest review first. */
export async function getSurveillanceAlert(call: Call): Promise<string> {
  call.query([]);
  return caseText(call, await findCase(call));
}
getSurveillanceAlert.description = describe({
  operationId: 'getSurveillanceAlert',
  tag: 'Operator',
  summary: 'An alert of market surveillance with the reviews of its case, oldest first',
  path: { id: 'surveillanceAlertId' },
  data: record({ alert: recordRef('SurveillanceAlert'), reviews: recordList('AlertReview') }),
  errors: ['NOT_FOUND', 'OVERLOADED'],
});

/** PATCH /api/admin/alerts/:id: adds a review to the case of an alert. */
export async function reviewAlert(call: Call): Promise<string> {
  const body = checkBody(newReview, call.body());
  const found = await findCase(call);
  const command = toReview(call, body, found);
  const outcome = await executeAsOperator(call, command);
  expectOutcome(outcome, 'done', call.exchange.state);
  return caseText(call, await findCase(call));
}
reviewAlert.description = describe({
  operationId: 'reviewAlert',
  tag: 'Operator',
  summary: 'Assign, comment on, close or reopen the case of an alert',
  notes:
    'Requires `compliance` or `operate`. A closed case must be reopened before anything else changes. The fields `caseStatus` and ' +
    '`assignee` are left as they are if they are absent.',
  path: { id: 'surveillanceAlertId' },
  body: {
    schema: fromZod(newReview),
    examples: { note: { note: 'Asked the account for an explanation, ticket 4711' } },
  },
  data: record({ alert: recordRef('SurveillanceAlert'), reviews: recordList('AlertReview') }),
  errors: ['NOT_FOUND', 'OVERLOADED'],
});

/** Returns the command of a review. @throws ApiError INVALID_REQUEST if it does not fit the case, or NOT_FOUND */
function toReview(call: Call, body: NewReview, { alert, reviews }: ReviewedAlert): ReviewAlert {
  const { caseStatus: status, assignee, note } = body;
  const latest = reviews.at(-1);
  const wasClosed = latest?.isClosed ?? false;
  if (status == null && assignee == null && (note ?? '').trim() === '') {
    throw invalid('note', 'change', 'Send caseStatus, assignee or note.');
  }
  if (wasClosed && status !== 'open') {
    const message = 'The case is closed. Reopen it with caseStatus open.';
    throw invalid('caseStatus', 'closed', message);
  }
  if (!wasClosed && status === 'open') {
    throw invalid('caseStatus', 'open', 'The case is already open. Leave caseStatus out.');
  }
  const isClosed = status === 'closed';
  if (isClosed && (note ?? '').trim() === '') {
    throw invalid('note', 'closed', 'Send a note that says why the case is closed.');
  }
  return {
    kind: CommandKind.reviewAlert,
    ...call.actor,
    alert: alert.id,
    isClosed,
    assignee: findAssignee(call, assignee, latest),
    user: call.session?.userId ?? '',
    note: note ?? '',
  };
}

/** Returns the index of the assignee's account, NONE for no one. @throws ApiError NOT_FOUND */
function findAssignee(
  call: Call,
  assignee: string | null | undefined,
  latest: AlertReview | undefined,
): number {
  if (assignee == null) return latest?.assignee ?? NONE;
  return assignee === '' ? NONE : findAccount(assignee, call.exchange.state, 'assignee').index;
}

/** Returns the alert in the path with its reviews. @throws ApiError NOT_FOUND */
export async function findCase(call: Call): Promise<ReviewedAlert> {
  const { replica, archivist } = call.services;
  const id = call.parameters.id!;
  const found = await archivist.query({ kind: 'alert', id }, replica.position);
  if (found !== undefined) return found as ReviewedAlert;
  throw new ApiError('NOT_FOUND', `Unknown alert ${quoteSender(id)}.`, { field: 'id' });
}

async function caseText(call: Call, { alert, reviews }: ReviewedAlert): Promise<string> {
  const { state } = call.exchange;
  const texts = await Promise.all(reviews.map((review) => reviewText(call, review)));
  return `{"alert":${alertText({ alert, review: reviews.at(-1) }, state)},"reviews":[${texts.join(',')}]}`;
}

async function reviewText(call: Call, review: AlertReview): Promise<string> {
  const assignee = call.exchange.state.accounts[review.assignee]?.id;
  return (
    `{"logPosition":${review.sequence},"timestamp":${timeText(review.time)},` +
    `"caseStatus":"${caseStatus(review)}",` +
    `"assignee":${assignee === undefined ? 'null' : quote(assignee)},` +
    `"note":${quote(review.note)},${await actorText(call, review)}}`
  );
}
