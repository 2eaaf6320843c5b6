import { z } from 'zod';
import { type Checkpoint, MAX_CHECKPOINTS } from '../../../sandbox/checkpoints/checkpoints.ts';
import type { SandboxCheckpoints } from '../../../sandbox/checkpoints/sandbox-checkpoints.ts';
import type { Call } from '../../http/request/call.ts';
import { invalid } from '../../http/request/query.ts';
import { ApiError } from '../../http/response/errors.ts';
import { checkBody } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { fromZod, integer, list, record, text, timestamp } from '../../openapi/json-schema.ts';
import { timeText } from '../records.ts';
import { findControl } from './clock.ts';

const CHECKPOINT = {
  name: text('The name of the checkpoint.', 'before-the-crash'),
  position: integer('Sequence of the last batch of the log.', 1042),
  timestamp: timestamp("The exchange's time."),
};

const NAME = /^[A-Za-z0-9_-]{1,64}$/;
const request = z.strictObject({
  name: z
    .string()
    .regex(NAME, 'must be 1 to 64 of the characters A-Z a-z 0-9 _ -')
    .meta({ description: 'The name of the checkpoint.' }),
});
const EXAMPLES = { named: { name: 'before-the-crash' } };

/** GET /api/sandbox/checkpoints: the moments to which the sandbox can return. */
export function listCheckpoints(call: Call): string {
  call.query([]);
  return `{"checkpoints":[${findCheckpoints(call).list().map(checkpointText).join(',')}]}`;
}
listCheckpoints.description = describe({
  operationId: 'listCheckpoints',
  tag: 'Sandbox',
  summary: 'List checkpoints',
  data: record({ checkpoints: list(record(CHECKPOINT)) }),
  errors: ['NOT_FOUND'],
});

/** POST /api/sandbox/checkpoints: names the present moment. */
export async function createCheckpoint(call: Call): Promise<string> {
  const { name } = checkBody(request, call.body());
  const checkpoints = findCheckpoints(call);
  if (!checkpoints.hasRoomFor(name)) {
    const message = `There are ${MAX_CHECKPOINTS} checkpoints. Delete one, or use the name of one.`;
    throw invalid('name', 'tooMany', message);
  }
  return checkpointText(await checkpoints.create(name));
}
createCheckpoint.description = describe({
  operationId: 'createCheckpoint',
  tag: 'Sandbox',
  summary: 'Create a checkpoint',
  notes:
    'Copies the whole sandbox: orders, balances, history, users, its clock and market makers. Replaces a checkpoint of the ' +
    'same name. Commands wait while it is written.',
  body: { schema: fromZod(request), examples: EXAMPLES },
  data: record(CHECKPOINT),
  errors: ['NOT_FOUND'],
});

/** POST /api/sandbox/restore: returns to a checkpoint. */
export async function restoreCheckpoint(call: Call): Promise<string> {
  const { name } = checkBody(request, call.body());
  const checkpoints = findCheckpoints(call);
  const checkpoint = checkpoints.find(name);
  if (checkpoint === undefined) throw unknownCheckpoint(name, checkpoints);
  if (!(await checkpoints.restore(checkpoint))) {
    throw invalid('name', 'restoring', 'Another checkpoint is being restored. Try again.');
  }
  return checkpointText(checkpoint);
}
restoreCheckpoint.description = describe({
  operationId: 'restoreCheckpoint',
  tag: 'Sandbox',
  summary: 'Restore a checkpoint',
  notes:
    'Everything after the checkpoint is removed, also from the log. Requests that arrive in the meantime wait; orders without ' +
    'an answer are rejected with `OVERLOADED` and have not been executed; streams are closed with the code 1012.',
  body: { schema: fromZod(request), examples: EXAMPLES },
  data: record(CHECKPOINT),
  errors: ['NOT_FOUND'],
});

/** DELETE /api/sandbox/checkpoints/:name. */
export function deleteCheckpoint(call: Call): string {
  call.query([]);
  const name = call.parameters.name!;
  const checkpoints = findCheckpoints(call);
  const checkpoint = NAME.test(name) ? checkpoints.find(name) : undefined;
  if (checkpoint === undefined) throw unknownCheckpoint(name, checkpoints);
  checkpoints.remove(name);
  return checkpointText(checkpoint);
}
deleteCheckpoint.description = describe({
  operationId: 'deleteCheckpoint',
  tag: 'Sandbox',
  summary: 'Delete a checkpoint',
  path: { name: 'checkpointName' },
  data: record(CHECKPOINT),
  errors: ['NOT_FOUND'],
});

function findCheckpoints(call: Call): SandboxCheckpoints {
  findControl(call);
  return call.services.sandbox!.checkpoints;
}

function unknownCheckpoint(name: string, checkpoints: SandboxCheckpoints): ApiError {
  const names = checkpoints.list().map((each) => each.name);
  const known = names.length === 0 ? 'There are none.' : `There are: ${names.join(', ')}.`;
  return new ApiError('NOT_FOUND', `No checkpoint ${JSON.stringify(name)}. ${known}`);
}

function checkpointText({ name, position, time }: Checkpoint): string {
  return `{"name":${JSON.stringify(name)},"position":${position},"timestamp":${timeText(time)}}`;
}
