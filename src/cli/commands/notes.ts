import type { ExactClient } from '../../client/exact-client.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Result } from '../command.ts';
import { online } from '../connection.ts';
import { FORMS } from '../forms.ts';
import { printable, table } from '../text.ts';

export const noteCommands: readonly Command[] = [
  online({
    name: 'notes list',
    positionals: ['ACCOUNT'],
    options: [],
    summary: 'list the notes of operators about an account, newest first',
    run: list,
  }),
  online({
    name: 'notes add',
    positionals: ['ACCOUNT'],
    options: [
      {
        name: 'text',
        value: 'TEXT',
        help: 'the note, which stays in the log: write no personal data',
        isRequired: true,
        form: FORMS.noteText,
      },
    ],
    summary: 'add a note about an account, for operators only',
    run: add,
  }),
  online({
    name: 'notes remove',
    positionals: ['ACCOUNT', 'NOTE'],
    options: [],
    summary: 'remove a note, which stays in the audit',
    run: remove,
  }),
];

async function list(args: Arguments, client: ExactClient): Promise<Result> {
  const id = args.positional('ACCOUNT');
  const data = await client.listNotes({ id });
  if (data.notes.length === 0) return { data, text: `There are no notes about ${printable(id)}.` };
  const rows = data.notes.map((note) => [
    note.id,
    note.timestamp,
    printable(note.user ?? note.account ?? ''),
    printable(note.text),
  ]);
  return { data, text: table(['NOTE', 'TIME', 'BY', 'TEXT'], rows) };
}

async function add(args: Arguments, client: ExactClient): Promise<Result> {
  const id = args.positional('ACCOUNT');
  const data = await client.addNote({ id, text: args.required('text') });
  return { data, text: `Added note ${data.note.id} about ${printable(id)}.` };
}

async function remove(args: Arguments, client: ExactClient): Promise<Result> {
  const [id, noteId] = [args.positional('ACCOUNT'), args.positional('NOTE')];
  const data = await client.removeNote({ id, noteId });
  return { data, text: `Removed note ${noteId} about ${printable(id)}.` };
}
