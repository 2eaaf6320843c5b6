import { z } from 'zod';
import { CommandKind } from '../../../engine/command.ts';
import { MAX_NOTE_LENGTH } from '../../../engine/limits.ts';
import type { Note } from '../../../engine/operators/records.ts';
import { RejectionCode, rejected } from '../../../engine/rejection.ts';
import { quote } from '../../http/json.ts';
import type { Call } from '../../http/request/call.ts';
import { checkBody } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { fromZod, record } from '../../openapi/json-schema.ts';
import { recordList, recordRef } from '../../openapi/record-schemas.ts';
import { rejectionError } from '../../orders/rejections.ts';
import { timeText } from '../records.ts';
import { readAccount } from './accounts.ts';
import { actorText } from './approval-text.ts';
import { executeAsOperator } from './execute.ts';
import { expectOutcome } from './outcome.ts';

const newNote = z.strictObject({
  text: z
    .string()
    .min(1, 'must not be empty')
    .max(MAX_NOTE_LENGTH, `must be at most ${MAX_NOTE_LENGTH} characters`)
    .meta({
      description:
        'The note. It stays in the log forever: write no names, addresses or other personal data.',
    }),
});

/** GET /api/admin/accounts/:id/notes: `{notes}`, the newest first. */
export async function listNotes(call: Call): Promise<string> {
  call.query([]);
  const notes = call.exchange.state.parts.notes.listByOwner(readAccount(call).index).toReversed();
  const texts = await Promise.all(notes.map((note) => noteText(call, note)));
  return `{"notes":[${texts.join(',')}]}`;
}
listNotes.description = describe({
  operationId: 'listNotes',
  tag: 'Operator',
  summary: 'Notes of operators about an account, newest first',
  path: { id: 'accountId' },
  data: record({ notes: recordList('Note') }),
  errors: ['NOT_FOUND'],
});

/** POST /api/admin/accounts/:id/notes: adds a note. */
export async function addNote(call: Call): Promise<string> {
  const { text } = checkBody(newNote, call.body());
  const outcome = await executeAsOperator(call, {
    kind: CommandKind.addNote,
    ...call.actor,
    owner: readAccount(call).index,
    user: call.session?.userId ?? '',
    text,
  });
  const { note } = expectOutcome(outcome, 'note', call.exchange.state);
  return `{"note":${await noteText(call, note)}}`;
}
addNote.description = describe({
  operationId: 'addNote',
  tag: 'Operator',
  summary: 'Add a note about an account',
  notes: 'Only operators see notes. An account has at most 200.',
  path: { id: 'accountId' },
  body: { schema: fromZod(newNote), examples: { note: { text: 'Called back, ticket 4711' } } },
  data: record({ note: recordRef('Note') }),
  errors: ['NOT_FOUND'],
});

/** DELETE /api/admin/accounts/:id/notes/:noteId: removes a note, which stays in the audit. */
export async function removeNote(call: Call): Promise<string> {
  call.query([]);
  const { state } = call.exchange;
  const { index } = readAccount(call);
  const known = state.parts.notes
    .listByOwner(index)
    .find(({ id }) => String(id) === call.parameters.noteId);
  if (known === undefined) throw rejectionError(rejected(RejectionCode.unknownNote), state);
  const { id } = known;
  const outcome = await executeAsOperator(call, {
    kind: CommandKind.removeNote,
    ...call.actor,
    id,
  });
  const { note } = expectOutcome(outcome, 'note', state);
  return `{"note":${await noteText(call, note)}}`;
}
removeNote.description = describe({
  operationId: 'removeNote',
  tag: 'Operator',
  summary: 'Remove a note about an account',
  path: { id: 'accountId', noteId: 'noteId' },
  data: record({ note: recordRef('Note') }),
  errors: ['NOT_FOUND'],
});

async function noteText(call: Call, note: Note): Promise<string> {
  return (
    `{"id":"${note.id}","text":${quote(note.text)},"timestamp":${timeText(note.time)},` +
    `${await actorText(call, note)}}`
  );
}
