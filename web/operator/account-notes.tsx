import { useSignal } from '@preact/signals';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Confirm } from '../components/confirm.tsx';
import { Field } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { Table } from '../components/table.tsx';
import { announce } from '../components/toast.tsx';
import { dateTime } from '../format.ts';
import { msg, t } from '../i18n/index.ts';

/** Notes of operators about an account. */
export function AccountNotes({ accountId: id }: { accountId: string }) {
  const notes = useResource(() => api.listNotes({ id }));
  const text = useSignal('');
  const action = useAction();
  const add = async () => {
    const note = text.value.trim();
    if (note === '') throw new FieldError('text', t('Enter a note.'));
    await api.addNote({ id, text: note });
    text.value = '';
    announce(t('Note added'), 'success');
    await notes.load();
  };
  const asked = useSignal<{ readonly id: string; readonly text: string } | undefined>(undefined);
  const remove = async () => {
    await api.removeNote({ id, noteId: asked.value!.id });
    announce(t('Note removed'), 'success');
    await notes.load();
  };
  return (
    <Panel title={t('Notes')} lead={t('Only operators see notes.')}>
      <div class="stack">
        <Loaded resource={notes}>
          {(data) => (
            <Table
              caption={t('Notes about {account}', { account: id })}
              columns={[
                { key: 'text', title: msg('Note'), cell: (note) => note.text },
                {
                  key: 'by',
                  title: msg('By'),
                  cell: ({ user, apiKey, account }) => user ?? apiKey ?? account,
                },
                { key: 'at', title: msg('Time'), cell: ({ timestamp }) => dateTime(timestamp) },
                {
                  key: 'remove',
                  title: msg('Remove'),
                  hiddenTitle: true,
                  numeric: true,
                  cell: (note) => (
                    <button
                      type="button"
                      class="button small"
                      onClick={() => {
                        asked.value = note;
                      }}
                    >
                      {t('Remove…')}
                      <span class="visually-hidden"> {t('note {id}', { id: note.id })}</span>
                    </button>
                  ),
                },
              ]}
              rows={data.notes}
              rowKey={(note) => note.id}
              empty={t('No notes yet.')}
            />
          )}
        </Loaded>
        <Form action={action} onSubmit={add} fields={['text']} label={t('Add note')}>
          <Field
            label={t('New note')}
            {...bound(text)}
            hint={t('Notes are permanent. Do not enter personal data.')}
            error={action.fieldError('text')}
            input={{ name: 'text', maxLength: 500, required: true }}
          />
          <div class="buttons">
            <Submit action={action} label={t('Add note')} />
          </div>
        </Form>
      </div>
      <Confirm
        title={t('Remove note?')}
        open={asked.value !== undefined}
        verb={t('Remove note')}
        dismiss={t('Keep it')}
        onConfirm={remove}
        onClose={() => {
          asked.value = undefined;
        }}
      >
        <p>
          {t('“{text}” is no longer shown. It stays in the audit trail.', {
            text: asked.value?.text ?? '',
          })}
        </p>
      </Confirm>
    </Panel>
  );
}
