import { type Signal, useSignal } from '@preact/signals';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import type { Announcement } from '../components/announcements.tsx';
import { bound } from '../components/bound.ts';
import { Confirm } from '../components/confirm.tsx';
import { Field, Select } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Panel } from '../components/panel.tsx';
import { readCells } from '../components/row-card.ts';
import { type Column, Table } from '../components/table.tsx';
import { announce } from '../components/toast.tsx';
import { dateTime } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { readTimeField } from './alert-filters.tsx';
import { readExchangeTime } from './exchange-time.ts';
import { TimeField } from './time-field.tsx';

interface AnnouncementsProps {
  readonly announcements: readonly Announcement[];
  readonly onDone: () => Promise<void>;
}

const SEVERITIES: Readonly<Record<Announcement['severity'], string>> = {
  info: msg('News'),
  warning: msg('Warning'),
};

/** The announcements that stand, and a form for a new one. */
export function Announcements({ announcements, onDone }: AnnouncementsProps) {
  const asked = useSignal<Announcement | undefined>(undefined);
  const withdraw = async () => {
    await api.withdrawAnnouncement({ id: asked.value!.id });
    announce(t('Announcement withdrawn'), 'success');
    await onDone();
  };
  return (
    <>
      <Panel
        title={t('Announcements')}
        lead={t('Shown to everyone now, on every page and at /status. They restrict nothing.')}
        flush
      >
        <Table
          caption={t('Announcements')}
          columns={[
            {
              key: 'title',
              title: msg('Announcement'),
              cell: ({ title, text }) => (
                <span class="cell-text">
                  <b>{title}</b> {text}
                </span>
              ),
            },
            { key: 'severity', title: msg('Kind'), cell: (each) => t(SEVERITIES[each.severity]) },
            { key: 'at', title: msg('Since'), cell: ({ timestamp }) => dateTime(timestamp) },
            {
              key: 'until',
              title: msg('Until'),
              cell: ({ until }) => (until === null ? t('No end') : dateTime(until)),
            },
            {
              key: 'withdraw',
              title: msg('Action'),
              hiddenTitle: true,
              cell: (announcement) => (
                <button
                  type="button"
                  class="button small"
                  onClick={() => {
                    asked.value = announcement;
                  }}
                >
                  {t('Withdraw…')}
                  <span class="visually-hidden"> {announcement.title}</span>
                </button>
              ),
            },
          ]}
          rows={announcements}
          rowKey={({ id }) => id}
          card={announcementCard}
          empty={t('No announcements are shown now.')}
        />
        <Confirm
          title={t('Withdraw announcement?')}
          open={asked.value !== undefined}
          verb={t('Withdraw')}
          dismiss={t('Keep it')}
          onConfirm={withdraw}
          onClose={() => {
            asked.value = undefined;
          }}
        >
          <p>
            {t('“{title}” is removed from every page at once.', {
              title: asked.value?.title ?? '',
            })}
          </p>
        </Confirm>
      </Panel>
      <Panel class="form-panel" title={t('New announcement')} lead={t('Everyone sees it at once.')}>
        <AnnounceForm onDone={onDone} />
      </Panel>
    </>
  );
}

/** An announcement on a phone. */
function announcementCard(each: Announcement, columns: readonly Column<Announcement>[]) {
  const cell = readCells(each, columns);
  return (
    <div class="list-card">
      <span class="list-card-head">
        <span class="muted">{cell('severity')}</span>
        {cell('withdraw')}
      </span>
      {cell('title')}
      <small class="muted">
        {each.until === null
          ? t('Since {time}', { time: dateTime(each.timestamp) })
          : t('{from} until {to}', { from: dateTime(each.timestamp), to: dateTime(each.until) })}
      </small>
    </div>
  );
}

function AnnounceForm({ onDone }: { onDone: () => Promise<void> }) {
  const title = useSignal('');
  const text = useSignal('');
  const until = useSignal('');
  const severity = useSignal<Announcement['severity']>('info');
  const action = useAction();
  const submit = async () => {
    const line = title.value.trim();
    if (line === '') throw new FieldError('title', t('Enter a title.'));
    const terms = { severity: severity.value, title: line, text: text.value.trim() };
    await api.announce({ ...terms, until: await readEnd(until) });
    announce(t('Announced to everyone'), 'success');
    title.value = '';
    text.value = '';
    until.value = '';
    await onDone();
  };
  return (
    <Form
      action={action}
      onSubmit={submit}
      fields={['title', 'text', 'until']}
      label={t('Announce')}
    >
      <div class="two-columns">
        <Field
          label={t('Title')}
          {...bound(title)}
          error={action.fieldError('title')}
          input={{ name: 'title', maxLength: 100, required: true }}
        />
        <Select
          label={t('Kind')}
          value={severity.value}
          options={(['info', 'warning'] as const).map((each) => [each, t(SEVERITIES[each])])}
          onChange={(chosen) => {
            severity.value = chosen;
          }}
        />
      </div>
      <div class="two-columns">
        <Field
          label={t('Text (optional)')}
          {...bound(text)}
          error={action.fieldError('text')}
          input={{ name: 'text', maxLength: 500 }}
        />
        <TimeField
          label={t('Until (optional)')}
          hint={t('Without it, until you withdraw it')}
          name="until"
          {...bound(until)}
          error={action.fieldError('until')}
        />
      </div>
      <div class="buttons">
        <Submit action={action} label={t('Announce')} />
      </div>
    </Form>
  );
}

/** Reads a time. @throws FieldError if it has passed on the exchange's clock */
async function readEnd(text: Signal<string>): Promise<string | undefined> {
  const time = readTimeField('until', text);
  if (time === '') return undefined;
  if (!(Date.parse(time) > (await readExchangeTime()))) {
    throw new FieldError('until', t('Choose a time in the future.'));
  }
  return time;
}
