import { useSignal } from '@preact/signals';
import type { AlertReview, SurveillanceAlert } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Field, Select } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Facts, Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { type Column, Table } from '../components/table.tsx';
import { announce } from '../components/toast.tsx';
import { dateTime, grouped } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { AlertActivity } from './alert-activity.tsx';
import {
  AccountLinks,
  CaseBadge,
  DETECTORS,
  describeFigure,
  SeverityBadge,
} from './alert-text.tsx';

const COLUMNS: readonly Column<AlertReview>[] = [
  { key: 'time', title: msg('Time'), cell: ({ timestamp }) => dateTime(timestamp) },
  { key: 'by', title: msg('By'), cell: ({ user, apiKey, account }) => user ?? apiKey ?? account },
  { key: 'case', title: msg('Case'), cell: ({ caseStatus }) => <CaseBadge status={caseStatus} /> },
  { key: 'assignee', title: msg('Assignee'), cell: ({ assignee }) => assignee ?? '–' },
  {
    key: 'note',
    title: msg('Note'),
    cell: ({ note }) => <span class="wrapped">{note || '–'}</span>,
  },
];

/** An alert with what was counted, the reviews of its case, and a form that adds one. */
export function AlertCase({ id }: { id: string }) {
  const found = useResource(() => api.getSurveillanceAlert({ id }));
  return (
    <>
      <p>
        <a href="#surveillance" class="back-link">
          {t('← All alerts')}
        </a>
      </p>
      <Loaded resource={found}>
        {({ alert, reviews }) => (
          <>
            <AlertFacts alert={alert} />
            <AlertActivity id={id} />
            <Panel
              title={t('Case')}
              lead={t('Reviews are in the log and cannot be changed or removed.')}
            >
              <Table
                caption={t('Reviews, oldest first')}
                columns={COLUMNS}
                rows={reviews}
                rowKey={({ logPosition, timestamp }) => `${logPosition} ${timestamp}`}
                empty={t('No one has reviewed this alert.')}
              />
              <ReviewForm alert={alert} onDone={() => found.load()} />
            </Panel>
          </>
        )}
      </Loaded>
    </>
  );
}

function AlertFacts({ alert }: { alert: SurveillanceAlert }) {
  const { detector, symbol, accounts, from, to, figures, caseStatus, assignee } = alert;
  return (
    <Panel title={t(DETECTORS[detector])} lead={t('Alert {id}', { id: alert.id })}>
      <Facts
        facts={[
          [msg('Severity'), <SeverityBadge of={alert} />],
          [msg('Case'), <CaseBadge status={caseStatus} />],
          [msg('Assignee'), assignee ?? t('No one')],
          [msg('Market'), symbol],
          [msg('Accounts'), <AccountLinks accounts={accounts} />],
          [msg('From'), placeText(from)],
          [msg('To'), placeText(to)],
          ...Object.entries(figures).map(([name, value]) => describeFigure(name, Number(value))),
        ]}
      />
    </Panel>
  );
}

function placeText({ timestamp, logPosition: position }: SurveillanceAlert['from']): string {
  return t('{time}, log position {position}', {
    ...{ time: dateTime(timestamp), position: grouped(`${position}`) },
  });
}

interface ReviewFormProps {
  readonly alert: SurveillanceAlert;
  readonly onDone: () => Promise<void>;
}

function ReviewForm({ alert: { id, caseStatus, assignee }, onDone }: ReviewFormProps) {
  const note = useSignal('');
  const account = useSignal(assignee ?? '');
  const operators = useResource(() => api.getRoles());
  const options = assigneeOptions(operators.data.value?.operators ?? [], account.value);
  const action = useAction();
  const isClosed = caseStatus === 'closed';
  const review = async (status?: 'open' | 'closed') => {
    const text = note.value.trim();
    if (status === 'closed' && text === '') {
      throw new FieldError('note', t('Enter a note that says why the case is closed.'));
    }
    await api.reviewAlert({
      id,
      assignee: account.value.trim(),
      note: text,
      ...(status === undefined ? {} : { caseStatus: status }),
    });
    note.value = '';
    announce(status === 'closed' ? t('Case closed') : t('Review saved'), 'success');
    await onDone();
  };
  return (
    <Form
      action={action}
      onSubmit={() => review(isClosed ? 'open' : undefined)}
      fields={['note']}
      label={t('Review')}
    >
      <Select
        label={t('Assignee')}
        value={account.value}
        options={options}
        onChange={(chosen) => {
          account.value = chosen;
        }}
      />
      <Field
        label={t('Note')}
        {...bound(note)}
        hint={t('It stays in the log: write no names, addresses or other personal data.')}
        error={action.fieldError('note')}
        input={{ name: 'note', maxLength: 500 }}
      />
      <div class="buttons">
        <Submit action={action} label={isClosed ? t('Reopen case') : t('Save review')} />
        {isClosed ? null : (
          <button
            type="button"
            class="button"
            onClick={() => void action.run(() => review('closed'))}
          >
            {t('Close case')}
          </button>
        )}
      </div>
    </Form>
  );
}

type Operators = Awaited<ReturnType<typeof api.getRoles>>['operators'];

/** Returns the accounts of operators with their users, and the present assignee. */
function assigneeOptions(operators: Operators, present: string): [string, string][] {
  const users = new Map<string, Set<string>>([[present, new Set()]]);
  for (const { account, user } of operators) {
    const known = users.get(account) ?? new Set();
    if (user !== null) known.add(user);
    users.set(account, known);
  }
  users.delete('');
  return [
    ['', t('No one')],
    ...[...users].map(([account, emails]): [string, string] => [
      account,
      emails.size === 0 ? account : `${account} (${[...emails].join(', ')})`,
    ]),
  ];
}
