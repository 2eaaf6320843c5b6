import { useSignal } from '@preact/signals';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Field } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { Table } from '../components/table.tsx';
import { announce, announceError } from '../components/toast.tsx';
import { dateTime } from '../format.ts';

/** Notes of operators about an account. */
export function AccountNotes({ accountId: id }: { accountId: string }) {
  const notes = useResource(() => api.listNotes({ id }));
  const text = useSignal('');
  const action = useAction();
  const add = async () => {
    const note = text.value.trim();
    if (note === '') throw new FieldError('text', 'Enter a note.');
    await api.addNote({ id, text: note });
    text.value = '';
    announce('Note added', 'success');
    await notes.load();
  };
  const remove = async (noteId: string) => {
    await api.removeNote({ id, noteId });
    announce('Note removed', 'success');
    await notes.load();
  };
  return (
    <Panel title="Notes" lead="Only operators see notes.">
      <Loaded resource={notes}>
        {(data) => (
          <Table
            caption={`Notes about ${id}`}
            columns={[
              { key: 'text', title: 'Note', cell: (note) => note.text },
              {
                key: 'by',
                title: 'By',
                cell: ({ user, apiKey, account }) => user ?? apiKey ?? account,
              },
              { key: 'at', title: 'Time', cell: ({ timestamp }) => dateTime(timestamp) },
              {
                key: 'remove',
                title: 'Remove',
                hiddenTitle: true,
                numeric: true,
                cell: (note) => (
                  <button
                    type="button"
                    class="button small"
                    onClick={() => remove(note.id).catch(announceError)}
                  >
                    Remove<span class="visually-hidden"> note {note.id}</span>
                  </button>
                ),
              },
            ]}
            rows={data.notes}
            rowKey={(note) => note.id}
            empty="No notes"
          />
        )}
      </Loaded>
      <Form action={action} onSubmit={add} fields={['text']} label="Add note">
        <Field
          label="New note"
          {...bound(text)}
          hint="It stays in the log: write no names, addresses or other personal data."
          error={action.fieldError('text')}
          input={{ name: 'text', maxLength: 500, required: true }}
        />
        <div class="buttons">
          <Submit action={action} label="Add note" />
        </div>
      </Form>
    </Panel>
  );
}
